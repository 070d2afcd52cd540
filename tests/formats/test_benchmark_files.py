"""Graded benchmarks: what is read of them, and which grades their scores are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from judge_tui.errors import InputError
from judge_tui.formats.benchmark import GradedEntry, read_benchmark
from judge_tui.formats.query_names import name_of
from judge_tui.formats.rows import iter_documents
from judge_tui.formats.whole_files import read_qrels, read_queries
from tests.formats.samples import BENCHMARK


def grades_of(entries: list[GradedEntry]) -> dict[str, dict[str, int | None]]:
    return {
        entry.query.query_id: {one.document.doc_id: one.judgment.grade for one in entry.candidates}
        for entry in entries
    }


@pytest.mark.parametrize("lines", [False, True])
def test_it_serves_wherever_a_part_of_it_does(tmp_path: Path, lines: bool) -> None:
    path = tmp_path / "benchmark.json"
    entries = "".join(f"{json.dumps(entry)}\n" for entry in json.loads(BENCHMARK))
    path.write_text(entries if lines else BENCHMARK)
    read = read_benchmark(path)
    assert grades_of(read) == {"q001": {"d1": 2, "d2": 0}, "q1": {"d1": 1}}
    # Where the file has no id, its rows have the text.
    assert [*read_qrels(path).values()] == [*grades_of(read).values()]
    assert [*read_qrels(path)] == [name_of(query) for query in read_queries(path)]
    assert [entry.query for entry in read] == read_queries(path)
    documents = {one.document.doc_id: one.document for entry in read for one in entry.candidates}
    assert [*documents.values()] == [document for _, document in iter_documents(path)]


def test_whole_scores_are_grades_and_others_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "benchmark.json"
    documents = [
        {"id": f"d{n}", "text": f"text {n}", "score": score}
        for n, score in enumerate([0.0, "0.25", 1])
    ]
    path.write_text(json.dumps([{"query": "what", "documents": documents}]))
    with pytest.raises(InputError, match=r"score 0\.25 is not a grade; write a whole number"):
        read_benchmark(path)
    assert read_queries(path)[0].text == "what"
    for score in (-1, 1001):
        documents[0]["score"] = score
        other = tmp_path / "other.json"
        other.write_text(json.dumps([{"query": "what", "documents": documents}]))
        with pytest.raises(InputError, match=f"score {score} is not a grade"):
            read_benchmark(other)
