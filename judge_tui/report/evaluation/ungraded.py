"""Results that nobody graded, in words, where a difference may come of them alone."""

from __future__ import annotations

from collections.abc import Container, Mapping

from judge_tui.analysis.evaluation import Evaluation, graded
from judge_tui.percent import percent
from judge_tui.scoring import reaches

__all__ = ["ungraded"]

_ENOUGH = 0.8
"""The least share of a system's first results with a grade of which nothing is said."""

_APART = 0.1
"""By how much the shares of two systems may differ with nothing said of it."""


def ungraded(evaluation: Evaluation, k: int, classes: Mapping[str, Container[str]]) -> str:
    """That fewer than 80 % of a system's first `k` results have a grade, or that the shares of two
    differ by more than 10 points: over all queries or, where `classes` have verdicts of their own
    (name -> query ids), in the first class in which it is so. Empty where it is so nowhere; a
    system that found nothing has no share."""
    parts = classes.items() if classes else [("", None)]
    return next(filter(None, (_told(evaluation, k, name, its) for name, its in parts)), "")


def _told(evaluation: Evaluation, k: int, name: str, among: Container[str] | None) -> str:
    counts = ((tag, graded(evaluation, tag, k, among)) for tag in evaluation.tags)
    shares = {tag: known / results for tag, (known, results) in counts if results}
    if not shares:
        return ""
    least, most = min(shares.values()), max(shares.values())
    if reaches(least, _ENOUGH) and reaches(_APART, most - least):
        return ""
    (first, share), *others = shares.items()
    where = f"in class {name!r}, " if name else ""
    told = f"{where}of the first {k} results of {first} {percent(share)} have a grade"
    told += "".join(f", of {tag} {percent(its)}" for tag, its in others)
    return (
        f"{told}: what nobody graded counts as not right, and may be why a system looks worse;"
        " judge it (load the runs into a campaign), or compare what is judged (score --judged-only)"
    )
