"""Queries that come under ids of their own, and are in the campaign under others."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from judge_tui.campaign import open_campaign
from judge_tui.campaign.queries import all_queries
from tests.as_typed import judge_tui
from tests.campaign.copies import copied

OWN = "query_id,query,result1\n1,walk a tree,d1\n2,how to sort,d2\n3,new,d3\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A campaign that has two queries, q001 and q002."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.csv").write_text("query,result1\nwalk a tree,d1\nhow to sort,d2\n")
    (tmp_path / "a.qrels").write_text("q001 0 d1 1\nq002 0 d2 1\n")
    (tmp_path / "own.csv").write_text(OWN)
    judge_tui("init")
    judge_tui("load", "queries", "a.csv")
    return tmp_path


def ids() -> list[str]:
    judge_tui("export", "msmarco", "-o", "ms", "--unresolved", "skip")
    return [line.split("\t")[0] for line in Path("ms/queries.test.tsv").read_text().splitlines()]


def test_without_judgments_they_are_told():
    loaded = judge_tui("load", "queries", "own.csv")
    assert loaded.stdout == "own.csv: queries: 3 added\n"
    assert loaded.stderr == (
        "note: new queries of texts that the campaign has under other ids: 2 (1 is q001, 'walk a"
        " tree'; 2 is q002, 'how to sort'); runs and judgments of one id say nothing of the other\n"
    )
    assert judge_tui("load", "queries", "own.csv").stderr == ""


def test_with_judgments_they_are_refused_unless_told(folder):
    judge_tui("load", "qrels", "a.qrels", "--judge", "ann")
    assert judge_tui("load", "queries", "own.csv", code=2).stderr == (
        "error: own.csv:2: query '1' is new, and its text 'walk a tree' that of 'q001' in the"
        " campaign; so are 2 queries in all, and there are 2 judgments under the ids there; write"
        " the campaign's ids into the file (queries.test.tsv of judge-tui export msmarco -o FOLDER"
        " --unresolved skip has them); or take them for queries of their own with --replace\n"
    )
    assert ids() == ["q001", "q002"]
    # As told: under the ids of the campaign.
    (folder / "own.csv").write_text(OWN.replace("1,walk", "q001,walk").replace("2,how", "q002,how"))
    assert "1 added, 2 there already" in judge_tui("load", "queries", "own.csv").stdout
    (folder / "own.csv").write_text(OWN.replace("3,new", "4,newer"))
    assert "2 (1 is q001" in judge_tui("load", "queries", "own.csv", "--replace").stderr
    assert ids() == ["q001", "q002", "3", "1", "2", "4"]


def test_a_file_that_has_both_means_two(folder):
    judge_tui("load", "qrels", "a.qrels", "--judge", "ann")
    both = "q001,walk a tree,d1\nq002,how to sort,d2\nx,walk a tree,d1\n"
    (folder / "own.csv").write_text("query_id,query,result1\n" + both)
    loaded = judge_tui("load", "queries", "own.csv")
    assert "1 added, 2 there already" in loaded.stdout
    told = "note: lines 2 and 4 ask the same, 'walk a tree', and count as two queries, q001 and x: "
    assert loaded.stderr.startswith(told)
    assert loaded.stderr.count("\n") == 1


def test_a_benchmark_is_held_to_the_same(folder):
    judge_tui("load", "qrels", "a.qrels", "--judge", "ann")
    entry = {"query_id": "x", "query": "how to sort"}
    entry |= {"documents": [{"id": "d2", "text": "t", "score": 1}]}
    (folder / "b.json").write_text(json.dumps([entry]))
    load = ("load", "benchmark", "b.json", "--judge", "b")
    refused = judge_tui(*load, code=2).stderr
    assert "b.json:1: query 'x' is new, and its text 'how to sort' that of 'q002'" in refused
    assert ids() == ["q001", "q002"]
    assert "1 (x is q002, 'how to sort')" in judge_tui(*load, "--replace").stderr
    assert ids() == ["q001", "q002", "x"]


@pytest.fixture
def copy(folder: Path) -> str:
    """The name of a copy of the campaign's file."""
    with open_campaign(folder / "campaign.db") as campaign:
        return copied(campaign, "copy.db").name


def added(db: str, lines: str) -> None:
    Path("more.tsv").write_text(lines)
    judge_tui("load", "queries", "--db", db, "more.tsv")


def test_one_query_that_both_copies_added_under_other_ids_is_told_at_merging(copy: str):
    added("campaign.db", "q60\thow to close a socket\n")
    added(copy, "q61\thow to close a  socket\nq62\tanother one\n")
    told = (
        "copy.db: new queries of texts that the campaign has under other ids: 1 (q61 is q60, 'how"
        " to close a socket'); runs and judgments of one id say nothing of the other"
    )
    merged = judge_tui("merge", copy)
    assert told in merged.stdout.splitlines()
    with open_campaign("campaign.db") as campaign:
        there = [query.query_id for query in all_queries(campaign)]
    assert there == ["q001", "q002", "q60", "q61", "q62"]
    assert "under other ids" not in judge_tui("merge", copy).stdout
    assert json.loads(judge_tui("merge", copy, "-f", "json").stdout)["notes"] == [
        "copy.db: nothing new; 0 events here already"
    ]


def test_two_copies_that_come_home_at_once_are_told_as_well(folder: Path, copy: str):
    shutil.copy(folder / copy, folder / "other.db")
    added(copy, "q61\tone text\n")
    added("other.db", "q62\tone text\n")
    notes = json.loads(judge_tui("merge", copy, "other.db", "-f", "json").stdout)["notes"]
    assert [note.partition("; ")[0] for note in notes if "under other ids" in note] == [
        "other.db: new queries of texts that the campaign has under other ids: 1 (q62 is q61,"
        " 'one text')"
    ]


def test_what_a_copy_has_twice_on_purpose_is_not_told_at_merging(copy: str):
    added(copy, "q61\tone text\nq62\tone text\n")
    assert "under other ids" not in judge_tui("merge", copy).stdout
