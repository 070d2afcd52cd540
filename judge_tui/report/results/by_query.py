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

if TYPE_CHECKING:
    from judge_tui.analysis.basis import Basis
    from judge_tui.analysis.queries import Deltas, DivergentQueries, OwnValues
    from judge_tui.comparison.comparison import Comparison

__all__ = [
    "deltas_report",
    "divergent_report",
    "divergent_table",
    "own_values_report",
    "query_chart",
    "query_table",
]

_TONES: dict[str, Tone] = {
    "added": "good",
    "improved": "good",
    "removed": "bad",
    "degraded": "bad",
}
_SHOWN = 25


def deltas_report(
    found: Deltas,
    basis: Basis,
    texts: Mapping[str, str] | None = None,
    *,
    among: str = "",
) -> Report:
    """Two runs query by query, the greatest gain first; `texts`: query_id -> text; `among`: the
    slice that the queries are of, as FIELD=VALUE, "" for all."""
    compared = [] if found.comparison is None else [found.comparison]
    title = f"{found.tag} beside {found.baseline} by {found.measure}{_of(among)}"
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
    queries = [query_table(one, texts or {}, found.nothing, among) for one in compared]
    bars = [query_chart(one, texts or {}, among) for one in compared]
    reasons = [("95 % interval", one.why["ci95"]) for one in compared if one.ci95 is None]
    return view_report(basis, [*queries, summary], reasons=reasons, pictures=bars)


def query_chart(one: Comparison, texts: Mapping[str, str], among: str = "") -> Bars:
    """Where a run wins and loses, a bar for each query."""
    return Bars(
        f"{one.tag} beside {one.baseline}, query by query{_of(among)}",
        f"difference of {one.measure}, a bar for each query",
        [texts.get(row.query_id, row.query_id) for row in one.by_query],
        [row.difference for row in one.by_query],
        signed=True,
    )


def query_table(
    one: Comparison,
    texts: Mapping[str, str],
    nothing: Mapping[str, Mapping[str, str]] = MappingProxyType({}),
    among: str = "",
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
            *(row.query_id, one.measure, among, one.baseline, one.tag),
            *(row.before, row.after, row.difference),
            Toned(row.bucket, _TONES[row.bucket]) if row.bucket in _TONES else row.bucket,
            texts.get(row.query_id, ""),
            without_results(nothing.get(row.query_id, {})),
        ]
        for row in one.by_query
    ]
    where = f"{one.tag} beside {one.baseline} by {one.measure}{_of(among)}"
    return Table("deltas", columns, rows, f"{where}, the greatest gain first")


def own_values_report(
    found: OwnValues,
    basis: Basis,
    texts: Mapping[str, str] | None = None,
    *,
    among: str = "",
) -> Report:
    """One run query by query, the least value first; the rest as in `deltas_report`."""
    texts = texts or {}
    name = found.measure.name
    mean = short_number(found.mean) if found.mean is not None else "-"
    over = counted(len(found.rows), "query", "queries")
    title = f"{found.tag} by {name}{_of(among)}: mean {mean} over {over}"
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
                *(row.query_id, name, among, found.tag, row.value),
                *(texts.get(row.query_id, ""), row.nothing),
            ]
            for row in found.rows
        ],
        title,
    )
    return view_report(basis, [table])


def divergent_report(
    found: DivergentQueries, basis: Basis, texts: Mapping[str, str] | None = None
) -> Report:
    """The queries on which the runs are furthest apart; readers get the first of them."""
    return view_report(basis, [divergent_table(found, texts or {})._replace(most=_SHOWN)])


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


def _of(among: str) -> str:
    return f", {among}" if among else ""
