"""How the documents to be judged are chosen, and why a pair is in the pool.

A new strategy takes a function from a `PooledQuery` to its choices, a line in `STRATEGIES` at the
end of this module, its cases in `tests/pooling/test_build_pool.py`, and a row in the table of
`manual/pools.md`. The command line, its help and reports follow.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from math import fsum
from typing import NamedTuple

from judge_tui.errors import check_known


class Choice(NamedTuple):
    """A document that a query gets judged.

    `weight`: what a judgment of it is worth; a budget goes to what weighs most in all queries, and
    evenly to the queries where all weigh the same. `stratum`: why it is in the pool; empty for the
    name of the strategy. `probability`: the chance that it had to be drawn; None for no draw.
    """

    doc_id: str
    weight: float = 0.0
    stratum: str = ""
    probability: float | None = None


class PooledQuery(NamedTuple):
    """What a strategy sees of one query.

    `lists`: doc_ids, one list a run, best first, empty where a run found nothing. The order of the
    runs must not change what is chosen. `pooled`: the doc_ids in the pool. `grades`: doc_id -> the
    final grade; empty unless the strategy `uses_judgments`. `tie`: doc_id -> its place among
    equals, drawn from the seed.
    """

    lists: Sequence[Sequence[str]]
    pooled: AbstractSet[str]
    grades: Mapping[str, int]
    tie: Callable[[str], bytes]


class Strategy(NamedTuple):
    """`choose` returns all that a query may get judged, best first.

    The caller takes as many as are wanted, and leaves out what is pooled. `summary` says what the
    strategy takes, `why` where a pair of it stood. `uses_judgments`: whether the next round depends
    on the grades of now. Lists are cut at the depth of the pool, unless it sees `whole_lists`: then
    the depth is how many each query gets, unless there is a budget.
    """

    choose: Callable[[PooledQuery], list[Choice]]
    summary: str
    why: str
    uses_judgments: bool = False
    whole_lists: bool = False


def depth(query: PooledQuery) -> list[Choice]:
    """Choose by the best rank in any run, then by the number of runs that hold the document.

    Sparck Jones & van Rijsbergen (1975), Report on the need for and provision of an "ideal"
    information retrieval test collection; TREC's pools since 1992.
    """
    best: dict[str, int] = {}
    runs: dict[str, int] = {}
    for doc_ids in query.lists:
        for rank, doc_id in enumerate(doc_ids, 1):
            best[doc_id] = min(rank, best.get(doc_id, rank))
            runs[doc_id] = runs.get(doc_id, 0) + 1
    order = sorted(best, key=lambda doc_id: (best[doc_id], -runs[doc_id], query.tie(doc_id)))
    return [Choice(doc_id) for doc_id in order]


K = 60
"""The constant of reciprocal rank fusion."""


def rrf(query: PooledQuery) -> list[Choice]:
    """Choose by reciprocal rank fusion, the sum of 1 / (60 + rank) over the runs.

    Cormack, Clarke & Buettcher (2009), SIGIR, 758-759.
    """
    shares: dict[str, list[float]] = {}
    for doc_ids in query.lists:
        for rank, doc_id in enumerate(doc_ids, 1):
            shares.setdefault(doc_id, []).append(1 / (K + rank))
    # fsum is exact whatever the order: equal ranks in other runs are a tie, not a last digit.
    fused = {doc_id: fsum(parts) for doc_id, parts in shares.items()}
    order = sorted(fused, key=lambda doc_id: (-fused[doc_id], query.tie(doc_id)))
    return [Choice(doc_id) for doc_id in order]


STRATEGIES: dict[str, Strategy] = {
    "depth": Strategy(depth, "the top --depth of every run", "at the top of a system"),
    "rrf": Strategy(
        rrf,
        "the top of the runs' reciprocal rank fusion",
        "at the top of all systems fused",
        whole_lists=True,
    ),
}
"""By name, which is also the stratum of a pair."""


def strategy_named(name: str) -> Strategy:
    """Return one of `STRATEGIES`. Raises `UsageError` where there is none of that name."""
    check_known("pooling strategy", name, STRATEGIES)
    return STRATEGIES[name]


AUDIT = "audit"
GOLD = "gold"
LOADED = "loaded"
MERGED = "merged"
FROM_RESULTS = "results"

STRATA = {
    AUDIT: "drawn at random from what the pool leaves out",
    GOLD: "of known grade, to check the judges",
    LOADED: "from a file of grades",
    MERGED: "from what somebody judged elsewhere",
    FROM_RESULTS: "sent by somebody who looked at the results",
}
"""Why a pair is in the pool, as reports say it."""

assert STRATA.keys().isdisjoint(STRATEGIES), "a strategy has the name of another stratum"  # noqa: S101
STRATA |= {name: one.why for name, one in STRATEGIES.items()}
