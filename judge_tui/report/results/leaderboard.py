"""The leaderboard as a report."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from judge_tui.report.layout import (
    Cell,
    Column,
    Grid,
    Report,
    count,
    difference,
    number,
    probability,
)
from judge_tui.report.measure_columns import MeasuredRow, measure_grids
from judge_tui.report.plots import Interval, Picture
from judge_tui.report.plots import Intervals as IntervalsPicture
from judge_tui.report.results.leaderboard_document import (
    HEADER,
    leaderboard_body,
    leaderboard_rows,
)
from judge_tui.report.results.leaderboard_notes import leaderboard_notes
from judge_tui.report.results.view import between, left, view_report
from judge_tui.report.results.worked_out import WorkedOut, adjusted
from judge_tui.report.verdicts import tone_of, toned

if TYPE_CHECKING:
    from judge_tui.analysis.asked import Basis
    from judge_tui.analysis.bounds import LooseEnds
    from judge_tui.analysis.leaderboard import Intervals, Leaderboard, RunRow, Verdicts
    from judge_tui.scoring import Measure

__all__ = ["leaderboard_report"]


def leaderboard_report(
    board: Leaderboard,
    basis: Basis,
    *,
    intervals: Intervals | None = None,
    loose: LooseEnds | None = None,
    verdicts: Verdicts | None = None,
    by: Measure | None = None,
) -> Report:
    """The runs, best first `by` a measure (the first unless named), which is shown in detail; the
    others as far as there is room. What was not worked out is left out."""
    worked = WorkedOut(board, basis, intervals, loose, verdicts, by or board.measures[0])
    return view_report(
        "leaderboard",
        basis,
        leaderboard_body(worked),
        header=HEADER,
        rows=list(leaderboard_rows(worked)),
        grids=list(_grids(worked)),
        notes=list(leaderboard_notes(worked)),
        pictures=[_picture(worked)],
    )


def _grids(worked: WorkedOut) -> Iterator[Grid]:
    first, *others = worked.measures
    yield _detail(worked, first)
    if others:
        rows: list[MeasuredRow] = [
            (
                [row.tag, row.queries, row.missing_run, row.missing_qrels],
                lambda measure, row=row: row.means[measure.name],  # type: ignore[misc]
            )
            for row in worked.order
        ]
        columns = [*left("run"), *map(Column, ("queries", "not in run", "not in qrels"))]
        board = worked.board
        yield from measure_grids("All measures", columns, rows, board.measures, board.shares)
    if worked.has_room:
        yield from (_detail(worked, measure) for measure in others)


def _detail(worked: WorkedOut, measure: Measure) -> Grid:
    show = count if measure.definition.whole else number
    columns = [*left("run"), Column("queries"), Column(measure.name, show)]
    if worked.intervals is not None:
        columns.append(Column("95% interval"))
    if worked.loose is not None:
        columns += [Column("low", show), Column("high", show)]
    columns += [Column(share.name, number) for share in worked.board.shares]
    if worked.compares(measure):
        columns.append(Column("delta", difference))
        columns += [Column("common")] if worked.common else []
        columns += [Column(_p(worked), probability), *left("verdict")]
    return Grid(f"By {measure}", columns, [_cells(worked, row, measure) for row in worked.order])


def _p(worked: WorkedOut) -> str:
    found = worked.verdicts.comparisons if worked.verdicts is not None else None
    return "p" if found is None else f"p ({found.settings.correction})"


def _cells(worked: WorkedOut, row: RunRow, measure: Measure) -> list[Cell]:
    cells: list[Cell] = [row.tag, row.queries, row.means[measure.name]]
    if worked.intervals is not None:
        cells.append(between(worked.interval(row, measure)))
    if worked.loose is not None:
        cells += worked.bounds(row, measure) or (None, None)
    cells += [row.means[share.name] for share in worked.board.shares]
    if worked.compares(measure):
        found = worked.comparison(row, measure)
        own = worked.verdicts is not None and row.tag == worked.verdicts.baseline
        cells.append(None if found is None else found.delta)
        if worked.common:
            cells.append(None if found is None else found.queries)
        cells.append(None if found is None else adjusted(found))
        cells.append(("baseline" if own else None) if found is None else toned(found.verdict))
    return cells


def _picture(worked: WorkedOut) -> Picture:
    name = worked.by.name
    baseline = worked.basis.baseline if worked.verdicts is None else worked.verdicts.baseline
    parts = ["whiskers: 95% interval of the mean"] if worked.intervals is not None else []
    parts += ["band: what unjudged documents leave open"] if worked.loose is not None else []
    found = worked.verdicts.comparisons if worked.verdicts is not None else None
    if found is not None and worked.compares(worked.by):
        parts.append(
            f"verdicts: p corrected ({found.settings.correction}) over {len(found)} comparisons, "
            "intervals not corrected"
        )
    return IntervalsPicture(
        title=f"Runs by {name}",
        unit=name,
        rows=[_drawn(worked, row, baseline) for row in worked.order],
        mark={row.tag: row.means[name] for row in worked.order}.get(baseline),
        note="; ".join([f"the line is {baseline}", *parts]),
    )


def _drawn(worked: WorkedOut, row: RunRow, baseline: str) -> Interval:
    low, high = worked.interval(row, worked.by) or (None, None)
    least, greatest = worked.bounds(row, worked.by) or (None, None)
    found = worked.comparison(row, worked.by)
    words = "baseline" if row.tag == baseline else ""
    if not row.queries:
        words = "answers no judged query"
    return Interval(
        label=row.tag,
        value=row.means[worked.by.name],
        low=low,
        high=high,
        least=least,
        greatest=greatest,
        words=words if found is None else str(found.verdict),
        tone=None if found is None else tone_of(found.verdict),
    )
