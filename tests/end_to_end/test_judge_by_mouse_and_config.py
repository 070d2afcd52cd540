"""The Judge screen in a real terminal: the mouse, a config file, the clipboard, resizing."""

from __future__ import annotations

import base64
import sqlite3
from pathlib import Path

import pytest

from judge_tui.campaign import Campaign
from judge_tui.campaign.store.settings import change_setting
from tests.end_to_end.terminal import PROGRAM, Terminal


@pytest.fixture
def file(campaign: Campaign) -> Path:
    """The small campaign, closed; a grade counts as soon as its document is painted."""
    change_setting(campaign, "least-look", "0")
    campaign.close()
    return campaign.path


def judging(
    file: Path, *, config: str = "", size: tuple[int, int] = (100, 30), **env: str
) -> Terminal:
    path = ""
    if config:
        path = str(file.with_name("config.toml"))
        Path(path).write_text(config)
    argv = [PROGRAM, "judge", "--db", str(file), "--judge", "ann"]
    return Terminal(argv, cwd=file.parent, env={"JUDGE_TUI_CONFIG": path, **env}, size=size)


def events(file: Path) -> list[tuple[str, int | None]]:
    connection = sqlite3.connect(file)
    found = connection.execute("SELECT action, grade FROM events ORDER BY id").fetchall()
    connection.close()
    return found


def ready(terminal: Terminal) -> None:
    """Wait until the first document and its grades are there."""
    terminal.wait_for("0/6 in all")
    terminal.wait_for("3 perfect")
    terminal.wait_for("not judged yet")
    terminal.settle()


def click(terminal: Terminal, text: str, *, times: int = 1) -> None:
    """Press and release the left button on a text of one of the last lines."""
    [row] = [at for at, line in enumerate(terminal.lines) if at > 20 and text in line]
    column, row = terminal.lines[row].index(text) + 1, row + 1
    terminal.send(f"\x1b[<0;{column};{row}M\x1b[<0;{column};{row}m" * times)


def test_clicks_on_the_scale_grade_once_and_on_undo_take_back(file: Path) -> None:
    with judging(file) as terminal:
        ready(terminal)
        # Clicks that outrun the screen make one judgment.
        click(terminal, "2 good", times=10)
        terminal.wait_for("1/6 in all")
        terminal.settle()
        click(terminal, "u undo")
        terminal.wait_for("0/6 in all")
        assert events(file) == [("grade", 2), ("undo", None)]


def test_the_keys_of_the_config_file_judge_and_stand_in_the_legend(file: Path) -> None:
    config = 'theme = "ansi-dark"\n[keys]\njudge.skip = "z"\njudge.grade-1 = "enter"\n'
    with judging(file, config=config) as terminal:
        terminal.wait_for("z skip")
        terminal.settle()
        for key, progress in (("z", "1/6 in all"), ("\r", "2/6 in all")):
            terminal.send(key)
            terminal.wait_for(progress)
            terminal.settle()
        terminal.send("1")
        terminal.settle()
        assert events(file) == [("skip", None), ("grade", 1)]


def test_a_config_file_that_cannot_be_used_is_said_before_the_screen_is_taken(file: Path) -> None:
    with judging(file, config='[keys]\njudge.skip = "foo"\n') as terminal:
        assert terminal.wait_end() == 2
        # The terminal wraps wherever the path ends.
        said = "".join("".join(terminal.lines).split())
        assert "config.toml:2:judge.skip:thereisnokey" in said
        assert b"\x1b[?1049h" not in terminal.raw
    connection = sqlite3.connect(file)
    assert connection.execute("SELECT count(*) FROM judges").fetchone() == (0,)
    connection.close()


def test_the_id_goes_to_the_clipboard_of_the_terminal(file: Path) -> None:
    with judging(file) as terminal:
        ready(terminal)
        shown = next(line for line in terminal.lines if line.startswith("│ ·"))
        terminal.send("y")
        terminal.wait_for("copied: ")
        doc_id = shown.split("│")[1].split()[-1]
        assert b"\x1b]52;c;" + base64.b64encode(doc_id.encode()) + b"\x07" in terminal.raw
