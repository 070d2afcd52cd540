"""How the documents to be judged are chosen, and why a pair is in the pool.

A new strategy takes a function to its choices, in a module of its own unless it is as short as
those here; a line in `STRATEGIES`; its cases in `tests/pooling/`; and a row in the table of
`manual/pools.md`. The command line, its help and reports follow.
"""

from __future__ import annotations

from collections.abc import Sequence

from judge_tui.errors import check_known
from judge_tui.pooling.mm import mm
from judge_tui.pooling.mtf import mtf
from judge_tui.pooling.strategy import Aim, Choice, PooledQuery, Strategy, query_by_query


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


def rrf(queries: Sequence[PooledQuery], _aim: Aim | None) -> list[list[Choice]]:
    """Choose by reciprocal rank fusion, the sum of 1 / (60 + rank) over the runs.

    Cormack, Clarke & Buettcher (2009), SIGIR, 758-759.
    """
    # Other rounds go without NumPy.
    from judge_tui.pooling.retrieved import RetrievedPairs  # noqa: PLC0415

    pairs, retrieved = RetrievedPairs.of_queries(queries)
    fused = iter(pairs.fused.tolist())
    chosen = []
    for query, doc_ids in zip(queries, retrieved, strict=True):
        score = {doc_id: next(fused) for doc_id in doc_ids}
        order = sorted(doc_ids, key=lambda one: (-score[one], query.tie(one)))
        chosen.append([Choice(doc_id) for doc_id in order])
    return chosen


def settle(queries: Sequence[PooledQuery], aim: Aim | None) -> list[list[Choice]]:
    """Choose by `pooling.settle`, which needs an aim."""
    from judge_tui.pooling.settle import settle  # noqa: PLC0415 - as `rrf`

    assert aim is not None, "settle has an aim"  # noqa: S101
    return settle(queries, aim)


STRATEGIES: dict[str, Strategy] = {
    "depth": Strategy(
        query_by_query(depth), "the top --depth of every run", "at the top of a system"
    ),
    "rrf": Strategy(
        rrf,
        "the top of the runs' reciprocal rank fusion",
        "at the top of all systems fused",
        whole_lists=True,
    ),
    "mtf": Strategy(
        query_by_query(mtf),
        "the next of runs that just gave relevant documents",
        "next in a system that had just found relevant documents",
        uses_judgments=True,
    ),
    "mm": Strategy(
        query_by_query(mm),
        "the next of the run that most likely gives a relevant document",
        "next in the system that most likely finds a relevant document",
        uses_judgments=True,
    ),
    "settle": Strategy(
        settle,
        "what weighs most in the differences of the runs and is least certain",
        "where systems differ most and its grade is least certain",
        uses_judgments=True,
        has_aim=True,
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
    AUDIT: "drawn at random from what nobody chose",
    GOLD: "of known grade, to check the judges",
    LOADED: "from a file of grades",
    MERGED: "from what somebody judged elsewhere",
    FROM_RESULTS: "sent by somebody who looked at the results",
}
"""Why a pair is in the pool, as reports say it."""

assert STRATA.keys().isdisjoint(STRATEGIES), "a strategy has the name of another stratum"  # noqa: S101
STRATA |= {name: one.why for name, one in STRATEGIES.items()}
