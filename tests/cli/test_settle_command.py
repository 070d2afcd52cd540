"""`judge-tui settle` before the app opens: what it refuses, and that it writes nothing then."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from judge_tui.campaign import Campaign
from judge_tui.campaign.store.judges import add_judge, all_judges
from judge_tui.cli import cli
from tests.programs import run as done_alone


def run(*arguments: str, cwd: Path) -> tuple[int, str, str]:
    """The exit code, standard output and standard error, without a terminal."""
    done = done_alone("settle", *arguments, cwd=cwd)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_without_a_terminal_it_says_what_to_do_instead(campaign: Campaign) -> None:
    code, out, err = run("--lead", "lea", cwd=campaign.path.parent)
    assert (code, out) == (2, "")
    assert err.startswith("error: the app needs a terminal")
    assert "judge-tui agreement" in err
    assert "judge-tui export disagreements -o FILE" in err
    assert not all_judges(campaign)


@pytest.mark.parametrize(
    ("leads", "says"),
    [
        ([], "there is no lead yet; say who settles with --lead NAME"),
        (["lea"], "the app needs a terminal"),
        (["lea", "moe"], "the leads are 'lea', 'moe'; say who settles with --lead NAME"),
    ],
)
def test_the_only_lead_settles(campaign: Campaign, leads: list[str], says: str) -> None:
    for name in leads:
        add_judge(campaign, name, role="lead")
    result = CliRunner().invoke(cli, ["settle", "--db", str(campaign.path)])
    assert result.exit_code == 2
    assert result.stderr.startswith(f"error: {says}")
