"""The leaderboard: what each run is worth, and whether it is better than the baseline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from judge_tui.counts import counted
from judge_tui.report.basis import undefined_table
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
    toned,
)
from judge_tui.report.plots import Interval
from judge_tui.report.plots import Intervals as Chart
from judge_tui.report.results.view import ends, interval, view_report

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

__all__ = ["leaderboard_report", "systems_chart"]


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

    def mean_of(row: RunRow, name: str) -> _Mean:
        return _Mean(
            row,
            name,
            None if intervals is None else intervals.of.get(name, {}).get(row.tag),
            None if bounds is None else bounds.of.get(name, {}).get(row.tag),
            None if verdicts is None else verdicts.of.get((row.tag, name)),
        )

    order = board.by(by)
    first = [mean_of(row, by.name) for row in order]
    drawn = [one.drawn(basis.baseline) for one in first]
    others = [one.name for one in (*board.measures, *board.shares) if one != by]
    means = [*first, *(mean_of(row, name) for name in others for row in order)]
    every = Table("runs", _RECORD, [one.record() for one in means], _tests(verdicts), key_columns=2)
    queries = reader_table(
        "Queries",
        [text("", "run"), *counts("queries", "not in run", "nothing found", "not in qrels")],
        [
            (row.tag, row.queries, row.missing_run, row.nothing_found, row.missing_qrels)
            for row in order
        ],
    )
    unbounded = {} if bounds is None else bounds.why
    why = undefined_table((f"low and high of {name}", why) for name, why in unbounded.items())
    return view_report(
        basis,
        [
            _leaderboard(first, others, verdicts),
            *(table._replace(about="details") for table in (every, queries, why)),
        ],
        reasons=_undefined(by, intervals, verdicts),
        pictures=[systems_chart(by.name, basis.baseline, drawn)],
    )


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


class _Mean(NamedTuple):
    """What a run is worth by a measure, and its comparison with the baseline."""

    row: RunRow
    measure: str
    within: tuple[float, float] | None
    bounds: tuple[float, float] | None
    found: Comparison | None

    @property
    def value(self) -> float | None:
        return self.row.means[self.measure]

    def record(self) -> list[Cell]:
        """The cells under `_RECORD`."""
        row, found = self.row, self.found
        cells = [row.tag, self.measure, row.queries, self.value, *ends(self.within)]
        cells += self.bounds or (None, None)
        if found is None:
            return [*cells, *(None,) * 9]
        test = found.verdict_by
        return [
            *(*cells, found.baseline, found.delta, *ends(found.ci95), found.queries),
            *(found.tests[test].p, found.p_adjusted[test], toned(found.verdict)),
        ]

    def drawn(self, baseline: str) -> Interval:
        words = plain(self.verdict(baseline) or "")
        return Interval(self.row.tag, self.value, self.within, self.bounds, words)

    def verdict(self, baseline: str) -> Cell:
        if self.found is None:
            return "baseline" if self.row.tag == baseline else None
        return toned(self.found.verdict)


def _leaderboard(means: Sequence[_Mean], others: Sequence[str], verdicts: Verdicts | None) -> Table:
    """One row a run: the measure that is looked at with its verdict, then the other measures."""
    measure = means[0].measure
    queries = {one.row.queries for one in means}
    columns = [
        text("", "run"),
        Column("", "queries"),
        Column("", measure, short_number),
        Column("", "95 % interval"),
        Column("", "delta", short_difference),
        Column("", "common"),
        Column("", "p", probability),
        *(text("", "verdict"), text("", "because")),
        *(Column("", name, short_number) for name in others),
    ]
    rows: list[list[Cell]] = []
    for one in means:
        count = one.row.queries if len(queries) > 1 else None
        found, family = one.found, None if verdicts is None else verdicts.comparisons
        compared: list[Cell] = [None] * 5
        if found is not None and family is not None:
            p, common = found.p_adjusted[found.verdict_by], found.queries if count else None
            compared = [found.delta, common, p, toned(found.verdict), family.reason(found)]
        elif verdicts is not None and verdicts.comparisons:
            compared[3] = one.verdict(verdicts.baseline)
        values = (one.row.means[name] for name in others)
        rows.append([one.row.tag, count, one.value, ends(one.within)[2], *compared, *values])
    over = "unequal queries"
    if len(queries) == 1:
        over = counted(max(queries), "query", "queries")
    title = f"{measure} over {over}"
    if any(one.found for one in means) and verdicts is not None:
        title += f", beside {verdicts.baseline}"
    return reader_table(title, columns, rows).compact()


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


def systems_chart(measure: str, baseline: str | None, rows: Sequence[Interval]) -> Chart:
    """The means of systems by a measure; a line where that of the baseline stands."""
    mark = next((one.value for one in rows if one.label == baseline), None)
    notes = {
        "Whiskers: 95 % interval of the mean.": any(one.interval for one in rows),
        "Band: what grades for unjudged results could make of it.": any(o.bounds for o in rows),
        f"The line: {baseline}.": mark is not None,
    }
    note = " ".join(note for note, there in notes.items() if there)
    return Chart(f"{measure} of each system", measure, rows, mark, note)
