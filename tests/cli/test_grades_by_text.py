"""Grades that name queries by their texts, as Quepid's do, beside a file of queries."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.as_typed import judge_tui

RATINGS = "query,docid,rating\nread a file,d1,1\ntwo,d2,1\n"
# White space makes no other text.
TEXTS = "query,class\nread  a file,x\ntwo,y\n"
IDS = "query_id,query,class\nb1,two,y\nb2,read a file,x\nb3,three,z\n"
RANKED = "{0} Q0 d1 1 2 s\n{1} Q0 d1 1 2 s\n{1} Q0 d2 2 1 s\n"
SNAPSHOT = (
    "Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position\n"
    "s,now,1,read a file,d1,1\ns,now,1,two,d1,1\ns,now,1,two,d2,2\n"
)
DETAILED = (
    "Team Name,Case Name,Case ID,Query Text,Doc ID,Doc Position,Title,Rating\n"
    "t,c,1,read a file,d1,1,,1\nt,c,1,two,d1,1,,0\nt,c,1,two,d2,2,,1\n"
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ratings.csv").write_text(RATINGS)
    return tmp_path


@pytest.mark.parametrize(
    ("run", "queries"),
    [
        (SNAPSHOT, TEXTS),
        (SNAPSHOT, IDS),
        (RANKED.format("q001", "q002"), TEXTS),
        (RANKED.format("b2", "b1"), IDS),
    ],
)
def test_grades_and_runs_by_texts_come_under_the_ids_of_the_queries(folder, run, queries):
    (folder / "s.run").write_text(run)
    (folder / "queries.csv").write_text(queries)
    words = ("ratings.csv", "s.run", "--by", "class", "--queries", "queries.csv")
    document = json.loads(judge_tui("score", *words, "-m", "RR", "-f", "json").stdout)
    slices = document["runs"][0]["slices"]
    assert {name: its["mean"]["RR"] for name, its in slices.items()} == {"x": 1.0, "y": 0.5}


def test_results_with_grades_beside_them_are_joined_alike(folder):
    (folder / "both.csv").write_text(DETAILED)
    (folder / "queries.csv").write_text(TEXTS)
    words = ("both.csv", "--by", "class", "--queries", "queries.csv", "-m", "RR", "-f", "json")
    slices = json.loads(judge_tui("score", *words).stdout)["runs"][0]["slices"]
    assert {name: its["mean"]["RR"] for name, its in slices.items()} == {"x": 1.0, "y": 0.5}


@pytest.mark.parametrize(
    ("queries", "told"),
    [
        ("query\nread a file\nthree\n", "ratings.csv:3: no query has the text 'two'"),
        (f"{TEXTS}two,x\n", "ratings.csv:3: the text 'two' belongs to q002 and q003"),
    ],
)
def test_a_text_is_that_of_one_query(folder, queries, told):
    (folder / "s.run").write_text(SNAPSHOT)
    (folder / "queries.csv").write_text(queries)
    done = judge_tui("score", "ratings.csv", "s.run", "--queries", "queries.csv", code=2)
    assert told in done.stderr
