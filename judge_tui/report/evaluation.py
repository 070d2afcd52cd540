"""An evaluation of live systems: what `results.json` holds, and what is printed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from judge_tui.analysis.live_systems import (
    BANDED,
    HISTOGRAM,
    Documents,
    EvaluatedQuery,
    SystemList,
    band,
    differ_most,
    document_slices,
    histogram,
    missed,
    spreads,
    worst,
)
from judge_tui.analysis.queries import DivergentQuery
from judge_tui.analysis.run_slices import RunSlices, ShareFound
from judge_tui.comparison.comparison import Comparisons
from judge_tui.evaluation.gates import GateResult
from judge_tui.report.comparisons import comparison_tables
from judge_tui.report.grids import Cell, Column, Grid, Report, as_grid, number
from judge_tui.scoring import Measure, Scores

__all__ = ["AskedSystem", "Evaluated", "evaluation_report", "failure_grid", "query_grid"]

_CAME = 3  # a column each
_EXPECTED = 10
_DIFFERING = 10
_PRINTED = 10


@dataclass(frozen=True, slots=True)
class AskedSystem:
    """A system as it was asked: what it says of itself, and how many of its queries failed, and
    found nothing (those that failed among them)."""

    tag: str
    kind: str
    identity: str
    queries: int
    failed: int
    nothing_found: int

    @property
    def failed_too_often(self) -> bool:
        """At more than a tenth of its queries, so that nothing is decided on it."""
        return self.failed * 10 > self.queries


@dataclass(frozen=True)
class Evaluated:
    """All that is known of an evaluation.

    `main`: what they are compared by first, where classes of queries declare nothing else.
    `comparisons`: None where there is one system. `documents`: where it is known which there are.
    `titles`: doc_id -> title. `files`: what was read, by what it is. `credit`: of answers.
    """

    systems: Sequence[AskedSystem]
    queries: Sequence[EvaluatedQuery]
    scores: Scores
    main: Measure
    comparisons: Comparisons | None
    gates: Sequence[GateResult]
    warnings: Sequence[str]
    depth: int
    files: Mapping[str, str]
    credit: str | None = None
    documents: Documents | None = None
    titles: Mapping[str, str] = field(default_factory=dict)

    @property
    def tags(self) -> list[str]:
        """The systems, in their order."""
        return list(self.scores)

    @property
    def unlike(self) -> bool:
        """Whether classes declare different measures, so that there is no mean over all."""
        return self.scores.unlike is not None

    @cached_property
    def differing(self) -> Sequence[DivergentQuery]:
        """The queries for which the systems differ, those furthest apart first."""
        several = len(self.systems) > 1 and not self.unlike
        return differ_most(self.queries, self.scores, self.main) if several else ()

    @cached_property
    def document_slices(self) -> Sequence[RunSlices[ShareFound]]:
        """By kind and by length of documents."""
        known = self.documents
        return () if known is None else document_slices(self.queries, self.tags, known)


def evaluation_report(evaluated: Evaluated, page: str) -> Report:
    """Tables for readers, the means last; the values of all queries for CSV. `page`: the file that
    has what is too long to be printed."""
    scores = evaluated.scores
    failures = [failure_grid(evaluated, tag) for tag in evaluated.tags]
    return Report(
        document=_document(evaluated),
        header=scores.columns,
        rows=scores.to_rows(per_query=True),
        grids=[
            query_grid(evaluated, evaluated.queries, "The rank of the first right result"),
            *(_first_rows(one, page) for one in failures),
            *summary_grids(evaluated),
        ],
        warnings=evaluated.warnings,
    )


def _first_rows(grid: Grid, page: str) -> Grid:
    if len(grid.rows) <= _PRINTED:
        return grid
    title = f"{grid.title}, {_PRINTED} of {len(grid.rows):,}; {page} has all"
    return grid._replace(title=title, rows=grid.rows[:_PRINTED])


def summary_grids(evaluated: Evaluated) -> Iterator[Grid]:
    """Everything that has no row for each query."""
    yield from slice_grids(evaluated)
    yield from spread_grids(evaluated)
    yield rank_grid(evaluated)
    if evaluated.comparisons is not None:
        yield from map(as_grid, comparison_tables(evaluated.comparisons))
    yield system_grid(evaluated)


def system_grid(evaluated: Evaluated) -> Grid:
    """A row a system; means only where there is one over all queries."""
    columns = [_left("system"), *map(Column, ("queries", "failed", "nothing found"))]
    rows: list[list[Cell]] = [
        [one.tag, one.queries, one.failed, one.nothing_found] for one in evaluated.systems
    ]
    if not evaluated.unlike:
        measures = evaluated.scores.measures
        columns += [*(Column(str(measure), number) for measure in measures), _left("RR@10 is")]
        for row, one in zip(rows, evaluated.systems, strict=True):
            row += [evaluated.scores[one.tag].mean_or_none(measure) for measure in measures]
            row.append(_band(evaluated, one.tag))
    return Grid("The systems", columns, rows)


def rank_grid(evaluated: Evaluated) -> Grid:
    """How many first right results stand at each rank."""
    columns = [_left("system"), *(Column(name) for name in _RANKS)]
    rows: list[list[Cell]] = [[tag, *histogram(evaluated.queries, tag)] for tag in evaluated.tags]
    return Grid("Queries by the rank of their first right result", columns, rows)


def spread_grids(evaluated: Evaluated) -> Iterator[Grid]:
    """How evenly each system does over the queries, where one measure is for all of them."""
    if not evaluated.unlike:
        rows: list[list[Cell]] = [
            [tag, its.mean, its.sd, its.least, its.median, its.greatest]
            for tag, its in spreads(evaluated.scores, evaluated.main)
        ]
        columns = [_left("system"), *(Column(name, number) for name in _SPREAD)]
        yield Grid(f"How evenly they do, by {evaluated.main}", columns, rows)


def slice_grids(evaluated: Evaluated) -> Iterator[Grid]:
    """The means in each class of queries, and the share of relevant documents of each kind and
    length that a system has among its first results."""
    slices, tags = evaluated.scores.slices, evaluated.tags
    systems = [Column(tag, number) for tag in tags]
    if slices is not None:
        rows: list[list[Cell]] = [
            [
                one.shown,
                str(measure),
                max(run.count(measure) for run in one.runs),
                *(run.mean_or_none(measure) for run in one.runs),
            ]
            for one in slices.slices
            for measure in one.measures
        ]
        columns = [_left(slices.by), _left("measure"), Column("queries"), *systems]
        yield Grid(f"By {slices.by}", columns, rows)
    for found in evaluated.document_slices:
        shares: list[list[Cell]] = [
            [
                one.name or "(none)",
                one.relevant,
                one.queries,
                *(run.mean for run in one.runs.values()),
            ]
            for one in found.slices
        ]
        by = found.by.removeprefix("document.")
        title = f"Share of relevant documents in the top {found.measure.k}, by {by}"
        columns = [_left(by), Column("relevant"), Column("queries"), *systems]
        yield Grid(title, columns, shares)


def query_grid(evaluated: Evaluated, queries: Sequence[EvaluatedQuery], title: str) -> Grid:
    """The rank of the first right result of each of these queries."""
    columns = [_left("query"), _left("text"), *map(Column, evaluated.tags)]
    rows: list[list[Cell]] = [
        [one.query_id, one.query, *(_rank(one.found[tag]) for tag in evaluated.tags)]
        for one in queries
        if one.expected
    ]
    return Grid(title, columns, rows)


def differing_grid(evaluated: Evaluated) -> Grid:
    """The queries for which systems are furthest apart."""
    text = {query.query_id: query.query for query in evaluated.queries}
    rows: list[list[Cell]] = [
        [
            one.query_id,
            text[one.query_id],
            one.sd,
            f"{', '.join(one.best)} {number(one.greatest)}",
            f"{', '.join(one.worst)} {number(one.least)}",
            one.overlap,
        ]
        for one in evaluated.differing[:_DIFFERING]
    ]
    columns = [
        *(_left("query"), _left("text"), Column("sd", number)),
        *(_left("best"), _left("worst"), Column("overlap", number)),
    ]
    return Grid(f"Where they differ most, by {evaluated.main}", columns, rows)


def failure_grid(evaluated: Evaluated, tag: str) -> Grid:
    """The queries of a system with nothing right among the first ten, and what came instead."""
    rows: list[list[Cell]] = []
    for query in missed(evaluated.queries, tag):
        found = query.found[tag]
        expected = [what for what, _ in query.expected[:_EXPECTED]]
        expected += ["…"] if len(query.expected) > _EXPECTED else []
        came = [_titled(doc_id, evaluated.titles) for doc_id, _ in found.top[:_CAME]]
        if found.failed or not came:
            came = [f"failed: {found.failed}" if found.failed else "nothing"]
        came += [""] * (_CAME - len(came))
        rows.append([query.query_id, query.query, "; ".join(expected), *came, found.first])
    texts = ("query", "text", "expected", "came first", "second", "third")
    columns = [*map(_left, texts), Column("first right")]
    return Grid(f"{tag}: nothing right among the first {HISTOGRAM}", columns, rows, names=1)


_SPREAD = ("mean", "sd", "min", "median", "max")
_RANKS = (*map(str, range(1, HISTOGRAM + 1)), "not found")


def _left(name: str) -> Column:
    return Column(name, right=False)


def _titled(doc_id: str, titles: Mapping[str, str]) -> str:
    return f"{doc_id} ({titles[doc_id]})" if titles.get(doc_id) else doc_id


def _rank(found: SystemList) -> Cell:
    return "failed" if found.failed else "missed" if found.first is None else found.first


def _band(evaluated: Evaluated, tag: str) -> str | None:
    mean = None if evaluated.unlike else evaluated.scores[tag].mean_or_none(BANDED)
    return None if mean is None else band(mean)


def _document(evaluated: Evaluated) -> dict[str, Any]:
    """All of it, floats at full precision."""
    scored = evaluated.scores.to_dict(per_query=True)
    compared = None if evaluated.comparisons is None else evaluated.comparisons.to_dict()
    runs = {run["tag"]: run for run in scored["runs"]}
    values = {tag: run.pop("per_query") for tag, run in runs.items()}
    return {
        "schema_version": 2,
        "settings": {
            **scored["settings"],
            "measures": scored["measures"],
            "depth": evaluated.depth,
            "files": dict(evaluated.files),
            "credit": evaluated.credit,
            "comparison": None if compared is None else compared["settings"],
        },
        "systems": [
            {
                **runs[one.tag],
                "kind": one.kind,
                "identity": one.identity or None,
                "failed": one.failed,
                "nothing_found": one.nothing_found,
                "band": _band(evaluated, one.tag),
                "histogram": dict(zip(_RANKS, histogram(evaluated.queries, one.tag), strict=True)),
                "missed": [query.query_id for query in missed(evaluated.queries, one.tag)],
            }
            for one in evaluated.systems
        ],
        "comparisons": [] if compared is None else compared["comparisons"],
        "gates": [one.to_dict() for one in evaluated.gates],
        "queries": [
            {
                "query_id": query.query_id,
                "query": query.query,
                "class": query.query_class or None,
                "expected": [{"what": what, "grade": grade} for what, grade in query.expected],
                "systems": {
                    tag: {
                        "first_rank": found.first,
                        "failed": found.failed or None,
                        "values": values[tag].get(query.query_id, {}),
                        "top": [{"doc_id": doc_id, "grade": grade} for doc_id, grade in found.top],
                    }
                    for tag, found in query.found.items()
                },
            }
            for query in evaluated.queries
        ],
        "worst": [query.query_id for query in worst(evaluated.queries)],
        "consistency": [
            dict(zip(("tag", *_SPREAD), row, strict=True))
            for grid in spread_grids(evaluated)
            for row in grid.rows
        ],
        "disagreement": [
            {
                "query_id": one.query_id,
                "sd": one.sd,
                "min": one.least,
                "max": one.greatest,
                "best": list(one.best),
                "worst": list(one.worst),
                "overlap": one.overlap,
            }
            for one in evaluated.differing
        ],
        "document_slices": [
            {
                "by": found.by,
                "slice": part.name or None,
                "k": found.measure.k,
                "relevant": part.relevant,
                "queries": part.queries,
                "share": {tag: run.mean for tag, run in part.runs.items()},
            }
            for found in evaluated.document_slices
            for part in found.slices
        ],
        "warnings": [*evaluated.warnings],
    }
