"""Whole processes side by side: medians of alternating runs, peak memory, ratios.

Wall time and peak memory come from wait4(2). The peak is that of the largest process; for one who
starts several, one more run is watched and their resident memory summed.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

STOPWATCH = Path(__file__).parent / "processes" / "stopwatch.py"
ROUNDS = 7
PATIENCE = 30.0
"""Seconds of work after which a contestant sits out the further rounds: a slow one needs fewer."""


@dataclass(frozen=True)
class Contestant:
    """One way to do the work: commands that run one after another and count as one."""

    name: str
    commands: Sequence[Sequence[str]]
    remark: str = ""
    several_processes: bool = False


@dataclass(frozen=True)
class Cost:
    """What one run took; sizes in bytes. A run that failed has its exit code and nothing else."""

    seconds: float = 0.0
    largest: int = 0
    summed: int = 0
    processes: int = 0
    failed: int = 0


@dataclass
class Row:
    """What one contestant's runs took."""

    contestant: Contestant
    costs: list[Cost] = field(default_factory=list)
    together: Cost | None = None

    @property
    def failed(self) -> int:
        """The exit code of a run that failed, else 0."""
        return next((cost.failed for cost in self.costs if cost.failed), 0)

    @property
    def seconds(self) -> float:
        """The median."""
        return statistics.median(cost.seconds for cost in self.costs)


def cost_of(commands: Sequence[Sequence[str]], *, together: bool = False) -> Cost:
    """Run the commands once; with `together`, watch the memory of all their processes at once."""
    # Without site (-S) and outside variables (-I): the stopwatch stays at a few megabytes.
    watch = [sys.executable, "-I", "-S", str(STOPWATCH), str(int(together)), json.dumps(commands)]
    done = subprocess.run(watch, check=True, stdout=subprocess.PIPE)
    return Cost(**json.loads(done.stdout))


def hold(
    contestants: Sequence[Contestant],
    *,
    rounds: int = ROUNDS,
    patience: float = PATIENCE,
    warm: bool = False,
) -> list[Row]:
    """Run all contestants in turn, `rounds` times, and print a line for each.

    The order is reversed every other round, so that none always follows the same one. With `warm`
    a first round does not count. The ratios are of medians, to the first contestant's.
    """
    rows = [Row(contestant) for contestant in contestants]
    if warm:
        for row in rows:
            cost_of(row.contestant.commands)
    for number in range(rounds):
        for row in rows if number % 2 == 0 else reversed(rows):
            if not row.failed and sum(cost.seconds for cost in row.costs) < patience:
                row.costs.append(cost_of(row.contestant.commands))
    for row in rows:
        if row.contestant.several_processes and not row.failed and Path("/proc/self/stat").exists():
            row.together = cost_of(row.contestant.commands, together=True)
    _print(rows)
    return rows


def _print(rows: Sequence[Row]) -> None:
    width = max(len(row.contestant.name) for row in rows)
    print(f"  {'':<{width}}  {'median':>9}  {'runs':>4}  {'ratio':>7}  {'peak memory':>11}")
    for row in rows:
        print(f"  {row.contestant.name:<{width}}  {_line(row, rows[0])}".rstrip(), flush=True)


def _line(row: Row, first: Row) -> str:
    if row.failed:
        return f"failed: {_said(row.failed)}"
    ratio = f"{row.seconds / first.seconds:6.2f}x" if not first.failed else ""
    largest = max(cost.largest for cost in row.costs)
    line = f"{_time(row.seconds):>9}  {len(row.costs):>4}  {ratio:>7}  {_size(largest):>11}"
    remarks = [row.contestant.remark] if row.contestant.remark else []
    if row.together and row.together.processes > 1:
        remarks.insert(
            0,
            f"the largest; {row.together.processes} processes together"
            f" {_size(row.together.summed)} (resident, summed every 5 ms)",
        )
    return "  ".join([line, "; ".join(remarks)])


def _time(seconds: float) -> str:
    return f"{1000 * seconds:.0f} ms" if seconds < 1 else f"{seconds:.2f} s"


def _size(size: int) -> str:
    return f"{size / 1e6:,.0f} MB"


def _said(code: int) -> str:
    if code < 0:
        return f"ended by signal {-code}"
    return f"exit code {code}"
