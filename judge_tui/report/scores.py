"""Scores as a report: one row a run, one column a measure; slices, bounds and changes below. CSV
has a row for each value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import methodcaller
from typing import TYPE_CHECKING, Any, NamedTuple

from judge_tui.report.layout import (
    Cell,
    Column,
    Get,
    Report,
    Table,
    count,
    grades_table,
    number,
    undefined_table,
    word,
    words,
)
from judge_tui.scoring import Measure, RunScores, Scores, judged_beside

if TYPE_CHECKING:
    from judge_tui.comparison.comparison import Comparisons
    from judge_tui.evaluation.gates import GateResult

_RUN = word("tag", "run")


def score_report(
    scores: Scores,
    *,
    per_query: bool = False,
    texts: Mapping[str, str] | None = None,
    comparisons: Comparisons | None = None,
    gates: Sequence[GateResult] = (),
) -> Report:
    """`scores` in their measures; readers have those of Judged@k beside them that the runs are
    scored by. `comparisons`: with an earlier result. `texts`: query_id -> its text, for readers.
    Where classes have different measures, nothing is averaged over all queries.
    """
    document = scores.to_dict(per_query=per_query)
    document["gates"] = [one.to_dict() for one in gates]
    warnings = [*scores.warnings]
    tables = [*mean_tables(scores), *slice_means(scores)]
    if comparisons is not None:
        from judge_tui.report.comparisons import difference_tables  # noqa: PLC0415 - with --against

        document["against"] = comparisons.to_dict()
        warnings += comparisons.warnings
        tables += difference_tables(comparisons, "Beside the earlier result")
    if per_query:
        tables.append(_by_query(scores, texts or {}))
    tables += [undefined_table(_without_bounds(scores)), grades_table(scores.settings)]
    values = values_table(scores, comparisons, per_query=per_query)
    return Report(tables, warnings=[*dict.fromkeys(warnings)], json=document, csv=values)


def shares_scored(scores: Scores) -> tuple[Measure, ...]:
    """The Judged@k that belong beside the measures, as far as the runs are scored by them."""
    shares = judged_beside((scores.slices or scores).measures)
    return tuple(one for one in shares if str(one) in scores.by_measure)


def judged_table(scores: Scores, measures: Sequence[Measure]) -> Table:
    """How much of each run's results is judged: what every other number rests on."""
    means = [
        Column(str(one), str(one), number, get=methodcaller("mean_or_none", one))
        for one in measures
    ]
    return Table.of("Judged", [_RUN, *means], scores.runs)


def slice_column(title: str) -> Column:
    """The slice of what a row is about, under the name of its field."""
    from judge_tui.scoring.slices import shown_slice  # noqa: PLC0415 - few have slices

    return word("slice", title, lambda one: shown_slice(one.slice))


def mean_tables(scores: Scores) -> Iterator[Table]:
    """The means of each run, with their bounds, where there are any over all queries."""
    if scores.unlike is None:
        measures = (*scores.measures, *shares_scored(scores))
        parts = [_RunInSlice(run, measures) for run in scores.runs]
        yield _mean_table(scores, "", [_RUN], parts, measures)
        yield _bounds(scores)


def slice_means(scores: Scores) -> Iterator[Table]:
    """The means of each run in each slice, by what the slice is scored by."""
    if (slices := scores.slices) is not None:
        shares = shares_scored(scores)
        parts = [
            _RunInSlice(run, (*one.measures, *shares), one.name)
            for one in slices.slices
            for run in one.runs
        ]
        front = [slice_column(slices.by), _RUN]
        yield _mean_table(scores, f"By {slices.by}", front, parts, (*slices.measures, *shares))


class _RunInSlice(NamedTuple):
    """A run over all queries or those of a slice, and what it is scored by there."""

    run: RunScores
    measures: Sequence[Measure]
    slice: str = ""

    @property
    def tag(self) -> str:
        return self.run.tag

    def mean(self, measure: Measure) -> float | None:
        return self.run.mean_or_none(measure) if measure in self.measures else None

    def answered(self, measure: Measure) -> int | None:
        return self.run.count(measure) if measure in self.measures else None


def _mean_table(
    scores: Scores,
    title: str,
    front: Sequence[Column],
    parts: Sequence[_RunInSlice],
    measures: Sequence[Measure],
) -> Table:
    """How many queries a run is averaged over, and how many are missing where any is; then a column
    for each measure, of some with the queries that it has a value of."""
    columns = [
        *front,
        Column("queries", "queries", get=lambda part: len(part.run.query_ids)),
        Column("absent", "not in run", get=lambda part: len(part.run.missing_run)),
        Column(
            "ungraded", f"not in {scores.reference}", get=lambda part: len(part.run.missing_qrels)
        ),
    ]
    for one in measures:
        columns.append(_measured(one, methodcaller("mean", one)))
        if one.definition.of_order:
            columns.append(Column(f"{one} n", f"{one} n", get=methodcaller("answered", one)))
    table = Table.of(title, columns, parts).if_any("absent", "ungraded")
    return table.marked(filled=scores.filled)


def _measured(measure: Measure, get: Get | None = None) -> Column:
    show = count if measure.definition.whole else number
    return Column(str(measure), str(measure), show, get=get)


def _bounds(scores: Scores) -> Table:
    """A row for each run and measure: three columns read better than a pair in one cell."""
    columns = [*words("measure"), _RUN]
    columns += [Column(name, name, number) for name in ("low", "score", "high")]
    rows = [
        (str(measure), run.tag, between[0], run.mean(measure), between[1])
        for measure in scores.measures
        for run in scores.runs
        if (between := (run.bounds or {}).get(str(measure))) is not None
    ]
    return Table("Were every retrieved document judged", columns, rows)


def _without_bounds(scores: Scores) -> Iterator[tuple[str, str]]:
    if scores.bounds is not None:
        from judge_tui.scoring.bounds import without_bounds  # noqa: PLC0415 - needed with --bounds

        asked = [measure for measure in scores.measures if measure.definition.quality]
        for measure, why in without_bounds(asked).items():
            yield f"bounds of {measure}", why


def _by_query(scores: Scores, texts: Mapping[str, str]) -> Table:
    shares = shares_scored(scores)
    measures = [*(scores.slices or scores).measures, *shares]
    columns = [_RUN, word("query_id", "query"), *map(_measured, measures), *words("text")]
    rows: list[list[Cell]] = []
    for run in scores.runs:
        for at, query_id in enumerate(run.query_ids):
            own = (*scores.measures_of(query_id), *shares)
            values = (run.value(one, at) if one in own else None for one in measures)
            rows.append([run.tag, query_id, *values, texts.get(query_id, "")])
    return Table("By query", columns, rows)


class _Value(NamedTuple):
    """One value: of a query, or under `all` over all queries, or those of a `slice`; over how many
    `queries`; with bounds; and beside an earlier one."""

    tag: str
    query_id: str
    measure: str
    value: float | None
    queries: int
    slice: str = ""
    low: float | None = None
    high: float | None = None
    before: float | None = None
    delta: float | None = None
    p: float | None = None
    p_adjusted: float | None = None
    verdict: str | None = None


def values_table(
    scores: Scores, comparisons: Comparisons | None = None, *, per_query: bool
) -> Table:
    """What programs get: of each run its queries, then under the query_id `all` the mean over all
    queries, then the one over each slice, and beside it what more was asked for.

    `slice` is FIELD=VALUE (FIELD= for queries without the field), empty for all queries. Where
    slices have different measures there is no row over all queries, and a query has the measures of
    its slice.
    """
    keys = ["tag", "query_id", "measure", "value", "queries"]
    keys += ["slice"] if scores.slices is not None else []
    keys += ["low", "high"] if scores.bounds is not None else []
    values: Iterable[_Value] = _each_value(scores, per_query=per_query)
    if comparisons is not None:
        keys += ["before", "delta", "p", "p_adjusted", "verdict"]
        values = _beside(comparisons, values, per_query=per_query)
    return Table.of("", [Column(key) for key in keys], values)


def _each_value(scores: Scores, *, per_query: bool) -> Iterator[_Value]:
    slices = scores.slices
    for place, run in enumerate(scores.runs):
        for at, query_id in enumerate(run.query_ids if per_query else ()):
            part = "" if slices is None else f"{slices.by}={slices.of(query_id).name}"
            for measure in scores.measures_of(query_id):
                if (value := run.value(measure, at)) is not None:
                    yield _Value(run.tag, query_id, str(measure), value, 1, part)
        for measure in scores.measures if scores.unlike is None else ():
            mean, queries = run.mean_or_none(measure), run.count(measure)
            low, high = (run.bounds or {}).get(str(measure), (None, None))
            yield _Value(run.tag, "all", str(measure), mean, queries, "", low, high)
        if slices is None:
            continue
        for one in slices.slices:
            own, part = one.runs[place], f"{slices.by}={one.name}"
            for measure in one.measures:
                mean, queries = own.mean_or_none(measure), own.count(measure)
                yield _Value(run.tag, "all", str(measure), mean, queries, part)


def _beside(
    comparisons: Comparisons, values: Iterable[_Value], *, per_query: bool
) -> Iterator[_Value]:
    """The values with what they were before."""
    by = "" if comparisons.scores.slices is None else f"{comparisons.scores.slices.by}="
    changes: dict[tuple[str, str, str, str], dict[str, Any]] = {}
    for c in comparisons:
        part = "" if c.slice is None else f"{by}{c.slice}"
        changes[c.tag, "all", c.measure, part] = {
            "before": c.baseline_mean,
            "delta": c.delta,
            "p": c.tests[c.verdict_by].p,
            "p_adjusted": c.p_adjusted[c.verdict_by],
            "verdict": str(c.verdict),
        }
        for query in c.by_query if per_query else ():
            change = {"before": query.before, "delta": query.difference}
            changes[c.tag, query.query_id, c.measure, part] = change
    for one in values:
        key = (one.tag, one.query_id, one.measure, one.slice)
        yield one._replace(**changes.get(key, {}))
