"""How far long work is: on a terminal, after two seconds, with the time left; nowhere else."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest

from judge_tui.cli import progress
from tests.as_typed import judge_tui
from tests.programs import lines_of_progress, run, shown_on_a_terminal

MB = 1_000_000


class Stderr(io.StringIO):
    """Standard error, a terminal or none."""

    def __init__(self, terminal: bool) -> None:
        super().__init__()
        self.isatty = lambda: terminal  # type: ignore[method-assign]


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Callable[[], Stderr]:
    """Makes standard error a terminal, in the test itself: pytest has its own between fixtures."""

    def make() -> Stderr:
        monkeypatch.setattr("sys.stderr", stream := Stderr(True))
        return stream

    return make


def test_a_read_is_shown_after_two_seconds_with_the_time_left(watch: Callable[[], Stderr]) -> None:
    terminal = watch()
    now = iter([0.0, 1.0, 2.0, 10.0, 20.0])
    with progress.show_reading(lambda: next(now)) as tell:
        for done, total in [(10, 400), (20, 400), (300, 400), (500, 400)]:
            tell(done * MB, total * MB)
    assert lines_of_progress(terminal.getvalue()) == [
        "20 of 400 MB read, 38 s left …",
        "300 of 400 MB read, 3 s left …",
        "500 MB read …",
    ]


def test_what_is_done_is_on_one_line(watch: Callable[[], Stderr]) -> None:
    terminal = watch()
    with progress.show_steps() as say:
        say("docs\n.jsonl: 20,000 documents read")
        say("x" * 1000)
    first, second = lines_of_progress(terminal.getvalue())
    assert first == "docs␊.jsonl: 20,000 documents read …"
    assert second.endswith("x …")
    assert len(second) < 1000


def test_nothing_is_shown_where_nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    for stream in (Stderr(False), None):
        monkeypatch.setattr("sys.stderr", stream)
        now = iter([0.0, 3.0])
        with (
            progress.show_reading(lambda now=now: next(now)) as tell,
            progress.show_steps() as say,
        ):
            say("waiting")
            tell(1 * MB, 2 * MB)
        assert not stream or not stream.getvalue()


def test_steps_are_shown_on_a_terminal_alone(files, monkeypatch) -> None:
    monkeypatch.chdir(files)
    judge_tui("init")
    judge_tui("load", "queries", "queries.jsonl")
    judge_tui("load", "run", "alpha.run")
    shown = shown_on_a_terminal("pool", cwd=files, shown={2})
    assert "choosing the pairs …" in lines_of_progress(shown)
    assert b"\r" not in run("pool", "--depth", "20", cwd=files).stderr
