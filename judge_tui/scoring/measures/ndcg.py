"""nDCG: how much of the gain that could be had was had, early ranks counting more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log2

from judge_tui.errors import UsageError
from judge_tui.scoring.measure import Definition, Measure, Parameter
from judge_tui.scoring.seen import Seen

__all__ = ["NDCG"]


def _ndcg(seen: Seen, measure: Measure) -> float:
    """Jarvelin and Kekalainen, TOIS 20(4), 2002, with the discount log2(rank + 1).

    The gain is the grade, as in trec_eval (`ndcg`, `ndcg_cut`); with dcg='exp-log2' it is
    2^grade - 1 (Burges et al., ICML 2005), as in ir_measures, ranx and scikit-learn's examples.
    The ideal list is made of all judged documents of the query, retrieved or not, cut at the same
    rank. A query without a relevant document scores 0, as in trec_eval.
    """
    gain = _exponential if measure.parameter("dcg") == "exp-log2" else float
    ideal = seen.known.memo.get(measure.name)
    if ideal is None:
        grades = seen.known.grades[: measure.cutoff]
        ideal = _dcg(range(1, len(grades) + 1), grades, measure.depth, gain)
        seen.known.memo[measure.name] = ideal
    return _dcg(seen.ranks, seen.grades, measure.depth, gain) / ideal if ideal else 0.0


def _dcg(
    ranks: Sequence[int], grades: Sequence[int], depth: int, gain: Callable[[int], float]
) -> float:
    total = 0.0
    for rank, grade in zip(ranks, grades, strict=True):
        if rank > depth:
            break
        if grade:
            total += gain(grade) / log2(rank + 1)
    return total


def _exponential(grade: int) -> float:
    if grade > 1000:
        raise UsageError(
            f"grade {grade} is too great for dcg='exp-log2'", "use nDCG with its linear gain"
        )
    return 2.0**grade - 1


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
    parameters=(Parameter("dcg", "log2", _discounting, "'log2' or 'exp-log2'"),),
)
