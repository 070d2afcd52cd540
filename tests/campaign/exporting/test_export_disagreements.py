"""The lead's list: its order by effect, what was settled, and what is said without systems."""

from __future__ import annotations

import csv
import json

import pytest

from judge_tui.campaign import create_campaign
from judge_tui.campaign.exporting import ExportCounts
from judge_tui.campaign.exporting.disagreements import export_disagreements
from judge_tui.campaign.loading.queries import load_queries
from judge_tui.campaign.store.adjudication import settle
from judge_tui.campaign.store.events import append_event
from judge_tui.campaign.store.judges import add_judge, find_judge
from judge_tui.campaign.store.pool import pair_keys
from judge_tui.errors import UsageError
from judge_tui.model import DEFAULT_SCALE
from judge_tui.scoring import parse_measure
from tests.grades_by_file import grade_by_file

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


def key_of(campaign, query_id, doc_id):
    return pair_keys(campaign)[query_id, doc_id]


def read(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_by_hand(judged, tmp_path):
    bob = find_judge(judged, "bob")
    pair = key_of(judged, "q2", "list.sort")
    append_event(judged, judge=bob.key, pair=pair, action="comment", note="=sorts")
    exported = export_disagreements(judged, tmp_path / "d.jsonl", RR)
    details = {"settled by a lead": 0, "can change the order of two systems by RR@2": 1}
    assert exported == ExportCounts({"disagreements": 3}, details)
    # Settled are q1 csv.reader 1 and q2 sorted 2: alpha has 1 and 1/2, beta 1/2 and 1. With
    # list.sort at 1, alpha has 1 and 1: equal becomes greater, by 1/4. The two others stand behind
    # a relevant one, or last: nothing changes, and the wider spread is first.
    first, second, third = read(tmp_path / "d.jsonl")
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
    assert [(one["doc_id"], one["swaps"], one["change"]) for one in (second, third)] == [
        ("csv.writer", 0, 0),
        ("json.load", 0, 0),
    ]
    export_disagreements(judged, tmp_path / "d.csv", RR)
    with (tmp_path / "d.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["doc_id"] for row in rows] == ["list.sort", "csv.writer", "json.load"]
    assert (rows[0]["grade:ann"], rows[0]["grade:bob"], rows[0]["note:bob"]) == (
        "0",
        "1",
        "'=sorts",
    )
    assert rows[0]["settled"] == rows[0]["note:ann"] == ""


def test_what_the_lead_settled_and_who_decided_nothing(judged, tmp_path):
    lead = add_judge(judged, "lea", role="lead")
    cyd, dee = add_judge(judged, "cyd"), add_judge(judged, "dee")
    pair = key_of(judged, "q1", "csv.writer")
    settle(judged, lead, pair, 2, "it does")
    append_event(judged, judge=cyd.key, pair=pair, action="cannot")
    append_event(judged, judge=dee.key, pair=key_of(judged, "q1", "csv.reader"), action="skip")
    exported = export_disagreements(judged, tmp_path / "d.jsonl", RR)
    assert (exported.written["disagreements"], exported.details["settled by a lead"]) == (3, 1)
    (row,) = [row for row in read(tmp_path / "d.jsonl") if row["doc_id"] == "csv.writer"]
    assert (row["settled"], row["settled_by"], row["reason"]) == (2, "lea", "it does")
    # It stays a disagreement of the judges, and its grades are theirs.
    assert row["grades"] == {"ann": 0, "bob": 3, "cyd": "cannot"}


def test_models_where_asked_for(judged, tmp_path):
    grade_by_file(judged, "bot", "q1 0 csv.reader 3\n", kind="model")
    exported = export_disagreements(judged, tmp_path / "d.jsonl", RR)
    assert exported.written["disagreements"] == 3
    exported = export_disagreements(judged, tmp_path / "d.jsonl", RR, include_models=True)
    assert exported.written["disagreements"] == 4


def test_without_systems_they_stand_by_their_spread(files, tmp_path):
    campaign = create_campaign(tmp_path / "n.db", name="n", scale=DEFAULT_SCALE, seed=1)
    with campaign:
        load_queries(campaign, files / "queries.jsonl")
        for name, text in (("ann", ANN), ("bob", BOB)):
            grade_by_file(campaign, name, text)
        exported = export_disagreements(campaign, tmp_path / "d.jsonl", RR)
    assert list(exported.details) == ["settled by a lead"]
    rows = read(tmp_path / "d.jsonl")
    assert [(row["spread"], row["swaps"], row["change"]) for row in rows] == [
        (3, None, None),
        (2, None, None),
        (1, None, None),
    ]


def test_a_measure_deeper_than_what_is_kept(judged, tmp_path):
    settings = "json_set(settings, '$.longest', 3)"
    judged.execute(f"UPDATE runs SET depth = 2, settings = {settings} WHERE tag = 'beta'")
    exported = export_disagreements(judged, tmp_path / "d.jsonl", parse_measure("nDCG@10"))
    assert list(exported.details) == ["settled by a lead"]


def test_nothing_to_differ_about(campaign, tmp_path):
    with pytest.raises(UsageError, match="two judges; 0 graded; let a second judge"):
        export_disagreements(campaign, tmp_path / "d.csv", RR)
    grade_by_file(campaign, "ann", ANN)
    with pytest.raises(UsageError, match="two judges; 1 graded"):
        export_disagreements(campaign, tmp_path / "d.csv", RR)
    assert not (tmp_path / "d.csv").exists()
    grade_by_file(campaign, "bob", ANN)
    exported = export_disagreements(campaign, tmp_path / "d.csv", RR)
    assert {*exported.written.values(), *exported.details.values()} == {0}
    assert len((tmp_path / "d.csv").read_text().splitlines()) == 1
