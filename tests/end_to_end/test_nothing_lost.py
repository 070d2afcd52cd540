"""Nothing lost: the real app in a terminal while its file, its disk and itself are harmed.

Short forms of what `make torture` does for longer.
"""

from __future__ import annotations

import os
import resource
import shutil
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.end_to_end.terminal import PROGRAM, Terminal
from tests.end_to_end.torture.campaigns import build, decisions, integrity
from tests.end_to_end.torture.crowd import crowd, judged
from tests.end_to_end.torture.halves import killed_commands, prepare
from tests.end_to_end.torture.killed import killed_sessions

GIVEN = 2


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("built"), queries=1, documents=20)


@pytest.fixture
def path(tmp_path: Path, built: Path) -> Path:
    return Path(shutil.copyfile(built, tmp_path / "campaign.db"))


@pytest.fixture
def terminal(path: Path) -> Iterator[Terminal]:
    """The app, with three grades given, and folded into the file."""
    argv = [PROGRAM, "judge", "--db", path.name, "--judge", "ann"]
    with Terminal(argv, cwd=path.parent, size=(220, 30)) as terminal:
        terminal.wait_for("not judged yet")
        terminal.settle()
        for _ in range(GIVEN):
            grade(terminal)
        wal = path.with_name("campaign.db-wal")
        terminal.wait(lambda _terminal: wal.stat().st_size == 0)
        yield terminal


def grade(terminal: Terminal) -> None:
    """Press a key and wait until the screen counts one more."""
    terminal.settle(0.1)
    before = judged(terminal)
    terminal.send("2")
    terminal.wait(lambda t: judged(t) > before)
    terminal.settle(0.1)


def refused(terminal: Terminal, *words: str) -> None:
    """Press a key; it is said not to be saved, and the screen stays where it is."""
    before = judged(terminal)
    terminal.send("3")
    terminal.wait_for("NOT SAVED")
    terminal.settle()
    said = " ".join(terminal.text.split())
    for word in words:
        assert word in said
    assert judged(terminal) == before


def left(terminal: Terminal) -> int:
    terminal.send("q")
    return terminal.wait_end()


def test_judgments_through_many_kills(tmp_path: Path) -> None:
    judge = killed_sessions(build(tmp_path), judgments=30, seed=4, longest=0.6)
    assert judge.given == 30
    assert judge.kills >= 3


def test_processes_and_apps_judge_one_file_at_once(tmp_path: Path) -> None:
    path = build(tmp_path)
    found = crowd(path, processes=6, apps=2, seconds=1, seed=4)
    assert found.errors == []
    assert found.accepted > 6
    assert found.by_apps > 2
    assert {one.name for one in tmp_path.glob("campaign.db*")} == {"campaign.db"}


def test_commands_that_are_killed_do_all_or_nothing(tmp_path: Path) -> None:
    path = prepare(tmp_path, size=1500)
    for found in killed_commands(path, ["load docs", "pool"], kills=3, seed=4):
        assert found.before + found.after == 3


def test_trouble_that_passes_is_said_and_the_same_key_is_taken_then(
    terminal: Terminal, path: Path
) -> None:
    """A full disk, a file that another program holds, ctrl+c: and nothing is lost."""
    everything = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
    resource.prlimit(terminal.pid, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))
    for _ in range(2):
        refused(terminal, "the disk reports an error; free some room")
    assert len(decisions(path, "ann")) == GIVEN
    resource.prlimit(terminal.pid, resource.RLIMIT_FSIZE, everything)
    grade(terminal)
    assert "NOT SAVED" not in terminal.text

    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        refused(terminal, "another program holds the file")
        assert judged(terminal) == GIVEN + 1
        other.execute("ROLLBACK")
    grade(terminal)

    terminal.send("\x03")
    terminal.wait_for("ends the app")
    grade(terminal)
    assert left(terminal) == 0
    assert len(decisions(path, "ann")) == GIVEN + 3
    assert integrity(path) == []


def test_who_leaves_after_a_key_that_was_not_written_is_told(
    terminal: Terminal, path: Path
) -> None:
    resource.prlimit(terminal.pid, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))
    refused(terminal, "the disk reports an error; free some room")
    assert left(terminal) == 2
    assert b"NOT SAVED: the last key could not be written" in terminal.raw
    assert b"2 of 20 judged and saved; go on: " in terminal.raw
    assert len(decisions(path, "ann")) == GIVEN


def test_a_deleted_file_is_said_at_once_and_what_was_judged_is_kept(
    terminal: Terminal, path: Path
) -> None:
    path.unlink()
    terminal.wait_for("FILE LOST")
    terminal.send("\x1b")
    terminal.wait(lambda t: "FILE LOST" not in t.text)
    refused(terminal, "all up to now is in campaign-kept.db")
    assert left(terminal) == 2
    assert b"Traceback" not in terminal.raw
    assert not path.exists()
    assert len(decisions(path.with_name("campaign-kept.db"), "ann")) == GIVEN
    assert {one.name for one in path.parent.glob("campaign*")} == {"campaign-kept.db"}


def test_a_file_written_over_in_place_is_said_at_once_and_left_alone(
    terminal: Terminal, path: Path
) -> None:
    older = Path(shutil.copyfile(path, path.with_name("older")))
    grade(terminal)
    terminal.wait(lambda _t: path.with_name("campaign.db-wal").stat().st_size == 0)
    shutil.copyfile(older, path)
    terminal.wait_for("FILE LOST")
    terminal.send("\x1b")
    terminal.wait(lambda t: "FILE LOST" not in t.text)
    refused(terminal, "another program wrote over the file while it was open; leave, and restore")
    assert left(terminal) == 2
    assert path.read_bytes() == older.read_bytes()
    assert len(decisions(path, "ann")) == GIVEN


def test_an_interrupt_ends_the_app_and_leaves_the_file_alone_and_whole(
    terminal: Terminal, path: Path
) -> None:
    os.kill(terminal.pid, signal.SIGINT)
    assert terminal.wait_end() == 128 + signal.SIGINT
    assert len(decisions(path, "ann")) == GIVEN
    assert {one.name for one in path.parent.glob("campaign*")} == {"campaign.db"}


def test_a_terminal_that_is_gone_ends_the_app_in_order(terminal: Terminal, path: Path) -> None:
    assert terminal.hang_up() == 128 + signal.SIGHUP
    assert len(decisions(path, "ann")) == GIVEN
    assert {one.name for one in path.parent.glob("campaign*")} == {"campaign.db"}
