"""A judge at the keys of the real app, which is killed at random instants.

The judge keeps a list of what the screen accepted: a grade counts from the moment at which the next
document was painted. After each kill the file must hold exactly that, and at most the one key more
that was under way.
"""

from __future__ import annotations

import os
import random
import re
import signal
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from tests.end_to_end.terminal import PROGRAM, Terminal
from tests.end_to_end.torture.campaigns import decisions, integrity

_TOKEN = re.compile(rb"TOK(\d{6})")
_GRADES = "0123"
_UNDO = 0.1
_AT_START = 0.15
_START_TAKES = 0.6
_AGAIN = 1.0


@dataclass
class Judge:
    """What one judge was shown to be accepted: grades by document, in the order of giving."""

    name: str
    grades: dict[int, int] = field(default_factory=dict)
    given: int = 0
    undone: int = 0
    kills: int = 0

    def after(self, shown: int, key: str) -> dict[int, int]:
        """The grades once the key, pressed at a document, was done."""
        grades = dict(self.grades)
        if key == "u":
            grades.popitem()
        else:
            grades[shown] = int(key)
        return grades


def killed_sessions(path: Path, *, judgments: int, seed: int, longest: float) -> Judge:
    """Judge at least so many documents in sessions that all end in SIGKILL; returns the account.

    Raises `AssertionError` where the file and the account differ, or the file is damaged.
    """
    rng = random.Random(seed)
    judge = Judge("ann")
    while judge.given < judgments:
        pending = _session(path, judge, rng, rng.uniform(0.0, longest), judgments)
        judge.kills += 1
        # At times the next session is the first to open the file that the kill left behind.
        if rng.random() < 0.7 or judge.given >= judgments:
            _settle(path, judge, pending)
            pending = None
        if pending is not None:
            _settle(path, judge, pending)
    return judge


def _settle(path: Path, judge: Judge, pending: dict[int, int] | None) -> None:
    """Compare the file with the account; the key under way may be in or not."""
    assert integrity(path) == []
    found = decisions(path, judge.name)
    if pending is not None and found == pending:
        judge.grades = pending
    assert found == judge.grades, (
        f"missing or other: {sorted(set(judge.grades.items()) ^ set(found.items()))}"
    )


def _session(
    path: Path, judge: Judge, rng: random.Random, lifetime: float, judgments: int
) -> dict[int, int] | None:
    """One session until the kill; what the file may hold beside the account, if a key was on."""
    argv = [PROGRAM, "judge", "--db", str(path), "--judge", judge.name]
    with Terminal(argv, cwd=path.parent, draw=False) as terminal:
        if rng.random() < _AT_START:
            time.sleep(rng.uniform(0.0, _START_TAKES))
            return None
        shown = _shown_after(terminal, 0, None)
        if shown is None:
            raise AssertionError(f"the app ended by itself: {terminal.raw[-2000:]!r}")
        assert shown not in decisions(path, judge.name), "resumed at a document that was judged"
        killer = threading.Timer(lifetime, os.kill, (terminal.pid, signal.SIGKILL))
        killer.start()
        try:
            return _judge(terminal, judge, rng, shown, judgments)
        finally:
            killer.cancel()
            killer.join()


def _judge(
    terminal: Terminal, judge: Judge, rng: random.Random, shown: int, judgments: int
) -> dict[int, int] | None:
    key = ""
    while judge.given < judgments:
        # The same key again, so soon, would be the keyboard's repetition.
        undoes = judge.grades and key != "u" and rng.random() < _UNDO
        key = "u" if undoes else rng.choice(_GRADES.replace(key or "u", ""))
        pending = judge.after(shown, key)
        start = len(terminal.raw)
        if not terminal.try_send(key):
            return None
        again = _shown_after(terminal, start, shown, key)
        if again is None:
            return pending
        judge.grades, shown = pending, again
        judge.undone += key == "u"
        judge.given += key != "u"
    return None


def _shown_after(terminal: Terminal, start: int, before: int | None, key: str = "") -> int | None:
    """The document painted after offset `start`; None where the program ended before."""
    idle = time.monotonic()
    while True:
        # The last one: what stands above it on the way may be painted once more.
        found = [int(number) for number in _TOKEN.findall(terminal.raw, start)]
        if found and found[-1] != before:
            return found[-1]
        if terminal.ended:
            return None
        if terminal.read(0.02) or terminal.is_at_work():
            idle = time.monotonic()
        elif time.monotonic() - idle > _AGAIN and key:
            # A key that came before the paint was known to the app does not count, rightly. One
            # that a busy machine has not come to yet must not be pressed twice.
            terminal.try_send(key)
            idle = time.monotonic()
