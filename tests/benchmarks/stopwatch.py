"""Times of a program in a terminal: from a key to the last byte that it painted for it.

Goals are of what passes on a clock. The time that processors worked stands beside it: where others
use the machine meanwhile, it says more.
"""

from __future__ import annotations

import re
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from judge_tui.place import Place
from tests.end_to_end.terminal import PROGRAM, Terminal

SIZE = (120, 40)
STARTS = 15
KEYS = 120
TOKEN = re.compile(rb"TOK\d{6}")
"""In the first line of every document that is judged here, and nowhere else."""

_QUIET = 0.04
_LOOK = 0.25
"""A grade counts once its document was looked at for a moment, and no key twice within another."""

_NAME = 46


@dataclass(frozen=True)
class Goal:
    """At most so many milliseconds, of the median or of the 95th percentile."""

    milliseconds: float
    of: str = "p95"


class Taken(NamedTuple):
    """Seconds that passed, and seconds in which a processor worked for it."""

    passed: float
    worked: float


def judging(place: Place, judge: str) -> Terminal:
    """The Judge screen, opened in a terminal of its own in which nothing is drawn."""
    argv = [PROGRAM, "judge", "--db", str(place), "--judge", judge]
    folder = place.parent if isinstance(place, Path) else Path.cwd()
    return Terminal(argv, cwd=folder, size=SIZE, draw=False, copied=False)


def starts(path: Path, judge: str, seen: re.Pattern[bytes] = TOKEN) -> list[Taken]:
    """From the command to the first painted document; a first start does not count."""
    return [start(lambda: judging(path, judge), seen) for _ in range(STARTS + 1)][1:]


def start(opened: Callable[[], Terminal], seen: re.Pattern[bytes] = TOKEN) -> Taken:
    """From opening a terminal with a program in it until `seen` is painted."""
    begun = time.perf_counter()
    with opened() as terminal:
        wait(terminal, seen)
        return Taken(time.perf_counter() - begun, worked(terminal))


def pressed(terminal: Terminal, keys: str, seen: re.Pattern[bytes] = TOKEN) -> Taken:
    """Press keys, until `seen` is painted anew and nothing more is drawn; a grade after a look."""
    if keys.isdigit():
        time.sleep(_LOOK)
    before, already = len(terminal.raw), worked(terminal)
    begun = time.perf_counter()
    terminal.send(keys)
    wait(terminal, seen, before)
    return Taken(quiet(terminal) - begun, worked(terminal) - already)


def wait(terminal: Terminal, pattern: re.Pattern[bytes], start: int = 0) -> None:
    """Read until a pattern has come after offset `start`."""
    end = time.monotonic() + 60
    while not pattern.search(terminal.raw, start):
        if time.monotonic() > end:
            raise SystemExit(f"{pattern.pattern!r} was not painted within a minute")
        terminal.read(0.05)


def quiet(terminal: Terminal) -> float:
    """Read until nothing comes any more; when the last byte came."""
    last = time.perf_counter()
    while terminal.read(_QUIET):
        last = time.perf_counter()
    return last


def resident(terminal: Terminal) -> int:
    """The program's resident memory in bytes; 0 where the system does not tell."""
    status = Path(f"/proc/{terminal.pid}/status")
    if not status.exists():
        return 0
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS"))
    return 1024 * int(line.split()[1])


def worked(terminal: Terminal) -> float:
    """Seconds that processors have worked for the program; 0 where the system does not tell."""
    threads = Path(f"/proc/{terminal.pid}/task").glob("*/schedstat")
    return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e9


def report(name: str, times: Sequence[Taken], goal: Goal | None = None) -> None:
    """Print a row: median and p95 in milliseconds, and whether they are what they should be."""
    ordered = sorted(1000 * taken.passed for taken in times)
    found = {
        "median": statistics.median(ordered),
        "p95": ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))],
    }
    processor = 1000 * statistics.median(taken.worked for taken in times)
    print(
        f"  {name:<{_NAME}} median {found['median']:6.1f}   p95 {found['p95']:6.1f}"
        f"   worked {processor:6.1f}   of {len(ordered):>3}{_verdict(goal, found.__getitem__)}",
        flush=True,
    )


def _verdict(goal: Goal | None, found: Callable[[str], float]) -> str:
    if goal is None:
        return ""
    met = "met" if found(goal.of) <= goal.milliseconds else "MISSED"
    return f"   {goal.of} at most {goal.milliseconds:g}: {met}"
