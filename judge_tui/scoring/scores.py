"""Several runs scored with one set of qrels, as arrays: what `judge-tui score` prints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import isnan
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from judge_tui.arrays import Bools, Floats
from judge_tui.errors import UsageError, unknown
from judge_tui.scoring.measure import Measure
from judge_tui.scoring.names import MeasureLike, parse_measure

if TYPE_CHECKING:
    from judge_tui.scoring.slices import Slices

NO_COMPOSITE = "the slices are scored by different measures: no value over all queries"


class Rules(NamedTuple):
    """The settings that change every value of a run.

    `complete` (trec_eval -c): all queries of the qrels are averaged, and one that the run does not
    answer scores 0 (but in NumQ and NumRel, which look at no results). `depth` (trec_eval -M):
    only so many results of each query are looked at. `judged_only` (trec_eval -J): what nobody
    judged is then taken out of the lists. `ignore_self`: before all that, a result whose doc_id is
    the query's own id is left out, as BEIR does (its queries are documents in ArguAna and Quora).
    """

    complete: bool = False
    judged_only: bool = False
    depth: int | None = None
    ignore_self: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return the rules as JSON has them; `ignore_self` where it holds."""
        return {
            name: value for name, value in self._asdict().items() if value or name != "ignore_self"
        }


class UnknownRunError(UsageError, KeyError):
    """Scores have no run of that tag: an error of the caller's, and of a mapping."""


@dataclass(frozen=True, eq=False)
class Scores(Mapping[str, "RunScores"]):
    """The values of several runs; `measures` and `tags` in the order in which they were given.

    Also a mapping tag -> run: `scores["bm25"]`, `"bm25" in scores`, `for tag in scores`,
    `scores.items()`; `len(scores)` counts the runs.

    `query_ids`: the queries of the qrels, ascending in byte order. `by_measure`: full name of the
    measure -> float64[runs, queries], NaN where a query is not averaged or the measure is undefined
    for it. `found`: the same for measures whose values do not tell where anything relevant was
    found; above 0 there. `counted`, `answered`: bool[runs, queries], which queries are averaged,
    and for which the run has any result. `missing_qrels`: of each run its queries, those it was
    asked among them, that have no judgment, ascending. `bounds`: full name -> float64[runs, 2], the
    least and the greatest that the mean could be, were everything judged; None where they were not
    asked for. `slices` are the same scores slice by slice, where that was asked for. `reference`:
    what says what is right, as it is called when readers are told. `settings`: what else JSON says
    the scores were made with, beside the rules.
    """

    columns: ClassVar = ("tag", "query_id", "measure", "value")
    """The names of what is in a row of `to_rows`."""

    measures: tuple[Measure, ...]
    tags: tuple[str, ...]
    query_ids: tuple[str, ...]
    by_measure: Mapping[str, Floats]
    counted: Bools
    answered: Bools
    missing_qrels: tuple[tuple[str, ...], ...]
    rules: Rules
    found: Mapping[str, Floats] = field(default_factory=dict)
    bounds: Mapping[str, Floats] | None = None
    slices: Slices | None = None
    reference: str = "qrels"
    warnings: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def runs(self) -> tuple[RunScores, ...]:
        """Each run by itself, in order."""
        return tuple(RunScores(self, row, tag) for row, tag in enumerate(self.tags))

    @property
    def filled(self) -> str:
        """What stands for grades that are missing (`scoring.filled`): `expected`, or the name of a
        model; "" for nothing."""
        return str(self.settings.get("unjudged", ""))

    @property
    def unlike(self) -> Slices | None:
        """The slices, where they are scored by different measures: no mean is of all queries."""
        return None if self.slices is None or self.slices.composite else self.slices

    def measures_of(self, query_id: str) -> tuple[Measure, ...]:
        """Return what a query is scored by: where slices have different measures, those of its
        slice."""
        return self.measures if self.unlike is None else self.unlike.of(query_id).measures

    def __getitem__(self, tag: str) -> RunScores:
        """Return the run of that tag. Raises `UsageError`, which is a `KeyError` too, if there is
        none."""
        if tag in self.tags:
            return self.runs[self.tags.index(tag)]
        refusal = unknown("run", str(tag), self)
        raise UnknownRunError(refusal.what, refusal.mend)

    def __iter__(self) -> Iterator[str]:
        """Return the tags, in the order of the runs."""
        return iter(self.tags)

    def __len__(self) -> int:
        """Return how many runs there are."""
        return len(self.tags)

    def only(self, measures: Iterable[Measure]) -> Scores:
        """Return the scores seen through some of their measures."""
        return replace(self, measures=tuple(measures))

    def of_runs(self, tags: Iterable[str]) -> Scores:
        """Return the scores of some of the runs."""
        rows = [self.tags.index(tag) for tag in tags]
        return replace(
            self,
            tags=tuple(self.tags[row] for row in rows),
            by_measure={name: values[rows] for name, values in self.by_measure.items()},
            found={name: values[rows] for name, values in self.found.items()},
            counted=self.counted[rows],
            answered=self.answered[rows],
            missing_qrels=tuple(self.missing_qrels[row] for row in rows),
            bounds=self.bounds and {name: both[rows] for name, both in self.bounds.items()},
        )

    @cached_property
    def _place(self) -> Mapping[str, int]:
        return {query_id: at for at, query_id in enumerate(self.query_ids)}

    def where(self, inside: Set[str]) -> Scores:
        """Return the scores over some of the queries, by their ids; without bounds."""
        columns = sorted(self._place[query_id] for query_id in inside if query_id in self._place)
        return replace(
            self,
            query_ids=tuple(self.query_ids[at] for at in columns),
            by_measure={name: values[:, columns] for name, values in self.by_measure.items()},
            found={name: values[:, columns] for name, values in self.found.items()},
            counted=self.counted[:, columns],
            answered=self.answered[:, columns],
            missing_qrels=tuple(
                tuple(query_id for query_id in missing if query_id in inside)
                for missing in self.missing_qrels
            ),
            bounds=None,
        )

    def to_dict(self, *, per_query: bool = False) -> dict[str, Any]:
        """Return the result as JSON has it; floats at full precision.

        With the bounds and the slices that were asked for; what is undefined is None, and `why`
        says the reason.
        """
        by = {} if self.slices is None else {"by": self.slices.by}
        return {
            "schema_version": 1,
            "measures": [*map(str, self.measures)],
            "settings": {**self.rules.to_dict(), **self.settings, **by},
            "runs": [_entry(run, per_query=per_query) for run in self.runs],
            "warnings": [*self.warnings],
        }

    def to_rows(self, *, per_query: bool = False) -> list[tuple[str, str, str, float]]:
        """Return (tag, query_id, measure, value), named by `columns`; the mean stands under the
        query_id `all`.

        Where slices have different measures, a query has those of its slice, and in place of `all`
        each slice has its own means, under FIELD=VALUE.
        """
        cut = self.unlike
        rows: list[tuple[str, str, str, float]] = []
        for run in self.runs:
            for place, query_id in enumerate(run.query_ids if per_query else ()):
                rows += [
                    (run.tag, query_id, str(measure), value)
                    for measure in self.measures_of(query_id)
                    if (value := run.value(measure, place)) is not None
                ]
            if cut is None:
                rows += [
                    (run.tag, "all", str(measure), mean)
                    for measure in self.measures
                    if (mean := run.mean_or_none(measure)) is not None
                ]
        if cut is not None:
            rows += [
                (tag, f"{cut.by}={name}", measure, value)
                for name, tag, _, measure, value in cut.to_rows()
                if value is not None
            ]
        return rows


@dataclass(frozen=True, eq=False)
class RunScores:
    """The values of one run: a row of `scores`."""

    scores: Scores
    row: int
    tag: str

    @cached_property
    def query_ids(self) -> tuple[str, ...]:
        """The queries averaged over, in ascending byte order."""
        return self._where(self.scores.counted[self.row])

    @cached_property
    def values(self) -> Mapping[str, tuple[float, ...]]:
        """Full name of the measure -> one value a query, aligned with `query_ids`, NaN where the
        measure is undefined for a query."""
        counted = self.scores.counted[self.row]
        return {
            name: tuple(values[self.row][counted].tolist())
            for name, values in self.scores.by_measure.items()
        }

    @property
    def missing_run(self) -> tuple[str, ...]:
        """Queries of the qrels for which the run has no result, those among `query_ids` that count
        as nothing found, too; ascending."""
        return self._where(~self.scores.answered[self.row])

    @property
    def missing_qrels(self) -> tuple[str, ...]:
        """Queries of the run that have no judgment; ascending."""
        return self.scores.missing_qrels[self.row]

    @property
    def without_results(self) -> tuple[str, ...]:
        """The queries averaged for which the run has no result: nothing found, which counts."""
        scores = self.scores
        return self._where(scores.counted[self.row] & ~scores.answered[self.row])

    @property
    def bounds(self) -> Mapping[str, tuple[float, float]] | None:
        """Name of the measure -> the least and the greatest its mean could be, were everything
        judged; None where they were not asked for."""
        if self.scores.bounds is None or not self.scores.counted[self.row].any():
            return None
        return {
            name: (float(both[self.row, 0]), float(both[self.row, 1]))
            for name, both in self.scores.bounds.items()
            if not np.isnan(both[self.row]).any()
        }

    @cached_property
    def means(self) -> Mapping[str, float | None]:
        """Full name of the measure -> the mean, None where there is no query to average over."""
        return {one.name: self.mean_or_none(one) for one in self.scores.measures}

    def mean(self, measure: MeasureLike) -> float:
        """Return the mean over `query_ids`, or what the measure has instead (a sum, a geometric
        mean).

        Raises `UsageError` for a measure that is not among the `values`, by its full name: what was
        scored as `RR(rel=2)` is not `RR`; and where there is no query to average over.
        """
        mean = self.mean_or_none(measure)
        if mean is None:
            raise UsageError(
                f"run {self.tag!r} answers none of these queries and has no mean",
                "leave out runs whose query_ids are empty",
            )
        return mean

    def mean_or_none(self, measure: MeasureLike) -> float | None:
        """Return what `mean` does, but None where there is no query to average over."""
        measure = parse_measure(measure)
        values = self.scores.by_measure.get(str(measure))
        if values is None:
            raise UsageError(
                f"run {self.tag!r} is not scored by {measure}",
                f"it has {', '.join(self.scores.by_measure) or 'no measure'}",
            )
        mean = measure.mean(values[self.row])
        return None if isnan(mean) else mean

    def count(self, measure: Measure) -> int:
        """Return how many of the queries have a value by the measure: the mean is over these."""
        return int(np.count_nonzero(~np.isnan(self.scores.by_measure[str(measure)][self.row])))

    def value(self, measure: Measure, place: int) -> float | None:
        """Return the value of the query at this place of `query_ids`; None where it is
        undefined."""
        value = self.values[str(measure)][place]
        return None if isnan(value) else value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RunScores) and self._values() == other._values()

    __hash__ = None  # type: ignore[assignment]

    def _values(self) -> tuple[object, ...]:
        missing = (self.missing_run, self.missing_qrels)
        return (self.tag, self.query_ids, self.values, *missing, self.bounds)

    def _where(self, chosen: Bools) -> tuple[str, ...]:
        return tuple(self.scores.query_ids[at] for at in np.flatnonzero(chosen).tolist())


def _entry(run: RunScores, *, per_query: bool) -> dict[str, Any]:
    """Return a run as JSON has it."""
    scores = run.scores
    entry = {"tag": run.tag, **_means(run, scores.measures)}
    if scores.measures and not run.query_ids:
        entry["why"] = {"mean": f"the run answers no query of the {scores.reference}"}
    if per_query:
        entry["per_query"] = {
            query_id: {
                str(measure): value
                for measure in scores.measures_of(query_id)
                if (value := run.value(measure, place)) is not None
            }
            for place, query_id in enumerate(run.query_ids)
        }
    if run.bounds is not None:
        bounds = {str(measure): run.bounds.get(str(measure)) for measure in scores.measures}
        entry["bounds"] = {name: both and list(both) for name, both in bounds.items()}
        if None in bounds.values():
            from judge_tui.scoring.bounds import without_bounds  # noqa: PLC0415 - as above

            entry["why"] = {"bounds": without_bounds(scores.measures)}
    if scores.slices is not None:
        entry["slices"] = {
            one.name: _means(one.runs[run.row], one.measures) for one in scores.slices.slices
        }
    if scores.unlike is not None:
        entry["mean"] = None
        entry["why"] = {"mean": NO_COMPOSITE}
    return entry


def _means(run: RunScores, measures: Iterable[Measure]) -> dict[str, Any]:
    return {
        "queries": len(run.query_ids),
        "missing": {"run": len(run.missing_run), "qrels": len(run.missing_qrels)},
        "mean": {str(measure): run.mean_or_none(measure) for measure in measures},
    }
