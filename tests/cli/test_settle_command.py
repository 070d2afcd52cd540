"""`judge-tui settle` before the app opens: what it refuses, and that it writes nothing then."""

from __future__ import annotations

from pathlib import Path

from judge_tui.campaign import Campaign
from judge_tui.campaign.store.judges import all_judges
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


def test_it_needs_a_lead(tmp_path: Path) -> None:
    code, _, err = run(cwd=tmp_path)
    assert code == 2
    assert "--lead" in err
    assert len(err.splitlines()) == 1


def test_help_says_what_it_does(tmp_path: Path) -> None:
    code, out, _ = run("--help", cwd=tmp_path)
    assert code == 0
    for option in ("--lead", "--include-models", "--yes", "--db"):
        assert option in out
