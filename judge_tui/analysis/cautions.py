"""What a reader of results must know before believing them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from judge_tui.analysis.asked import Basis
from judge_tui.analysis.query_counts import query_counts
from judge_tui.analysis.standing import Standing
from judge_tui.percent import percent
from judge_tui.scoring.at_once import UNJUDGED
from judge_tui.significance.cautions import FEW_QUERIES

__all__ = ["cautions"]


def cautions(standing: Standing, basis: Basis) -> tuple[str, ...]:
    """One sentence each on few queries to compare by, queries that runs miss, unjudged documents in
    the top k, and pairs without a final grade."""
    return (
        *_few(standing, basis.baseline),
        *_missing(standing),
        *_unjudged(standing, basis.asked.k),
        *_unresolved(basis),
    )


def _few(standing: Standing, baseline: str) -> Iterator[str]:
    counts = query_counts(standing, baseline)
    least, most = counts.beneath
    if least < FEW_QUERIES:
        rests = "the means are" if counts.common is None else f"runs are compared with {baseline!r}"
        count = f"{least:,}" if least == most else f"{least:,} to {most:,}"
        yield (
            f"{rests} over {count} {'query' if most == 1 else 'queries'}: with fewer than"
            f" {FEW_QUERIES}, only a large difference can be shown"
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
            f"({percent(float(share[most]), 1)}); they count as not relevant"
        )


def _unresolved(basis: Basis) -> Iterator[str]:
    if basis.unresolved:
        pairs = "pair was" if basis.unresolved == 1 else "pairs were"
        yield (
            f"{basis.unresolved:,} {pairs} judged and not decided by policy "
            f"{basis.asked.policy!r}: they count as unjudged until the lead settles them"
        )
