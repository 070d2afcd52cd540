"""Results that nobody graded, in words, where a difference may come of them alone."""

from __future__ import annotations

from judge_tui.analysis.evaluation import TOP, Evaluation, graded
from judge_tui.percent import percent
from judge_tui.scoring import reaches

__all__ = ["ungraded"]

_ENOUGH = 0.8
"""The least share of a system's first results with a grade of which nothing is said."""

_APART = 0.1
"""By how much the shares of two systems may differ with nothing said of it."""


def ungraded(evaluation: Evaluation) -> str:
    """That fewer than 80 % of a system's first results have a grade, or that the shares of two
    differ by more than 10 points; empty where neither is so. A system that found nothing has no
    share."""
    shares = {
        tag: known / results
        for tag in evaluation.tags
        if (counts := graded(evaluation, tag))[1]
        for known, results in [counts]
    }
    if not shares:
        return ""
    least, most = min(shares.values()), max(shares.values())
    if reaches(least, _ENOUGH) and reaches(_APART, most - least):
        return ""
    (first, share), *others = shares.items()
    told = f"of the first {TOP} results of {first} {percent(share)} have a grade"
    told += "".join(f", of {tag} {percent(its)}" for tag, its in others)
    return (
        f"{told}: what nobody graded counts as not right, and may be why a system looks worse;"
        " judge it (load the runs into a campaign), or compare what is judged (score --judged-only)"
    )
