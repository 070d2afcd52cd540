"""Commands as users type them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner, Result

from judge_tui.cli import cli

__all__ = ["judge_tui", "printed_twice"]


def judge_tui(*words: str | Path, code: int = 0, given: str | None = None) -> Result:
    """`judge-tui` and these words, which ends with that code; `given` comes on standard input."""
    result = CliRunner().invoke(cli, list(map(str, words)), input=given)
    assert result.exit_code == code, result.output
    return result


def printed_twice(*words: str) -> list[str]:
    """What a command prints in each form, in two interpreters that hash otherwise."""
    commands = [[*words, "-f", form] for form in ("table", "json", "csv", "md", "latex")]
    code = (
        "from judge_tui.cli import cli\n"
        f"for words in {commands!r}:\n"
        "    cli(words, standalone_mode=False)\n"
    )
    return [
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            check=True,
            text=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    ]
