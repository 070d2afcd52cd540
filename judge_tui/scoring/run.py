"""One run scored with qrels: a value for each query and measure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from judge_tui.errors import UsageError
from judge_tui.model import Qrels, Run
from judge_tui.scoring.measure import Measure
from judge_tui.scoring.parse import parse_measure, parse_measures
from judge_tui.scoring.seen import Seen, see

__all__ = ["RunScores", "mean", "score_run"]


@dataclass(frozen=True, slots=True)
class RunScores:
    """The values of one run.

    `query_ids`: the queries averaged over, in ascending byte order. `values`: full name of the
    measure -> one value a query, aligned with `query_ids`. `missing_run`: queries of the qrels for
    which the run has no result; `missing_qrels`: queries of the run that have no judgment; both
    ascending.
    """

    tag: str
    query_ids: tuple[str, ...]
    values: Mapping[str, tuple[float, ...]]
    missing_run: tuple[str, ...]
    missing_qrels: tuple[str, ...]

    def mean(self, measure: Measure | str) -> float:
        """The mean over `query_ids`."""
        name = str(parse_measure(measure) if isinstance(measure, str) else measure)
        return mean(self.values[name])


def mean(values: Sequence[float]) -> float:
    """The mean of at least one value, the same to the last digit wherever it is printed."""
    # From left to right: `sum` rounds otherwise from Python 3.12 on.
    total = 0.0
    for value in values:
        total += value
    return total / len(values)


def score_run(
    qrels: Qrels,
    run: Run,
    measures: Iterable[Measure | str] | Measure | str,
    *,
    complete: bool = False,
    judged_only: bool = False,
) -> RunScores:
    """Score one run over the queries that are in both qrels and run, as trec_eval does.

    With `complete` (trec_eval -c) all queries of the qrels count, and one that the run does not
    answer scores 0. With `judged_only` (trec_eval -J) the lists are condensed to their judged
    documents first. A query without results, or without a single line in the qrels, is missing
    there. Raises `UsageError` where no query is in both.
    """
    measures = parse_measures(measures)
    judged = {query_id for query_id, grades in qrels.items() if grades}
    answered = {query_id for query_id, scores in run.scores.items() if scores}
    if not judged & answered:
        raise _nothing_in_common(judged, run.tag, answered)

    query_ids = sorted(judged if complete else judged & answered)
    values: dict[str, list[float]] = {str(measure): [] for measure in measures}
    for query_id in query_ids:
        seen = see(qrels[query_id], run.scores.get(query_id, {}))
        condensed = seen.condensed() if judged_only else seen
        for measure in measures:
            view: Seen = condensed if measure.definition.condenses else seen
            values[str(measure)].append(measure.value(view))
    return RunScores(
        tag=run.tag,
        query_ids=tuple(query_ids),
        values={name: tuple(column) for name, column in values.items()},
        missing_run=tuple(sorted(judged - answered)),
        missing_qrels=tuple(sorted(answered - judged)),
    )


def _nothing_in_common(judged: set[str], tag: str, answered: set[str]) -> UsageError:
    if not judged:
        return UsageError("the qrels hold no judgment", "judge some documents first")
    if not answered:
        return UsageError(f"run {tag!r} holds no result", "give a run that answers queries")
    return UsageError(
        f"run {tag!r} and the qrels have no query in common: the run has {min(answered)!r}, "
        f"the qrels have {min(judged)!r}",
        "use the same query ids in both files",
    )
