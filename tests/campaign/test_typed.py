"""Commands that are told to be typed: on the campaign that is meant, and as a shell takes them."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import pytest

from judge_tui.campaign.typed import typed


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("JUDGE_TUI_DB", raising=False)


@pytest.mark.parametrize("path", ["campaign.db", "./campaign.db"])
def test_the_file_that_commands_use_by_themselves_is_not_named(path: str) -> None:
    assert typed(path, "load queries", "FILE") == "judge-tui load queries FILE"
    assert typed(Path(path).absolute(), "pool") == "judge-tui pool"


def test_any_other_file_is_named_after_the_command() -> None:
    assert typed("c1/c.db", "pool", "--depth 10") == "judge-tui pool --db c1/c.db --depth 10"
    assert typed("c1/c.db", "load run", "FILE...") == "judge-tui load run --db c1/c.db FILE..."


def test_what_is_usual_the_environment_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUDGE_TUI_DB", "c1/c.db")
    assert typed("c1/c.db", "status") == "judge-tui status"
    assert typed("campaign.db", "status") == "judge-tui status --db campaign.db"
    # As click has it: set to nothing is not set.
    monkeypatch.setenv("JUDGE_TUI_DB", "")
    assert typed("campaign.db", "status") == "judge-tui status"


@pytest.mark.parametrize("path", ["my file.db", "o'neill.db", "$(reboot).db", "a;b.db"])
def test_a_shell_takes_the_file_as_one_word(path: str) -> None:
    assert shlex.split(typed(path, "status")) == ["judge-tui", "status", "--db", path]


def test_it_is_told_in_a_folder_that_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    shutil.rmtree(tmp_path / "gone")
    assert typed("campaign.db", "status") == "judge-tui status"
    assert typed("c.db", "status") == "judge-tui status --db c.db"
