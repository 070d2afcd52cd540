"""Several runs scored with one set of qrels: what `judge-tui score` prints."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from judge_tui.errors import UsageError
from judge_tui.model import Qrels, Run
from judge_tui.scoring.measure import Measure
from judge_tui.scoring.measures import DEFAULT_MEASURES
from judge_tui.scoring.parse import parse_measures
from judge_tui.scoring.run import RunScores, score_run

__all__ = ["Scores", "score_runs"]


@dataclass(frozen=True, slots=True)
class Scores:
    """The values of several runs; `measures` and `runs` in the order in which they were given."""

    measures: tuple[Measure, ...]
    runs: tuple[RunScores, ...]
    complete: bool
    judged_only: bool
    depth: int | None = None

    def __getitem__(self, tag: str) -> RunScores:
        """The run of that tag; `KeyError` where there is none."""
        for run in self.runs:
            if run.tag == tag:
                return run
        raise KeyError(tag)

    def only(self, measures: Iterable[Measure]) -> Scores:
        """The same scores seen through some of their measures."""
        return replace(self, measures=tuple(measures))

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader of the means must know about the queries behind them."""
        return tuple(
            warning for run in self.runs for warning in _missing(run, complete=self.complete)
        )

    def to_dict(self, *, per_query: bool = False) -> dict[str, Any]:
        """The result as JSON has it; floats at full precision."""
        names = [str(measure) for measure in self.measures]
        runs = []
        for run in self.runs:
            entry: dict[str, Any] = {
                "tag": run.tag,
                "queries": len(run.query_ids),
                "missing": {"run": len(run.missing_run), "qrels": len(run.missing_qrels)},
                "mean": {name: run.mean(name) for name in names},
            }
            if per_query:
                entry["per_query"] = {
                    query_id: {name: run.values[name][place] for name in names}
                    for place, query_id in enumerate(run.query_ids)
                }
            runs.append(entry)
        return {
            "schema_version": 1,
            "measures": names,
            "settings": {
                "complete": self.complete,
                "judged_only": self.judged_only,
                "depth": self.depth,
            },
            "runs": runs,
            "warnings": list(self.warnings),
        }

    def to_rows(self, *, per_query: bool = False) -> list[tuple[str, str, str, float]]:
        """(tag, query_id, measure, value); the mean stands under the query_id `all`."""
        rows: list[tuple[str, str, str, float]] = []
        for run in self.runs:
            names = [str(measure) for measure in self.measures]
            if per_query:
                rows += [
                    (run.tag, query_id, name, run.values[name][place])
                    for place, query_id in enumerate(run.query_ids)
                    for name in names
                ]
            rows += [(run.tag, "all", name, run.mean(name)) for name in names]
        return rows


def score_runs(
    qrels: Qrels,
    runs: Sequence[Run],
    measures: Iterable[Measure | str] | Measure | str = DEFAULT_MEASURES,
    *,
    complete: bool = False,
    judged_only: bool = False,
    depth: int | None = None,
) -> Scores:
    """Score each run as `score_run` does. Raises `UsageError` where two runs share a tag."""
    measures = parse_measures(measures)
    tags: set[str] = set()
    for run in runs:
        if run.tag in tags:
            raise UsageError(f"two runs have the tag {run.tag!r}", "give each run its own tag")
        tags.add(run.tag)
    scored = tuple(
        score_run(qrels, run, measures, complete=complete, judged_only=judged_only, depth=depth)
        for run in runs
    )
    return Scores(measures, scored, complete, judged_only, depth)


def _missing(run: RunScores, *, complete: bool) -> list[str]:
    warnings = []
    judged = len(run.query_ids) + (0 if complete else len(run.missing_run))
    answered = judged - len(run.missing_run) + len(run.missing_qrels)
    if run.missing_run:
        fate = "counted as 0" if complete else "left out (--complete counts them as 0)"
        warnings.append(
            f"queries of the qrels without results in run {run.tag!r}: "
            f"{len(run.missing_run)} of {judged}, {fate}; the first is {run.missing_run[0]!r}"
        )
    if run.missing_qrels:
        warnings.append(
            f"queries of run {run.tag!r} that are not in the qrels: "
            f"{len(run.missing_qrels)} of {answered}, left out; "
            f"the first is {run.missing_qrels[0]!r}"
        )
    return warnings
