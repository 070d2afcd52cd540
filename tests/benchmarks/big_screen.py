"""The program at a million pooled pairs, from outside: loading, counting, opening, judging."""

from __future__ import annotations

import re
import statistics
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from judge_tui.campaign import open_campaign
from judge_tui.campaign.overview.progress import progress
from judge_tui.campaign.store.events import append_event
from judge_tui.campaign.store.judges import add_judge
from tests.benchmarks.big_campaign import (
    BIG,
    JUDGE,
    Size,
    load_big,
    load_wide,
    write_big,
    write_wide,
)
from tests.benchmarks.contest import Cost, cost_of
from tests.benchmarks.stopwatch import (
    KEYS,
    SIZE,
    TOKEN,
    Goal,
    Taken,
    judging,
    pressed,
    quiet,
    report,
    resident,
    starts,
    wait,
    worked,
)
from tests.end_to_end.terminal import PROGRAM, Terminal

WIDE = 100_000
JUMPS = 15
OPENINGS = 7
GREATEST_MEMORY = 1_000_000_000
GREATEST_GROWTH = 80_000_000
FIRST = Goal(600, "median")
NEXT = Goal(20)
_TOPIC = re.compile(rb"TOPIC\d{6}")


def measure_big_campaign(work: Path, size: Size = BIG, wide: int = WIDE) -> None:
    """Print what a campaign of `size` costs to load, to count and to judge in."""
    folder = work / "big"
    folder.mkdir()
    path = folder / "campaign.db"
    print(f"a campaign of {size.pairs:,} pairs over {size.queries:,} queries")
    costs = load_big(path, write_big(folder, size))
    _print_costs(costs, GREATEST_MEMORY)
    _print_costs(_lead(path, folder), GREATEST_MEMORY)
    _store(path, size)
    _home(path)
    _judge(path, size)
    _wide(folder, wide)


def _lead(path: Path, folder: Path) -> dict[str, Cost]:
    """What the lead asks of it."""
    commands = {
        "status": ["status"],
        "agreement": ["agreement"],
        "export qrels": ["export", "qrels", "--unresolved", "skip"],
        "score --db": ["score", "--db", str(path)],
    }
    return {
        name: cost_of(
            [
                [
                    "/usr/bin/env",
                    f"JUDGE_TUI_DB={path}",
                    PROGRAM,
                    *argv,
                    "-o",
                    str(folder / name),
                    "--force",
                ]
            ]
        )
        for name, argv in commands.items()
    }


def _store(path: Path, size: Size) -> None:
    """Without the program around it: all that status tells, and one key."""
    print(f"the store, with {size.judgments:,} judgments (ms)")
    with open_campaign(path) as campaign:
        report(
            "progress",
            [_taken(lambda: progress(campaign)) for _ in range(OPENINGS)],
            Goal(200, "median"),
        )
        judge = add_judge(campaign, "keys").key
        done = [
            _taken(partial(append_event, campaign, judge=judge, pair=pair, action="grade", grade=2))
            for pair in range(1, KEYS + 1)
        ]
    report("a grade", done, Goal(0.5, "median"))


def _taken(work: Callable[[], object]) -> Taken:
    begun, worked_before = time.perf_counter(), time.process_time()
    work()
    return Taken(time.perf_counter() - begun, time.process_time() - worked_before)


def _home(path: Path) -> None:
    """Home stands at once, and its numbers come while keys work."""
    stands, counted = [], []
    for _ in range(OPENINGS):
        begun = time.perf_counter()
        argv = [PROGRAM, "--db", str(path)]
        with Terminal(argv, cwd=path.parent, size=SIZE, draw=False, copied=False) as terminal:
            for pattern, times in ((rb"new judge", stands), (rb"\d judged", counted)):
                wait(terminal, re.compile(pattern))
                times.append(Taken(time.perf_counter() - begun, worked(terminal)))
    print("Home (ms)")
    report("`judge-tui` to the judges' names", stands)
    report("`judge-tui` to the numbers", counted)


def _judge(path: Path, size: Size) -> None:
    print(f"judging there; the judge {JUDGE} has {size.judgments * 2 // 3:,} grades (ms)")
    report("`judge` to the first document, a new judge", starts(path, "new"), FIRST)
    report(f"`judge` to the first document, {JUDGE}", starts(path, JUDGE), FIRST)
    for judge in ("new", JUDGE):
        with judging(path, judge) as terminal:
            wait(terminal, TOKEN)
            quiet(terminal)
            seconds = [pressed(terminal, "2") for _ in range(KEYS)]
            report(f"grade key to the next document, {judge}", seconds, NEXT)
            for key, what in (("]", "next"), ("[", "previous")):
                seconds = [pressed(terminal, key) for _ in range(KEYS)]
                report(f"{key} to the {what} document, {judge}", seconds, NEXT)
            opened, typed, gone = [], [], []
            for jump in range(JUMPS):
                topic = f"{jump * size.queries // JUMPS:06d}"
                opened.append(pressed(terminal, "o", _TOPIC))
                typed.append(pressed(terminal, f"TOPIC{topic}", re.compile(topic.encode())))
                gone.append(pressed(terminal, "\r"))
            report(f"o to the list of queries, {judge}", opened)
            report(f"a query's words to where it is, {judge}", typed)
            report(f"enter to the query's document, {judge}", gone)
    print()


def _wide(folder: Path, pooled: int) -> None:
    """Opening a query with a pool of so many documents, from a narrow one."""
    path = folder / "wide.db"
    print(f"a query with a pool of {pooled:,}")
    _print_costs(load_wide(path, write_wide(folder, pooled), pooled), GREATEST_MEMORY)
    seconds, growth = [], []
    for _ in range(OPENINGS):
        with judging(path, "new") as terminal:
            wait(terminal, TOKEN)
            quiet(terminal)
            before = resident(terminal)
            pressed(terminal, "o", _TOPIC)
            pressed(terminal, "a wide", re.compile(rb"TOPIC000001"))
            seconds.append(pressed(terminal, "\r"))
            growth.append(resident(terminal) - before)
            moved = [pressed(terminal, "]") for _ in range(KEYS)]
            graded = [pressed(terminal, "2") for _ in range(KEYS)]
    report("enter to its first document (ms)", seconds, Goal(500, "median"))
    largest = statistics.median(growth)
    met = "met" if largest <= GREATEST_GROWTH else "MISSED"
    print(
        f"  memory it takes: {_megabytes(largest)}   at most {_megabytes(GREATEST_GROWTH)}: {met}"
    )
    report("] to the next document (ms)", moved, NEXT)
    report("grade key to the next document (ms)", graded, NEXT)
    print()


def _print_costs(costs: dict[str, Cost], most: int) -> None:
    for name, cost in costs.items():
        if cost.failed:
            print(f"  {name:<24} failed: exit code {cost.failed}", flush=True)
            continue
        met = "" if cost.largest <= most else f"   at most {_megabytes(most)}: MISSED"
        print(
            f"  {name:<24} {cost.seconds:7.2f} s   {_megabytes(cost.largest):>9}{met}", flush=True
        )


def _megabytes(size: float) -> str:
    return f"{size / 1e6:,.0f} MB"
