"""`judge-tui assign`, through click, on a real file."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from judge_tui.campaign import Campaign
from judge_tui.cli import cli

COLUMNS = ["judge", "queries", "normal", "overlap", "gold", "repeat", "pairs", "shared", "judged"]


@pytest.fixture
def db(campaign: Campaign) -> str:
    campaign.close()
    return str(campaign.path)


def invoke(db: str, *args: str) -> Result:
    return CliRunner().invoke(cli, ["assign", "--db", db, *args])


def test_the_table_says_who_has_what_and_what_changed(db):
    result = invoke(db, "--judges", "ann, bob", "--overlap", "1", "--repeat", "0.34")
    assert (result.exit_code, result.stderr) == (0, "")
    lines = [line.split() for line in result.stdout.splitlines() if line]
    assert lines[0] == COLUMNS
    assert lines[1] == ["ann", "2", "3", "3", "0", "2", "8", "6", "0"]
    assert lines[2] == ["bob", "2", "3", "3", "0", "2", "8", "6", "0"]
    assert lines[3:6] == [["Overlap"], ["judge", "judge", "pairs", "shared"], ["ann", "bob", "6"]]
    assert lines[6:] == [["assignments", "made", "taken", "back"], ["16", "0"]]
    again = invoke(db, "--judges", "bob,ann", "--overlap", "1", "--repeat", "0.34")
    assert again.stdout.splitlines()[-1].split() == ["0", "0"]


def test_a_share_may_be_in_percent(db):
    first = invoke(db, "--judges", "ann,bob", "--overlap", "0.5").stdout
    assert "16" not in first.splitlines()[-1]
    again = invoke(db, "--judges", "ann,bob", "--overlap", "50%").stdout
    assert again.splitlines()[-1].split() == ["0", "0"]


def test_json_and_csv_say_the_same(db, tmp_path):
    gold = tmp_path / "gold.qrels"
    gold.write_text("q1 0 csv.reader 3\n", encoding="utf-8")
    result = invoke(db, "--judges", "ann,bob,cy", "--gold", str(gold), "-f", "json")
    document = json.loads(result.stdout)
    assert document["settings"] == {"pairs": 6, "gold": 1}
    assert list(document["judges"][0]) == COLUMNS
    assert [judge["gold"] for judge in document["judges"]] == [1, 1, 1]
    assert document["overlap"][0] == {"judge": "ann", "other": "bob", "pairs": 0}
    result = invoke(db, "--judges", "ann,bob,cy", "-f", "csv")
    assert result.stderr == ""
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert rows == [{key: str(value) for key, value in one.items()} for one in document["judges"]]


def test_a_name_that_is_nearly_another_is_refused_before_anything_moves(db):
    invoke(db, "--judges", "anneliese,bob")
    before = Path(db).read_bytes()
    result = invoke(db, "--judges", "anneliese,Bob")
    assert (result.exit_code, result.stdout) == (2, "")
    assert Path(db).read_bytes() == before
    result = invoke(db, "--judges", "anneliese,Bob", "--yes")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "\nBob " in result.stdout


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ([], "Missing option '--judges'"),
        (["--judges", " , "], "there is no judge to deal to; name them with --judges A,B"),
        (["--judges", "ann,ann"], "judge 'ann' is named twice; name each judge once"),
        (["--judges", "a,b", "--overlap", "1.5"], "'1.5' is not a share from 0 to 1"),
        (["--judges", "a,b", "--overlap", "nan"], "'nan' is not a share from 0 to 1"),
        (["--judges", "a,b", "--repeat", "0.9"], "'0.9' is not a share from 0 to 0.5"),
        (["--judges", "a,b", "--overlap", "101%"], "'101%' is not a share from 0 to 1"),
        (["--judges", "ann,Ann"], "'Ann' is new, and nearly the name of 'ann'"),
        (["--judges", "a", "--overlap", "0.1"], "an overlap takes two judges"),
        (["--judges", "a", "--gold", "gone.qrels"], "gone.qrels: there is no such file"),
    ],
)
def test_what_cannot_be_is_an_error_of_one_line(db, args, said):
    result = invoke(db, *args)
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


def test_a_hostile_name_is_shown_and_does_nothing(db):
    hostile = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202egpj"
    for form in ("table", "csv", "md", "latex", "json"):
        result = invoke(db, "--judges", f"ann,{hostile}", "--overlap", "0.2", "-f", form)
        assert result.exit_code == 0
        assert not set("\x1b\x07\x9b\u202e") & set(result.output)
