"""Inputs replayed: what strategies would have judged of them."""

from __future__ import annotations

from collections.abc import Callable

from judge_tui.analysis.replay import FullPool, Replays, ReplaySettings, replay
from judge_tui.evaluation.inputs import EvaluationInputs
from judge_tui.evaluation.score_runs import ScoringQuestion, whole_runs


def replay_inputs(
    inputs: EvaluationInputs,
    settings: ReplaySettings,
    *,
    depth: int | None = None,
    on_step: Callable[[str], None] = lambda _what: None,
) -> Replays:
    """Read the runs, and replay pooling on what the grades say of their results; `depth` as
    `FullPool` has it. Raises `InputError` for a bad file, and `UsageError` for what cannot be
    replayed."""
    inputs.refuse_other_texts()
    on_step("reading the runs")
    runs = whole_runs(inputs, ScoringQuestion())
    return replay(FullPool.of(runs, inputs.qrels, depth), settings, on_step)
