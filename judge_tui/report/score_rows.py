"""Scores as the rows of a CSV: one value a row, and beside it what more was asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from judge_tui.report.layout import Cell
from judge_tui.scoring import Measure, RunScores, Scores

if TYPE_CHECKING:
    from judge_tui.comparison.comparison import Comparison, Comparisons
    from judge_tui.scoring.slices import Slices

__all__ = ["score_header", "score_rows"]


def score_header(
    scores: Scores, *, bounds: bool, comparisons: Comparisons | None
) -> tuple[str, ...]:
    """`tag,query_id,measure,value`, after it the columns of what was asked for beside, and how many
    `queries` the value is of."""
    header = ["tag", "query_id", "measure", "value"]
    header += [] if scores.slices is None else ["slice", "queries"]
    header += ["low", "high"] if bounds else []
    header += [] if comparisons is None else ["before", "difference", "p", "p_adjusted", "verdict"]
    header += ["queries"] if scores.slices is None else []
    return tuple(header)


def score_rows(
    scores: Scores,
    *,
    per_query: bool,
    bounds: bool,
    comparisons: Comparisons | None,
) -> Iterator[Sequence[Cell]]:
    """The rows of each run: its queries, then under the query_id `all` the mean over all queries,
    then the one over each slice.

    `slice` is FIELD=VALUE (FIELD= for queries without the field), empty for all queries, and
    `queries` says how many were averaged. Where slices have different measures there is no row over
    all queries, and a query has the measures of its slice.
    """
    compared = {(one.tag, one.measure, one.slice): one for one in comparisons or ()}
    earlier = {run.tag: _Earlier.of(was) for was, run in comparisons.paired} if comparisons else {}
    for line in _lines(scores, per_query=per_query):
        row: list[Cell] = [line.run.tag, line.query_id or "all", str(line.measure), line.value]
        if scores.slices is not None:
            by = scores.slices.by
            row += ["" if line.slice is None else f"{by}={line.slice}", line.queries]
        if bounds:
            row += _bounds(line)
        if comparisons is not None:
            if line.query_id:
                row += earlier[line.run.tag].beside(line)
            else:
                one = compared.get((line.run.tag, str(line.measure), line.slice))
                row += _change(one)
        if scores.slices is None:
            row.append(line.queries)
        yield row


class _Line(NamedTuple):
    """One value: of a query, of all (neither `query_id` nor `slice`) or of a slice."""

    run: RunScores
    measure: Measure
    value: float | None
    query_id: str = ""
    slice: str | None = None
    queries: int = 1

    @property
    def of_all(self) -> bool:
        return not self.query_id and self.slice is None


class _Earlier(NamedTuple):
    """A run of the earlier result; `places`: query_id -> its place there."""

    run: RunScores
    places: Mapping[str, int]

    @classmethod
    def of(cls, run: RunScores) -> _Earlier:
        return cls(run, {query_id: at for at, query_id in enumerate(run.query_ids)})

    def beside(self, line: _Line) -> Sequence[Cell]:
        at, known = self.places.get(line.query_id), str(line.measure) in self.run.values
        before = None if at is None or not known else self.run.value(line.measure, at)
        difference = None if before is None or line.value is None else line.value - before
        return (before, difference, None, None, None)


def _lines(scores: Scores, *, per_query: bool) -> Iterator[_Line]:
    slices = scores.slices
    for place, run in enumerate(scores.runs):
        if per_query:
            yield from _queries(run, scores.measures, slices)
        if scores.unlike is None:
            for measure in scores.measures:
                yield _Line(run, measure, run.mean_or_none(measure), queries=run.count(measure))
        for one in () if slices is None else slices.slices:
            part = one.runs[place]
            for measure in one.measures:
                value, count = part.mean_or_none(measure), part.count(measure)
                yield _Line(run, measure, value, slice=one.name, queries=count)


def _queries(run: RunScores, measures: Sequence[Measure], slices: Slices | None) -> Iterator[_Line]:
    for at, query_id in enumerate(run.query_ids):
        name = None
        if slices is not None:
            one = slices.of(query_id)
            measures, name = one.measures, one.name
        for measure in measures:
            if (value := run.value(measure, at)) is not None:
                yield _Line(run, measure, value, query_id, name)


def _bounds(line: _Line) -> Sequence[Cell]:
    between = line.run.bounds.get(str(line.measure)) if line.of_all and line.run.bounds else None
    return between or (None, None)


def _change(one: Comparison | None) -> Sequence[Cell]:
    if one is None:
        return (None,) * 5
    p, p_adjusted = one.tests[one.verdict_by].p, one.p_adjusted[one.verdict_by]
    return (one.baseline_mean, one.delta, p, p_adjusted, str(one.verdict))
