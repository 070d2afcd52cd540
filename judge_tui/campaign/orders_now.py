"""The campaign's systems in the order that each judge's grades give them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from judge_tui.analysis.judge_orders import SystemOrders, system_orders
from judge_tui.campaign.file import Campaign
from judge_tui.campaign.final_grades import refuse_judge
from judge_tui.campaign.judges import name_here
from judge_tui.campaign.standing_now import decided_now, grades_given, kept_rankings_of, pool_pairs
from judge_tui.comparison.compare import measures_needed
from judge_tui.scoring import Measure

__all__ = ["orders_now"]


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
        kept = kept_rankings_of(campaign)
        deep = kept.runs.too_deep(measure)
        if deep is not None:
            why = (
                f"{measure} looks deeper than the {deep.depth} results kept of run {deep.tag!r};"
                " load that run again with a greater --depth"
            )
            return SystemOrders(measure.name, None, why=why)
        pool = pool_pairs(campaign)
        decided = decided_now(campaign, include_models=include_models) if given else None
    none = np.empty(0, dtype=np.int64)
    final = (none, none)
    if decided is not None:
        final = (pool.places_of(decided.pairs), decided.grades)
    return system_orders(
        kept.rankings,
        kept.place_of_query(pool.queries),
        pool.documents,
        {name: (pool.places_of(given[name][0]), given[name][1]) for name in chosen},
        final,
        measure,
        baseline=baseline,
    )
