"""What a reader of results must know before believing them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from judge_tui.analysis.asked import Basis
from judge_tui.analysis.standing import Standing
from judge_tui.scoring.at_once import UNJUDGED

__all__ = ["FEW_QUERIES", "cautions"]

FEW_QUERIES = 30
"""Fewer than this many judged queries: a warning."""


def cautions(standing: Standing, basis: Basis) -> tuple[str, ...]:
    """One sentence each on few queries, queries that runs miss, unjudged documents in the top k,
    and pairs without a final grade."""
    return (
        *_few(standing),
        *_missing(standing),
        *_unjudged(standing, basis.asked.k),
        *_unresolved(basis),
    )


def _few(standing: Standing) -> Iterator[str]:
    judged = int((standing.known.sum(axis=1) > 0).sum())
    if judged < FEW_QUERIES:
        has = "query has" if judged == 1 else "queries have"
        yield (
            f"{judged} {has} grades, fewer than {FEW_QUERIES}: only a large difference can be shown"
        )


def _missing(standing: Standing) -> Iterator[str]:
    judged = standing.known.sum(axis=1) > 0
    missing = (judged & ~standing.rankings.answered).sum(axis=1)
    if missing.any():
        most = int(missing.argmax())
        yield (
            f"runs without results for some of the {int(judged.sum())} judged queries: "
            f"{int((missing > 0).sum())}; most are missing from run "
            f"{standing.rankings.tags[most]!r}, {int(missing[most])}; its means are without them"
        )


def _unjudged(standing: Standing, k: int) -> Iterator[str]:
    top = standing.seen[:, :, :k]
    mine = standing.scored[:, :, None]
    results = ((top >= UNJUDGED) & mine).sum(axis=(1, 2))
    unjudged = ((top == UNJUDGED) & mine).sum(axis=(1, 2))
    if unjudged.any():
        share = unjudged / np.maximum(results, 1)
        most = int(share.argmax())
        yield (
            f"unjudged among the first {k} results: {int(unjudged.sum()):,} of "
            f"{int(results.sum()):,}, most in run {standing.rankings.tags[most]!r} "
            f"({_percent(float(share[most]))}); they count as not relevant"
        )


def _unresolved(basis: Basis) -> Iterator[str]:
    if basis.unresolved:
        pairs = "pair was" if basis.unresolved == 1 else "pairs were"
        yield (
            f"{basis.unresolved:,} {pairs} judged and not decided by policy "
            f"{basis.asked.policy!r}: they count as unjudged until the lead settles them"
        )


def _percent(share: float) -> str:
    # What is there is never told as 0.
    return "less than 0.1 %" if share < 0.001 else f"{100 * share:.1f} %"
