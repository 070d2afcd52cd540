"""Graded benchmarks: which grades their scores are, and all that may be wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from judge_tui.errors import InputError, UsageError
from judge_tui.formats.benchmark import parse_grades, read_benchmark
from judge_tui.formats.check import check_file
from judge_tui.formats.query_names import name_of
from judge_tui.formats.rows import iter_documents
from judge_tui.formats.whole_files import read_qrels, read_queries
from tests.formats.samples import BENCHMARK, jsonl


def written(folder: Path, content: Any) -> Path:
    path = folder / "benchmark.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content, indent=1))
    return path


def with_scores(folder: Path, *scores: Any) -> Path:
    documents = [{"id": f"d{n}", "text": f"text {n}", "score": s} for n, s in enumerate(scores)]
    return written(folder, [{"query": "what", "documents": documents}])


@pytest.mark.parametrize("lines", [False, True])
def test_it_serves_wherever_a_part_of_it_does(tmp_path: Path, lines: bool) -> None:
    path = written(tmp_path, jsonl(*BENCHMARK) if lines else BENCHMARK)
    read = read_benchmark(path)
    assert read.qrels == {"q001": {"d1": 2, "d2": 0}, "x": {"d1": 1}}
    # Where the file has no id, its rows have the text.
    assert [*read_qrels(path).values()] == [*read.qrels.values()]
    assert [*read_qrels(path)] == [name_of(query) for query in read_queries(path)]
    assert [entry.query for entry in read.entries] == read_queries(path)
    assert [*read.documents.values()] == [document for _, document in iter_documents(path)]
    assert len(read.candidates["x"]) == 1
    assert check_file(path) == []


def test_whole_scores_are_grades_and_others_need_to_be_told(tmp_path: Path) -> None:
    path = with_scores(tmp_path, 0.0, "0.25", 1)
    with pytest.raises(InputError, match=r"score 0\.25 is no grade; .* --scores 0=0,0\.5=1"):
        read_benchmark(path)
    assert read_queries(path)[0].text == "what"
    read = read_benchmark(path, grades=parse_grades("0=0,.25=1,1=3"))
    assert read.qrels == {"q001": {"d0": 0, "d1": 1, "d2": 3}}
    with pytest.raises(InputError, match=r"score 0 is below the least of --scores"):
        read_benchmark(path, grades=parse_grades("0.2=1"))


@pytest.mark.parametrize("text", ["", "0", "a=1", "0=0,0=1", "0=1,1=0", "0=1001", "-1=0", "0==1"])
def test_a_scale_that_is_none(text: str) -> None:
    with pytest.raises(UsageError, match="--scores"):
        parse_grades(text)


ONE = {"id": "d", "text": "t", "score": 1}


@pytest.mark.parametrize(
    ("entries", "what"),
    [
        ([{"query": " ", "documents": [ONE]}], "entry 1: there is no query"),
        ([{"query": "a", "documents": []}], "entry 1: the query has no documents"),
        ([{"query": "a", "documents": [1]}], "entry 1: 'documents' is no list of objects"),
        ([{"query": "a", "documents": [ONE, ONE]}], "document 'd' is among the query's already"),
        (
            [{"query": "a", "documents": [ONE]}, {"query": " a ", "documents": [ONE]}],
            "entry 2: entry 1 has the text 'a' already",
        ),
        (
            [
                {"query": "a", "documents": [ONE]},
                {"query": "b", "documents": [{**ONE, "text": "u"}]},
            ],
            "document 'd' is another on line",
        ),
        ([{"query": "a", "documents": [{**ONE, "id": ""}]}], "the document has no id"),
        ([{"query": "a", "documents": [{**ONE, "text": ""}]}], "document 'd' has no text"),
        ([{"query": "a", "documents": [{**ONE, "score": None}]}], "score (none) is not a finite"),
        ([{"query": "a", "documents": [{**ONE, "score": True}]}], "score True is not a finite"),
        ([{"query": "a", "documents": [{**ONE, "score": -1}]}], "score -1 is negative"),
        ([{"query": "a", "documents": [{**ONE, "score": 1001}]}], "score 1001 is no grade"),
        ([{"query": "a", "documents": [ONE], "authority": 1}], "authority is no list"),
    ],
)
def test_what_cannot_be_used_is_told_with_its_entry(
    tmp_path: Path, entries: Any, what: str
) -> None:
    path = written(tmp_path, entries)
    with pytest.raises(InputError, match=r"benchmark\.json:[0-9]+: entry ") as caught:
        read_benchmark(path)
    assert what in str(caught.value)
    assert what in str(check_file(path, format="qrels:benchmark")[0])
