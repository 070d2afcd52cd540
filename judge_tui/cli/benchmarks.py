"""A graded benchmark, and what its scores mean (`--scores`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from judge_tui.formats.benchmark import Benchmark

__all__ = ["BenchmarkFile", "scores_option"]

Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class BenchmarkFile:
    """A benchmark as a user names it; `scores` is None where its scale is to be found."""

    path: str
    scores: str | None

    def read(self) -> Benchmark:
        """Raises `InputError` for the file, `UsageError` for the scores."""
        from judge_tui.formats.benchmark import parse_grades, read_benchmark

        grades = None if self.scores is None else parse_grades(self.scores)
        return read_benchmark(self.path, grades=grades)


def scores_option(command: Command) -> Command:
    """`--scores`; the command gets `scores`."""
    return click.option(
        "--scores",
        metavar="S=G,...",
        help="From which score of the benchmark on each grade is meant: 0=0,0.5=1,1=2.  [default:"
        " whole numbers are grades; of up to 10 other scores each is one]",
    )(command)
