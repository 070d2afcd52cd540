"""The app's first moments and its end in a real terminal, whatever its size."""

from __future__ import annotations

import os
import shutil
import signal
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


def opened(file: Path, *arguments: str, size: tuple[int, int] = (100, 30)) -> Terminal:
    argv = [PROGRAM, *arguments, "--db", str(file)]
    return Terminal(argv, cwd=file.parent, env={"JUDGE_TUI_CONFIG": ""}, size=size)


JUDGE = ("judge", "--judge", "ann")


def grades(file: Path) -> list[int | None]:
    connection = sqlite3.connect(file)
    found = [grade for (grade,) in connection.execute("SELECT grade FROM events ORDER BY id")]
    connection.close()
    return found


def test_leaving_the_lowest_screen_ends_with_0(file: Path) -> None:
    with opened(file, *JUDGE) as terminal:
        terminal.wait_for("not judged yet")
        terminal.send("q")
        assert terminal.wait_end() == 0
        again = b"0 of 6 judged and saved; go on: judge-tui judge --judge ann\r\n"
        assert terminal.raw.endswith(again)
    with opened(file) as terminal:
        terminal.wait_for("Next steps")
        terminal.settle()
        terminal.send("\r")
        terminal.wait_for("not judged yet")
        terminal.settle()
        terminal.send("q")
        terminal.wait_for("Next steps")
        terminal.settle()
        terminal.send("q")
        assert terminal.wait_end() == 0


@pytest.mark.parametrize(
    ("arguments", "there", "keys"),
    [
        (("judge", "--judge", "ann"), "not judged yet", "q3o?"),
        (("results",), "Leaderboard", "qe?"),
    ],
)
def test_keys_in_one_burst_with_the_one_that_leaves_do_nothing(
    file: Path, arguments: tuple[str, ...], there: str, keys: str
) -> None:
    with opened(file, *arguments) as terminal:
        terminal.wait_for(there)
        terminal.settle()
        terminal.send(keys)
        assert terminal.wait_end() == 0
        assert "Traceback" not in terminal.text
    assert grades(file) == []


def test_a_key_before_the_first_document_is_there_grades_nothing(file: Path) -> None:
    for attempt in range(20):
        again = Path(shutil.copyfile(file, file.with_name(f"{attempt}.db")))
        with opened(again, *JUDGE) as terminal:
            terminal.wait(lambda t: t.raw)
            terminal.send("2")
            terminal.read()
            if "not judged yet" in terminal.text:
                # A busy machine kept us so long that the document was there before the key.
                continue
            terminal.wait_for("not judged yet")
            terminal.settle()
            assert "0/6 in all" in terminal.text
            terminal.send("3")
            terminal.wait_for("1/6 in all")
        assert grades(again) == [3]
        return
    raise AssertionError("no key was ever sent before the first document was there")


def test_a_terminal_that_is_too_small_is_enlarged_later(file: Path) -> None:
    size = (20, 3)
    with opened(file, *JUDGE, size=size) as terminal:
        terminal.wait(lambda t: t.raw.count(b"\x1b") > 5)
        terminal.settle()
        # Nothing is graded where there is no room for a document.
        terminal.send("2")
        terminal.settle()
        terminal.resize(100, 30)
        terminal.wait_for("not judged yet")
        terminal.wait_for("0/6 in all")
        terminal.settle()
        terminal.send("3")
        terminal.wait_for("1/6 in all")
        terminal.settle()
        terminal.resize(*size)
        terminal.settle()
        terminal.resize(80, 24)
        terminal.wait_for("1/6 in all")
        terminal.settle()
        terminal.send("q")
        assert terminal.wait_end() == 0
    assert grades(file) == [3]


def test_resizes_while_the_app_starts(file: Path) -> None:
    with opened(file, *JUDGE, size=(60, 10)) as terminal:
        for step in range(40):
            terminal.resize(60 + step, 10 + step // 2)
            terminal.read(0.015)
        terminal.wait_for("not judged yet")
        terminal.settle()
        assert len(terminal.lines) == 29
        # The last line is that of the keys, at the foot of the screen as it is now.
        assert "keys" in terminal.lines[-1]
        terminal.send("q")
        assert terminal.wait_end() == 0


def test_an_end_that_is_followed_by_a_continuation_is_an_end(file: Path) -> None:
    """As `timeout`, systemd and multiplexers end a program, also one that was never stopped."""
    with opened(file, *JUDGE) as terminal:
        terminal.wait_for("not judged yet")
        terminal.settle()
        for number in (signal.SIGTERM, signal.SIGCONT, signal.SIGCONT):
            os.kill(terminal.pid, number)
        assert terminal.wait_end() == 128 + signal.SIGTERM
        # The alternate screen and the mouse are given back.
        assert b"\x1b[?1049l" in terminal.raw
        assert b"\x1b[?1000l" in terminal.raw
    assert {one.name for one in file.parent.glob("campaign.db*")} == {"campaign.db"}


def test_what_was_stopped_goes_on(file: Path) -> None:
    with opened(file, *JUDGE) as terminal:
        terminal.wait_for("0/6 in all")
        terminal.settle()
        for _ in range(5):
            os.kill(terminal.pid, signal.SIGSTOP)
            os.kill(terminal.pid, signal.SIGCONT)
        terminal.settle()
        terminal.send("3")
        terminal.wait_for("1/6 in all")
        terminal.settle()
        terminal.send("q")
        assert terminal.wait_end() == 0
    assert grades(file) == [3]
