"""A regular expression of the user's own that does not come to an end on an id.

Python's `re` tries every way in which a pattern can match, which for some (`(a+)+$`) doubles with
each character. A search cannot be given a limit; but in the main thread it looks for signals all
the while, and a clock of processor time that ticks once a second costs nothing. When it finds one
and the same search at several ticks in a row, that is ended with an error. Ctrl+c needs none of it.

So it is for ids, which are short. What a live system says may be megabytes, in which a search can
be slow without looking for signals: `collect.matching` has that done by another process.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType

import click

from judge_tui.errors import InputError
from judge_tui.formats.problems import quoted

__all__ = ["watch_patterns"]

_TICK = 1.0
_TICKS = 5
"""So many seconds of processor time for one search, or for the first hit in one list."""

Sought = Callable[[FrameType], tuple[str, str]]
"""Where a search is under way: the pattern, and what it is sought in."""


def watch_patterns(path: str | None) -> None:
    """Until the command ends, raise `InputError` where a pattern of the answers or queries file
    takes longer than 5 s on an id. Without a file, and where there is no such clock, do nothing."""
    if path is not None:
        click.get_current_context().with_resource(_watching(path))


@contextmanager
def _watching(path: str) -> Iterator[None]:
    watched = _searches()
    last: FrameType | None = None
    ticks = 0

    def tick(_signal: int, frame: FrameType | None) -> None:
        nonlocal last, ticks
        ticks = ticks + 1 if frame is last else 0
        # Kept, so that no other search can be taken for this one.
        last = frame
        if frame is not None and ticks >= _TICKS and frame.f_code in watched:
            raise _too_slow(path, *watched[frame.f_code](frame))

    try:
        usual = signal.signal(signal.SIGVTALRM, tick)
    except (AttributeError, ValueError):
        # Windows has no such signal, and other threads than the main one get none.
        yield
        return
    signal.setitimer(signal.ITIMER_VIRTUAL, _TICK, _TICK)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, usual)
        last = None


def _searches() -> dict[CodeType, Sought]:
    from judge_tui.scoring.truths import found_in

    return {
        found_in.__code__: lambda frame: (
            frame.f_locals["pattern"].pattern,
            frame.f_locals["doc_id"],
        ),
    }


def _too_slow(path: str, pattern: str, doc_id: str) -> InputError:
    return InputError(
        path,
        _line_of(path, pattern),
        f"pattern {quoted(pattern)} takes longer than {_TICKS * _TICK:g} s on the id"
        f" {quoted(doc_id)}",
        "write it so that there is one way to match: a+ where there is (a+)+, say",
    )


def _line_of(path: str, pattern: str) -> int | None:
    """The line of the answer that has the pattern, of the file read once more; None where it can
    be read no more, or is one of queries."""
    from judge_tui.formats.answers import read_answers

    if not os.path.isfile(path):  # noqa: PTH113 - "-" is none
        return None
    try:
        answers = read_answers(path)
    except InputError:
        return None
    for answer in answers:
        written = [truth.written for truth in answer.truths if truth.pattern is not None]
        written += [one.pattern for its in answer.demands.values() for one in its.patterns]
        if pattern in written:
            return answer.line
    return None
