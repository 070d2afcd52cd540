"""Inputs replayed: what strategies would have judged of them."""

from __future__ import annotations

from collections.abc import Callable

from judge_tui.analysis.replay import FullPool, Replays, ReplaySettings, replay
from judge_tui.evaluation.inputs import EvaluationInputs, read_inputs
from judge_tui.evaluation.runs import TaggedRun
from judge_tui.evaluation.score_runs import ScoringQuestion, whole_runs
from judge_tui.place import Place


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


def campaign_inputs(qrels: str, db: Place) -> tuple[EvaluationInputs, int]:
    """Return the grades of a file, with what a campaign keeps of its runs, and its seed. Raises
    `InputError` for a bad file, and `CampaignError` for one that is no campaign."""
    # Files alone are replayed without SQLite.
    from judge_tui.campaign import open_campaign  # noqa: PLC0415
    from judge_tui.campaign.overview.qrels_and_runs import read_runs  # noqa: PLC0415
    from judge_tui.campaign.store.queries import all_queries  # noqa: PLC0415
    from judge_tui.campaign.store.runs import chosen_runs  # noqa: PLC0415

    with open_campaign(db) as campaign, campaign.reading():
        runs = read_runs(campaign, chosen_runs(campaign))
        queries, seed = [*all_queries(campaign)], campaign.settings.seed
    tagged = [TaggedRun(None, run) for run in runs]
    return read_inputs(qrels, tagged, queries=queries), seed
