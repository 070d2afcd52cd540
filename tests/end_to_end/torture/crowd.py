"""Many processes that judge one file at once: by the library, and real apps in terminals."""

from __future__ import annotations

import multiprocessing
import random
import re
import sqlite3
import time
from collections.abc import Iterable
from contextlib import ExitStack, closing
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from judge_tui.campaign import open_campaign
from judge_tui.campaign.store.desk import Desk
from judge_tui.campaign.store.judges import add_judge
from tests.campaigns import record, redo_last, undo_last
from tests.end_to_end.terminal import PROGRAM, Terminal
from tests.end_to_end.torture.campaigns import integrity

_WORDS_OF_TROUBLE = ("NOT SAVED", "CANNOT READ", "FILE LOST", "locked", "Traceback")
_ROUNDS = 3


@dataclass(frozen=True)
class Crowd:
    """What the processes were told was accepted, and what they were told was not."""

    accepted: int
    by_apps: int
    errors: list[str]
    slowest: float


def crowd(path: Path, *, processes: int, apps: int, seconds: float, seed: int) -> Crowd:
    """Let them judge for so long, then hold the file against what each of them was told.

    Raises `AssertionError` where an accepted judgment is missing or the file is damaged.
    """
    context = multiprocessing.get_context("fork")
    workers = []
    with ExitStack() as stack:
        # On a busy machine the processes would be done before the apps are there.
        terminals = _ready(stack, path, apps)
        # One end for all: on a busy machine those that write hardly let the others begin.
        end = time.monotonic() + seconds
        for number in range(processes):
            mine, theirs = context.Pipe(duplex=False)
            worker = context.Process(target=_judge, args=(path, number, end, seed, theirs))
            worker.start()
            theirs.close()
            workers.append((worker, mine))
        by_apps, errors = _judge_in(terminals, end)
    accepted: dict[str, tuple[str, int | None]] = {}
    slowest = 0.0
    for worker, mine in workers:
        events, its_errors, its_slowest = mine.recv()
        worker.join()
        accepted.update(events)
        errors += its_errors
        slowest = max(slowest, its_slowest)
    _compare(path, accepted, by_apps)
    return Crowd(len(accepted), by_apps, errors, slowest)


def _judge(path: Path, number: int, end: float, seed: int, out: Connection) -> None:
    """One process: grades, flags, undoes and redoes as fast as the file lets it."""
    rng = random.Random(f"{seed} {number}")
    accepted: list[tuple[str, tuple[str, int | None]]] = []
    errors: list[str] = []
    slowest = 0.0
    try:
        with open_campaign(path) as campaign:
            # Here nobody ever pauses: on a busy machine the last one waits for long.
            campaign.wait_at_most(60_000)
            desk = Desk(campaign, add_judge(campaign, f"judge {number}"))
            pairs = [pair for query in desk.queries() for pair in desk.pairs(query.key)]
            while time.monotonic() < end or len(accepted) < _ROUNDS:
                begun = time.monotonic()
                what = rng.random()
                if what < 0.05:
                    undo_last(desk)
                elif what < 0.1:
                    redo_last(desk)
                else:
                    event = record(desk, "grade", rng.choice(pairs), grade=rng.randrange(4))
                    accepted.append((event.id, (event.action, event.grade)))
                slowest = max(slowest, time.monotonic() - begun)
    except Exception as error:
        errors.append(f"process {number}: {error}")
    out.send((accepted, errors, slowest))


def _ready(stack: ExitStack, path: Path, count: int) -> list[Terminal]:
    """Real apps, each with its first document on screen."""
    terminals = [
        stack.enter_context(
            Terminal(
                [PROGRAM, "judge", "--db", str(path), "--judge", f"app {number}", "--yes"],
                cwd=path.parent,
            )
        )
        for number in range(count)
    ]
    for terminal in terminals:
        terminal.wait_for("not judged yet")
        terminal.settle(0.1)
    return terminals


def _judge_in(terminals: list[Terminal], end: float) -> tuple[int, list[str]]:
    """One after another one key at a time, until then, and a few rounds at the least; how many
    grades the screens accepted."""
    errors: list[str] = []
    graded = rounds = 0
    while terminals and (time.monotonic() < end or rounds < _ROUNDS):
        rounds += 1
        for terminal in terminals:
            before = judged(terminal)
            # The same key again, too soon, would be the keyboard's repetition.
            terminal.send("23"[rounds % 2])
            terminal.wait(lambda t, done=before: judged(t) > done or _trouble(t))
            graded += judged(terminal) > before
            terminal.settle(0.06)
        errors += [text for terminal in terminals for text in _trouble(terminal)]
    for terminal in terminals:
        terminal.send("q")
        code = terminal.wait_end()
        if code != 0:
            errors.append(f"the app ended with {code}: {terminal.text}")
    return graded, errors


def judged(terminal: Terminal) -> int:
    """What the screen says is judged so far."""
    found = re.search(r"([\d,]+)/[\d,]+ in all", terminal.text)
    return int(found[1].replace(",", "")) if found else -1


def _trouble(terminal: Terminal) -> list[str]:
    return [word for word in _WORDS_OF_TROUBLE if word in terminal.text]


def _compare(path: Path, accepted: dict[str, tuple[str, int | None]], by_apps: int) -> None:
    assert integrity(path) == []
    with closing(sqlite3.connect(path)) as connection:
        rows: Iterable[tuple[str, str, int | None, str]] = connection.execute(
            "SELECT e.id, e.action, e.grade, j.name FROM events AS e"
            " JOIN judges AS j ON j.id = e.judge"
        )
        found = {event: (action, grade, name) for event, action, grade, name in rows}
    lost = [event for event, what in accepted.items() if found.get(event, ())[:2] != what]
    assert lost == [], f"{len(lost)} accepted judgments are not in the file"
    grades = sum(
        action == "grade" and name.startswith("app ") for action, _, name in found.values()
    )
    assert grades == by_apps, f"{by_apps} grades accepted by apps, {grades} in the file"
