"""`judge-tui judges`, as typed."""

from __future__ import annotations

import csv
import io
import json
import sys
from pathlib import Path

import pytest
from click.testing import Result

from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.assign import assign
from judge_tui.campaign.store.adjudication import settle
from judge_tui.campaign.store.judges import add_judge, all_judges
from tests.as_typed import invoke, judge_tui, refused
from tests.campaign.copies import graded
from tests.end_to_end.terminal import PROGRAM, Terminal

SHOWN = ["judge", "formerly", "kind", "role", "pairs", "graded", "left", "settled"]


@pytest.fixture
def db(campaign: Campaign, monkeypatch: pytest.MonkeyPatch) -> Path:
    """ann, who graded a pair, bob, who did nothing, and a lead."""
    assign(campaign, ["ann", "bob"], overlap=1)
    graded(campaign, "ann", "csv.reader", 3)
    lea = add_judge(campaign, "lea", role="lead")
    settle(campaign, lea, 1, 2)
    campaign.close()
    monkeypatch.setenv("JUDGE_TUI_DB", str(campaign.path))
    return campaign.path


def run(*words: str) -> Result:
    return invoke("judges", *words)


def test_who_judges_and_how_much(db: Path) -> None:
    assert run("rename", "bob", "Bob").exit_code == 0
    document = json.loads(run("-f", "json").stdout)
    assert [[one[key] for key in SHOWN] for one in document["judges"]] == [
        ["ann", "", "human", "judge", 6, 1, 5, 0],
        ["Bob", "bob", "human", "judge", 6, 0, 6, 0],
        ["lea", "", "human", "lead", 0, 0, 0, 1],
    ]
    assert [bool(one["last_written"]) for one in document["judges"]] == [True, False, True]
    rows = list(csv.reader(io.StringIO(run("-f", "csv").stdout)))
    assert rows[0] == list(document["judges"][0])
    assert len(rows) == 4
    status = json.loads(judge_tui("status", "-f", "json").stdout)
    for one, other in zip(document["judges"], status["judges"], strict=True):
        assert [one[key] for key in SHOWN[2:-1]] == [other[key] for key in SHOWN[2:-1]]


def test_removing(db: Path) -> None:
    assert run("remove", "bob").stdout == "bob is removed\n"
    for words in (("ann",), ("ann", "--with-judgments")):
        assert "1 judgment, 0 adjudications, 1 event" in refused("judges", "remove", *words)
    assert run("remove", "ann", "--with-judgments", "--yes").exit_code == 0
    with open_campaign(db) as campaign:
        assert [judge.name for judge in all_judges(campaign)] == ["lea"]


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pty")
def test_somebody_at_a_terminal_is_asked(db: Path) -> None:
    argv = [PROGRAM, "judges", "remove", "ann", "--with-judgments"]
    for answer, code, left in (("n", 130, 3), ("y", 0, 2)):
        with Terminal(argv, cwd=db.parent) as terminal:
            terminal.wait_for("Remove ann")
            terminal.send(f"{answer}\r")
            assert terminal.wait_end() == code
        with open_campaign(db) as campaign:
            assert len(all_judges(campaign)) == left
