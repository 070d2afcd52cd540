"""`--benchmark FILE` and `--scores`: a graded benchmark, and what its scores mean."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

if TYPE_CHECKING:
    from judge_tui.formats.benchmark import Benchmark

__all__ = ["BenchmarkFile", "benchmark_options", "cut_short", "scores_option"]

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


def cut_short(benchmark: Benchmark, depth: int) -> tuple[str, ...]:
    """What is to be said where candidates that are ranked are more than what is asked for."""
    count = benchmark.more_than(depth)
    if not count:
        return ()
    return (f"queries of which more candidates are ranked than the {depth:,} kept: {count:,}",)


def scores_option(command: Command) -> Command:
    """`--scores`; the command gets `scores`."""
    return click.option(
        "--scores",
        metavar="S=G,...",
        help="From which score of the benchmark on each grade is meant: 0=0,0.5=1,1=2.  [default:"
        " whole numbers are grades; of up to 10 other scores each is one]",
    )(command)


def benchmark_options(command: Command) -> Command:
    """`--benchmark` and `--scores`; the command gets `benchmark`."""

    @wraps(command)
    def with_benchmark(benchmark: str | None, scores: str | None, **given: Any) -> Any:
        if benchmark is None and scores is not None:
            raise click.UsageError("--scores is for --benchmark FILE")
        file = None if benchmark is None else BenchmarkFile(benchmark, scores)
        return command(benchmark=file, **given)

    option = click.option(
        "--benchmark",
        metavar="FILE",
        help="Queries, each with candidates and their scores, in place of --answers.",
    )
    return cast("Command", option(scores_option(with_benchmark)))
