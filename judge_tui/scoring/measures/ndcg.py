"""nDCG: how much of the gain that could be had was had, early ranks counting more."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from math import log2
from typing import cast

from judge_tui.errors import UsageError
from judge_tui.scoring.known import Known
from judge_tui.scoring.measure import Definition, Measure, Parameter
from judge_tui.scoring.numbers import GRADED, Gains
from judge_tui.scoring.parameters import GAINS
from judge_tui.scoring.seen import Seen

__all__ = ["NDCG", "gain_of"]


def _ndcg(seen: Seen, measure: Measure) -> float:
    """Jarvelin and Kekalainen, TOIS 20(4), 2002, with the discount log2(rank + 1).

    The gain is the grade, as in trec_eval (`ndcg`, `ndcg_cut`); with dcg='exp-log2' it is
    2^grade - 1 (Burges et al., ICML 2005), as in ir_measures, ranx and scikit-learn's examples.
    `gains` put other numbers in place of grades, 0 and less among them (trec_eval `ndcg.1=3.5`).
    The ideal list is made of all judged documents of the query that gain anything, retrieved or
    not, cut at the same rank. A query without one scores 0, as in trec_eval.

    trec_eval sorts given gains by their difference as a whole number, and so has a wrong ideal
    where two of them are less than 1 apart; here, they are sorted as the numbers they are.
    """
    ideal = seen.known.memo.get(measure.name)
    if ideal is None:
        ideal = seen.known.memo[measure.name] = _ideal(seen.known, measure)
    if not ideal or not seen.ranks:
        return 0.0
    return _dcg(seen.ranks, seen.grades, measure.depth, gain_of(measure)) / ideal


def gain_of(measure: Measure) -> Callable[[int], float]:
    """What a document of a grade gains by this nDCG."""
    exponential = measure.parameter("dcg") == "exp-log2"
    gains = measure.parameter("gains")
    if gains is GRADED:
        return _exponential if exponential else float
    of = cast(Gains, gains).of
    return (lambda grade: _exponential(of(grade))) if exponential else of


def _ideal(known: Known, measure: Measure) -> float:
    gain = gain_of(measure)
    grades: Sequence[int] = known.grades
    if measure.parameter("gains") is not GRADED:
        grades = sorted((g for g in grades if gain(g) > 0), key=gain, reverse=True)
    grades = grades[: measure.cutoff]
    return _dcg(range(1, len(grades) + 1), grades, measure.depth, gain)


def _dcg(
    ranks: Sequence[int], grades: Sequence[int], depth: int, gain: Callable[[int], float]
) -> float:
    total = 0.0
    for rank, grade in zip(ranks, grades, strict=True):
        if rank > depth:
            break
        gained = gain(grade)
        if gained:
            total += gained / log2(rank + 1)
    return total


def _exponential(grade: float) -> float:
    if grade > 1000:
        raise UsageError(
            f"grade {grade} is too great for dcg='exp-log2'", "use nDCG with its linear gain"
        )
    return math.pow(2.0, grade) - 1


def _discounting(text: str) -> str:
    if text not in ("log2", "exp-log2"):
        raise ValueError(text)
    return text


NDCG = Definition(
    name="nDCG",
    aliases=("NDCG",),
    summary="normalised discounted cumulative gain",
    value=_ndcg,
    cutoff="optional",
    parameters=(Parameter("dcg", "log2", _discounting, "'log2' or 'exp-log2'"), GAINS),
    credited="truths",
    lowered_by_missed=True,
)
