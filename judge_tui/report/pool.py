"""The pool's size as a report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge_tui.counts import counted
from judge_tui.report.grids import Column, Grid, Report, plain

if TYPE_CHECKING:
    from judge_tui.campaign.store.pool import PoolSize

__all__ = ["pool_report"]


def pool_report(size: PoolSize, added: int, budget: int | None) -> Report:
    """`size` of the whole pool, and how many pairs the command `added`, as its latest round, with
    that `budget`."""
    before = size.pairs - added
    latest = max(size.by_round, default=0)
    by_round = {str(number): count for number, count in size.by_round.items()}
    parts = (
        ("stratum", size.by_stratum),
        ("round", by_round),
        ("run", size.by_run),
        ("query", size.by_query),
    )
    return Report(
        document={
            "schema_version": 1,
            "pairs": size.pairs,
            "added": added,
            "round": latest,
            "by_stratum": size.by_stratum,
            "by_round": by_round,
            "by_run": size.by_run,
            "by_query": size.by_query,
        },
        header=("of", "name", "pairs"),
        rows=[
            ("all", "", size.pairs),
            *((part, name, count) for part, counts in parts for name, count in counts.items()),
        ],
        grids=[
            Grid(
                "",
                (Column("pairs in the pool"), Column("new"), Column("round")),
                [(size.pairs, added, latest)],
            ),
            *(
                Grid(
                    "",
                    (Column(part, plain, right=False), Column("pairs in the pool")),
                    list(counts.items()),
                )
                for part, counts in parts
            ),
        ],
        warnings=[f"the pool holds {counted(before, 'pair')} already; a larger --budget adds"]
        if budget is not None and before >= budget
        else [],
    )
