"""Every rater's rows: what holds, at which look, with notes and times; and the lead's list of what
they disagree about, by its effect."""

from __future__ import annotations

import csv
import json

import pytest

from judge_tui.campaign import Campaign
from judge_tui.campaign.assign import assign
from judge_tui.campaign.exporting import ExportCounts
from judge_tui.campaign.exporting.disagreements import export_disagreements
from judge_tui.campaign.exporting.judgments import export_judgments
from judge_tui.campaign.store.adjudication import settle, undo_adjudication
from judge_tui.campaign.store.events import append_event, undo
from judge_tui.campaign.store.judges import add_judge, find_judge
from judge_tui.campaign.store.judgments import judgments
from judge_tui.campaign.store.pool import pair_keys
from judge_tui.errors import UsageError
from judge_tui.scoring import parse_measure
from tests.campaign.copies import ids
from tests.campaigns import grade_by_file

HOSTILE = '=HYPERLINK("x")\r\n\x1b]52;c;aGk=\x07, "quoted"\u202e\u2028 ünï'


def did(campaign, judge, pair, action, grade=None, **more):
    return append_event(campaign, judge=judge.key, pair=pair, action=action, grade=grade, **more)


@pytest.fixture
def worked(campaign: Campaign) -> Campaign:
    ann, bob = (add_judge(campaign, name) for name in ("ann", "bob"))
    lead = add_judge(campaign, "lea", role="lead")
    bot = add_judge(campaign, "bot", kind="model")
    did(campaign, bob, 1, "grade", 0, looked=4.5)
    did(campaign, ann, 1, "grade", 3, looked=2.0)
    did(campaign, ann, 1, "grade", 2, looked=9.0)
    did(campaign, ann, 1, "comment", note=HOSTILE)
    did(campaign, ann, 1, "grade", 1, turn=1, looked=1.0)
    did(campaign, ann, 1, "flag")
    did(campaign, ann, 2, "skip")
    did(campaign, bob, 2, "cannot")
    did(campaign, bob, 3, "comment", note="only a note")
    did(campaign, ann, 4, "grade", 2)
    undo(campaign, ann.key)
    did(campaign, ann, 5, "flag")
    did(campaign, ann, 5, "unflag")
    did(campaign, bot, 6, "grade", 1)
    settle(campaign, lead, 1, 3, "-1 for style")
    settle(campaign, lead, 2, 3)
    undo_adjudication(campaign, lead)
    return campaign


def test_judgments_by_hand(worked):
    pairs = ids(worked)
    rows: dict[object, list[tuple[object, ...]]] = {}
    for one in judgments(worked):
        its = (one.judge, one.role, one.kind, one.purpose, one.decision, one.grade)
        beside = (one.note, one.flagged, one.seconds)
        rows.setdefault((one.query_id, one.doc_id), []).append((*its, *beside))
    assert list(rows) == sorted(rows)
    ann, bob = ("ann", "judge", "human"), ("bob", "judge", "human")
    assert rows == {
        pairs[1]: [
            (*ann, "normal", "grade", 2, HOSTILE, True, 9.0),
            (*ann, "repeat", "grade", 1, "", False, 1.0),
            (*bob, "normal", "grade", 0, "", False, 4.5),
            ("lea", "lead", "human", "", "adjudicate", 3, "-1 for style", False, None),
        ],
        pairs[2]: [
            (*ann, "normal", "skip", None, "", False, None),
            (*bob, "normal", "cannot", None, "", False, None),
        ],
        pairs[3]: [(*bob, "normal", None, None, "only a note", False, None)],
        pairs[6]: [("bot", "judge", "model", "normal", "grade", 1, "", False, None)],
    }


def test_grades_of_models_are_left_out_and_counted(worked, tmp_path):
    exported = export_judgments(worked, tmp_path / "a.jsonl")
    models = {"by models (--include-models)": 1}
    assert exported == ExportCounts({"judgments": 6}, {"settled by a lead": 1}, models)
    exported = export_judgments(worked, tmp_path / "a.jsonl", include_models=True)
    assert (exported.written["judgments"], *exported.left_out.values()) == (7, 0)
    assert read(tmp_path / "a.jsonl")[-1]["judge"] == "bot"


def test_why_each_pair_was_given_to_a_judge(campaign, files):
    (files / "gold").write_text("q1 0 csv.reader 3\n")
    assign(campaign, ["ann", "bob"], overlap=0.5, repeat=0.5, gold=files / "gold")
    pairs, planned = ids(campaign), set()
    for judge, pair, turn, purpose in campaign.rows(
        "SELECT j.name, a.pair, a.turn, a.purpose FROM assignments AS a"
        " JOIN judges AS j ON j.id = a.judge"
    ):
        did(campaign, find_judge(campaign, judge), pair, "grade", 1, turn=turn)
        planned.add((judge, pairs[pair], purpose))
    assert {"overlap", "gold", "repeat"} <= {purpose for *_, purpose in planned}
    found = {(one.judge, (one.query_id, one.doc_id), one.purpose) for one in judgments(campaign)}
    assert found == planned


RR = parse_measure("RR@2")

# alpha has csv.reader, csv.writer; list.sort, sorted. beta has json.load, csv.reader; sorted,
# json.load.
ANN = "q1 0 csv.reader 1\nq1 0 csv.writer 0\nq2 0 list.sort 0\nq2 0 sorted 2\nq2 0 json.load 0\n"
BOB = "q1 0 csv.reader 1\nq1 0 csv.writer 3\nq2 0 list.sort 1\nq2 0 sorted 2\nq2 0 json.load 2\n"


@pytest.fixture
def judged(campaign):
    for name, text in (("ann", ANN), ("bob", BOB)):
        grade_by_file(campaign, name, text)
    return campaign


def read(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_disagreements_by_hand(judged, tmp_path):
    bob = find_judge(judged, "bob")
    did(judged, bob, pair_keys(judged)["q2", "list.sort"], "comment", note="=sorts")
    exported = export_disagreements(judged, tmp_path / "d.jsonl", RR)
    details = {"settled by a lead": 0, "can change the order of two systems by RR@2": 1}
    assert exported == ExportCounts({"disagreements": 3}, details)
    # Settled are q1 csv.reader 1 and q2 sorted 2: alpha has 1 and 1/2, beta 1/2 and 1. With
    # list.sort at 1, alpha has 1 and 1: equal becomes greater, by 1/4. The two others stand behind
    # a relevant one, or last: nothing changes, and the wider spread is first.
    first, *others = read(tmp_path / "d.jsonl")
    assert first == {
        "query_id": "q2",
        "doc_id": "list.sort",
        "swaps": 1,
        "change": 0.25,
        "spread": 1,
        "settled": None,
        "settled_by": None,
        "reason": None,
        "grades": {"ann": 0, "bob": 1},
        "notes": {"bob": "=sorts"},
    }
    assert [(one["doc_id"], one["swaps"], one["change"]) for one in others] == [
        ("csv.writer", 0, 0),
        ("json.load", 0, 0),
    ]
    export_disagreements(judged, tmp_path / "d.csv", RR)
    with (tmp_path / "d.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["doc_id"] for row in rows] == ["list.sort", "csv.writer", "json.load"]
    cells = ("grade:ann", "grade:bob", "note:bob", "settled", "note:ann")
    assert [rows[0][cell] for cell in cells] == ["0", "1", "'=sorts", "", ""]
    grade_by_file(judged, "bot", "q1 0 csv.reader 3\n", kind="model")
    exported = export_disagreements(judged, tmp_path / "d.jsonl", RR, include_models=True)
    assert exported.written["disagreements"] == 4


def test_what_the_lead_settled_and_who_decided_nothing(judged, tmp_path):
    pairs = pair_keys(judged)
    pair = pairs["q1", "csv.writer"]
    settle(judged, add_judge(judged, "lea", role="lead"), pair, 2, "it does")
    did(judged, add_judge(judged, "cyd"), pair, "cannot")
    did(judged, add_judge(judged, "dee"), pairs["q1", "csv.reader"], "skip")
    exported = export_disagreements(judged, tmp_path / "d.jsonl", RR)
    assert (exported.written["disagreements"], exported.details["settled by a lead"]) == (3, 1)
    (row,) = [row for row in read(tmp_path / "d.jsonl") if row["doc_id"] == "csv.writer"]
    assert (row["settled"], row["settled_by"], row["reason"]) == (2, "lea", "it does")
    # It stays a disagreement of the judges, and its grades are theirs.
    assert row["grades"] == {"ann": 0, "bob": 3, "cyd": "cannot"}


def test_where_nothing_is_known_of_systems_the_wider_spread_is_first(judged, tmp_path):
    [(settings,)] = judged.rows("SELECT settings FROM runs WHERE tag = 'beta'")
    longer = json.dumps(json.loads(settings) | {"longest": 3})
    judged.execute("UPDATE runs SET depth = 2, settings = ? WHERE tag = 'beta'", (longer,))
    exported = export_disagreements(judged, tmp_path / "d.jsonl", parse_measure("nDCG@10"))
    assert list(exported.details) == ["settled by a lead"]
    rows = [(row["spread"], row["swaps"], row["change"]) for row in read(tmp_path / "d.jsonl")]
    assert rows == [(3, None, None), (2, None, None), (1, None, None)]


def test_people_and_a_model(judged, tmp_path):
    """People's final grades are 1 of csv.reader and 2 of sorted; the model gives 0 to both."""
    lead = add_judge(judged, "lea", role="lead")
    settle(judged, lead, pair_keys(judged)["q2", "json.load"], 2)
    bot = "q1 0 csv.reader 0\nq2 0 sorted 0\nq2 0 list.sort 3\nq2 0 json.load 1\n"
    grade_by_file(judged, "bot", bot, kind="model")
    grade_by_file(judged, "another", "q1 0 csv.reader 3\n", kind="model")
    exported = export_disagreements(judged, tmp_path / "d.jsonl", RR, against="bot")
    assert exported.written == {"disagreements": 3}
    rows = {row["doc_id"]: row for row in read(tmp_path / "d.jsonl")}
    # list.sort is not among them: ann and bob differ, and nobody has settled it.
    assert {name: (row["grades"], row["settled"]) for name, row in rows.items()} == {
        "csv.reader": ({"ann": 1, "bob": 1, "bot": 0}, None),
        "sorted": ({"ann": 2, "bob": 2, "bot": 0}, None),
        "json.load": ({"ann": 0, "bob": 2, "bot": 1}, 2),
    }
    # beta has json.load and csv.reader for q1, sorted and json.load for q2, both relevant there;
    # alpha has csv.reader first for q1, sorted second for q2. All in all alpha has 3/4 and beta
    # 3/4. Without csv.reader alpha has 1/4 and beta 1/2, without sorted 1/2 and 1/2; json.load
    # stands behind sorted.
    swaps = {name: (row["swaps"], row["change"]) for name, row in rows.items()}
    assert swaps == {"csv.reader": (1, 0.25), "sorted": (0, 0), "json.load": (0, 0)}


def test_a_model_without_anything_in_common_with_people(judged, tmp_path):
    grade_by_file(judged, "bot", "q2 0 list.sort 3\n", kind="model")
    with pytest.raises(UsageError, match="no pair has a final grade of people and a grade of"):
        export_disagreements(judged, tmp_path / "d.csv", against="bot")
    with pytest.raises(UsageError, match="leave --include-models out"):
        export_disagreements(judged, tmp_path / "d.csv", against="bot", include_models=True)
