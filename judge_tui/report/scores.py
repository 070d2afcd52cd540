"""Scores as a report: one row a run, one column a measure; slices, bounds and changes below."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from judge_tui.report.layout import Cell, Column, Grid, Report, number, plain
from judge_tui.report.measure_columns import MeasuredRow, measure_grids
from judge_tui.report.score_rows import score_header, score_rows
from judge_tui.scoring import Measure, RunScores, Scores, judged_beside

if TYPE_CHECKING:
    from judge_tui.baseline import Changes
    from judge_tui.scoring import Slice, Slices

__all__ = ["beside_values", "judged_grid", "score_report"]

_RUN = Column("run", plain, right=False)
_QUERY = Column("query", plain, right=False)


def score_report(
    scores: Scores,
    *,
    beside: Sequence[Measure] = (),
    per_query: bool = False,
    changes: Changes | None = None,
    settings: Mapping[str, Any] | None = None,
    notes: Sequence[str] = (),
) -> Report:
    """`scores` in its measures; `beside` are measures that only readers' tables get in addition.

    Among the values of the runs must be those of `beside`, and of the measures of all slices with
    what `judged_beside` puts beside them. `settings` are told in the JSON in addition to those of
    the scores, and `notes` to readers. Where slices have different measures, nothing is averaged
    over all queries.
    """
    bounds = any(run.bounds is not None for run in scores.runs)
    grids = list(_grids(scores, beside))
    if changes is not None:
        from judge_tui.report.changes import changes_grid  # noqa: PLC0415 - needed with --against

        grids.append(changes_grid(changes))
    if per_query:
        grids += _per_query(scores, beside)
    return Report(
        document=_document(scores, per_query, changes, settings or {}),
        header=score_header(scores, bounds=bounds, changes=changes),
        rows=list(score_rows(scores, per_query=per_query, bounds=bounds, changes=changes)),
        grids=grids,
        notes=[
            *notes,
            *_bounds_notes(scores),
            *_settled(scores, changes),
        ],
        warnings=[*scores.remarks, *scores.warnings, *(changes.warnings if changes else ())],
    )


def beside_values(scores: Scores) -> list[str]:
    """One line a run on what its means are over, then the warnings: for a form without a place for
    them."""
    over = [
        f"{run.tag}: {len(run.query_ids)} queries averaged, "
        f"{len(run.missing_run)} not in the run, {len(run.missing_qrels)} not in the {scores.by}"
        for run in scores.runs
    ]
    return [*over, *(f"warning: {one}" for one in (*scores.remarks, *scores.warnings))]


def judged_grid(scores: Scores, measures: Sequence[Measure]) -> Grid:
    """How much of each run's results is judged: what every other number rests on."""
    columns = [_RUN, *(Column(str(measure), number) for measure in measures)]
    return Grid(
        "Judged",
        columns,
        [(run.tag, *(run.mean_or_none(measure) for measure in measures)) for run in scores.runs],
    )


def _grids(scores: Scores, beside: Sequence[Measure]) -> Iterator[Grid]:
    slices = scores.slices
    if slices is None or slices.composite:
        yield from _means("", scores, scores.runs, scores.measures, beside)
        yield from _bounds(scores)
    if slices is None:
        return
    if not slices.composite:
        for one in slices.slices:
            shares = _shares(scores, one.measures)
            yield from _means(_called(slices, one), scores, one.runs, one.measures, shares)
        return
    columns = [Column(slices.by, plain, right=False), _RUN, *_counted(scores)]
    rows: list[MeasuredRow] = [
        ([one.shown, run.tag, *_counts(run)], run.mean_or_none)
        for one in slices.slices
        for run in one.runs
    ]
    yield from _measured(f"By {slices.by}", columns, rows, scores.measures, beside)


def _means(
    title: str,
    scores: Scores,
    runs: Sequence[RunScores],
    measures: Sequence[Measure],
    beside: Sequence[Measure],
) -> Iterator[Grid]:
    rows: list[MeasuredRow] = [([run.tag, *_counts(run)], run.mean_or_none) for run in runs]
    yield from _measured(title, [_RUN, *_counted(scores)], rows, measures, beside)


def _measured(
    title: str,
    columns: Sequence[Column],
    rows: Sequence[MeasuredRow],
    measures: Sequence[Measure],
    beside: Sequence[Measure],
) -> Iterator[Grid]:
    """None without a measure: queries that are held to demands alone have tables of these."""
    if measures:
        yield from measure_grids(title, columns, rows, measures, beside)


def _bounds(scores: Scores) -> Iterator[Grid]:
    """A row for each run and measure: three columns read better than a pair in one cell."""
    rows = [
        (str(measure), run.tag, between[0], run.mean(measure), between[1])
        for measure in scores.measures
        for run in scores.runs
        if run.bounds is not None and (between := run.bounds.get(str(measure))) is not None
    ]
    if rows:
        columns = [Column("measure", plain, right=False), _RUN]
        columns += [Column(name, number) for name in ("low", "score", "high")]
        yield Grid("Were every retrieved document judged", columns, rows)


def _bounds_notes(scores: Scores) -> Iterator[str]:
    if all(run.bounds is None for run in scores.runs):
        return
    from judge_tui.scoring.bounds import without_bounds  # noqa: PLC0415 - needed with --bounds

    for measure, why in without_bounds(scores.measures).items():
        yield f"no bounds of {measure}: {why}"


def _per_query(scores: Scores, beside: Sequence[Measure]) -> Iterator[Grid]:
    slices = scores.slices
    parts: list[tuple[str, Sequence[RunScores], Sequence[Measure]]]
    if slices is None or slices.composite:
        parts = [("By query", scores.runs, scores.measures)]
    else:
        parts = [
            (f"By query, {_called(slices, one)}", one.runs, one.measures)
            for one in slices.slices
            if one.measures
        ]
    for title, runs, measures in parts:
        rows: list[MeasuredRow] = [
            ([run.tag, query_id], _value_of(run, place))
            for run in runs
            for place, query_id in enumerate(run.query_ids)
        ]
        shares = beside if len(parts) == 1 else _shares(scores, measures)
        yield from _measured(title, [_RUN, _QUERY], rows, measures, shares)


def _shares(scores: Scores, measures: Sequence[Measure]) -> tuple[Measure, ...]:
    """How much of the results is judged: answers do not say."""
    return judged_beside(measures) if scores.by == "qrels" else ()


def _called(slices: Slices, one: Slice) -> str:
    return f"{slices.by}: {one.shown}"


def _counted(scores: Scores) -> tuple[Column, ...]:
    return (Column("queries"), Column("not in run"), Column(f"not in {scores.by}"))


def _counts(run: RunScores) -> tuple[int, int, int]:
    return len(run.query_ids), len(run.missing_run), len(run.missing_qrels)


def _value_of(run: RunScores, place: int) -> Callable[[Measure], Cell]:
    return lambda measure: run.value(measure, place)


def _settled(scores: Scores, changes: Changes | None) -> Iterator[str]:
    if scores.complete:
        yield f"every query of the {scores.by} is averaged; one without results counts as 0"
    if scores.judged_only:
        left = [m.definition.name for m in scores.measures if not m.definition.condenses]
        yield (
            "lists are condensed to judged documents before they are scored, but for "
            + ", ".join(dict.fromkeys(["Judged", *left]))
        )
    if scores.depth is not None:
        yield f"of each list the first {scores.depth} results are looked at"
    if changes is not None:
        from judge_tui.report.changes import changes_notes  # noqa: PLC0415 - as above

        yield from changes_notes(changes)


def _document(
    scores: Scores, per_query: bool, changes: Changes | None, settings: Mapping[str, Any]
) -> dict[str, Any]:
    document = scores.to_dict(per_query=per_query, settings=settings)
    if changes is not None:
        document["against"] = changes.to_dict()
        document["warnings"] += changes.warnings
    return document
