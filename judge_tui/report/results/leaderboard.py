"""The leaderboard: what each run is worth, and whether it is better than the baseline."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING

from judge_tui.analysis.leaderboard import rank_runs
from judge_tui.counts import counted
from judge_tui.report.comparisons import UNBIASED, note_on_unbiased
from judge_tui.report.layout import (
    Cell,
    Column,
    Get,
    Report,
    Table,
    counts,
    interval,
    probability,
    short_difference,
    short_number,
    toned,
    undefined_table,
    word,
    words,
)
from judge_tui.report.plots import Interval, Intervals
from judge_tui.report.results.view import view_report
from judge_tui.report.results.with_model import with_model_table, without_model

if TYPE_CHECKING:
    from judge_tui.analysis.basis import Basis
    from judge_tui.analysis.leaderboard import (
        MeanBounds,
        MeanIntervals,
        RankedRun,
        Ranking,
        Verdicts,
    )
    from judge_tui.analysis.with_model import ModelEstimate
    from judge_tui.comparison.comparison import Comparison
    from judge_tui.scoring import Measure, Scores


def leaderboard_report(
    scores: Scores,
    basis: Basis,
    *,
    intervals: MeanIntervals | None = None,
    bounds: MeanBounds | None = None,
    verdicts: Verdicts | None = None,
    by: Measure | None = None,
    estimates: Sequence[ModelEstimate] = (),
) -> Report:
    """The runs, best first `by` a measure (the first unless named), in one table; JSON and CSV have
    a row for each run and measure, which readers get as details. `estimates`: what a model makes
    more exact. What was not worked out is left out."""
    by = by or scores.measures[0]
    others = [one for one in scores.measures if one != by]
    first, *rest = (
        rank_runs(scores, one, by, intervals=intervals, bounds=bounds, verdicts=verdicts)
        for one in (by, *others)
    )
    means_by = [one for every in (first, *rest) for one in every.runs]
    unbiased = first.comparisons is not None and first.comparisons.any_unbiased
    columns = [*_MEAN, *(_UNBIASED if unbiased else [])]
    every = Table.of(_tests(first), columns, means_by, "runs", key_columns=2)
    queries = Table.of("Queries", _QUERIES, [one.run for one in first.runs])
    unbounded = {} if bounds is None else bounds.why
    why = undefined_table((f"low and high of {name}", why) for name, why in unbounded.items())
    over = {one.queries for one in first.runs}
    title = f"{by} over {counted(max(over), 'query', 'queries')}"
    if len(over) > 1:
        title = f"{by} over unequal queries"
    if first.compared:
        title += f", beside {first.baseline}"
    return view_report(
        basis,
        [
            ranking_table(first, title, [*_BOUNDS, *map(mean_by, others)]).marked(
                filled=basis.filled
            ),
            note_on_unbiased(first.compared),
            *(table._replace(about="details") for table in (every, queries, why)),
            # Behind the runs, which CSV has.
            with_model_table(estimates, basis.question.with_model),
        ],
        reasons=[*_undefined(first), *without_model(estimates)],
    )


def ranking_table(ranking: Ranking, title: str, more: Sequence[Column]) -> Table:
    """A row for each run, with its verdict and what that rests on, and behind it `more` columns. A
    column in which nothing is said is left out."""

    def because(one: RankedRun) -> str | None:
        family = ranking.comparisons
        return None if family is None or one.compared is None else family.reason(one.compared)

    columns = [
        word("tag", "run"),
        word("verdict", "verdict", lambda one: toned(ranking.verdict(one))),
        Column("mean", ranking.measure.name, short_number),
        Column("delta", "delta", short_difference, get=_compared(attrgetter("delta"))),
        Column("p", "p", probability, get=_compared(_p_adjusted)),
        *_UNBIASED,
        word("because", "because", because),
        interval("interval"),
        *more,
    ]
    if not ranking.alike:
        columns += counts("queries", "common")
    return Table.of(title, columns, ranking.runs, key_columns=1).compact()


def mean_by(measure: Measure) -> Column:
    """The means by another measure."""
    return Column(
        measure.name, measure.name, short_number, get=lambda one: one.run.means[measure.name]
    )


def _compared(get: Callable[[Comparison], Cell]) -> Get:
    """Of a run's comparison, where there is one."""
    return lambda one: None if one.compared is None else get(one.compared)


def _p_adjusted(one: Comparison) -> float | None:
    return one.p_adjusted[one.verdict_by]


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


_BOUNDS = [
    Column("low", "low", short_number, get=lambda one: (one.bounds or (None, None))[0]),
    Column("high", "high", short_number, get=lambda one: (one.bounds or (None, None))[1]),
]
"""What unjudged results leave open."""

_MEAN = [
    word("tag", "run"),
    *words("measure"),
    Column("queries"),
    Column("value", "mean", short_number, get=attrgetter("mean")),
    interval(get=attrgetter("interval")),
    *_BOUNDS,
    word("baseline", get=_compared(attrgetter("baseline"))),
    Column("delta", "delta", short_difference, get=_compared(attrgetter("delta"))),
    interval("delta", None, get=_compared(attrgetter("ci95"))),
    Column("delta_queries", "common", get=_compared(attrgetter("queries"))),
    Column("p", get=_compared(lambda one: one.tests[one.verdict_by].p)),
    Column("p_adjusted", "p", probability, get=_compared(_p_adjusted)),
    word("verdict", "verdict", _compared(lambda one: toned(one.verdict))),
]
"""`common`: the queries of both runs."""

_UNBIASED = [one._replace(get=_compared(one.cell)) for one in UNBIASED]

_QUERIES = [
    word("tag", "run"),
    Column("queries", "queries", get=lambda run: len(run.query_ids)),
    Column("missing_run", "not in run", get=lambda run: len(run.missing_run)),
    Column("nothing_found", "nothing found", get=lambda run: len(run.without_results)),
    Column("missing_qrels", "not in qrels", get=lambda run: len(run.missing_qrels)),
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
        if "unbiased" in one.why:
            yield f"unbiased of {one.tag}", one.why["unbiased"]
    if ranking.verdicts is not None:
        yield from ((f"verdict on {tag}", why) for tag, why in ranking.verdicts.why.items())
