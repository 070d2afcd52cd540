"""Scores as a report: one row a run, one column a measure; slices, bounds and changes below."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from judge_tui.report.grades import grades_grid
from judge_tui.report.grids import Cell, Column, Grid, Report, number, plain
from judge_tui.report.measure_columns import MeasuredRow, measure_grids
from judge_tui.report.score_rows import score_header, score_rows
from judge_tui.report.undefined import undefined_grid
from judge_tui.scoring import Measure, RunScores, Scores, judged_beside

if TYPE_CHECKING:
    from judge_tui.comparison.comparison import Comparisons
    from judge_tui.evaluation.gates import GateResult

__all__ = ["judged_grid", "score_report", "shares_scored"]

_RUN = Column("run", plain, right=False)
_QUERY = Column("query", plain, right=False)


def score_report(
    scores: Scores,
    *,
    per_query: bool = False,
    comparisons: Comparisons | None = None,
    gates: Sequence[GateResult] = (),
    settings: Mapping[str, Any] | None = None,
) -> Report:
    """`scores` in their measures; readers' tables have those of Judged@k beside them that the runs
    are scored by. `comparisons`: with an earlier result. `settings` are told in the JSON beside
    those of the scores. Where classes have different measures, nothing is averaged over all
    queries.
    """
    bounds = any(run.bounds is not None for run in scores.runs)
    grids = list(_grids(scores))
    if comparisons is not None:
        from judge_tui.report.comparisons import difference_grids  # noqa: PLC0415 - with --against

        grids += difference_grids(comparisons, "Beside the earlier result")
    if per_query:
        grids += _per_query(scores)
    grids += [undefined_grid(_without_bounds(scores)), grades_grid(settings or {})]
    document = scores.to_dict(per_query=per_query, settings=settings)
    document["gates"] = [one.to_dict() for one in gates]
    if comparisons is not None:
        document["against"] = comparisons.to_dict()
    return Report(
        document=document,
        header=score_header(scores, bounds=bounds, comparisons=comparisons),
        rows=list(score_rows(scores, per_query=per_query, bounds=bounds, comparisons=comparisons)),
        grids=grids,
        warnings=list(
            dict.fromkeys((*scores.warnings, *(comparisons.warnings if comparisons else ())))
        ),
    )


def shares_scored(scores: Scores) -> tuple[Measure, ...]:
    """The Judged@k that belong beside the measures, as far as the runs are scored by them."""
    shares = judged_beside((scores.slices or scores).measures)
    return tuple(one for one in shares if str(one) in scores.by_measure)


def judged_grid(scores: Scores, measures: Sequence[Measure]) -> Grid:
    """How much of each run's results is judged: what every other number rests on."""
    columns = [_RUN, *(Column(str(measure), number) for measure in measures)]
    return Grid(
        "Judged",
        columns,
        [(run.tag, *(run.mean_or_none(measure) for measure in measures)) for run in scores.runs],
    )


def _grids(scores: Scores) -> Iterator[Grid]:
    slices, shares = scores.slices, shares_scored(scores)
    if scores.unlike is None:
        rows: list[MeasuredRow] = [
            MeasuredRow([run.tag, *_counts(run)], run.mean_or_none, run.count)
            for run in scores.runs
        ]
        yield from measure_grids("", [_RUN, *_counted(scores)], rows, scores.measures, shares)
        yield _bounds(scores)
    if slices is None:
        return
    rows = [
        MeasuredRow(
            [one.shown, run.tag, *_counts(run)],
            _only(run.mean_or_none, (*one.measures, *shares)),
            _only(run.count, one.measures),
        )
        for one in slices.slices
        for run in one.runs
    ]
    columns = [Column(slices.by, plain, right=False), _RUN, *_counted(scores)]
    yield from measure_grids(f"By {slices.by}", columns, rows, slices.measures, shares)


def _only(of: Callable[[Measure], Cell], measures: Sequence[Measure]) -> Callable[[Measure], Cell]:
    """The same for these measures; for others there is nothing."""
    return lambda measure: of(measure) if measure in measures else None


def _bounds(scores: Scores) -> Grid:
    """A row for each run and measure: three columns read better than a pair in one cell."""
    rows = [
        (str(measure), run.tag, between[0], run.mean(measure), between[1])
        for measure in scores.measures
        for run in scores.runs
        if run.bounds is not None and (between := run.bounds.get(str(measure))) is not None
    ]
    columns = [Column("measure", plain, right=False), _RUN]
    columns += [Column(name, number) for name in ("low", "score", "high")]
    return Grid("Were every retrieved document judged", columns, rows)


def _without_bounds(scores: Scores) -> Iterator[tuple[str, str]]:
    if all(run.bounds is None for run in scores.runs):
        return
    from judge_tui.scoring.bounds import without_bounds  # noqa: PLC0415 - needed with --bounds

    for measure, why in without_bounds(scores.measures).items():
        yield f"bounds of {measure}", why


def _per_query(scores: Scores) -> Iterator[Grid]:
    rows: list[MeasuredRow] = [
        MeasuredRow([run.tag, query_id], _value_of(scores, run, place))
        for run in scores.runs
        for place, query_id in enumerate(run.query_ids)
    ]
    measures = (scores.slices or scores).measures
    yield from measure_grids("By query", [_RUN, _QUERY], rows, measures, shares_scored(scores))


def _counted(scores: Scores) -> tuple[Column, ...]:
    return (Column("queries"), Column("not in run"), Column(f"not in {scores.grounds}"))


def _counts(run: RunScores) -> tuple[int, int, int]:
    return len(run.query_ids), len(run.missing_run), len(run.missing_qrels)


def _value_of(scores: Scores, run: RunScores, place: int) -> Callable[[Measure], Cell]:
    value = partial(run.value, place=place)
    if scores.unlike is None:
        return value
    own = scores.measures_of(run.query_ids[place])
    return _only(value, (*own, *shares_scored(scores)))
