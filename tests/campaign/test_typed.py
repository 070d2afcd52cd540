"""Commands that are told to be typed: on the campaign that is meant, and as a shell takes them."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import pytest

from judge_tui.campaign.typed import typed


@pytest.mark.parametrize(
    ("usual", "path", "command"),
    [
        (None, "campaign.db", "judge-tui pool --depth 10"),
        (None, "./campaign.db", "judge-tui pool --depth 10"),
        (None, "c1/c.db", "judge-tui pool --db c1/c.db --depth 10"),
        ("c1/c.db", "c1/c.db", "judge-tui pool --depth 10"),
        ("c1/c.db", "campaign.db", "judge-tui pool --db campaign.db --depth 10"),
        # As click has it: set to nothing is not set.
        ("", "campaign.db", "judge-tui pool --depth 10"),
    ],
)
def test_the_file_is_named_unless_commands_use_it_by_themselves(
    tmp_path, monkeypatch, usual, path, command
):
    monkeypatch.delenv("JUDGE_TUI_DB", raising=False)
    if usual is not None:
        monkeypatch.setenv("JUDGE_TUI_DB", usual)
    (tmp_path / "gone").mkdir()
    for folder in (tmp_path, tmp_path / "gone"):
        monkeypatch.chdir(folder)
        assert typed(path, "pool", "--depth 10") == command
        assert (typed(Path(path).absolute(), "pool") == "judge-tui pool") == ("--db" not in command)
    # No folder to work in is no fault.
    shutil.rmtree(tmp_path / "gone")
    assert typed(path, "pool", "--depth 10") == command.replace("./", "")


def test_a_shell_takes_the_file_as_one_word():
    path = "o'neill $(reboot);.db"
    assert shlex.split(typed(path, "status")) == ["judge-tui", "status", "--db", path]
