"""Runs query by query: two beside each other, one alone, and where all are furthest apart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from judge_tui.analysis.queries import LEVEL
from judge_tui.comparison.comparison import BUCKETS
from judge_tui.counts import counted
from judge_tui.report.grids import Cell, Field, Records, Report, Tone, Toned, difference, number
from judge_tui.report.plots import Bars
from judge_tui.report.results.view import (
    ends,
    numbers,
    shortened,
    text,
    view_report,
    without_results,
)
from judge_tui.scoring.slices import shown_slice

if TYPE_CHECKING:
    from judge_tui.analysis.basis import Basis
    from judge_tui.analysis.queries import Deltas, DivergentQueries, OwnValues

__all__ = ["deltas_report", "divergent_report", "own_values_report"]

_TONES: dict[str, Tone] = {
    "added": "good",
    "improved": "good",
    "removed": "bad",
    "degraded": "bad",
}
_SHOWN = 25
_WHY = 100

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
    texts = texts or {}
    compared = [] if found.comparison is None else [found.comparison]
    title = f"{found.tag} beside {found.baseline} by {found.measure}{_of(part)}"
    queries = Records(
        "deltas",
        [
            text("query_id", "query"),
            text("measure"),
            *([text("slice")] if part else []),
            text("baseline"),
            text("tag"),
            Field("before", found.baseline, number),
            Field("value", found.tag, number),
            Field("delta", "delta", difference),
            text("changed", "changed"),
            shortened("text", "text"),
            shortened("without_results", "without results", _WHY),
        ],
        [
            [
                row.query_id,
                found.measure.name,
                *_slice(part),
                found.baseline,
                found.tag,
                row.before,
                row.after,
                row.difference,
                Toned(row.bucket, _TONES[row.bucket]) if row.bucket in _TONES else row.bucket,
                texts.get(row.query_id, ""),
                without_results(found.nothing.get(row.query_id, {})),
            ]
            for row in found.rows
        ],
        f"{found.tag} and {found.baseline}, query by query",
    )
    counts = ("queries", "wins", "ties", "losses", *BUCKETS)
    summary = Records(
        "summary",
        [
            Field("delta", "delta", difference),
            *(Field(f"ci95_{end}", f"95% {end}", difference) for end in ("low", "high")),
            *(Field(name, name) for name in counts),
            Field("only_baseline", f"only {found.baseline}"),
            Field("only_run", f"only {found.tag}"),
        ],
        [
            [
                *(one.delta, *ends(one.ci95), one.queries, one.wins, one.ties, one.losses),
                *map(len, one.changed),
                *(found.only_baseline, found.only_run),
            ]
            for one in compared
        ],
        title,
    )
    return view_report(
        basis,
        [queries, summary],
        grids=[summary.grid(), queries.grid()],
        reasons=[("95% interval", one.why["ci95"]) for one in compared if one.ci95 is None],
        pictures=[
            Bars(
                title=title,
                unit=f"difference of {found.measure}",
                labels=[row.query_id for row in found.rows],
                values=[row.difference for row in found.rows],
            )
        ],
    )


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
    mean = number(found.mean) if found.mean is not None else "-"
    over = counted(len(found.rows), "query", "queries")
    title = f"{found.tag} by {name}{_of(part)}: mean {mean} over {over}"
    table = Records(
        "values",
        [
            text("query_id", "query"),
            text("measure"),
            *([text("slice")] if part else []),
            text("tag"),
            Field("value", name, number),
            shortened("text", "text"),
            shortened("without_results", "without results", _WHY),
        ],
        [
            [
                *(row.query_id, name, *_slice(part), found.tag, row.value),
                *(texts.get(row.query_id, ""), row.nothing),
            ]
            for row in found.rows
        ],
        title,
    )
    return view_report(
        basis,
        [table],
        pictures=[
            Bars(
                title=title,
                unit=name,
                labels=[row.query_id for row in found.rows],
                values=[row.value for row in found.rows],
            )
        ],
    )


def divergent_report(
    found: DivergentQueries, basis: Basis, texts: Mapping[str, str] | None = None
) -> Report:
    """The queries on which the runs are furthest apart; readers get the first of them."""
    texts = texts or {}
    table = Records(
        "queries",
        [
            text("query_id", "query"),
            text("measure"),
            Field("runs", "runs"),
            *numbers("sd", "min", "max"),
            Field("range"),
            shortened("worst", "worst"),
            shortened("best", "best"),
            Field("overlap", "overlap", number),
            shortened("text", "text", 40),
            shortened("without_results", "without results", _WHY),
        ],
        [
            [
                row.query_id,
                found.measure.name,
                row.runs,
                *(row.sd, row.least, row.greatest, row.range),
                *((LEVEL, LEVEL) if row.level else (" ".join(row.worst), " ".join(row.best))),
                row.overlap,
                texts.get(row.query_id, ""),
                without_results(row.nothing),
            ]
            for row in found.rows
        ],
        f"Queries on which the systems are furthest apart by {found.measure}",
    )
    top = found.rows[:_SHOWN]
    shown = table.grid(table.rows[:_SHOWN])
    if len(found.rows) > _SHOWN:
        shown = shown._replace(title=f"{shown.title}, the first {_SHOWN} of {len(found.rows):,}")
    return view_report(
        basis,
        [table],
        grids=[shown],
        pictures=[
            Bars(
                title=f"Spread of {found.measure} over the systems, by query",
                unit=f"sd of {found.measure}",
                labels=[row.query_id for row in top],
                values=[row.sd for row in top],
            )
        ],
    )


def _of(part: Part | None) -> str:
    return "" if part is None else f", {part[0]} {shown_slice(part[1])}"


def _slice(part: Part | None) -> list[Cell]:
    return [] if part is None else [f"{part[0]}={part[1]}"]
