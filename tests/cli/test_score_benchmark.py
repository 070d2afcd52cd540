"""A graded benchmark in the place of qrels: it has the queries and their classes, too."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from judge_tui.cli import cli


def done(*arguments: str | Path, code: int = 0) -> str:
    result = CliRunner().invoke(cli, list(map(str, arguments)))
    assert result.exit_code == code, result.output
    return result.output


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path, Path]:
    """Two queries: `old` has the better one first for neither, `new` for both."""
    entries = [
        {
            "query": f"find {name}",
            "query_id": f"my {name}",
            "class": name,
            "documents": [
                {"id": "good", "text": "good", "score": 2},
                {"id": "poor", "text": "poor", "score": 1},
            ],
        }
        for name in ("guides", "pages")
    ]
    (tmp_path / "b.json").write_text(json.dumps(entries))
    for tag, ids in (("old", ("poor", "good")), ("new", ("good", "poor"))):
        lines = [
            f"my%20{name} Q0 {doc_id} {rank} {1 / rank} {tag}\n"
            for name in ("guides", "pages")
            for rank, doc_id in enumerate(ids, 1)
        ]
        (tmp_path / f"{tag}.run").write_text("".join(lines))
    return tmp_path / "b.json", tmp_path / "old.run", tmp_path / "new.run"


@pytest.mark.parametrize("command", ["score", "compare"])
def test_its_classes_need_no_queries_beside_it(files, command):
    benchmark, old, new = files
    told = done(command, benchmark, old, new, "--by", "class", "-m", "nDCG@1", "-f", "json")
    # Grade 1 of 2 is first in old, in every class.
    found = json.loads(told)
    if command == "score":
        (old_run, _) = found["runs"]
        means = {name: one["mean"]["nDCG@1"] for name, one in old_run["slices"].items()}
        assert means == {"guides": 0.5, "pages": 0.5}
    else:
        names = {one["slice"] for one in found["comparisons"]}
        assert {"guides", "pages"} <= names


@pytest.mark.parametrize("command", ["score", "compare"])
def test_measures_that_say_nothing_of_its_classes_are_refused(files, command):
    benchmark, old, new = files
    text = benchmark.read_text().replace('"class": "guides"', '"class": "attribute"')
    benchmark.write_text(text)
    refused = done(command, benchmark, old, new, "-m", "RR", code=2)
    assert "RR says nothing of queries of class 'attribute': what has an attribute" in refused
    gate = ("-m", "P@5", "--require", "nDCG@10>=0.1")
    assert "nDCG@10 says nothing of queries" in done(command, benchmark, old, new, *gate, code=2)
    told = done(command, benchmark, old, new)
    assert "classes of queries with measures of their own: attribute; --by class shows" in told
    benchmark.write_text(text.replace('"class": "pages"', '"class": "lookup"'))
    told = done(command, benchmark, old, new, "-m", "P@5")
    assert "ask for unlike things (attribute, lookup) are taken together" in told


def test_without_a_benchmark_the_queries_are_asked_for(files, tmp_path):
    _, old, _ = files
    (tmp_path / "g.qrels").write_text("my%20guides 0 good 1\n")
    told = done("score", tmp_path / "g.qrels", old, "--by", "class", code=2)
    assert "--by class needs the queries; give their file with --queries FILE" in told


def test_that_all_documents_count_as_relevant_is_said(files):
    benchmark, old, _ = files
    warning = "warning: no document has grade 0: all count as relevant"
    for command in (("check", benchmark), ("score", benchmark, old), ("compare", *files)):
        assert warning in " ".join(done(*command).split())


def test_what_is_right_for_no_query_is_told(files, tmp_path):
    """By `check`, too; and of answers as of a benchmark."""
    benchmark, old, _ = files
    first, second = json.loads(benchmark.read_text())
    documents = [{**one, "score": 0} for one in second["documents"]]
    benchmark.write_text(json.dumps([first, {**second, "documents": documents}]))
    note = "nothing is right for 1 of 2 queries (my pages): no system can score there"
    assert note in done("score", benchmark, old)
    assert note in done("check", benchmark)
    answers = [
        {"query_id": one["query_id"], "query": one["query"], "expected": "good", "grade": grade}
        for grade, one in enumerate((second, first))
    ]
    (tmp_path / "a.json").write_text(json.dumps(answers))
    assert note in done("score", "--answers", tmp_path / "a.json", old)
    assert note in done("check", tmp_path / "a.json")
