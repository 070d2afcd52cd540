"""Runs whose results are all for queries that are measured by what they demand (`prefer`), and for
none of those of which anything right is known: `score` and `compare`."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from tests.as_typed import judge_tui

ANSWERS = """
[[answers]]
id = "l1"
query = "where is the parser"
class = "lookup"
expected = "a.py"

[[answers]]
id = "m1"
query = "how to parse"
class = "modern"
prefer = { better = "^new/", worse = "^old/" }
"""
QUERIES = [
    {"query_id": "l1", "text": "where is the parser", "class": "lookup"},
    {
        "query_id": "m1",
        "text": "how to parse",
        "class": "modern",
        "prefer": {"better": "^new/", "worse": "^old/"},
    },
]
LATENCY = "query_id,seconds,tries,results,repeated,failure\nl1,0.1,1,0,0,\nm1,0.1,1,2,0,\n"

RIGHT = {
    "answers": ("--answers", "answers.toml"),
    "qrels": ("q.qrels", "--queries", "queries.jsonl"),
    "campaign": ("--db", "campaign.db"),
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "answers.toml").write_text(ANSWERS)
    (tmp_path / "queries.jsonl").write_text("".join(json.dumps(one) + "\n" for one in QUERIES))
    (tmp_path / "q.qrels").write_text("l1 0 a.py 1\n")
    (tmp_path / "new.run").write_text("m1 Q0 new/a 1 2 new\nm1 Q0 old/a 2 1 new\n")
    # RR of l1 is 1/2 by hand; of m1 legacy comes first.
    (tmp_path / "old.run").write_text(
        "l1 Q0 b.py 1 2 old\nl1 Q0 a.py 2 1 old\nm1 Q0 old/a 1 2 old\nm1 Q0 new/a 2 1 old\n"
    )
    return tmp_path


@pytest.fixture(params=list(RIGHT))
def right(request: pytest.FixtureRequest) -> str:
    """What says what is right: answers, qrels with queries, or a campaign that has both."""
    if request.param == "campaign":
        judge_tui("init", "-d", "campaign.db")
        judge_tui("load", "queries", "queries.jsonl", "-d", "campaign.db")
        judge_tui("load", "run", "old.run", "new.run", "-d", "campaign.db")
        judge_tui("load", "qrels", "q.qrels", "--judge", "ann", "-d", "campaign.db")
    return str(request.param)


def words(right: str, *tags: str) -> tuple[str, ...]:
    """What is right, and these runs."""
    first, *more = RIGHT[right]
    if right == "qrels":
        return (first, *(f"{tag}.run" for tag in tags), *more)
    return (first, *more, *(tag if right == "campaign" else f"{tag}.run" for tag in tags))


def told(*asked: str, code: int = 0) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(judge_tui(*asked, "-f", "json", code=code).stdout)
    return document


def test_with_complete_what_it_lacks_counts_as_nothing_found(right):
    document = told("score", *words(right, "new"), "--by", "class", "--complete")
    (run,) = document["runs"]
    assert (run["queries"], run["mean"]) == (1, {"RR": 0.0, "P@1": 0.0})
    assert document["prefer"][0]["systems"]["new"]["share"] == 1.0


def test_the_latency_file_beside_it_says_the_same(folder):
    (folder / "new.latency.csv").write_text(LATENCY)
    document = told("score", *words("answers", "new"), "--by", "class")
    assert document["runs"][0]["mean"] == {"RR": 0.0, "P@1": 0.0}
    assert document["prefer"][0]["systems"]["new"]["share"] == 1.0


def test_no_form_has_a_number_where_there_is_none(right):
    asked = ("score", *words(right, "new"), "--by", "class", "-q", "-f", "csv")
    rows = list(csv.DictReader(io.StringIO(judge_tui(*asked).stdout)))
    assert [row["value"] for row in rows if row["measure"] in ("RR", "P@1")] == [""] * 4
    assert [row["value"] for row in rows if row["measure"] == "prefer"] == ["1.0", "1.0"]


def test_bounds_of_a_run_without_a_mean_are_none():
    asked = ("score", *words("qrels", "old", "new"), "--by", "class", "-m", "RR", "--bounds")
    old, new = told(*asked)["runs"]
    assert old["bounds"] == {"RR": [0.5, 1.0]}  # b.py may be right
    assert "bounds" not in new


def test_what_was_kept_of_it_can_be_read_again(folder):
    kept = ("score", "--answers", "answers.toml", "new.run", "-m", "RR", "--save", "kept.json")
    judge_tui(*kept)
    (folder / "new.run").write_text((folder / "old.run").read_text().replace(" old\n", " new\n"))
    again = (*kept[:-2], "--against", "kept.json")
    (change,) = told(*again)["against"]["changes"]
    assert (change["before"], change["now"], change["difference"]) == (None, 0.5, None)
    assert change["why"]["delta"] == "no query is in both results"
    assert "RR       new       -  0.5000           -" in judge_tui(*again).stdout
    judge_tui(*again, "--require", "RR>=0.5")


def test_nor_does_an_earlier_mean_hide_that_there_is_none_now(folder):
    (folder / "now.run").write_text((folder / "old.run").read_text().replace(" old\n", " new\n"))
    asked = ("score", "--answers", "answers.toml", "-m", "RR")
    judge_tui(*asked, "now.run", "--save", "kept.json")
    result = judge_tui(
        *asked, "new.run", "--against", "kept.json", "--require", "no-regression", code=1
    )
    assert "RR       new  0.5000    -           -" in result.stdout
    assert "gate not met: no-regression: new has no results for 1 query that counts" in (
        result.stderr
    )


@pytest.mark.parametrize("right", ["answers", "qrels"])
def test_a_run_of_other_queries_is_refused_although_some_demand_something(folder, right):
    (folder / "other.run").write_text("x9 Q0 new/a 1 2 other\n")
    refused = judge_tui("score", *words(right, "other"), "--by", "class", code=2)
    assert "run 'other' and the" in refused.stderr
    assert "have no query in common: the run has 'x9'" in refused.stderr


def test_nor_is_it_held_to_demands_where_there_are_these_alone(folder):
    (folder / "answers.toml").write_text(ANSWERS[ANSWERS.index('[[answers]]\nid = "m1"') :])
    (folder / "other.run").write_text("x9 Q0 new/a 1 2 other\n")
    refused = judge_tui("score", "--answers", "answers.toml", "other.run", code=2)
    assert refused.stderr == (
        "error: run 'other' and the answers have no query in common: the run has 'x9', the answers"
        " have 'm1'; use the same query ids in both files, or give the queries that it was asked"
        " with --queries, or ask anew\n"
    )


@pytest.mark.parametrize(
    ("command", "asked", "what"),
    [
        ("score", ("--require", "RR>=0.4"), "gate RR>=0.4"),
        ("compare", ("--require", "RR>=baseline"), "gate RR>=baseline"),
        ("score", ("--save", "kept.json"), "--save"),
    ],
)
def test_what_is_about_measures_is_refused_where_nothing_is_right(folder, command, asked, what):
    (folder / "answers.toml").write_text(ANSWERS[ANSWERS.index('[[answers]]\nid = "m1"') :])
    refused = judge_tui(command, "--answers", "answers.toml", "old.run", "new.run", *asked, code=2)
    assert refused.stderr == (
        f"error: {what} is about measures, and the answers have nothing that is right, only what is"
        " to come first; leave it out, or hold to what comes first: --by class --require"
        " modern/prefer>=0.8\n"
    )
    assert not (folder / "kept.json").exists()
