"""Nobody opens a desk on which nothing lies."""

from __future__ import annotations

import shlex

from judge_tui.campaign import Campaign
from judge_tui.campaign.store.assignments import assigned_judges
from judge_tui.campaign.store.judges import name_here, near_names
from judge_tui.campaign.store.pool import pool_is_empty
from judge_tui.campaign.typed import typed
from judge_tui.errors import UsageError


def refuse_empty_desk(campaign: Campaign, name: str) -> None:
    """Raise `UsageError` where that judge, new or known, has nothing to judge."""
    if pool_is_empty(campaign):
        raise UsageError(
            "there is nothing to judge: the pool is empty", f"first: {typed(campaign.path, 'pool')}"
        )
    names = [judge.name for judge in assigned_judges(campaign)]
    if not names or name_here(campaign, name) in names:
        return
    near = [one for one in near_names(campaign, name) if one in names]
    if near:
        raise UsageError(f"nothing is assigned to {name!r}", f"did you mean {near[0]!r}?")
    assigning = typed(campaign.path, "assign", f"--judges {shlex.quote(','.join([*names, name]))}")
    raise UsageError(
        f"nothing is assigned to {name!r}",
        f"the lead gives {name} a part with: {assigning}",
    )
