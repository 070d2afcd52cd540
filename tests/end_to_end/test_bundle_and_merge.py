"""A judge works elsewhere on a bundle, in the real app, and the work comes home while another judge
has the campaign open.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from judge_tui.campaign import Campaign
from tests.end_to_end.terminal import PROGRAM, Terminal
from tests.end_to_end.test_main_job import (
    GRADES,
    QRELS,
    command,
    grades_in_the_file,
    judge,
    pair_on_screen,
)


@pytest.fixture
def work(files: Path, campaign: Campaign, monkeypatch: pytest.MonkeyPatch) -> Path:
    campaign.close()
    monkeypatch.setenv("JUDGE_TUI_DB", str(files / "campaign.db"))
    monkeypatch.chdir(files)
    return files


def test_a_bundle_is_judged_elsewhere_and_comes_home(work: Path) -> None:
    elsewhere = work / "elsewhere"
    elsewhere.mkdir()
    command("export", "bundle", "--judge", "ann", "-o", "elsewhere/ann.db")

    arguments = [PROGRAM, "judge", "--db", "ann.db", "--judge", "ann"]
    with Terminal(arguments, cwd=elsewhere) as terminal:
        terminal.wait_for("0/6 in all")
        terminal.settle()
        first = judge(terminal, 2)
        terminal.kill()
    with (
        Terminal([PROGRAM, "judge", "--judge", "bob"], cwd=work) as at_home,
        Terminal(arguments, cwd=elsewhere) as terminal,
    ):
        at_home.wait_for("0/6 in all")
        at_home.settle()
        bobs = judge(at_home, 1)
        # What the kill left in the log of the bundle comes along.
        assert "ann.db  ann         2" in command("merge", "elsewhere/ann.db")
        bobs += judge(at_home, 1)

        terminal.wait_for("2/6 in all")
        terminal.settle()
        assert pair_on_screen(terminal) not in first
        judge(terminal, 4)
        terminal.wait_for("all judged")
        terminal.send("q")
        assert terminal.wait_end() == 0
        bobs += judge(at_home, 1)
        at_home.send("q")
        assert at_home.wait_end() == 0
    assert {path.name for path in elsewhere.iterdir()} == {"ann.db"}

    assert "ann.db  ann         4" in command("merge", "elsewhere/ann.db")
    kept = grades_in_the_file(work / "campaign.db")
    assert sorted(kept) == sorted((*pair, GRADES[pair]) for pair in [*GRADES, *bobs])
    command("export", "qrels", "-o", "ann.qrels", "--policy", "judge:ann")
    assert (work / "ann.qrels").read_text() == QRELS
