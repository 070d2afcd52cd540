"""Scores as a report: one row a run, one column a measure; slices, bounds and changes below. CSV
has a row for each value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import isnan
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from judge_tui.report.grades import grades_table
from judge_tui.report.layout import (
    Cell,
    Column,
    Report,
    Table,
    count,
    number,
    plain,
    reader_table,
    text,
)
from judge_tui.report.undefined import undefined_table
from judge_tui.scoring import Measure, RunScores, Scores, judged_beside

if TYPE_CHECKING:
    from judge_tui.comparison.comparison import Comparison, Comparisons
    from judge_tui.evaluation.gates import GateResult

__all__ = ["judged_table", "score_report", "shares_scored"]

_RUN = text("", "run")


def score_report(
    scores: Scores,
    *,
    per_query: bool = False,
    comparisons: Comparisons | None = None,
    gates: Sequence[GateResult] = (),
    settings: Mapping[str, Any] | None = None,
) -> Report:
    """`scores` in their measures; readers have those of Judged@k beside them that the runs are
    scored by. `comparisons`: with an earlier result. `settings` stand in the JSON beside those of
    the scores. Where classes have different measures, nothing is averaged over all queries.
    """
    document = scores.to_dict(per_query=per_query, settings=settings)
    document["gates"] = [one.to_dict() for one in gates]
    warnings = [*scores.warnings]
    tables = [_values(scores, comparisons, per_query=per_query), *_means(scores)]
    if comparisons is not None:
        from judge_tui.report.comparisons import difference_tables  # noqa: PLC0415 - with --against

        document["against"] = comparisons.to_dict()
        warnings += comparisons.warnings
        tables += difference_tables(comparisons, "Beside the earlier result")
    if per_query:
        tables.append(_by_query(scores))
    tables += [undefined_table(_without_bounds(scores)), grades_table(settings or {})]
    return Report(tables, warnings=[*dict.fromkeys(warnings)], json=document)


def shares_scored(scores: Scores) -> tuple[Measure, ...]:
    """The Judged@k that belong beside the measures, as far as the runs are scored by them."""
    shares = judged_beside((scores.slices or scores).measures)
    return tuple(one for one in shares if str(one) in scores.by_measure)


def judged_table(scores: Scores, measures: Sequence[Measure]) -> Table:
    """How much of each run's results is judged: what every other number rests on."""
    columns = [_RUN, *(Column("", str(measure), number) for measure in measures)]
    rows = [[run.tag, *(run.mean_or_none(measure) for measure in measures)] for run in scores.runs]
    return reader_table("Judged", columns, rows)


def _means(scores: Scores) -> Iterator[Table]:
    slices, shares = scores.slices, shares_scored(scores)
    if scores.unlike is None:
        counts = _counts(scores, scores.runs)
        rows: list[_MeasuredRow] = [
            _MeasuredRow([run.tag, *(of(run) for _, of in counts)], run.mean_or_none, run.count)
            for run in scores.runs
        ]
        columns = [_RUN, *(column for column, _ in counts)]
        yield _measured("", columns, rows, [*scores.measures, *shares])
        yield _bounds(scores)
    if slices is None:
        return
    counts = _counts(scores, [run for one in slices.slices for run in one.runs])
    rows = [
        _MeasuredRow(
            [one.name, run.tag, *(of(run) for _, of in counts)],
            _only(run.mean_or_none, (*one.measures, *shares)),
            _only(run.count, one.measures),
        )
        for one in slices.slices
        for run in one.runs
    ]
    columns = [_slice(slices.by), _RUN, *(column for column, _ in counts)]
    yield _measured(f"By {slices.by}", columns, rows, [*slices.measures, *shares])


class _MeasuredRow(NamedTuple):
    """The `front` cells, and what stands under a measure; `queries`: of how many queries it has a
    value, which is shown where not every query has one."""

    front: Sequence[Cell]
    value: Callable[[Measure], Cell]
    queries: Callable[[Measure], Cell] | None = None


def _measured(
    title: str, front: Sequence[Column], rows: Sequence[_MeasuredRow], measures: Sequence[Measure]
) -> Table:
    """The rows with a column for each measure."""
    columns, cells = [*front], [[*row.front] for row in rows]
    for measure in measures:
        columns.append(Column("", str(measure), count if measure.definition.whole else number))
        counted = measure.definition.of_order and all(row.queries for row in rows)
        columns += [Column("", f"{measure} n")] if counted else []
        for row, line in zip(rows, cells, strict=True):
            line.append(row.value(measure))
            if counted and row.queries is not None:
                line.append(row.queries(measure))
    return reader_table(title, columns, cells)


_Count: TypeAlias = tuple[Column, Callable[[RunScores], int]]


def _counts(scores: Scores, runs: Iterable[RunScores]) -> list[_Count]:
    """How many queries the runs are averaged over, and how many are missing where any is."""
    missing: list[_Count] = [
        (Column("", "not in run"), lambda run: len(run.missing_run)),
        (Column("", f"not in {scores.grounds}"), lambda run: len(run.missing_qrels)),
    ]
    runs = [*runs]
    averaged: _Count = (Column("", "queries"), lambda run: len(run.query_ids))
    return [averaged, *(one for one in missing if any(map(one[1], runs)))]


def _slice(by: str) -> Column:
    from judge_tui.scoring.slices import shown_slice  # noqa: PLC0415 - few have slices

    return text("", by, lambda cell: shown_slice(plain(cell)))


def _only(of: Callable[[Measure], Cell], measures: Sequence[Measure]) -> Callable[[Measure], Cell]:
    """The same for these measures; for others there is nothing."""
    return lambda measure: of(measure) if measure in measures else None


def _bounds(scores: Scores) -> Table:
    """A row for each run and measure: three columns read better than a pair in one cell."""
    columns = [text("", "measure"), _RUN]
    columns += [Column("", name, number) for name in ("low", "score", "high")]
    rows = [
        (str(measure), run.tag, between[0], run.mean(measure), between[1])
        for measure in scores.measures
        for run in scores.runs
        if (between := (run.bounds or {}).get(str(measure))) is not None
    ]
    return reader_table("Were every retrieved document judged", columns, rows)


def _without_bounds(scores: Scores) -> Iterator[tuple[str, str]]:
    if scores.bounds is not None:
        from judge_tui.scoring.bounds import without_bounds  # noqa: PLC0415 - needed with --bounds

        for measure, why in without_bounds(scores.measures).items():
            yield f"bounds of {measure}", why


def _by_query(scores: Scores) -> Table:
    shares = shares_scored(scores)
    rows: list[_MeasuredRow] = [
        _MeasuredRow(
            [run.tag, query_id],
            _only(partial(run.value, place=at), (*scores.measures_of(query_id), *shares)),
        )
        for run in scores.runs
        for at, query_id in enumerate(run.query_ids)
    ]
    measures = [*(scores.slices or scores).measures, *shares]
    return _measured("By query", [_RUN, text("", "query")], rows, measures)


class _Value(NamedTuple):
    """One value: of a query, of all (neither `query_id` nor `slice`) or of a slice; over how many
    queries."""

    run: RunScores
    measure: Measure
    value: float | None
    queries: int = 1
    query_id: str = ""
    slice: str | None = None


def _values(scores: Scores, comparisons: Comparisons | None, *, per_query: bool) -> Table:
    """What programs get: of each run its queries, then under the query_id `all` the mean over all
    queries, then the one over each slice, and beside it what more was asked for.

    `slice` is FIELD=VALUE (FIELD= for queries without the field), empty for all queries. Where
    slices have different measures there is no row over all queries, and a query has the measures of
    its slice.
    """
    values = [*_each_value(scores, per_query=per_query)]
    rows: list[list[Cell]] = [
        [one.run.tag, one.query_id or "all", str(one.measure), one.value, one.queries]
        for one in values
    ]
    keys = ["tag", "query_id", "measure", "value", "queries"]
    if scores.slices is not None:
        keys.append("slice")
        for row, one in zip(rows, values, strict=True):
            row.append("" if one.slice is None else f"{scores.slices.by}={one.slice}")
    if scores.bounds is not None:
        keys += ["low", "high"]
        for row, one in zip(rows, values, strict=True):
            of_all = not one.query_id and one.slice is None
            bounds = (one.run.bounds or {}) if of_all else {}
            row.extend(bounds.get(str(one.measure), (None, None)))
    if comparisons is not None:
        keys += ["before", "difference", "p", "p_adjusted", "verdict"]
        earlier, changes = _earlier(comparisons), {_key(one): one for one in comparisons}
        for row, one in zip(rows, values, strict=True):
            before = earlier.get((one.run.tag, str(one.measure)), {}).get(one.query_id)
            change = changes.get((one.run.tag, str(one.measure), one.slice))
            row.extend(_query_change(one, before) if one.query_id else _change(change))
    return Table("values", [Column(key) for key in keys], rows)


def _each_value(scores: Scores, *, per_query: bool) -> Iterator[_Value]:
    slices = scores.slices
    for place, run in enumerate(scores.runs):
        for at, query_id in enumerate(run.query_ids if per_query else ()):
            name = None if slices is None else slices.of(query_id).name
            for measure in scores.measures_of(query_id):
                if (value := run.value(measure, at)) is not None:
                    yield _Value(run, measure, value, 1, query_id, name)
        if scores.unlike is None:
            for measure in scores.measures:
                yield _Value(run, measure, run.mean_or_none(measure), run.count(measure))
        for one in () if slices is None else slices.slices:
            part = one.runs[place]
            for measure in one.measures:
                mean, count = part.mean_or_none(measure), part.count(measure)
                yield _Value(run, measure, mean, count, slice=one.name)


def _earlier(comparisons: Comparisons) -> dict[tuple[str, str], dict[str, float]]:
    """(tag, measure) -> query_id -> the earlier value."""
    return {
        (run.tag, name): {
            query_id: value
            for query_id, value in zip(before.query_ids, values, strict=True)
            if not isnan(value)
        }
        for before, run in comparisons.paired
        for name, values in before.values.items()
    }


def _key(one: Comparison) -> tuple[str, str, str | None]:
    return one.tag, one.measure, one.slice


def _query_change(one: _Value, before: float | None) -> Sequence[Cell]:
    difference = None if before is None or one.value is None else one.value - before
    return (before, difference, None, None, None)


def _change(one: Comparison | None) -> Sequence[Cell]:
    if one is None:
        return (None,) * 5
    p, p_adjusted = one.tests[one.verdict_by].p, one.p_adjusted[one.verdict_by]
    return (one.baseline_mean, one.delta, p, p_adjusted, str(one.verdict))
