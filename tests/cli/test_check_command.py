"""`judge-tui check`: every problem of every file, and as what the others were read."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import Result

from tests.as_typed import invoke

RUN = "q Q0 a 1 2.5 t\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def check(*words: str, given: str = "") -> Result:
    return invoke("check", *words, given=given)


def test_each_file_is_said_to_be_fine_as_something() -> None:
    Path("a.csv").write_text("query_id,doc_id,score\nq,d,1\n")
    Path("b.csv").write_text("query_id,doc_id,score,relevance\nq,d,1,\n")
    Path("c.tsv").write_text("query-id\tcorpus-id\tscore\nq\td\t1\n")
    result = check("a.csv", "*.tsv", "b.csv", "-", given=RUN)
    assert result.exit_code == 0
    assert result.stdout == (
        "a.csv: fine as run (csv)\n"
        "c.tsv: fine as qrels (beir)\n"
        "b.csv: fine as run (results)\n"
        "-: fine as run (trec)\n"
    )


def test_folders_and_patterns_are_taken_apart_and_the_rest_goes_on() -> None:
    Path("runs").mkdir()
    Path("runs/a.run").write_text(RUN)
    Path("runs/b.json").write_text('{"q": {"a": "x", "b": 0.5}}')
    Path("docs").mkdir()
    Path("docs/a.txt").write_text("text\n")
    result = check("none", "runs", "*.gz", "docs")
    assert result.exit_code == 2
    assert result.stdout == "runs/a.run: fine as run (trec)\ndocs: fine as documents (folder)\n"
    assert [line.partition(";")[0] for line in result.stderr.splitlines()] == [
        "error: none: there is no such file",
        "error: runs/b.json:1: query 'q', document 'a': 'x' is not a number",
        "error: *.gz: no file matches this pattern",
    ]


def test_faults_that_are_alike_are_told_once() -> None:
    rows = [f"q,{pair}" for pair in ("a,1", "b,x", "c,0.5", "d,x", "e,x", "f,3")]
    Path("a.csv").write_text("\n".join(["query_id,doc_id,relevance", *rows]))
    lines = check("a.csv").stderr.splitlines()
    assert [line.partition(" grade ")[0] for line in lines] == [
        "error: a.csv:3:",
        "error: a.csv:4:",
    ]
    assert lines[0].endswith(" (2 more like this)")
