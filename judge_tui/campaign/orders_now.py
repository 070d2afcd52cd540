"""The campaign's systems in the order that each judge's grades give them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from judge_tui.analysis.judge_orders import SystemOrders, system_orders
from judge_tui.campaign.file import Campaign
from judge_tui.campaign.final_grades import refuse_judge
from judge_tui.campaign.judges import name_here
from judge_tui.campaign.pool_pairs import pool_pairs
from judge_tui.campaign.runs_now import decided_now, grades_beside, grades_given, loaded_runs
from judge_tui.comparison.compare import measures_needed
from judge_tui.scoring import Measure

__all__ = ["orders_now"]

_NO_GRADES = (np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))


def orders_now(
    campaign: Campaign,
    measure: Measure,
    baseline: str | None = None,
    judges: Sequence[str] | None = None,
    *,
    include_models: bool | None = None,
) -> SystemOrders:
    """What each judge does to the order of the systems, as of one moment; see `system_orders`.

    `judges`: those named (default: all who graded, by name), in that order; models only where asked
    they count. The final grades are those of the policy `majority`, by all who count. A campaign
    without runs, or with runs that were not kept as deep as the measure looks, has a `why` instead.
    Raises `UsageError` for a judge without a grade that counts, for a baseline that is no run, and
    for a measure of which more is not better.
    """
    measures_needed([measure])
    with campaign.reading():
        given = grades_given(campaign, include_models=include_models)
        named = [name_here(campaign, name) for name in judges or ()]
        for name in named:
            if name not in given:
                refuse_judge(campaign, name, include_models=include_models)
        chosen = list(given) if judges is None else list(dict.fromkeys(named))
        if not campaign.rows("SELECT 1 FROM runs LIMIT 1"):
            return SystemOrders(measure.name, None, why="the campaign has no runs")
        loaded = loaded_runs(campaign)
        if deep := loaded.runs.cannot_tell(measure):
            why = f"{measure} looks {deep}; load that run again with a greater --depth"
            return SystemOrders(measure.name, None, why=why)
        pool = pool_pairs(campaign)
        final = _NO_GRADES
        if given:
            decided = decided_now(campaign, include_models=include_models)
            final = decided.pairs, decided.grades
    return system_orders(
        loaded.judged(pool, final, max(campaign.settings.scale.grades)),
        {name: grades_beside(pool, given[name]) for name in chosen},
        measure,
        baseline=baseline,
    )
