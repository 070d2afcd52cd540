"""Commands that are told to be typed: on the campaign that is meant, and as a shell takes them."""

from __future__ import annotations

import shlex

import pytest

from judge_tui.campaign.shell_command import shell_command


@pytest.mark.parametrize(
    ("usual", "path", "db"),
    [
        ("", "./campaign.db", ""),
        ("", "c1/c.db", " --db c1/c.db"),
        ("c1/c.db", "c1/c.db", ""),
        ("c1/c.db", "campaign.db", " --db campaign.db"),
    ],
)
def test_the_file_is_named_unless_commands_use_it_by_themselves(monkeypatch, usual, path, db):
    monkeypatch.setenv("JUDGE_TUI_DB", usual)
    assert shell_command(path, "pool", "--depth 10") == f"judge-tui pool{db} --depth 10"


def test_a_shell_takes_the_file_as_one_word():
    path = "o'neill $(reboot);.db"
    assert shlex.split(shell_command(path, "status")) == ["judge-tui", "status", "--db", path]
