"""Runs in memory scored as the library scores them, and their lists in the light of the grades."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from judge_tui.evaluation import score_runs as of_runs
from judge_tui.evaluation.inputs import EvaluationInputs
from judge_tui.evaluation.runs import tagged_runs
from judge_tui.evaluation.score_runs import ScoringQuestion
from judge_tui.model import Qrels, Run
from judge_tui.scan.scan import GradeLookup, scan_scores
from judge_tui.scoring import (
    DEFAULT_MEASURES,
    JudgedLists,
    JudgedQueries,
    Measure,
    Rules,
    RunScores,
    Scores,
    parse_measures,
)


def score_sources(
    qrels: Qrels,
    runs: Any,
    measures: Any = DEFAULT_MEASURES,
    *,
    possible_grades: Sequence[int] | None = None,
    demanding: Collection[str] = (),
    **question: Any,
) -> Scores:
    """The same of runs wherever they come from; `question`: fields of a `ScoringQuestion`."""
    return of_runs.score_runs(
        EvaluationInputs(qrels, tagged_runs(runs)),
        parse_measures(measures),
        ScoringQuestion(**{"jobs": None, **question}),
        possible_grades=possible_grades,
        demanding=demanding,
    )


def score_runs(
    qrels: Qrels,
    runs: Iterable[Run],
    measures: Iterable[Measure | str] | Measure | str = DEFAULT_MEASURES,
    **rules: bool | int | None,
) -> Scores:
    """`rules`: those of `Rules`."""
    return score_sources(qrels, list(runs), measures, rules=Rules(**rules))


def score_run(
    qrels: Qrels,
    run: Run,
    measures: Iterable[Measure | str] | Measure | str,
    **rules: bool | int | None,
) -> RunScores:
    """The scores of one run."""
    return score_runs(qrels, [run], measures, **rules).runs[0]


def judged_lists(
    known: JudgedQueries, qrels: Qrels, run: Mapping[str, Mapping[str, float]]
) -> JudgedLists:
    """The list of each query that has results and grades, by ascending query_id."""
    answers = Run("r", dict(sorted(run.items())))
    return scan_scores(answers, GradeLookup(qrels)).lists
