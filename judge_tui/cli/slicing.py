"""`--by FIELD --queries FILE`: which slice each query is in, and what the slice is scored by."""

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
    from judge_tui.sources import QueriesSource

__all__ = ["slice_options", "slicing_of"]

Command = TypeVar("Command", bound=Callable[..., Any])


def slice_options(command: Command) -> Command:
    """`--by` and `--queries`; the command gets `by` and `queries`."""
    command = click.option(
        "--queries",
        metavar="FILE",
        help="The queries, for --by, and with --answers for the ids by which runs call them: TSV,"
        " a table, JSONL or TREC topics.  [default: those of the campaign, or of the answers]",
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
    queries: str | None,
    class_measures: str | None = None,
    *,
    known: Iterable[Query] | None = None,
    parse: Callable[[Iterable[str]], tuple[Measure, ...]],
    named: Sequence[Measure] = (),
    demands: Demands | None = None,
) -> Slicing | None:
    """The slices asked for; None where none are. `known`: the queries, where they are read already,
    `demands`: what they demand. `named`: the measures of `-m`, by which all
    classes are measured that declare nothing else; without these, standard classes are on their own
    terms. Raises `UsageError` for measures that say nothing of a class.
    """
    if by is None:
        for option, given in (("--queries", queries), ("--class-measures", class_measures)):
            if given is not None:
                raise click.UsageError(f"{option} is for slices; say which with --by FIELD")
        return None
    source: QueriesSource | None = queries if known is None else known
    if source is None:
        raise UsageError(f"--by {by} needs the queries", "give their file with --queries FILE")
    from judge_tui.class_measures import slicing_by
    from judge_tui.scoring.demands import Demands

    its = None if named else demands or Demands()
    return slicing_by(by, source, parse, class_measures, demands=its, named=named)
