"""`--by FIELD`, `--queries FILE`: which slice each query is in, and what that is scored by."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from judge_tui.errors import UsageError

if TYPE_CHECKING:
    from judge_tui.class_measures import Slicing
    from judge_tui.model import Query
    from judge_tui.scoring import Measure
    from judge_tui.scoring.demands import Demands

__all__ = ["slice_options", "slicing_of"]

Command = TypeVar("Command", bound=Callable[..., Any])


def slice_options(command: Command) -> Command:
    """`--by` and `--queries`; the command gets `by` and `queries`."""
    command = click.option(
        "--queries",
        metavar="FILE",
        help="The queries, for --by, and for their ids and texts, where grades or answers have the"
        " one and runs the other: TSV, a table, JSONL or TREC topics.  [default: those of the"
        " campaign, or of the answers]",
    )(command)
    return click.option(
        "--by",
        metavar="FIELD",
        help="Each slice of the queries by itself: class, or any other field of the queries."
        " Standard classes (lookup, synonym, attribute and others) have measures of their own,"
        " unless -m is given.",
    )(command)


def slicing_of(
    by: str | None,
    queries: Iterable[Query] | None,
    class_measures: str | None = None,
    *,
    parse: Callable[[Iterable[str]], tuple[Measure, ...]],
    named: Sequence[Measure] = (),
    demands: Demands | None = None,
) -> Slicing | None:
    """The slices of the queries that were asked for; None where none were. `demands`: what the
    queries demand. `named`: the measures of `-m`, by which all classes are measured that declare
    nothing else; without these, standard classes are on their own terms. Raises `UsageError` for
    measures that say nothing of a class.
    """
    if by is None:
        if class_measures is not None:
            raise click.UsageError("--class-measures is for slices; say which with --by FIELD")
        return None
    if queries is None:
        raise UsageError(f"--by {by} needs the queries", "give their file with --queries FILE")
    from judge_tui.class_measures import slicing_by
    from judge_tui.scoring.demands import Demands

    its = None if named else demands or Demands()
    return slicing_by(by, queries, parse, class_measures, demands=its, named=named)
