"""Runs query by query: two beside each other, one alone, and where all are furthest apart."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from judge_tui.analysis.queries import LEVEL
from judge_tui.comparison.comparison import BUCKETS
from judge_tui.counts import counted
from judge_tui.report.layout import (
    Column,
    Report,
    Table,
    Tone,
    Toned,
    counts,
    short_difference,
    short_number,
    text,
)
from judge_tui.report.plots import Bars
from judge_tui.report.results.view import (
    WHY,
    ends,
    interval,
    means,
    shortened,
    view_report,
    without_results,
)
from judge_tui.scoring.slices import shown_slice

if TYPE_CHECKING:
    from judge_tui.analysis.basis import Basis
    from judge_tui.analysis.queries import Deltas, DivergentQueries, OwnValues
    from judge_tui.comparison.comparison import Comparison

__all__ = [
    "deltas_report",
    "divergent_report",
    "divergent_table",
    "own_values_report",
    "query_table",
]

_TONES: dict[str, Tone] = {
    "added": "good",
    "improved": "good",
    "removed": "bad",
    "degraded": "bad",
}
_SHOWN = 25

Part = tuple[str, str]
"""A field and the value of it that all queries have, where they are a slice only."""


def deltas_report(
    found: Deltas,
    basis: Basis,
    texts: Mapping[str, str] | None = None,
    *,
    part: Part | None = None,
) -> Report:
    """Two runs query by query, the greatest gain first; `texts`: query_id -> text."""
    compared = [] if found.comparison is None else [found.comparison]
    title = f"{found.tag} beside {found.baseline} by {found.measure}{_of(part)}"
    summary = Table(
        "summary",
        [
            Column("delta", "delta", short_difference),
            *interval(),
            *counts("queries", "wins", "ties", "losses", *BUCKETS),
            Column("only_baseline", f"only {found.baseline}"),
            Column("only_run", f"only {found.tag}"),
        ],
        [
            [
                *(one.delta, *ends(one.ci95, short_difference)),
                *(one.queries, one.wins, one.ties, one.losses, *map(len, one.changed)),
                *(found.only_baseline, found.only_run),
            ]
            for one in compared
        ],
        title,
    )
    queries = [query_table(one, texts or {}, found.nothing, part) for one in compared]
    bars = Bars(
        title=title,
        unit=f"difference of {found.measure}",
        labels=[row.query_id for row in found.rows],
        values=[row.difference for row in found.rows],
    )
    reasons = [("95 % interval", one.why["ci95"]) for one in compared if one.ci95 is None]
    return view_report(basis, [*queries, summary], reasons=reasons, pictures=[bars])


def query_table(
    one: Comparison,
    texts: Mapping[str, str],
    nothing: Mapping[str, Mapping[str, str]] = MappingProxyType({}),
    part: Part | None = None,
) -> Table:
    """A row for each query of a comparison, the greatest gain first. `nothing`: query_id -> tag ->
    why a run has no results."""
    columns = [
        *(text("query_id", "query"), text("measure"), text("slice"), text("baseline"), text("tag")),
        Column("before", one.baseline, short_number),
        Column("value", one.tag, short_number),
        Column("delta", "delta", short_difference),
        text("changed", "changed"),
        shortened("text", "text"),
        shortened("without_results", "without results", WHY),
    ]
    rows = [
        [
            *(row.query_id, one.measure, _slice(part), one.baseline, one.tag),
            *(row.before, row.after, row.difference),
            Toned(row.bucket, _TONES[row.bucket]) if row.bucket in _TONES else row.bucket,
            texts.get(row.query_id, ""),
            without_results(nothing.get(row.query_id, {})),
        ]
        for row in one.by_query
    ]
    title = f"{one.tag} beside {one.baseline} by {one.measure}{_of(part)}, the greatest gain first"
    return Table("deltas", columns, rows, title)


def own_values_report(
    found: OwnValues,
    basis: Basis,
    texts: Mapping[str, str] | None = None,
    *,
    part: Part | None = None,
) -> Report:
    """One run query by query, the least value first; `texts`: query_id -> text."""
    texts = texts or {}
    name = found.measure.name
    mean = short_number(found.mean) if found.mean is not None else "-"
    over = counted(len(found.rows), "query", "queries")
    title = f"{found.tag} by {name}{_of(part)}: mean {mean} over {over}"
    table = Table(
        "values",
        [
            *(text("query_id", "query"), text("measure"), text("slice"), text("tag")),
            Column("value", name, short_number),
            shortened("text", "text"),
            shortened("without_results", "without results", WHY),
        ],
        [
            [
                *(row.query_id, name, _slice(part), found.tag, row.value),
                *(texts.get(row.query_id, ""), row.nothing),
            ]
            for row in found.rows
        ],
        title,
    )
    bars = Bars(
        title=title,
        unit=name,
        labels=[row.query_id for row in found.rows],
        values=[row.value for row in found.rows],
    )
    return view_report(basis, [table], pictures=[bars])


def divergent_report(
    found: DivergentQueries, basis: Basis, texts: Mapping[str, str] | None = None
) -> Report:
    """The queries on which the runs are furthest apart; readers get the first of them."""
    top = found.rows[:_SHOWN]
    bars = Bars(
        title=f"Spread of {found.measure} over the systems, by query",
        unit=f"sd of {found.measure}",
        labels=[row.query_id for row in top],
        values=[row.sd for row in top],
    )
    table = divergent_table(found, texts or {})._replace(most=_SHOWN)
    return view_report(basis, [table], pictures=[bars])


def divergent_table(found: DivergentQueries, texts: Mapping[str, str]) -> Table:
    """A row for each of the queries."""
    return Table(
        "queries",
        [
            *(text("query_id", "query"), text("measure"), Column("runs"), *means("sd")),
            *(shortened("worst", "worst"), *means("min"), shortened("best", "best")),
            *(*means("max"), Column("range"), *means("overlap")),
            shortened("text", "text"),
            shortened("without_results", "without results", WHY),
        ],
        [
            [
                *(row.query_id, found.measure.name, row.runs, row.sd),
                *(LEVEL if row.level else " ".join(row.worst), row.least),
                *(LEVEL if row.level else " ".join(row.best), row.greatest, row.range),
                *(row.overlap, texts.get(row.query_id, ""), without_results(row.nothing)),
            ]
            for row in found.rows
        ],
        f"Queries on which the systems are furthest apart by {found.measure}",
    )


def _of(part: Part | None) -> str:
    return "" if part is None else f", {part[0]} {shown_slice(part[1])}"


def _slice(part: Part | None) -> str:
    return "" if part is None else f"{part[0]}={part[1]}"
