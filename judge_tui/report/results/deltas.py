"""Two runs query by query, as a report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from judge_tui.report.layout import Cell, Column, Grid, Report, Tone, Toned, difference, plain
from judge_tui.report.plots import Bars, Series
from judge_tui.report.results.view import left, numbers, queries, some, view_report, without_results
from judge_tui.scoring import shown_slice
from judge_tui.significance import BUCKETS

if TYPE_CHECKING:
    from judge_tui.analysis.asked import Basis
    from judge_tui.analysis.deltas import Delta, Deltas

__all__ = ["deltas_report"]

_TONES: dict[str, Tone] = {
    "added": "good",
    "improved": "good",
    "removed": "bad",
    "degraded": "bad",
}


def deltas_report(
    found: Deltas,
    basis: Basis,
    texts: Mapping[str, str] | None = None,
    *,
    part: tuple[str, str] | None = None,
) -> Report:
    """`texts`: query_id -> text. `part`: the field and the value of it that all queries have, where
    they are a slice only."""
    texts = texts or {}
    of = "" if part is None else f", {part[0]} {shown_slice(part[1])}"
    who = f"{found.tag} beside {found.baseline} by {found.measure}{of}"
    header, rows = _table(found, part)
    return view_report(
        "delta",
        basis,
        _document(found, texts, part),
        header=header,
        rows=rows,
        grids=[_summary(found, who), _by_query(found, texts)],
        notes=_notes(found, part),
        pictures=[
            Bars(
                title=who,
                unit=f"difference of {found.measure}",
                labels=[row.query_id for row in found.rows],
                series=[Series(found.tag, [row.difference for row in found.rows])],
                note=_in_words(found),
            )
        ],
    )


def _document(
    found: Deltas, texts: Mapping[str, str], part: tuple[str, str] | None
) -> dict[str, object]:
    return {
        "measure": found.measure.name,
        "baseline": found.baseline,
        "tag": found.tag,
        **({} if part is None else {"by": part[0], "slice": part[1]}),
        "queries": len(found.rows),
        "delta": found.mean,
        "ci95": found.ci95,
        "seed": found.seed,
        "wins": found.wins,
        "ties": found.ties,
        "losses": found.losses,
        "changed": found.buckets,
        "only": {found.baseline: found.only_baseline, found.tag: found.only_run},
        "deltas": [
            {
                "query_id": row.query_id,
                "text": texts.get(row.query_id, ""),
                "baseline": row.before,
                "value": row.after,
                "delta": row.difference,
                "changed": row.bucket,
                "nothing": {tag: why or None for tag, why in _both(found, row)},
            }
            for row in found.rows
        ],
        **({"why": found.why} if found.why else {}),
    }


def _table(
    found: Deltas, part: tuple[str, str] | None
) -> tuple[tuple[str, ...], list[tuple[Cell, ...]]]:
    """The header and the rows of the CSV."""
    header = (
        "query_id",
        "measure",
        *([] if part is None else ["slice"]),
        "baseline",
        "tag",
        "before",
        "value",
        "delta",
        "changed",
        "without_results",
    )
    rows: list[tuple[Cell, ...]] = [
        (
            row.query_id,
            found.measure.name,
            *([] if part is None else [f"{part[0]}={part[1]}"]),
            found.baseline,
            found.tag,
            row.before,
            row.after,
            row.difference,
            row.bucket,
            without_results(_nothing(found, row)),
        )
        for row in found.rows
    ]
    return header, rows


def _summary(found: Deltas, title: str) -> Grid:
    names = ("queries", "delta", "95% interval", "wins", "ties", "losses", *BUCKETS)
    ci95 = found.ci95
    summary: list[Cell] = [
        len(found.rows),
        found.mean,
        None if ci95 is None else f"{difference(ci95[0])} to {difference(ci95[1])}",
        found.wins,
        found.ties,
        found.losses,
        *found.buckets.values(),
    ]
    columns = [Column(name, difference if name == "delta" else plain) for name in names]
    return Grid(title, columns, [summary])


def _by_query(found: Deltas, texts: Mapping[str, str]) -> Grid:
    """The queries, the greatest gain first, and why a run has no results where one has none."""
    without = any(any(row.nothing) for row in found.rows)
    columns = [
        *left("query"),
        *numbers(found.baseline, found.tag),
        Column("delta", difference),
        *left("changed", "text", *(["without results"] if without else [])),
    ]
    rows: list[list[Cell]] = [
        [
            row.query_id,
            row.before,
            row.after,
            row.difference,
            Toned(row.bucket, _TONES[row.bucket]) if row.bucket in _TONES else row.bucket,
            some(texts.get(row.query_id, "")),
            *([some(without_results(_nothing(found, row)), 100)] if without else []),
        ]
        for row in found.rows
    ]
    return Grid("By query", columns, rows)


def _notes(found: Deltas, part: tuple[str, str] | None) -> list[str]:
    notes = [
        "greatest gain first; the verdict, corrected for all that is compared there, is in the "
        "leaderboard and in judge-tui compare",
        f"95% interval of the mean difference: percentile bootstrap, seed {found.seed}, not "
        "corrected for other comparisons",
    ]
    if part is not None:
        notes.append(f"only queries of the slice {part[0]}={part[1]}")
    notes += (f"no interval: {why}" for why in found.why.values())
    for count, tag in ((found.only_baseline, found.baseline), (found.only_run, found.tag)):
        if count:
            notes.append(f"left out: {queries(count)} that {tag} alone is scored for")
    return notes


def _both(found: Deltas, row: Delta) -> Iterator[tuple[str, str]]:
    """Each of the two runs with why it has no result for the query, empty where it has."""
    return zip((found.baseline, found.tag), row.nothing, strict=True)


def _nothing(found: Deltas, row: Delta) -> dict[str, str]:
    """Of the runs that have no result for the query why they have none."""
    return {tag: why for tag, why in _both(found, row) if why}


def _in_words(found: Deltas) -> str:
    if found.mean is None:
        return "no query is scored for both"
    ends = found.ci95
    interval = "" if ends is None else f" ({difference(ends[0])} to {difference(ends[1])})"
    return (
        f"mean {difference(found.mean)}{interval}; {found.wins} wins, {found.ties} ties, "
        f"{found.losses} losses"
    )
