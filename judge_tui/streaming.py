"""Runs scored while they are read: what a run file holds beside the judged documents is not kept."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from judge_tui.model import Qrels
from judge_tui.scoring import DEFAULT_MEASURES, Measure, Rules, Scores, score_runs
from judge_tui.sources import RunsSource, runs_from

__all__ = ["score_sources"]


def score_sources(
    qrels: Qrels,
    runs: RunsSource,
    measures: Iterable[Measure | str] | Measure | str = DEFAULT_MEASURES,
    *,
    rules: Rules = Rules(),  # noqa: B008 - frozen
    precision: Literal[64, 32] = 64,
    jobs: int | None = None,
    format: str | None = None,
) -> Scores:
    """Score runs wherever they come from."""
    return score_runs(
        qrels,
        runs_from(runs),
        measures,
        complete=rules.complete,
        judged_only=rules.judged_only,
        depth=rules.depth,
    )
