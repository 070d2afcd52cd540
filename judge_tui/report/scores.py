"""Scores as a report: one row a run, one column a measure; slices, bounds and changes below. CSV
has a row for each value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from judge_tui.report.basis import grades_table, undefined_table
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
from judge_tui.scoring import Measure, RunScores, Scores, judged_beside

if TYPE_CHECKING:
    from judge_tui.comparison.comparison import Comparison, Comparisons
    from judge_tui.evaluation.gates import GateResult

__all__ = [
    "judged_table",
    "mean_tables",
    "score_report",
    "shares_scored",
    "slice_means",
    "values_table",
]

_RUN = text("", "run")


def score_report(
    scores: Scores,
    *,
    per_query: bool = False,
    texts: Mapping[str, str] | None = None,
    comparisons: Comparisons | None = None,
    gates: Sequence[GateResult] = (),
    settings: Mapping[str, Any] | None = None,
) -> Report:
    """`scores` in their measures; readers have those of Judged@k beside them that the runs are
    scored by. `comparisons`: with an earlier result. `settings` stand in the JSON beside those of
    the scores; `texts`: query_id -> its text, for readers. Where classes have different measures,
    nothing is averaged over all queries.
    """
    document = scores.to_dict(per_query=per_query, settings=settings)
    document["gates"] = [one.to_dict() for one in gates]
    warnings = [*scores.warnings]
    tables = [
        values_table(scores, comparisons, per_query=per_query),
        *mean_tables(scores),
        *slice_means(scores),
    ]
    if comparisons is not None:
        from judge_tui.report.comparisons import difference_tables  # noqa: PLC0415 - with --against

        document["against"] = comparisons.to_dict()
        warnings += comparisons.warnings
        tables += difference_tables(comparisons, "Beside the earlier result")
    if per_query:
        tables.append(_by_query(scores, texts or {}))
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


def mean_tables(scores: Scores) -> Iterator[Table]:
    """The means of each run, with their bounds, where there are any over all queries."""
    if scores.unlike is None:
        measures = (*scores.measures, *shares_scored(scores))
        rows = [_MeanRow([run.tag], run, measures) for run in scores.runs]
        yield _mean_table(scores, "", [_RUN], rows, measures)
        yield _bounds(scores)


def slice_means(scores: Scores) -> Iterator[Table]:
    """The means of each run in each slice, by what the slice is scored by."""
    slices, shares = scores.slices, shares_scored(scores)
    if slices is not None:
        rows = [
            _MeanRow([one.name, run.tag], run, (*one.measures, *shares))
            for one in slices.slices
            for run in one.runs
        ]
        measures = (*slices.measures, *shares)
        yield _mean_table(scores, f"By {slices.by}", [_slice(slices.by), _RUN], rows, measures)


class _MeanRow(NamedTuple):
    """The cells in `front`, and a run that is scored by these measures."""

    front: Sequence[Cell]
    run: RunScores
    measures: Sequence[Measure]


def _mean_table(
    scores: Scores,
    title: str,
    front: Sequence[Column],
    rows: Sequence[_MeanRow],
    measures: Sequence[Measure],
) -> Table:
    """How many queries a run is averaged over, and how many are missing where any is; then a column
    for each measure, of some with the queries that it has a value of."""
    lines: list[list[Cell]] = [[*row.front, len(row.run.query_ids)] for row in rows]
    columns = [*front, Column("", "queries")]

    def add(column: Column, cells: Iterable[Cell]) -> None:
        columns.append(column)
        for line, cell in zip(lines, cells, strict=True):
            line.append(cell)

    for name, missing in (
        ("not in run", [len(row.run.missing_run) for row in rows]),
        (f"not in {scores.grounds}", [len(row.run.missing_qrels) for row in rows]),
    ):
        if any(missing):
            add(Column("", name), missing)
    for measure in measures:
        runs = [row.run if measure in row.measures else None for row in rows]
        means = [None if run is None else run.mean_or_none(measure) for run in runs]
        add(_measured(measure), means)
        if measure.definition.of_order:
            counts = [None if run is None else run.count(measure) for run in runs]
            add(Column("", f"{measure} n"), counts)
    return reader_table(title, columns, lines)


def _measured(measure: Measure) -> Column:
    return Column("", str(measure), count if measure.definition.whole else number)


def _slice(by: str) -> Column:
    from judge_tui.scoring.slices import shown_slice  # noqa: PLC0415 - few have slices

    return text("", by, lambda cell: shown_slice(plain(cell)))


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


def _by_query(scores: Scores, texts: Mapping[str, str]) -> Table:
    shares = shares_scored(scores)
    measures = [*(scores.slices or scores).measures, *shares]
    columns = [_RUN, text("", "query"), *map(_measured, measures), text("", "text")]
    rows: list[list[Cell]] = []
    for run in scores.runs:
        for at, query_id in enumerate(run.query_ids):
            own = (*scores.measures_of(query_id), *shares)
            values = (run.value(one, at) if one in own else None for one in measures)
            rows.append([run.tag, query_id, *values, texts.get(query_id, "")])
    return reader_table("By query", columns, rows)


class _Value(NamedTuple):
    """One value: of a query, of all (neither `query_id` nor `slice`) or of a slice; over how many
    queries."""

    run: RunScores
    measure: Measure
    value: float | None
    queries: int = 1
    query_id: str = ""
    slice: str | None = None


def values_table(
    scores: Scores, comparisons: Comparisons | None = None, *, per_query: bool
) -> Table:
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
        changes: dict[tuple[str | None, ...], Sequence[Cell]] = {}
        for c in comparisons:
            changes[c.tag, c.measure, "", c.slice] = _change(c)
            for query in c.by_query if per_query else ():
                change = (query.before, query.difference, None, None, None)
                changes[c.tag, c.measure, query.query_id] = change
        for row, one in zip(rows, values, strict=True):
            key = (one.query_id,) if one.query_id else ("", one.slice)
            row.extend(changes.get((one.run.tag, str(one.measure), *key), (None,) * 5))
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


def _change(one: Comparison) -> Sequence[Cell]:
    p, p_adjusted = one.tests[one.verdict_by].p, one.p_adjusted[one.verdict_by]
    return (one.baseline_mean, one.delta, p, p_adjusted, str(one.verdict))
