"""The leaderboard: what each run is worth, and whether it is better than the baseline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from judge_tui.analysis.leaderboard import rank_runs
from judge_tui.counts import counted
from judge_tui.report.basis import undefined_table
from judge_tui.report.layout import (
    Cell,
    Column,
    Report,
    Table,
    counts,
    probability,
    reader_table,
    short_difference,
    short_number,
    span,
    text,
    toned,
)
from judge_tui.report.plots import Interval, Intervals
from judge_tui.report.results.view import ends, interval, view_report

if TYPE_CHECKING:
    from judge_tui.analysis.basis import Basis
    from judge_tui.analysis.leaderboard import (
        MeanBounds,
        MeanIntervals,
        RankedRun,
        Ranking,
        Verdicts,
    )
    from judge_tui.scoring import Measure, Scores

__all__ = ["leaderboard_report", "ranking_chart", "ranking_table"]


def leaderboard_report(
    scores: Scores,
    basis: Basis,
    *,
    intervals: MeanIntervals | None = None,
    bounds: MeanBounds | None = None,
    verdicts: Verdicts | None = None,
    by: Measure | None = None,
) -> Report:
    """The runs, best first `by` a measure (the first unless named), in one table; JSON and CSV have
    a row for each run and measure, which readers get as details. What was not worked out is left
    out."""
    by = by or scores.measures[0]
    others = [one for one in scores.measures if one != by]
    first, *rest = (
        rank_runs(scores, one, by, intervals=intervals, bounds=bounds, verdicts=verdicts)
        for one in (by, *others)
    )
    records = [_record(one, every.measure) for every in (first, *rest) for one in every.runs]
    every = Table("runs", _RECORD, records, _tests(first), key_columns=2)
    queries = reader_table(
        "Queries",
        [text("", "run"), *counts("queries", "not in run", "nothing found", "not in qrels")],
        [
            [
                *(run.tag, len(run.query_ids), len(run.missing_run)),
                *(len(run.without_results), len(run.missing_qrels)),
            ]
            for run in (one.run for one in first.runs)
        ],
    )
    unbounded = {} if bounds is None else bounds.why
    why = undefined_table((f"low and high of {name}", why) for name, why in unbounded.items())
    over = {one.queries for one in first.runs}
    title = f"{by} over {counted(max(over), 'query', 'queries')}"
    if len(over) > 1:
        title = f"{by} over unequal queries"
    if first.compared:
        title += f", beside {first.baseline}"
    means = [
        (Column("", one.name, short_number), [row.run.means[one.name] for row in first.runs])
        for one in others
    ]
    return view_report(
        basis,
        [
            ranking_table(first, title, means),
            *(table._replace(about="details") for table in (every, queries, why)),
        ],
        reasons=_undefined(first),
        pictures=[ranking_chart(first)],
    )


def ranking_table(
    ranking: Ranking, title: str, more: Sequence[tuple[Column, Sequence[Cell]]]
) -> Table:
    """A row for each run, with its verdict and what that rests on, and behind it `more` columns. A
    column in which nothing is said is left out."""
    columns = [
        *(text("", "run"), text("", "verdict"), Column("", ranking.measure.name, short_number)),
        *(Column("", "delta", short_difference), Column("", "p", probability)),
        *(text("", "because"), Column("", "95 % interval")),
        *(column for column, _ in more),
        *(Column("", "queries"), Column("", "common")),
    ]
    rows: list[list[Cell]] = []
    for place, one in enumerate(ranking.runs):
        found, family, verdict = one.compared, ranking.comparisons, ranking.verdict(one)
        compared: list[Cell] = [None] * 3
        counts = (None, None) if ranking.alike else (one.queries, one.common)
        if found is not None and family is not None:
            p = found.p_adjusted[found.verdict_by]
            compared = [found.delta, p, family.reason(found) or None]
        rows.append(
            [
                *(one.tag, None if verdict is None else toned(verdict), one.mean),
                *(*compared, span(one.interval, short_number)),
                *(*(cells[place] for _, cells in more), *counts),
            ]
        )
    return Table("", columns, rows, title, key_columns=1).compact()


def ranking_chart(ranking: Ranking) -> Intervals:
    """The means; a line where that of the baseline stands."""
    runs, measure = ranking.runs, ranking.measure.name
    rows = [
        Interval(one.tag, one.mean, one.interval, one.bounds, ranking.verdict(one) or "")
        for one in runs
    ]
    mark = next((one.mean for one in runs if one.tag == ranking.baseline), None)
    notes = {
        "Whiskers: 95 % interval of the mean.": any(one.interval for one in runs),
        "Band: what grades for unjudged results could make of it.": any(o.bounds for o in runs),
        f"The line: {ranking.baseline}.": mark is not None,
    }
    note = " ".join(note for note, there in notes.items() if there)
    return Intervals(f"{measure} of each system", measure, rows, mark, note)


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


def _record(one: RankedRun, measure: Measure) -> list[Cell]:
    """The cells under `_RECORD`."""
    cells = [one.tag, measure.name, one.queries, one.mean, *ends(one.interval)]
    cells += one.bounds or (None, None)
    if (found := one.compared) is None:
        return [*cells, *(None,) * 9]
    test = found.verdict_by
    return [
        *(*cells, found.baseline, found.delta, *ends(found.ci95), found.queries),
        *(found.tests[test].p, found.p_adjusted[test], toned(found.verdict)),
    ]


def _tests(ranking: Ranking) -> str:
    """What the verdicts are by."""
    if (found := ranking.comparisons) is None:
        return "By measure"
    its = found.settings
    return (
        f"By measure, beside {ranking.baseline}: {its.verdict_by}, {its.alternative}, alpha"
        f" {its.alpha:g}, correction {its.correction} over {len(found)}"
    )


def _undefined(ranking: Ranking) -> Iterator[tuple[str, str]]:
    if ranking.intervals is not None:
        for tag, why in ranking.intervals.why.get(ranking.measure.name, {}).items():
            yield f"95 % interval of {tag}", why
    for one in ranking.compared:
        if (test := one.tests[one.verdict_by]).p is None:
            yield f"p of {one.tag}", test.why
    if ranking.verdicts is not None:
        yield from ((f"verdict on {tag}", why) for tag, why in ranking.verdicts.why.items())
