"""The tables that a terminal and the page for an audit have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from judge_tui.analysis.evaluation import (
    HISTOGRAM,
    EvaluatedQuery,
    Found,
    by_class,
    histogram,
)
from judge_tui.report.classes import DEMAND_VIEWS, class_grids, demand_grids
from judge_tui.report.evaluation.evaluated import Evaluated
from judge_tui.report.layout import Cell, Column, Grid, Toned, difference, number, plain
from judge_tui.report.measure_columns import measure_grids
from judge_tui.report.verdicts import toned

__all__ = [
    "classes",
    "demanding",
    "left",
    "of_classes",
    "other_measures",
    "queries",
    "ranks",
    "systems",
]


def left(*names: str) -> list[Column]:
    """Columns of text."""
    return [Column(name, plain, right=False) for name in names]


def systems(evaluated: Evaluated, title: str) -> Iterator[Grid]:
    """A row a system: how many queries it failed at and found nothing for, its band and its means,
    where there are any over all queries; and over how many, where that is not all of them."""
    evaluation = evaluated.evaluation
    scores = evaluation.scores
    banded = [run.tag for run in scores.runs if evaluated.band(run.tag) is not None]
    # Means are over those alone of which right answers are known.
    fewer = len(evaluation.answered) < len(evaluation.queries) and bool(evaluated.over_all)
    columns = [
        *left("system", *(["band"] if banded else [])),
        Column("queries"),
        Column("failed"),
        Column("nothing found"),
        *([Column("scored")] if fewer else []),
    ]
    rows = [
        (
            (
                run.tag,
                *([evaluated.band(run.tag)] if banded else []),
                len(one.replies),
                len(one.failed),
                len(one.empty),
                *([len(run.query_ids)] if fewer else []),
            ),
            run.mean,
        )
        for run, one in zip(scores.runs, evaluated.collected, strict=True)
    ]
    beside = evaluated.beside if evaluated.over_all else ()
    return measure_grids(title, columns, rows, evaluated.over_all, beside)


def classes(evaluated: Evaluated) -> Grid:
    """A row a class of queries; none where there are not two, or more is told of each."""
    tags = evaluated.evaluation.tags
    if evaluated.parts or evaluated.own_terms:
        return Grid("", [], [])
    found = by_class(evaluated.evaluation, evaluated.first)
    return Grid(
        f"{evaluated.first} by class",
        [*left("class"), Column("queries"), *(Column(tag, number) for tag in tags)],
        [(one.name or "none", one.queries, *(one.means[tag] for tag in tags)) for one in found],
    )


def ranks(evaluated: Evaluated) -> Grid:
    """The histogram; none where no query has right answers."""
    but = evaluated.unranked
    if all(query.query_class in but for query in evaluated.evaluation.answerable):
        return Grid("", [], [])
    columns = [Column(str(rank)) for rank in range(1, HISTOGRAM + 1)]
    tags = evaluated.evaluation.tags
    return Grid(
        f"Queries by the rank of their first right result{evaluated.left_out}",
        [*left("system"), *columns, Column("not found")],
        [(tag, *histogram(evaluated.evaluation, tag, but=but)) for tag in tags],
    )


def other_measures(evaluated: Evaluated) -> Grid:
    """Differences and verdicts by all measures but the first: a row each, a column a system."""
    rows: list[list[Cell]] = []
    tags: list[str] = []
    if evaluated.own_terms:
        return Grid("", [], [])
    for measure in evaluated.evaluation.scores.measures:
        compared = evaluated.compared(measure)
        if compared and measure != evaluated.first:
            tags = [one.tag for one in compared]
            rows.append(
                [
                    measure.name,
                    *(
                        toned(one.verdict, f"{difference(one.delta)} {one.verdict}")
                        for one in compared
                    ),
                ]
            )
    return Grid("By the other measures", left("measure", *tags), rows)


def queries(
    title: str,
    rows: Sequence[EvaluatedQuery],
    tags: Sequence[str],
    text: Callable[[str], str],
) -> Grid:
    """A line a query: at which rank each system has its first right result."""
    return Grid(
        title,
        [*left("query", "text"), *map(Column, tags)],
        [
            (query.query_id, text(query.query), *(_rank(query.found[tag]) for tag in tags))
            for query in rows
        ],
    )


def demanding(evaluated: Evaluated, title: str, text: Callable[[str], str]) -> Grid:
    """A line a query and demand: what each system has first, or that it failed or found nothing;
    none where nothing is demanded."""
    evaluation = evaluated.evaluation
    classes = evaluated.demanded.classes if evaluated.demanded else ()
    asked = [(one, frozenset(one.query_ids)) for one in classes]
    rows: list[list[Cell]] = []
    for query in evaluation.queries:
        for one, query_ids in asked:
            if query.query_id in query_ids:
                view = DEMAND_VIEWS[one.demand]
                row: list[Cell] = [query.query_id, text(query.query), one.demand]
                for tag in evaluation.tags:
                    its, found = one.found[tag][query.query_id], query.found[tag]
                    if found.failed or not found.top:
                        row.append(Toned("failed" if found.failed else "nothing found", "bad"))
                    else:
                        said = view.came(its, text)
                        row.append(said if its.held else Toned(said, "bad"))
                rows.append(row)
    return Grid(title, left("query", "text", "demand", *evaluation.tags), rows)


def of_classes(evaluated: Evaluated, *, listed: int | None = 10) -> Iterator[Grid]:
    """Class by class what each is measured by, and how demands are met. Without `listed` every
    query is named that is lost."""
    evaluation = evaluated.evaluation
    yield from class_grids(evaluated.parts, evaluation.tags, evaluation.bands.word)
    if evaluated.demanded is not None:
        texts = {query.query_id: query.query for query in evaluation.queries}
        yield from demand_grids(evaluated.demanded, evaluated.subset_of, texts, listed=listed)


def _rank(found: Found) -> Cell:
    if found.failed:
        return Toned("failed", "bad")
    return Toned("missed", "bad") if found.first is None else found.first
