"""`--by FIELD --queries FILE`: which slice each query is in, and what the slice is scored by."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from judge_tui.errors import UsageError

if TYPE_CHECKING:
    from judge_tui.class_measures import ClassMeasures
    from judge_tui.model import Query
    from judge_tui.scoring import Measure

__all__ = ["Slicing", "slice_options", "slicing_of"]

Command = TypeVar("Command", bound=Callable[..., Any])


class Slicing(NamedTuple):
    """`of_query`: query_id -> slice, "" without one; `measures`: slice -> its own measures."""

    by: str
    of_query: dict[str, str]
    measures: ClassMeasures


def slice_options(command: Command) -> Command:
    """`--by` and `--queries`; the command gets `by` and `queries`."""
    command = click.option(
        "--queries",
        metavar="FILE",
        help="The queries, for --by: JSONL, TSV or TREC topics. With --db, those of the campaign.",
    )(command)
    return click.option(
        "--by",
        metavar="FIELD",
        help="Each slice of the queries by itself: class, or any other field of the queries.",
    )(command)


def slicing_of(
    by: str | None,
    queries: str | None,
    class_measures: str | None = None,
    *,
    known: Iterable[Query] | None = None,
    parse: Callable[[Iterable[str]], tuple[Measure, ...]],
) -> Slicing | None:
    """The slices asked for; None where none are. `known`: a campaign's queries.

    Measures declared in a file of their own go before those that the queries declare. Query ids
    are in the form of TREC files, as those of qrels and runs are.
    """
    if by is None:
        for option, given in (("--queries", queries), ("--class-measures", class_measures)):
            if given is not None:
                raise click.UsageError(f"{option} is for slices; say which with --by FIELD")
        return None
    from dataclasses import replace

    from judge_tui.class_measures import measures_of_queries, read_class_measures
    from judge_tui.formats import read_queries
    from judge_tui.formats.ids import as_field
    from judge_tui.sources import slices_from

    if queries is not None:
        known = (replace(q, query_id=as_field(q.query_id)) for q in read_queries(queries))
    if known is None:
        raise UsageError(f"--by {by} needs the queries", "give their file with --queries FILE")
    own = list(known)
    of_query = slices_from(own, by)
    if class_measures is None:
        return Slicing(by, of_query, measures_of_queries(own, of_query, parse))
    measures = read_class_measures(class_measures, set(of_query.values()), parse)
    return Slicing(by, of_query, measures)
