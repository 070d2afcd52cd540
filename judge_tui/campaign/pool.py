"""The pool: the (query, document) pairs to be judged. It only ever grows."""

from __future__ import annotations

import shlex
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass

from judge_tui.campaign.chosen_runs import LONGEST
from judge_tui.campaign.documents import document_keys
from judge_tui.campaign.file import Campaign
from judge_tui.campaign.loaded import roomy
from judge_tui.campaign.queries import query_keys
from judge_tui.campaign.runs import kept_rankings
from judge_tui.campaign.typed import typed
from judge_tui.counts import counted
from judge_tui.errors import UsageError
from judge_tui.pooling import AUDIT, STRATEGIES, PooledPair, build_pool

__all__ = [
    "PoolSize",
    "add_pairs",
    "extend_pool",
    "is_part",
    "pair_keys",
    "pool_is_empty",
    "pool_size",
]


OnStep = Callable[[str], None]
"""Called with what is done next, in words."""


def _silent(_what: str) -> None:
    """For those who do not want to hear of it."""


@dataclass(frozen=True, slots=True)
class PoolSize:
    """Pairs in the pool: in all, by stratum, by query, and by run (its own share of the pool)."""

    pairs: int
    by_stratum: dict[str, int]
    by_query: dict[str, int]
    by_run: dict[str, int]


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


def add_pairs(campaign: Campaign, pairs: list[PooledPair]) -> None:
    """Put pairs into the pool; those that are there already stay as they are."""
    with campaign.writing() as connection:
        queries = query_keys(campaign)
        documents = document_keys(connection, (pair.doc_id for pair in pairs))
        connection.executemany(
            "INSERT OR IGNORE INTO pool (query, document, stratum) VALUES (?, ?, ?)",
            ((queries[p.query_id], documents[p.doc_id], p.stratum) for p in pairs),
        )


def pairs_pooled(campaign: Campaign) -> int:
    """How many pairs are in the pool."""
    return int(campaign.rows("SELECT count(*) FROM pool")[0][0])


def pool_is_empty(campaign: Campaign) -> bool:
    """Whether there is nothing to judge yet."""
    return not campaign.rows("SELECT 1 FROM pool LIMIT 1")


def is_part(campaign: Campaign) -> bool:
    """Whether the file is one judge's part of a campaign (`export_bundle`): it has no run of its
    own, and its pairs do not tell why they are in the pool."""
    rows = campaign.rows(
        "SELECT NOT EXISTS (SELECT 1 FROM runs WHERE depth > 0)"
        " AND coalesce((SELECT stratum = '' FROM pool LIMIT 1), 0)"
    )
    return bool(rows[0][0])


def pair_keys(campaign: Campaign) -> dict[tuple[str, str], int]:
    """The integer keys of the pooled pairs by (query_id, doc_id)."""
    # One string for each id, however many pairs it is in.
    queries = dict(campaign.rows("SELECT id, query_id FROM queries"))
    documents = dict(
        campaign.rows("SELECT id, doc_id FROM documents WHERE id IN (SELECT document FROM pool)")
    )
    with campaign.in_words():
        return {
            (queries[query], documents[document]): key
            for key, query, document in campaign.connection.execute(
                "SELECT id, query, document FROM pool ORDER BY id"
            )
        }


def pool_size(campaign: Campaign) -> PoolSize:
    """How large the pool is, by stratum, query and run. Queries without a pair count as 0."""
    by_query = dict(
        campaign.rows(
            "SELECT query_id, count(pool.id) FROM queries"
            " LEFT JOIN pool ON pool.query = queries.id GROUP BY queries.id ORDER BY queries.id"
        )
    )
    by_run = dict(
        campaign.rows(
            "SELECT tag, count(pool.id) FROM runs LEFT JOIN results ON results.run = runs.id"
            " LEFT JOIN pool ON pool.query = results.query AND pool.document = results.document"
            " GROUP BY runs.id ORDER BY runs.id"
        )
    )
    by_stratum = dict(
        campaign.rows("SELECT stratum, count(*) FROM pool GROUP BY stratum ORDER BY stratum")
    )
    return PoolSize(sum(by_stratum.values()), by_stratum, by_query, by_run)


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
