"""The lead's screens, from outside: a real pseudo-terminal of 120x40, from the command and from the
key at Home to what is painted."""

from __future__ import annotations

import re
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from judge_tui.campaign import open_campaign
from judge_tui.campaign.overview.disagreements import disputed_pairs, disputes_of
from judge_tui.campaign.overview.grading import first_grades
from tests.benchmarks.contest import cost_of
from tests.benchmarks.disputed import DISPUTED, Disputed, build_disputed
from tests.benchmarks.stopwatch import (
    KEYS,
    SIZE,
    STARTS,
    TOKEN,
    Goal,
    Taken,
    pressed,
    quiet,
    report,
    start,
    wait,
    worked,
)
from tests.end_to_end.terminal import PROGRAM, Terminal

LEAD = "lead"
AT_HOME = re.compile(rb"new judge")
BOARD = re.compile(rb"SYS\d\d(?s:.)*?0?\.\d{3}")
"""A system, and after it a number."""

ROUNDS = 7
SETTLE = Goal(500, "median")
RESULTS = Goal(1_000, "median")


def measure_lead_screens(
    work: Path,
    size: Disputed = DISPUTED,
    *,
    starts: int = STARTS,
    keys: int = KEYS,
    rounds: int = ROUNDS,
) -> None:
    """Print how long a lead waits for Settle, for Results, and for what is worked out there."""
    folder = work / "lead"
    folder.mkdir()
    path = folder / "campaign.db"
    build_disputed(path, size)
    print(
        f"{size.disagreements:,} disagreements; {size.runs} runs x {size.queries} queries"
        f" x {size.retrieved} (ms)"
    )
    _starts("command `settle` to the first case", lambda: settling(path), TOKEN, starts, SETTLE)
    _starts("command `results` to the leaderboard", lambda: results(path), BOARD, starts, RESULTS)
    _from_home(path, starts)
    _effects(path, rounds)
    _in_settle(path, keys)
    for name, argv in (
        ("status", ["status"]),
        ("results --leaderboard", ["results", "--leaderboard"]),
        ("agreement", ["agreement"]),
    ):
        _command(path, name, argv, rounds)
    print()


def settling(path: Path) -> Terminal:
    """The Settle screen, opened in a terminal of its own in which nothing is drawn."""
    return _opened("settle", "--db", str(path), "--lead", LEAD, at=path)


def results(path: Path) -> Terminal:
    """The Results screen, likewise."""
    return _opened("results", "--db", str(path), at=path)


def _opened(*argv: str, at: Path) -> Terminal:
    return Terminal([PROGRAM, *argv], cwd=at.parent, size=SIZE, draw=False, copied=False)


def _starts(
    name: str, opened: Callable[[], Terminal], seen: re.Pattern[bytes], count: int, goal: Goal
) -> None:
    """A first start does not count."""
    report(name, [start(opened, seen) for _ in range(count + 1)][1:], goal)


def _from_home(path: Path, count: int) -> None:
    """The one lead is known by now."""
    for key, what, seen, goal in (
        ("L", "the leaderboard", BOARD, RESULTS),
        ("S", "the first case", TOKEN, SETTLE),
    ):
        taken = []
        for _ in range(count):
            with _opened("--db", str(path), at=path) as terminal:
                wait(terminal, AT_HOME)
                quiet(terminal)
                taken.append(_painted(terminal, key, seen))
        report(f"{key} at Home to {what}", taken, goal)


def _painted(terminal: Terminal, keys: str, seen: re.Pattern[bytes]) -> Taken:
    """Press keys, until `seen` is painted: what comes after it may be filled in for a while."""
    before, already = len(terminal.raw), worked(terminal)
    begun = time.perf_counter()
    terminal.send(keys)
    wait(terminal, seen, before)
    return Taken(time.perf_counter() - begun, worked(terminal) - already)


def _in_settle(path: Path, keys: int) -> None:
    with settling(path) as terminal:
        wait(terminal, TOKEN)
        quiet(terminal)
        report("] to the next case", [pressed(terminal, "]") for _ in range(keys)])
        report("grade key to the next case", [pressed(terminal, "2") for _ in range(keys)])


def _effects(path: Path, rounds: int) -> None:
    """The order of the queue, without reading what it is made of."""
    with open_campaign(path) as campaign:
        found = disputed_pairs(campaign, first_grades(campaign), open_only=True)
    taken = []
    if found.judged is None:
        raise SystemExit("nobody disagrees about systems")
    for _ in range(rounds):
        begun, worked = time.perf_counter(), time.process_time()
        disputes_of(found)
        taken.append(Taken(time.perf_counter() - begun, time.process_time() - worked))
    report(f"effects of {len(found.pairs):,} disagreements", taken)


def _command(path: Path, name: str, argv: list[str], rounds: int) -> None:
    command = [
        "/usr/bin/env",
        f"JUDGE_TUI_DB={path}",
        PROGRAM,
        *argv,
        "-o",
        str(path.with_suffix(".out")),
        "--force",
    ]
    costs = [cost_of([command]) for _ in range(rounds)]
    if failed := next((cost.failed for cost in costs if cost.failed), 0):
        print(f"  `{name}` failed: exit code {failed}", flush=True)
        return
    seconds = statistics.median(cost.seconds for cost in costs)
    print(f"  {f'command `{name}`':<46} median {1000 * seconds:6.1f}", flush=True)
