"""An evaluation of live systems: what `results.json` holds, and what is printed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from judge_tui.analysis.judged_runs import JudgedRuns
from judge_tui.analysis.live_systems import (
    BANDED,
    TOP,
    SystemLists,
    band,
    differ_most,
    document_slices,
    histogram,
    worst,
)
from judge_tui.analysis.misses import find_misses, first_ranks, first_relevant, ranked
from judge_tui.analysis.queries import DivergentQueries
from judge_tui.analysis.run_slices import RunSlices, ShareFound, spreads
from judge_tui.arrays import Ints
from judge_tui.comparison.comparison import Comparisons
from judge_tui.evaluation.gates import GateResult
from judge_tui.model import Document, Qrels, Query
from judge_tui.report.comparisons import comparison_tables
from judge_tui.report.layout import Cell, Column, Report, Table, counts, number, word
from judge_tui.report.results.by_query import divergent_table
from judge_tui.report.results.documents import misses_table, ranks_table
from judge_tui.report.results.slices import slices_table
from judge_tui.report.scores import mean_tables, slice_means, values_table
from judge_tui.scoring import Measure, Scores

__all__ = [
    "AskedSystem",
    "Evaluated",
    "differing_tables",
    "evaluation_report",
    "failure_tables",
    "first_table",
    "query_table",
    "slice_tables",
    "spread_tables",
    "system_table",
]

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

    `lists`: what the systems found, in the light of what is `right` for each of the `queries`.
    `main`: what they are compared by first, where classes of queries declare nothing else.
    `comparisons`: None where there is one system. `documents`: doc_id -> what is known of it, None
    where nothing is; `candidates`: how many each query has to choose from, where systems rank
    these. `titles`: doc_id -> title. `files`: what was read, by what it is. `credit`: of answers.
    """

    systems: Sequence[AskedSystem]
    queries: Sequence[Query]
    right: Qrels
    lists: SystemLists
    scores: Scores
    main: Measure
    comparisons: Comparisons | None
    gates: Sequence[GateResult]
    warnings: Sequence[str]
    depth: int
    files: Mapping[str, str]
    credit: str | None = None
    documents: Mapping[str, Document] | None = None
    candidates: Sequence[int] = ()
    titles: Mapping[str, str] = field(default_factory=dict)

    @property
    def judged(self) -> JudgedRuns:
        """The lists as those of a campaign."""
        return self.lists.judged

    @cached_property
    def first(self) -> Ints:
        """int64[systems, queries]: the rank of the first right result, 0 for none; queries by
        their `place`."""
        return first_ranks(self.judged)

    @cached_property
    def place(self) -> Mapping[str, int]:
        """query_id -> its place in the lists."""
        return {query_id: at for at, query_id in enumerate(self.judged.lists.query_ids)}

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """query_id -> text."""
        return {query.query_id: query.text for query in self.queries}

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
        return differ_most(self.judged, self.scores, self.main) if several else None

    @cached_property
    def document_slices(self) -> Sequence[RunSlices[ShareFound]]:
        """By kind and by length of documents."""
        if self.documents is None:
            return ()
        return [*document_slices(self.lists, self.documents, self.candidates)]


def evaluation_report(evaluated: Evaluated) -> Report:
    """Tables for readers, the means last; the values of all queries for CSV."""
    ranks = query_table(evaluated, [*evaluated.texts], "The rank of the first right result")
    long = [ranks, *(table._replace(name="") for table in failure_tables(evaluated))]
    return Report(
        [
            *(table._replace(most=_PRINTED) for table in long),
            *slice_tables(evaluated),
            *spread_tables(evaluated),
            first_table(evaluated),
            *(comparison_tables(evaluated.comparisons) if evaluated.comparisons else ()),
            system_table(evaluated),
            *mean_tables(evaluated.scores),
        ],
        warnings=evaluated.warnings,
        json=_document(evaluated),
        csv=values_table(evaluated.scores, per_query=True),
    )


def system_table(evaluated: Evaluated) -> Table:
    """How each system answered, and its mean reciprocal rank in a word."""
    columns = [word("tag", "system"), *counts("queries", "failed", "nothing_found")]
    if not evaluated.unlike:
        columns.append(word("band", f"{BANDED} is", lambda one: _band(evaluated, one.tag)))
    return Table.of("The systems", columns, evaluated.systems)


def spread_tables(evaluated: Evaluated) -> Iterator[Table]:
    """How evenly each system does over the queries, where one measure is for all of them."""
    if not evaluated.unlike:
        numbers = (Column(key, key, number) for key in ("mean", "sd", "min", "median", "max"))
        rows: list[list[Cell]] = [
            [tag, spread.mean, spread.sd, spread.least, spread.median, spread.greatest]
            for tag, spread in spreads(evaluated.scores, evaluated.main).items()
        ]
        title = f"How evenly they do, by {evaluated.main}"
        yield Table(title, [word("tag", "system"), *numbers], rows, "consistency")


def slice_tables(evaluated: Evaluated) -> Iterator[Table]:
    """The means in each class of queries, and the share of relevant documents of each kind and
    length that a system has among its first results."""
    yield from slice_means(evaluated.scores)
    for found in evaluated.document_slices:
        by = found.by.removeprefix("document.")
        title = f"Share of relevant documents in the top {found.measure.k}, by {by}"
        yield slices_table(found, title)


def query_table(evaluated: Evaluated, query_ids: Sequence[str], title: str) -> Table:
    """The rank of the first right result of each of these queries, where something is right."""
    graded, failed = evaluated.judged.graded_queries, evaluated.judged.lists.failed
    columns = [word("", "query"), word("", "text"), *(Column("", tag) for tag in evaluated.tags)]
    rows: list[list[Cell]] = []
    for query_id in query_ids:
        if graded[query := evaluated.place[query_id]]:
            ranks: list[Cell] = [
                "failed" if (run, query) in failed else rank or "missed"
                for run, rank in enumerate(evaluated.first[:, query].tolist())
            ]
            rows.append([query_id, evaluated.texts[query_id], *ranks])
    return Table(title, columns, rows)


def differing_tables(evaluated: Evaluated) -> Iterator[Table]:
    """The queries for which systems are furthest apart."""
    if evaluated.differing is not None:
        yield divergent_table(evaluated.differing, evaluated.texts)._replace(most=_DIFFERING)


def failure_tables(evaluated: Evaluated) -> Iterator[Table]:
    """The queries of each system with nothing right among the first ten, and what came instead."""
    names = {
        at: Document(f"{doc_id} ({title})" if (title := evaluated.titles.get(doc_id)) else doc_id)
        for at, doc_id in enumerate(evaluated.lists.doc_ids)
    }
    for tag in evaluated.tags:
        found = find_misses(evaluated.judged, tag, TOP)
        yield _without_unjudged(evaluated, misses_table(found, evaluated.texts, names))


def first_table(evaluated: Evaluated) -> Table:
    """How many first right results stand at which ranks."""
    return _without_unjudged(evaluated, ranks_table(first_relevant(evaluated.judged)))


def _without_unjudged(evaluated: Evaluated, table: Table) -> Table:
    """The table; with answers, which do not say what else was judged, without what is unjudged."""
    if evaluated.credit is None:
        return table
    columns = [
        column._replace(title=None) if column.key in ("unjudged", "open") else column
        for column in table.columns
    ]
    return table._replace(columns=columns)


_RANKS = (*map(str, range(1, TOP + 1)), "not found")


def _band(evaluated: Evaluated, tag: str) -> str | None:
    mean = None if evaluated.unlike else evaluated.scores[tag].mean_or_none(BANDED)
    return None if mean is None else band(mean)


def _document(evaluated: Evaluated) -> dict[str, Any]:
    """All of it, floats at full precision."""
    scored = evaluated.scores.to_dict(per_query=True)
    compared = None if evaluated.comparisons is None else evaluated.comparisons.to_dict()
    runs = {run["tag"]: run for run in scored["runs"]}
    values = {tag: run.pop("per_query") for tag, run in runs.items()}
    judged, tags = evaluated.judged, evaluated.tags
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
                "histogram": dict(zip(_RANKS, histogram(judged, tags.index(one.tag)), strict=True)),
                "missed": [row.query_id for row in find_misses(judged, one.tag, TOP).rows],
            }
            for one in evaluated.systems
        ],
        "comparisons": [] if compared is None else compared["comparisons"],
        "gates": [one.to_dict() for one in evaluated.gates],
        "queries": [
            {
                "query_id": query.query_id,
                "query": query.text,
                "class": query.query_class or None,
                "expected": _expected(evaluated.right.get(query.query_id, {})),
                "systems": {
                    tag: {
                        **_found(evaluated, run, evaluated.place[query.query_id]),
                        "values": values[tag].get(query.query_id, {}),
                    }
                    for run, tag in enumerate(tags)
                },
            }
            for query in evaluated.queries
        ],
        "worst": worst(judged),
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


def _expected(right: Mapping[str, int]) -> list[dict[str, Any]]:
    """What is right, the best first."""
    known = sorted(right.items(), key=lambda one: -one[1])
    return [{"what": what, "grade": grade} for what, grade in known if grade > 0]


def _found(evaluated: Evaluated, run: int, query: int) -> dict[str, Any]:
    """What a system found for a query (both by their places)."""
    top = ranked(evaluated.judged, run, query, TOP)
    return {
        "first_rank": int(evaluated.first[run, query]) or None,
        "failed": evaluated.judged.lists.failed.get((run, query)),
        "top": [
            {"doc_id": evaluated.lists.doc_ids[one.document], "grade": one.grade} for one in top
        ],
    }
