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
    worst,
)
from judge_tui.analysis.queries import DivergentQueries
from judge_tui.analysis.run_slices import RunSlices, ShareFound, spreads
from judge_tui.analysis.warnings import first_few
from judge_tui.comparison.comparison import Comparisons
from judge_tui.evaluation.gates import GateResult
from judge_tui.report.comparisons import comparison_tables
from judge_tui.report.layout import Cell, Column, Report, Table, number, reader_table, text
from judge_tui.report.results.by_query import divergent_table
from judge_tui.report.results.slices import slices_table
from judge_tui.report.scores import values_table
from judge_tui.scoring import Measure, Scores

__all__ = [
    "AskedSystem",
    "Evaluated",
    "differing_tables",
    "evaluation_report",
    "failure_table",
    "query_table",
    "rank_table",
    "slice_tables",
    "spread_tables",
    "system_table",
]

_CAME = 3
_DIFFERING = 10
_PRINTED = 20


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
    def differing(self) -> DivergentQueries | None:
        """The queries for which systems differ, where they are scored alike."""
        several = len(self.systems) > 1 and not self.unlike
        return differ_most(self.queries, self.scores, self.main) if several else None

    @cached_property
    def document_slices(self) -> Sequence[RunSlices[ShareFound]]:
        """By kind and by length of documents."""
        known = self.documents
        return () if known is None else document_slices(self.queries, self.tags, known)


def evaluation_report(evaluated: Evaluated) -> Report:
    """Tables for readers, the means last; the values of all queries for CSV."""
    ranks = query_table(evaluated, evaluated.queries, "The rank of the first right result")
    long = [ranks, *(failure_table(evaluated, tag) for tag in evaluated.tags)]
    return Report(
        [
            values_table(evaluated.scores, per_query=True),
            *(table._replace(most=_PRINTED) for table in long),
            *slice_tables(evaluated),
            *spread_tables(evaluated),
            rank_table(evaluated),
            *(comparison_tables(evaluated.comparisons) if evaluated.comparisons else ()),
            system_table(evaluated),
        ],
        warnings=evaluated.warnings,
        json=_document(evaluated),
    )


def system_table(evaluated: Evaluated) -> Table:
    """A row a system; means only where there is one over all queries."""
    measures = () if evaluated.unlike else evaluated.scores.measures
    columns = [
        *(text("", "system"), Column("", "queries"), Column("", "failed")),
        *(Column("", "nothing found"), *_numbers(*map(str, measures))),
        text("", None if evaluated.unlike else "RR@10 is"),
    ]
    rows: list[list[Cell]] = [
        [
            *(one.tag, one.queries, one.failed, one.nothing_found),
            *(evaluated.scores[one.tag].mean_or_none(measure) for measure in measures),
            _band(evaluated, one.tag),
        ]
        for one in evaluated.systems
    ]
    return reader_table("The systems", columns, rows)


def rank_table(evaluated: Evaluated) -> Table:
    """How many first right results stand at each rank."""
    columns = [text("", "system"), *(Column("", name) for name in _RANKS)]
    rows: list[list[Cell]] = [[tag, *histogram(evaluated.queries, tag)] for tag in evaluated.tags]
    return reader_table("Queries by the rank of their first right result", columns, rows)


def spread_tables(evaluated: Evaluated) -> Iterator[Table]:
    """How evenly each system does over the queries, where one measure is for all of them."""
    if not evaluated.unlike:
        numbers = (Column(key, key, number) for key in ("mean", "sd", "min", "median", "max"))
        rows: list[list[Cell]] = [
            [tag, spread.mean, spread.sd, spread.least, spread.median, spread.greatest]
            for tag, spread in spreads(evaluated.scores, evaluated.main).items()
        ]
        title = f"How evenly they do, by {evaluated.main}"
        yield Table("consistency", [text("tag", "system"), *numbers], rows, title)


def slice_tables(evaluated: Evaluated) -> Iterator[Table]:
    """The means in each class of queries, and the share of relevant documents of each kind and
    length that a system has among its first results."""
    slices, systems = evaluated.scores.slices, [*_numbers(*evaluated.tags)]
    if slices is not None:
        rows: list[list[Cell]] = [
            [
                *(one.shown, str(measure), max(run.count(measure) for run in one.runs)),
                *(run.mean_or_none(measure) for run in one.runs),
            ]
            for one in slices.slices
            for measure in one.measures
        ]
        columns = [text("", slices.by), text("", "measure"), Column("", "queries"), *systems]
        yield reader_table(f"By {slices.by}", columns, rows)
    for found in evaluated.document_slices:
        by = found.by.removeprefix("document.")
        title = f"Share of relevant documents in the top {found.measure.k}, by {by}"
        yield slices_table(found, title)


def query_table(evaluated: Evaluated, queries: Sequence[EvaluatedQuery], title: str) -> Table:
    """The rank of the first right result of each of these queries."""
    columns = [text("", "query"), text("", "text"), *(Column("", tag) for tag in evaluated.tags)]
    rows = [
        [one.query_id, one.query, *(_rank(one.found[tag]) for tag in evaluated.tags)]
        for one in queries
        if one.expected
    ]
    return reader_table(title, columns, rows)


def differing_tables(evaluated: Evaluated) -> Iterator[Table]:
    """The queries for which systems are furthest apart."""
    if evaluated.differing is not None:
        texts = {query.query_id: query.query for query in evaluated.queries}
        yield divergent_table(evaluated.differing, texts)._replace(most=_DIFFERING)


def failure_table(evaluated: Evaluated, tag: str) -> Table:
    """The queries of a system with nothing right among the first ten, and what came instead."""
    rows: list[list[Cell]] = []
    for query in missed(evaluated.queries, tag):
        found = query.found[tag]
        came = ", ".join(_titled(doc_id, evaluated.titles) for doc_id, _ in found.top[:_CAME])
        if found.failed or not came:
            came = f"failed: {found.failed}" if found.failed else "nothing"
        expected = first_few([what for what, _ in query.expected])
        rows.append([query.query_id, query.query, expected, came, found.first])
    titles = ("query", "text", "expected", "came first")
    columns = [*(text("", title) for title in titles), Column("", "first right")]
    title = f"{tag}: nothing right among the first {HISTOGRAM}"
    return Table("", columns, rows, title, names=1)


_RANKS = (*map(str, range(1, HISTOGRAM + 1)), "not found")


def _numbers(*titles: str) -> Iterator[Column]:
    return (Column("", title, number) for title in titles)


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
        "consistency": [one for table in spread_tables(evaluated) for one in table.records()],
        "disagreement": [one for table in differing_tables(evaluated) for one in table.records()],
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
