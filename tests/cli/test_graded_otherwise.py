"""Qrels that have texts beside their ids are held against the file of queries."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.as_typed import judge_tui
from tests.evaluating import SYSTEM

QUERIES = "query_id,query,class\nq1,read a file,x\nq2,read a file fast,x\nq3,sort a list,y\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.toml").write_text(SYSTEM)
    (tmp_path / "s.run").write_text("q1 Q0 d1 1 1 s\n")
    (tmp_path / "queries.csv").write_text(QUERIES)
    return tmp_path


def rank_eval(text: str) -> dict[str, object]:
    its = {"params": {"query": text}, "ratings": [{"_index": "i", "_id": "d1", "rating": 1}]}
    return {"requests": [{"id": "q1", **its}]}


def benchmark(text: str) -> list[object]:
    document = {"id": "d1", "text": "t", "score": 1}
    return [{"query_id": "q1", "query": text, "documents": [document]}]


COMMANDS = [
    ("score", "graded.json", "s.run", "--queries", "queries.csv", "--by", "class"),
    ("evaluate", "s.toml", "--qrels", "graded.json", "--queries", "queries.csv", "-o", "out"),
]


@pytest.mark.parametrize("text", ["sort a list", "read a file fast", "bake bread"])
@pytest.mark.parametrize("form", [rank_eval, benchmark])
@pytest.mark.parametrize("command", COMMANDS)
def test_grades_of_another_text_are_refused(folder, command, form, text):
    (folder / "graded.json").write_text(json.dumps(form(text)))
    refused = judge_tui(*command, code=2).stderr
    told = f"query 'q1' is 'read a file' here and {text!r} in graded.json; mend the id or the text"
    assert told in refused
    assert not (folder / "out").exists()


@pytest.mark.parametrize("form", [rank_eval, benchmark])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_text_that_was_but_mended_is_told(folder, command, form):
    (folder / "graded.json").write_text(json.dumps(form("Read  a file")))
    told = "1 of 1 queries were graded with other texts than queries.csv has now"
    assert told in judge_tui(*command).stdout
    (folder / "graded.json").write_text(json.dumps(form("read  a file")))
    assert "graded with other texts" not in judge_tui(*command).stdout


def test_an_id_in_the_place_of_a_text_contradicts_none(folder):
    its = {"request": {}, "ratings": [{"_index": "i", "_id": "d1", "rating": 1}]}
    (folder / "graded.json").write_text(json.dumps({"requests": [{"id": "q1", **its}]}))
    for command in COMMANDS:
        assert judge_tui(*command).stdout


def test_a_benchmark_without_ids_is_held_to_the_places_of_its_queries(folder):
    document = {"id": "d1", "text": "t", "score": 1}
    entries = [{"query": text, "documents": [document]} for text in ("two", "one")]
    (folder / "graded.json").write_text(json.dumps(entries))
    (folder / "queries.csv").write_text("query,class\none,x\ntwo,y\n")
    (folder / "s.run").write_text("q001 Q0 d1 1 1 s\n")
    for command in COMMANDS:
        assert judge_tui(*command, code=2).stderr.endswith(
            " query 'q001' is 'one' here and 'two' in graded.json; write the ids into it, as"
            " query_id\n"
        )
