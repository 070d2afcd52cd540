"""Commands as users type them."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner, Result

from judge_tui.cli import cli

__all__ = ["judge_tui"]


def judge_tui(*words: str | Path, code: int = 0, given: str | None = None) -> Result:
    """`judge-tui` and these words, which ends with that code; `given` comes on standard input."""
    result = CliRunner().invoke(cli, list(map(str, words)), input=given)
    assert result.exit_code == code, result.output
    return result
