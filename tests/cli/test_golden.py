"""Transcripts of commands: what is printed, what is said on standard error, and the exit code.

`UPDATE_GOLDEN=1 pytest tests/cli/test_golden.py` writes those in `golden/` anew, from the commands
that stand in them; what changed is to be read. The numbers are those of the version that was held
against trec_eval, SciPy and brute force (`tests/scoring`, `tests/comparison`).
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from judge_tui.cli import cli

GOLDEN = Path(__file__).with_name("golden")
COMMAND = re.compile(r"^\$ judge-tui (.*)\n", re.MULTILINE)


def transcript(commands: list[str]) -> str:
    """The commands, one after the other in this folder, with all that they say."""
    parts = []
    for command in commands:
        result = CliRunner().invoke(cli, shlex.split(command))
        said = f"--- stderr\n{result.stderr}" if result.stderr else ""
        parts.append(f"$ judge-tui {command}\n{result.stdout}{said}--- exit {result.exit_code}\n")
    return "".join(parts)


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.txt")), ids=lambda path: path.stem)
def test_commands_say_what_they_said(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(GOLDEN / "files", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    written = path.read_text()
    now = transcript(COMMAND.findall(written))
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(now)
    assert now == written
