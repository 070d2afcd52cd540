"""A round of the pool: choosing the pairs to be judged, while others judge."""

from __future__ import annotations

import shlex
from collections.abc import Callable

from judge_tui.campaign.shell_command import shell_command
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.pool import (
    add_round,
    last_population,
    pair_keys,
    pairs_of_stratum,
    pool_state,
)
from judge_tui.campaign.store.runs import chosen_runs, kept_lists
from judge_tui.counts import counted
from judge_tui.errors import UsageError
from judge_tui.pooling.pool import Round, build_pool
from judge_tui.pooling.strategies import AUDIT, strategy_named

OnStep = Callable[[str], None]
"""Called with what is done next, in words."""


def extend_pool(
    campaign: Campaign,
    *,
    strategy: str = "depth",
    depth: int = 10,
    budget: int | None = None,
    audit: int | float | None = None,
    on_step: OnStep = lambda _what: None,
) -> int:
    """Add what the strategy asks for and is not there yet, as one round; returns how many pairs.

    See `build_pool`. Others can write while the pairs are chosen. Again, it adds nothing.
    Raises `UsageError` for an unknown strategy, numbers that make no sense, no runs, or a depth
    greater than what was kept of a run.
    """
    while True:
        on_step("choosing the pairs")
        with campaign.reading():
            state = pool_state(campaign)
            its = _next_round(campaign, strategy, depth, budget, audit)
        with campaign.writing():
            # What the pairs were made of may have changed meanwhile: then again.
            if pool_state(campaign) == state:
                on_step(f"writing {counted(sum(map(len, its.added.values())), 'pair')}")
                return add_round(campaign, strategy, depth, its)


def _next_round(
    campaign: Campaign, strategy: str, depth: int, budget: int | None, audit: float | None
) -> Round:
    runs = chosen_runs(campaign)
    for run in runs:
        if run.depth < min(depth, run.longest):
            again = f"FILE --tag {shlex.quote(run.tag)} --depth {depth}"
            raise UsageError(
                f"--depth {depth} goes deeper than the {counted(run.depth, 'result')} kept of run"
                f" {run.tag!r}",
                f"load that run again with: {shell_command(campaign.path, 'load run', again)}",
            )
    chosen, population = strategy_named(strategy), last_population(campaign)
    deepest = None if chosen.whole_lists else max(depth, population.depth)
    kept = kept_lists(campaign, runs, deepest)
    return build_pool(
        {tag: {query: [*docs] for query, docs in lists.items()} for tag, lists in kept},
        strategy=strategy,
        depth=depth,
        budget=budget,
        audit=audit,
        seed=campaign.settings.seed,
        present=pair_keys(campaign).keys(),
        audited=pairs_of_stratum(campaign, AUDIT),
        population=population,
        judged=_judged(campaign) if chosen.uses_judgments else {},
    )


def _judged(campaign: Campaign) -> dict[str, dict[str, int]]:
    """query_id -> doc_id -> the final grade of what was judged so far by those who count."""
    # Most rounds ask for no grades, and go without NumPy.
    from judge_tui.campaign.overview.grading import NothingGradedError, final_grades  # noqa: PLC0415

    try:
        return final_grades(campaign).qrels
    except NothingGradedError:
        return {}
