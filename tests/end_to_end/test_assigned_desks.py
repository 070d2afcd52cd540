"""Desks of assigned judges, from the shell, in a real terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.store.judges import all_judges
from tests.as_typed import invoke

from .terminal import PROGRAM, Terminal


@pytest.fixture
def work(campaign: Campaign) -> Path:
    """A folder whose campaign has ann and bob assigned, with everything shared and repeats."""
    campaign.close()
    args = ["--judges", "anneliese,bob", "--overlap", "1", "--repeat", "0.5"]
    result = invoke("assign", "--db", str(campaign.path), *args)
    assert result.exit_code == 0
    return campaign.path.parent


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("cy", "give"),
        ("Anneliese", "did you mean 'anneliese'?"),
    ],
)
def test_an_empty_desk_ends_with_2_and_makes_no_judge(work: Path, name: str, said: str) -> None:
    with Terminal([PROGRAM, "judge", "--judge", name], cwd=work, size=(120, 30)) as terminal:
        assert terminal.wait_end() == 2
        text = "".join(terminal.lines).strip()
        assert text.startswith(f"error: nothing is assigned to {name!r}; ")
        assert said in text
    with open_campaign(work / "campaign.db") as campaign:
        assert [judge.name for judge in all_judges(campaign)] == ["anneliese", "bob"]


def test_a_desk_is_judged_to_its_end_repeats_and_all(work: Path) -> None:
    with open_campaign(work / "campaign.db") as campaign:
        desk = campaign.rows(
            "SELECT turn, count(*) FROM assignments AS a JOIN judges AS j ON j.id = a.judge"
            " WHERE j.name = 'anneliese' GROUP BY turn ORDER BY turn"
        )
    ((_, first), (_, again)) = desk
    with Terminal([PROGRAM, "judge", "--judge", "anneliese"], cwd=work) as terminal:
        for done in range(first + again):
            terminal.wait_for(f"{done}/{first + again} in all")
            # A grade counts once the document has been looked at.
            terminal.settle(0.25)
            terminal.send("2" if done < first else "1")
        terminal.wait_for("Thank you")
        terminal.send("q")
        assert terminal.wait_end() == 0
    with open_campaign(work / "campaign.db") as campaign:
        grades = "SELECT count(grade), min(grade), max(grade) FROM judgments WHERE turn = ?"
        assert campaign.rows(grades, (0,)) == [(first, 2, 2)]
        assert campaign.rows(grades, (1,)) == [(again, 1, 1)]
