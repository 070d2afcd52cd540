"""`judge-tui export`: what is written, what is said and where, what is refused."""

from __future__ import annotations

import csv
import json

import pytest

from judge_tui.campaign.store.adjudication import settle
from judge_tui.campaign.store.events import append_event
from judge_tui.campaign.store.judges import add_judge
from tests.as_typed import judge_tui, refused
from tests.campaign.copies import cut_index
from tests.campaign.store.test_merge_answers import answer
from tests.campaigns import grade_by_file
from tests.end_to_end.hostile import EVERYTHING, JUDGE

ANN = "q1 0 csv.reader 3\nq1 0 csv.writer 1\nq2 0 sorted 3\n"
BOB = "q1 0 csv.reader 3\nq1 0 csv.writer 2\n"


@pytest.fixture
def judged(campaign, files, monkeypatch):
    for name, text in (("ann", ANN), ("bob", BOB)):
        grade_by_file(campaign, name, text)
    answer(campaign, "csv.reader", 2)
    monkeypatch.chdir(files)
    monkeypatch.delenv("JUDGE_TUI_DB", raising=False)
    return campaign


NOUNS = {
    "qrels": ["--policy", "max"],
    "run": ["--tag", "alpha"],
    "judgments": ["-f", "csv"],
    "answers": ["-f", "csv"],
    "pool": [],
    "disagreements": ["-f", "csv"],
    "collection": ["--policy", "max"],
}
TO_STANDARD_OUTPUT = [
    *((what, more) for what, more in NOUNS.items() if what != "collection"),
    ("judgments", ["-f", "jsonl"]),
    ("answers", ["gpt", "-f", "jsonl"]),
    ("disagreements", ["-f", "jsonl"]),
]


@pytest.mark.parametrize(("what", "more"), TO_STANDARD_OUTPUT, ids=str)
def test_to_standard_output_goes_what_a_file_would_hold(judged, files, what, more):
    done = judge_tui("export", what, *more)
    told = judge_tui("export", what, *more, "-o", "a.csv").stdout
    assert done.stdout == (files / "a.csv").read_text()
    assert told == f"a.csv: {done.stderr}"
    assert done.stdout == judge_tui("export", what, *more, "-o", "-").stdout


@pytest.mark.parametrize(("what", "more"), NOUNS.items(), ids=str)
def test_no_file_is_written_over_unless_told_to(judged, what, more):
    words = ["export", what, *more, "-o", "out.run"]
    judge_tui(*words)
    assert "is there already; write over it with --force" in refused(*words)
    judge_tui(*words, "--force")


@pytest.mark.parametrize("what", [*NOUNS, "bundle"])
def test_a_damaged_campaign_is_not_exported(judged, files, what):
    """Read by this index, it would have no judgments."""
    judged.close()
    cut_index(judged.path)
    more = NOUNS.get(what, ["--judge", "ann"])
    assert "the file is damaged" in refused("export", what, *more, "-o", "out.csv")
    assert not (files / "out.csv").exists()


def test_hostile_names_and_notes(judged, files):
    """Whatever is in them comes back from the files, and what is said of it does nothing."""
    for place, name in enumerate((JUDGE, "bob")):
        judge = add_judge(judged, name)
        append_event(judged, judge=judge.key, pair=1, action="grade", grade=place)
        append_event(judged, judge=judge.key, pair=1, action="comment", note=f"@{EVERYTHING}")
    settle(judged, add_judge(judged, f"x{JUDGE}", role="lead"), 1, 2, f"+{EVERYTHING}")
    for what in ("judgments", "disagreements"):
        for form in ("csv", "jsonl"):
            done = judge_tui("export", what, "-o", f"{what}.{form}")
            assert done.stdout.replace("\n", "").isprintable()
    rows = [json.loads(one) for one in (files / "judgments.jsonl").read_text().splitlines()]
    assert {one["note"] for one in rows if one["judge"] == JUDGE} == {f"@{EVERYTHING}"}
    assert [one["note"] for one in rows if one["judge"] == f"x{JUDGE}"] == [f"+{EVERYTHING}"]
    with (files / "judgments.csv").open(newline="", encoding="utf-8") as stream:
        notes = {row["note"] for row in csv.DictReader(stream)}
    assert notes == {"", f"'@{EVERYTHING}", f"'+{EVERYTHING}"}
    rows = [json.loads(one) for one in (files / "disagreements.jsonl").read_text().splitlines()]
    (row,) = [one for one in rows if one["settled"] == 2]
    assert row["grades"] == {"ann": 3, JUDGE: 0, "bob": 1}
    assert (row["reason"], row["notes"]["bob"]) == (f"+{EVERYTHING}", f"@{EVERYTHING}")
