"""The leaderboard: what each run is worth, and whether it is better than the baseline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from judge_tui.report.grids import (
    Cell,
    Column,
    Field,
    Records,
    Report,
    difference,
    number,
    plain,
    probability,
)
from judge_tui.report.measure_columns import MeasuredRow, measure_grids
from judge_tui.report.plots import Interval, Picture
from judge_tui.report.plots import Intervals as IntervalsPicture
from judge_tui.report.results.view import ends, text, view_report
from judge_tui.report.verdicts import tone_of, toned

if TYPE_CHECKING:
    from judge_tui.analysis.basis import Basis
    from judge_tui.analysis.leaderboard import (
        Intervals,
        Leaderboard,
        MeanBounds,
        RunRow,
        Verdicts,
    )
    from judge_tui.comparison.comparison import Comparison
    from judge_tui.scoring import Measure

__all__ = ["leaderboard_report"]


def leaderboard_report(
    board: Leaderboard,
    basis: Basis,
    *,
    intervals: Intervals | None = None,
    bounds: MeanBounds | None = None,
    verdicts: Verdicts | None = None,
    by: Measure | None = None,
) -> Report:
    """The runs, best first `by` a measure (the first unless named), which readers get in detail;
    JSON and CSV have a row for each run and measure. What was not worked out is left out."""
    by = by or board.measures[0]
    order = board.by(by)
    rows = {
        measure.name: [_row(row, measure, intervals, bounds, verdicts) for row in order]
        for measure in dict.fromkeys((by, *board.measures, *board.shares))
    }
    fields = _fields(by.name, compared=verdicts is not None and by.definition.quality)
    title = f"By {by}{'' if verdicts is None else _beside_baseline(verdicts)}"
    table = Records("runs", fields, [row for its in rows.values() for row in its], title)
    shares = [Column(share.name, number) for share in board.shares]
    detail = table.grid(rows[by.name])
    grids = [
        detail._replace(
            columns=[*detail.columns, *shares],
            rows=[
                [*cells, *(row.means[share.name] for share in board.shares)]
                for cells, row in zip(detail.rows, order, strict=True)
            ],
        )
    ]
    counts = ("queries", "not in run", "nothing found", "not in qrels")
    measured: list[MeasuredRow] = [
        MeasuredRow(
            [row.tag, row.queries, row.missing_run, row.nothing_found, row.missing_qrels],
            lambda measure, row=row: row.means[measure.name],  # type: ignore[misc]
        )
        for row in order
    ]
    columns = [Column("run", plain, right=False), *map(Column, counts)]
    wide = measure_grids("All measures", columns, measured, board.measures, board.shares)
    for place, grid in enumerate(wide):
        grids.append(grid._replace(title=f"{grid.title}, continued {place}") if place else grid)
    return view_report(
        basis,
        [table],
        grids=grids,
        reasons=_undefined(by, intervals, bounds, verdicts),
        pictures=[_picture(rows[by.name], by, basis.baseline)],
    )


def _fields(measure: str, *, compared: bool) -> list[Field]:
    fields = [
        text("tag", "run"),
        text("measure"),
        Field("queries", "queries"),
        Field("value", measure, number),
        *(Field(f"ci95_{end}", f"95% {end}", number) for end in ("low", "high")),
        *(Field(key, title, number) for key, title in (("low", "least"), ("high", "greatest"))),
        text("baseline"),
    ]
    titles: Sequence[str | None] = ("delta", "common", "p", "verdict") if compared else (None,) * 4
    delta, common, p, verdict = titles
    return [
        *fields,
        Field("delta", delta, difference),
        *(Field(f"delta_{end}", None, difference) for end in ("low", "high")),
        Field("delta_queries", common),
        Field("p", None, probability),
        Field("p_adjusted", p, probability),
        text("verdict", verdict),
    ]


def _row(
    row: RunRow,
    measure: Measure,
    intervals: Intervals | None,
    bounds: MeanBounds | None,
    verdicts: Verdicts | None,
) -> list[Cell]:
    name, tag = measure.name, row.tag
    within = None if intervals is None else intervals.of.get(name, {}).get(tag)
    between = None if bounds is None else bounds.of.get(name, {}).get(tag)
    found = None if verdicts is None else verdicts.of.get((tag, name))
    return [tag, name, row.queries, row.means[name], *ends(within), *ends(between), *_beside(found)]


def _beside(found: Comparison | None) -> Sequence[Cell]:
    if found is None:
        return (None,) * 8
    test = found.verdict_by
    return (
        *(found.baseline, found.delta, *ends(found.ci95), found.queries),
        *(found.tests[test].p, found.p_adjusted[test], toned(found.verdict)),
    )


def _beside_baseline(verdicts: Verdicts) -> str:
    if (found := verdicts.comparisons) is None:
        return f", beside {verdicts.baseline}"
    its = found.settings
    return (
        f", beside {verdicts.baseline}: {its.verdict_by}, {its.alternative}, alpha {its.alpha:g},"
        f" correction {its.correction} over {len(found)}"
    )


def _undefined(
    by: Measure,
    intervals: Intervals | None,
    bounds: MeanBounds | None,
    verdicts: Verdicts | None,
) -> Iterator[tuple[str, str]]:
    if intervals is not None:
        yield from ((f"95% of {tag}", why) for tag, why in intervals.why.get(by.name, {}).items())
    if bounds is not None:
        yield from ((f"least and greatest of {name}", why) for name, why in bounds.why.items())
    if verdicts is None:
        return
    if (found := verdicts.comparisons) is not None and by.definition.quality:
        for one in found:
            test = one.tests[one.verdict_by]
            if one.measure == by.name and test.p is None:
                yield f"p of {one.tag}", test.why
    yield from ((f"verdict on {tag}", why) for tag, why in verdicts.why.items())


def _picture(rows: Sequence[Sequence[Cell]], by: Measure, baseline: str) -> Picture:
    drawn, mark = [], None
    for tag, _, _, value, low, high, least, greatest, *_, verdict in rows:
        is_baseline = tag == baseline
        words = "baseline" if is_baseline else "" if verdict is None else plain(verdict)
        drawn.append(
            Interval(
                str(tag),
                _float(value),
                *(_float(low), _float(high)),
                *(_float(least), _float(greatest)),
                words=words,
                tone=tone_of(words),
            )
        )
        mark = _float(value) if is_baseline else mark
    return IntervalsPicture(
        title=f"Runs by {by.name}",
        unit=by.name,
        rows=drawn,
        mark=mark,
        note=f"Whiskers: 95% interval of the mean. Band: what unjudged documents leave open. The"
        f" line: {baseline}.",
    )


def _float(cell: Cell) -> float | None:
    return float(cell) if isinstance(cell, int | float) else None
