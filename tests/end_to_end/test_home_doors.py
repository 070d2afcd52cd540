"""A lead in a real terminal: from Home to Settle, to Results, and back."""

from __future__ import annotations

from pathlib import Path
from time import sleep

from judge_tui.campaign import Campaign
from judge_tui.campaign.store.judges import find_judge
from tests.campaigns import adjudications, grade_by_file
from tests.end_to_end.terminal import PROGRAM, Terminal


def test_a_lead_settles_what_home_says_is_open_and_sees_the_results(
    campaign: Campaign, files: Path
) -> None:
    for name, lines in (
        ("ann", "q1 0 csv.reader 3\nq2 0 sorted 1\n"),
        ("bob", "q1 0 csv.reader 0\nq2 0 sorted 1\n"),
    ):
        grade_by_file(campaign, name, lines)
    argv = [PROGRAM, "--db", str(campaign.path)]
    with Terminal(argv, cwd=files) as terminal:
        terminal.wait_for("1 disagreement is open")
        terminal.settle()
        terminal.send("S")
        terminal.wait_for("Who settles?")
        terminal.settle()
        terminal.send("lena\r")
        terminal.wait_for("Create lead")
        terminal.settle()
        terminal.send("y")
        terminal.wait_for("Reads a CSV file.")
        sleep(campaign.settings.least_look)
        terminal.settle()
        terminal.send("2")
        terminal.wait(lambda _: adjudications(campaign))
        terminal.settle()
        terminal.send("q")
        terminal.wait_for("See how the systems stand so far")
        terminal.settle()
        assert "disagreement" not in terminal.text
        terminal.send("L")
        terminal.wait_for("Leaderboard")
        terminal.settle()
        terminal.send("q")
        terminal.wait_for("Judges")
        terminal.settle()
        terminal.send("q")
        assert terminal.wait_end() == 0
    assert adjudications(campaign) == {("q1", "csv.reader"): 2}
    lead = find_judge(campaign, "lena")
    assert lead is not None
    assert lead.role == "lead"
