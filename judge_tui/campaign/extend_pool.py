"""A round of the pool: choosing the pairs to be judged, while others judge."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from judge_tui.campaign.shell_command import shell_command
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.pool import (
    RoundQuestion,
    add_round,
    latest_question,
    pairs_pooled,
    pool_of_now,
    pool_state,
)
from judge_tui.campaign.store.runs import RunRecord, chosen_runs, kept_lists
from judge_tui.counts import counted
from judge_tui.errors import UsageError
from judge_tui.pooling.pool import USUAL_DEPTH, USUAL_MEASURE, build_pool
from judge_tui.pooling.strategies import strategy_named
from judge_tui.pooling.strategy import Aim

OnStep = Callable[[str], None]
"""Called with what is done next, in words."""


@dataclass(frozen=True, slots=True)
class RoundOutcome:
    """How many pairs were `added`, and the queries that were `finished`. `undecided`: the pairs of
    before that could teach a strategy nothing yet, where it uses judgments."""

    added: int
    finished: Sequence[str]
    undecided: int = 0


def extend_pool(
    campaign: Campaign,
    *,
    strategy: str = "depth",
    depth: int = USUAL_DEPTH,
    budget: int | None = None,
    audit: int | float | None = None,
    question: RoundQuestion | None = None,
    until: int | None = None,
    on_step: OnStep = lambda _what: None,
) -> RoundOutcome:
    """Add what the strategy asks for and is not there yet, as one round.

    See `build_pool`. `question`: what a strategy with an aim is to decide, None for that of the
    latest round; the round keeps it. Others can write while the pairs are chosen. Again, it adds
    nothing.
    Raises `UsageError` for an unknown strategy, numbers that make no sense, no runs, a depth
    greater than what was kept of a run, and a measure that cannot be the aim.
    """
    while True:
        on_step("choosing the pairs")
        with campaign.reading():
            state = pool_state(campaign)
            runs = _runs_to(campaign, depth)
            chooser, pool = strategy_named(strategy), pool_of_now(campaign)
            asked = latest_question(campaign) if question is None else question
            aim = _aim(runs, depth, asked) if chooser.has_aim else None
            undecided = _undecided(campaign) if chooser.uses_judgments else 0
            deepest = None if chooser.whole_lists else max(depth, pool.population.depth)
            found = build_pool(
                {
                    tag: {query: [*docs] for query, docs in lists.items()}
                    for tag, lists in kept_lists(campaign, runs, deepest)
                },
                pool,
                strategy=strategy,
                depth=depth,
                budget=budget,
                audit=audit,
                seed=campaign.settings.seed,
                judged=_judged(campaign) if chooser.uses_judgments or until else {},
                aim=aim,
                until=until,
            )
        with campaign.writing():
            # What the pairs were made of may have changed meanwhile: then again.
            if pool_state(campaign) == state:
                on_step(f"writing {counted(sum(map(len, found.added.values())), 'pair')}")
                added = add_round(campaign, strategy, depth, asked, found)
                return RoundOutcome(added, found.finished, undecided)


def _runs_to(campaign: Campaign, depth: int) -> list[RunRecord]:
    """Return the runs. Raises `UsageError` where there are none, or less is kept of one."""
    runs = chosen_runs(campaign)
    for run in runs:
        if run.depth < min(depth, run.longest):
            again = f"FILE --tag {shlex.quote(run.tag)} --depth {depth}"
            raise UsageError(
                f"--depth {depth} goes deeper than the {counted(run.depth, 'result')} kept of run"
                f" {run.tag!r}",
                f"load that run again with: {shell_command(campaign.path, 'load run', again)}",
            )
    return runs


def _aim(runs: Sequence[RunRecord], depth: int, question: RoundQuestion) -> Aim:
    """Return what is to be decided. Raises `UsageError` for a measure that is no sum over ranks or
    looks deeper than the pool, and for runs that are not there or one and the same."""
    from judge_tui.scoring import parse_measure  # noqa: PLC0415 - as `_judged`
    from judge_tui.scoring.linear import require_linear  # noqa: PLC0415

    measure, between = parse_measure(question.measure or USUAL_MEASURE), question.between
    sums = require_linear(measure, depth)
    if measure.depth > depth:
        raise UsageError(
            f"{measure} looks deeper than --depth {depth}",
            "give a greater --depth, or the measure a cutoff, such as nDCG@10",
        )
    tags = [run.tag for run in runs]
    question.refuse_other_runs(tags)
    places = (tags.index(between[0]), tags.index(between[1])) if between else None
    return Aim(*sums, places)


def _undecided(campaign: Campaign) -> int:
    from judge_tui.campaign.overview.enough import decided_pairs  # noqa: PLC0415 - as `_judged`

    return pairs_pooled(campaign) - len(decided_pairs(campaign))


def _judged(campaign: Campaign) -> dict[str, dict[str, int]]:
    """query_id -> doc_id -> the final grade of what was judged so far by those who count."""
    # Most rounds ask for no grades, and go without NumPy.
    from judge_tui.campaign.overview.grading import NothingGradedError, final_grades  # noqa: PLC0415

    try:
        return final_grades(campaign).qrels
    except NothingGradedError:
        return {}
