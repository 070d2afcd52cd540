"""`judge-tui review` before the app opens: what it refuses, and that it writes nothing then."""

from __future__ import annotations

import subprocess
from pathlib import Path

from judge_tui.campaign import Campaign
from judge_tui.campaign.judges import all_judges
from tests.end_to_end.terminal import PROGRAM


def run(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [PROGRAM, "review", *arguments],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
        cwd=cwd,
    )


def test_without_a_terminal_it_says_what_to_do_instead(campaign: Campaign) -> None:
    done = run("--lead", "lea", cwd=campaign.path.parent)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("error: the app needs a terminal")
    assert "judge-tui agreement" in done.stderr
    assert "judge-tui export disagreements -o FILE" in done.stderr
    assert not all_judges(campaign)


def test_it_needs_a_lead(tmp_path: Path) -> None:
    done = run(cwd=tmp_path)
    assert done.returncode == 2
    assert "--lead" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_help_says_what_it_does(tmp_path: Path) -> None:
    done = run("--help", cwd=tmp_path)
    assert done.returncode == 0
    for option in ("--lead", "--include-models", "--yes", "--db"):
        assert option in done.stdout
