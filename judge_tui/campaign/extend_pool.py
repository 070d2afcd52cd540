"""Choosing the pairs to be judged, while others judge."""

from __future__ import annotations

import shlex
import sqlite3
from collections.abc import Callable

from judge_tui.campaign.store.backend import roomy
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.pool import pair_keys
from judge_tui.campaign.store.queries import query_keys
from judge_tui.campaign.store.runs import LONGEST, kept_rankings
from judge_tui.campaign.typed import typed
from judge_tui.counts import counted
from judge_tui.errors import UsageError
from judge_tui.pooling import AUDIT, STRATEGIES, PooledPair, build_pool

__all__ = ["extend_pool"]


OnStep = Callable[[str], None]
"""Called with what is done next, in words."""


def _silent(_what: str) -> None:
    """For those who do not want to hear of it."""


def extend_pool(
    campaign: Campaign,
    *,
    strategy: str = "depth",
    depth: int = 10,
    budget: int | None = None,
    audit: int = 0,
    on_step: OnStep = _silent,
) -> int:
    """Add what the strategy asks for and is not there yet; returns the number of new pairs.

    Others can write while the pairs are chosen, and wait while they are written.

    `audit` is how many audit pairs the pool shall hold in all, so that the same command twice adds
    nothing the second time.

    Raises `UsageError` for an unknown strategy, numbers that make no sense, no runs, or a depth
    greater than what was kept of a run.
    """
    while True:
        on_step("choosing the pairs")
        # Judges go on working while this is made up, and wait only for the pairs to be written.
        with campaign.reading():
            state = _state(campaign)
            pairs = _new_pairs(campaign, strategy, depth, budget, audit)
        with campaign.writing() as connection:
            # What the pairs were made of may have changed meanwhile: then again.
            if _state(campaign) == state:
                on_step(f"writing {counted(len(pairs), 'pair')}")
                _insert(campaign, connection, pairs)
                return len(pairs)


def _new_pairs(
    campaign: Campaign, strategy: str, depth: int, budget: int | None, audit: int
) -> list[PooledPair]:
    if not campaign.rows("SELECT 1 FROM runs LIMIT 1"):
        raise UsageError(
            "the campaign has no runs yet", f"first: {typed(campaign.path, 'load run', 'FILE...')}"
        )
    _refuse_deeper(campaign, depth)
    audited = campaign.rows("SELECT count(*) FROM pool WHERE stratum = ?", (AUDIT,))[0][0]
    known = STRATEGIES.get(strategy)
    only_tops = known is not None and not known.whole_lists and not audit
    return build_pool(
        kept_rankings(campaign, depth if only_tops else None),
        strategy=strategy,
        depth=depth,
        budget=budget,
        audit=max(0, audit - audited) if audit > 0 else audit,
        seed=campaign.settings.seed,
        present=pair_keys(campaign).keys(),
    )


def _state(campaign: Campaign) -> tuple[object, ...]:
    """What tells one pool, and one set of runs, from another."""
    # Not the keys of runs: SQLite gives that of a run that was replaced to the next one.
    rows = campaign.rows("SELECT tag, sha256, depth FROM runs ORDER BY tag")
    return (rows, campaign.rows("SELECT count(*), max(id) FROM pool"))


def _insert(campaign: Campaign, connection: sqlite3.Connection, pairs: list[PooledPair]) -> None:
    """Put pairs of documents that runs retrieved into the pool."""
    queries = query_keys(campaign)
    documents = dict(
        campaign.rows("SELECT doc_id, id FROM documents WHERE id IN (SELECT document FROM results)")
    )
    with roomy(connection):
        connection.executemany(
            "INSERT INTO pool (query, document, stratum) VALUES (?, ?, ?)",
            ((queries[p.query_id], documents[p.doc_id], p.stratum) for p in pairs),
        )


def _refuse_deeper(campaign: Campaign, depth: int) -> None:
    shallow = campaign.rows(
        f"SELECT tag, depth FROM runs WHERE depth < min(?, {LONGEST}) ORDER BY depth, id",  # noqa: S608
        (depth,),
    )
    for tag, kept in shallow[:1]:
        raise UsageError(
            f"--depth {depth} goes deeper than the {counted(kept, 'result')} kept of run {tag!r}",
            "load that run again with: "
            + typed(campaign.path, "load run", f"FILE --tag {shlex.quote(tag)} --depth {depth}"),
        )
