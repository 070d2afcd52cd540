"""The leaderboard: what each run is worth, and whether it is better than the baseline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from judge_tui.counts import counted
from judge_tui.report.layout import (
    Cell,
    Column,
    Report,
    Table,
    counts,
    plain,
    probability,
    reader_table,
    short_difference,
    short_number,
    text,
)
from judge_tui.report.plots import Interval, Picture
from judge_tui.report.plots import Intervals as IntervalsPicture
from judge_tui.report.results.view import ends, interval, view_report
from judge_tui.report.undefined import undefined_table
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
    """The runs, best first `by` a measure (the first unless named), in one table; JSON and CSV have
    a row for each run and measure, which readers get as details. What was not worked out is left
    out."""
    by = by or board.measures[0]
    order = board.by(by)
    records = [
        _record(row, measure, intervals, bounds, verdicts)
        for measure in dict.fromkeys((by, *board.measures, *board.shares))
        for row in order
    ]
    details = [
        Table("runs", _RECORD, records, _tests(verdicts), names=2, about="details"),
        reader_table(
            "Queries",
            [text("", "run"), *counts("queries", "not in run", "nothing found", "not in qrels")],
            [
                (row.tag, row.queries, row.missing_run, row.nothing_found, row.missing_qrels)
                for row in order
            ],
            "details",
        ),
    ]
    if bounds is not None:
        why = undefined_table((f"low and high of {name}", why) for name, why in bounds.why.items())
        details.append(why._replace(about="details"))
    return view_report(
        basis,
        [_leaderboard(board, order, by, intervals, verdicts), *details],
        reasons=_undefined(by, intervals, verdicts),
        pictures=[_picture(order, by, basis.baseline, intervals, bounds, verdicts)],
    )


def _leaderboard(
    board: Leaderboard,
    order: Sequence[RunRow],
    by: Measure,
    intervals: Intervals | None,
    verdicts: Verdicts | None,
) -> Table:
    """One row a run: the measure that is looked at with its verdict, then the other measures."""
    others = [one for one in (*board.measures, *board.shares) if one != by]
    compared = verdicts is not None and any(name == by.name for _, name in verdicts.of)
    columns = [
        text("", "run"),
        Column("", None if board.alike else "queries"),
        Column("", by.name, short_number),
        Column("", "95 % interval" if intervals is not None else None),
        Column("", "delta" if compared else None, short_difference),
        Column("", "common" if compared and not board.alike else None),
        Column("", "p" if compared else None, probability),
        text("", "verdict" if compared else None),
        text("", "because" if compared else None),
        *(Column("", one.name, short_number) for one in others),
    ]
    rows: list[list[Cell]] = []
    for row in order:
        within = None if intervals is None else intervals.of.get(by.name, {}).get(row.tag)
        rows.append(
            [
                *(row.tag, row.queries, row.means[by.name], ends(within)[2]),
                *_verdict(verdicts, row.tag, by),
                *(row.means[one.name] for one in others),
            ]
        )
    most = counted(max((row.queries for row in order), default=0), "query", "queries")
    over = f" over {most}" if board.alike else " over unequal queries"
    beside = f", beside {verdicts.baseline}" if compared and verdicts is not None else ""
    return reader_table(f"{by}{over}{beside}", columns, rows)


def _verdict(verdicts: Verdicts | None, tag: str, by: Measure) -> Sequence[Cell]:
    """Difference, queries of both, p, verdict, and why no difference is shown where one might
    expect it."""
    found = None if verdicts is None else verdicts.of.get((tag, by.name))
    if found is None or verdicts is None or verdicts.comparisons is None:
        baseline = verdicts is not None and tag == verdicts.baseline
        return None, None, None, "baseline" if baseline else None, ""
    p, reason = found.p_adjusted[found.verdict_by], verdicts.comparisons.reason(found)
    return found.delta, found.queries, p, toned(found.verdict), reason


_RECORD = [
    text("tag", "run"),
    text("measure", "measure"),
    Column("queries"),
    Column("value", "mean", short_number),
    *interval(),
    Column("low", "low", short_number),
    Column("high", "high", short_number),
    text("baseline"),
    Column("delta", "delta", short_difference),
    *interval("delta", shown=False),
    Column("delta_queries", "common"),
    Column("p", None, probability),
    Column("p_adjusted", "p", probability),
    text("verdict", "verdict"),
]
"""`low` and `high` are what unjudged results leave open, `common` the queries of both runs."""


def _record(
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
    of_run = [tag, name, row.queries, row.means[name], *ends(within), *(between or (None, None))]
    return [*of_run, *_compared(found)]


def _compared(found: Comparison | None) -> Sequence[Cell]:
    if found is None:
        return (None,) * 9
    test = found.verdict_by
    return (
        *(found.baseline, found.delta, *ends(found.ci95), found.queries),
        *(found.tests[test].p, found.p_adjusted[test], toned(found.verdict)),
    )


def _tests(verdicts: Verdicts | None) -> str:
    """What the verdicts are by."""
    if verdicts is None or (found := verdicts.comparisons) is None:
        return "By measure"
    its = found.settings
    return (
        f"By measure, beside {verdicts.baseline}: {its.verdict_by}, {its.alternative}, alpha"
        f" {its.alpha:g}, correction {its.correction} over {len(found)}"
    )


def _undefined(
    by: Measure, intervals: Intervals | None, verdicts: Verdicts | None
) -> Iterator[tuple[str, str]]:
    if intervals is not None:
        for tag, why in intervals.why.get(by.name, {}).items():
            yield f"95 % interval of {tag}", why
    if verdicts is None:
        return
    for one in verdicts.comparisons or ():
        test = one.tests[one.verdict_by]
        if one.measure == by.name and test.p is None:
            yield f"p of {one.tag}", test.why
    yield from ((f"verdict on {tag}", why) for tag, why in verdicts.why.items())


def _picture(
    order: Sequence[RunRow],
    by: Measure,
    baseline: str,
    intervals: Intervals | None,
    bounds: MeanBounds | None,
    verdicts: Verdicts | None,
) -> Picture:
    drawn = []
    for row in order:
        *_, verdict, _ = _verdict(verdicts, row.tag, by)
        words = "baseline" if row.tag == baseline else "" if verdict is None else plain(verdict)
        within = None if intervals is None else intervals.of.get(by.name, {}).get(row.tag)
        between = None if bounds is None else bounds.of.get(by.name, {}).get(row.tag)
        low, high = within or (None, None)
        least, greatest = between or (None, None)
        drawn.append(
            Interval(
                *(row.tag, row.means[by.name]),
                *(low, high, least, greatest),
                words=words,
                tone=tone_of(words),
            )
        )
    return IntervalsPicture(
        title=f"Runs by {by.name}",
        unit=by.name,
        rows=drawn,
        mark=next((row.means[by.name] for row in order if row.tag == baseline), None),
        note=f"Whiskers: 95 % interval of the mean. Band: what unjudged documents leave open. The"
        f" line: {baseline}.",
    )
