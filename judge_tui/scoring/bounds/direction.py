"""Bounds of measures that every grade moves one way, wherever the other documents stand."""

from __future__ import annotations

from judge_tui.errors import UsageError
from judge_tui.scoring.bounds.unjudged import Grading, Unjudged
from judge_tui.scoring.measure import Measure

__all__ = ["one_way", "one_way_each_side", "one_way_up_to_the_greatest"]


def one_way(unjudged: Unjudged, measure: Measure) -> tuple[Grading, Grading]:  # noqa: ARG001
    """All least and all greatest: measures that each grade moves in one direction, if at all.

    P, Success, RR, RBP, SetP and the counts: one more relevant document only adds. SetR = r/R: one
    that was retrieved adds 1 to both, and r <= R; so it does to SetRelP = r/min(n, R), to SetAP,
    and to SetF, which is (beta + 1) r / (beta R + n). Utility changes by a fixed amount with each,
    up or down: which grading is the least shows when both have been scored.
    """
    return unjudged.all(unjudged.least), unjudged.all(unjudged.greatest)


def one_way_up_to_the_greatest(unjudged: Unjudged, measure: Measure) -> tuple[Grading, Grading]:
    """ERR (Chapelle et al., CIKM 2009), which rises with each grade.

    Let the document at rank r satisfy with probability q, and those behind it add s to a reader
    whom it did not satisfy. Given that this reader came to rank r, they add q/r + (1 - q)s. What
    is found behind is found once, at rank r + 1 or later; so s <= 1/(r + 1) < 1/r, and the sum
    rises with q. Raises `UsageError` where a grade is above `max_rel`.
    """
    if unjudged.greatest > measure.number("max_rel"):
        raise UsageError(
            f"an unjudged document may have grade {unjudged.greatest}, above the greatest that "
            f"{measure} knows, {measure.parameter('max_rel')}",
            f"name the greatest grade of the scale: ERR(max_rel={unjudged.greatest})",
        )
    return one_way(unjudged, measure)


def one_way_each_side(unjudged: Unjudged, measure: Measure) -> tuple[Grading, Grading]:
    """Measures that rise with grades within the cutoff and fall with grades beyond it.

    R@k = r/R: one more relevant document within the cutoff adds 1 to both, and r <= R; one beyond
    it adds to R alone. So with RelP = r/min(k, R).
    """
    within = unjudged.within(measure.depth)
    beyond = unjudged.count - within
    least, greatest = unjudged.least, unjudged.greatest
    return [least] * within + [greatest] * beyond, [greatest] * within + [least] * beyond
