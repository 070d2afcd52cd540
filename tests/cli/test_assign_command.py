"""`judge-tui assign`: what it deals, in every form, and what it refuses."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from judge_tui.campaign import Campaign
from tests.as_typed import judge_tui, refused

COLUMNS = ["judge", "queries", "normal", "overlap", "gold", "repeat", "pairs", "shared", "judged"]


@pytest.fixture(autouse=True)
def db(campaign: Campaign, monkeypatch: pytest.MonkeyPatch) -> Path:
    campaign.close()
    monkeypatch.setenv("JUDGE_TUI_DB", str(campaign.path))
    return campaign.path


def assigned(*words: str) -> str:
    return judge_tui("assign", *words).stdout


def test_the_table_says_who_has_what_and_what_changed():
    words = ("--judges", "ann, bob", "--overlap", "1", "--repeat", "0.34")
    lines = [line.split() for line in assigned(*words).splitlines() if line]
    assert lines[:3] == [
        COLUMNS,
        ["ann", "2", "3", "3", "0", "2", "8", "6", "0"],
        ["bob", "2", "3", "3", "0", "2", "8", "6", "0"],
    ]
    assert lines[-1] == ["16", "0"]
    again = assigned("--judges", "bob,ann", "--overlap", "100%", "--repeat", "34 %")
    assert again.splitlines()[-1].split() == ["0", "0"]


def test_json_and_csv_say_the_same(tmp_path):
    gold = tmp_path / "gold.qrels"
    gold.write_text("q1 0 csv.reader 3\n", encoding="utf-8")
    document = json.loads(assigned("--judges", "ann,bob,cy", "--gold", str(gold), "-f", "json"))
    assert document["settings"] == {"pairs": 6, "gold": 1}
    assert list(document["judges"][0]) == COLUMNS
    assert [judge["gold"] for judge in document["judges"]] == [1, 1, 1]
    assert document["overlap"][0] == {"judge": "ann", "other": "bob", "pairs": 0}
    rows = list(csv.DictReader(io.StringIO(assigned("--judges", "ann,bob,cy", "-f", "csv"))))
    assert rows == [{key: str(value) for key, value in one.items()} for one in document["judges"]]


def test_a_name_that_is_nearly_another_is_refused_before_anything_moves(db):
    assigned("--judges", "anneliese,bob")
    before = db.read_bytes()
    assert "nearly the name of 'bob'" in refused("assign", "--judges", "anneliese,Bob")
    assert db.read_bytes() == before
    assert "\nBob " in assigned("--judges", "anneliese,Bob", "--yes")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "Missing option '--judges'"),
        (["--judges", " , "], "there is no judge to deal to; name them with --judges A,B"),
        (["--judges", "ann,ann"], "judge 'ann' is named twice; name each judge once"),
        (["--judges", "ann,Ann"], "'Ann' is new, and nearly the name of 'ann'"),
        (["--judges", "a,b", "--overlap", "1.5"], "'1.5' is not a share from 0 to 1"),
        (["--judges", "a,b", "--overlap", "101%"], "'101%' is not a share from 0 to 1"),
        (["--judges", "a,b", "--overlap", "nan"], "'nan' is not a share from 0 to 1"),
        (["--judges", "a,b", "--repeat", "0.9"], "'0.9' is not a share from 0 to 0.5"),
        (["--judges", "a", "--overlap", "0.1"], "an overlap takes two judges"),
        (["--judges", "a", "--gold", "gone.qrels"], "gone.qrels: there is no such file"),
    ],
)
def test_what_cannot_be_dealt_is_refused(words, says):
    assert says in refused("assign", *words)
