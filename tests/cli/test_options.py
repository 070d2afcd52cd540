"""Options that several commands have read alike, and name what is registered."""

import pytest
from click.testing import CliRunner

from judge_tui.agreement import POLICIES
from judge_tui.cli import cli

COMMANDS = [["export", "qrels"], ["report"], ["results"], ["score"], ["compare"]]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_help_names_every_policy_there_is(command, monkeypatch):
    monkeypatch.setitem(POLICIES, "oldest", POLICIES["min"])
    told = " ".join(CliRunner().invoke(cli, [*command, "--help"]).output.split())
    assert f"become one grade: {', '.join(POLICIES)} or judge:NAME. [default: majority]" in told
    assert "[refuse|skip|lead]" in told
