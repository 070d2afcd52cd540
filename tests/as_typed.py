"""Commands as users type them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from click.testing import CliRunner, Result

from judge_tui.cli import cli


def invoke(
    *words: str | Path, given: str | None = None, env: Mapping[str, str | None] | None = None
) -> Result:
    """`judge-tui` and these words, however it ends; `given` comes on standard input."""
    return CliRunner().invoke(
        cli,
        list(map(str, words)),
        input=given,
        env=env,
        catch_exceptions=False,
        prog_name="judge-tui",
    )


def judge_tui(
    *words: str | Path,
    code: int = 0,
    given: str | None = None,
    env: Mapping[str, str | None] | None = None,
) -> Result:
    """The same, which ends with that code."""
    result = invoke(*words, given=given, env=env)
    assert result.exit_code == code, result.output
    return result


def refused(*words: str | Path, given: str | None = None) -> str:
    """The one line that a command which cannot be done says, with exit code 2, and nothing else."""
    result = judge_tui(*words, code=2, given=given)
    assert result.stdout == ""
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1, result.stderr
    return result.stderr.removeprefix("error: ").rstrip("\n")


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
