"""What a score is taken over: which queries, and which part of each list."""

from __future__ import annotations

from typing import NamedTuple

from judge_tui.errors import UsageError

__all__ = ["Rules", "refuse_bounds"]


class Rules(NamedTuple):
    """The settings that change every value of a run.

    `complete` (trec_eval -c): all queries of the qrels are averaged, and one that the run does not
    answer scores 0 (`Measure.missing`: it still counts in NumQ and NumRel). `depth` (trec_eval -M):
    only so many results of each query are looked at. `judged_only` (trec_eval -J): what nobody
    judged is then taken out of the lists. `ignore_self`: before all that, a result whose doc_id is
    the query's own id is left out, as BEIR does (its queries are documents in ArguAna and Quora).
    """

    complete: bool = False
    judged_only: bool = False
    depth: int | None = None
    ignore_self: bool = False


def refuse_bounds(rules: Rules) -> None:
    """Raise `UsageError` where there is nothing for bounds to be about."""
    if rules.judged_only:
        raise UsageError(
            "bounds are about unjudged documents, and judged-only takes them out of the lists",
            "give one of the two",
        )
