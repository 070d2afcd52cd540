"""ERR: the expected reciprocal rank at which a reader is satisfied."""

from __future__ import annotations

from judge_tui.errors import UsageError
from judge_tui.scoring.measure import Definition, Measure, Parameter
from judge_tui.scoring.seen import Seen

__all__ = ["ERR"]


def _expected_reciprocal_rank(seen: Seen, measure: Measure) -> float:
    """Chapelle et al., CIKM 2009: a document of grade g satisfies with (2^g - 1) / 2^max_rel.

    As in gdeval.pl of TREC, which ir_measures runs, whose greatest grade is 4 and whose values
    are rounded to five decimals. Two things differ from it, and are right here: a query whose
    documents all have grade 0 scores 0 (gdeval leaves it out of the average), and any text may be
    a query id. Raises `UsageError` where the qrels hold a grade above `max_rel`.
    """
    greatest = int(measure.number("max_rel"))
    if seen.known.grades and seen.known.grades[0] > greatest:
        raise UsageError(
            f"the qrels hold grade {seen.known.grades[0]}, above the greatest that "
            f"{measure} knows, {greatest}",
            f"name the greatest grade of the scale: ERR(max_rel={seen.known.grades[0]})",
        )
    whole = 2.0**greatest
    score, still_reading = 0.0, 1.0
    for rank, grade in zip(seen.ranks, seen.grades, strict=True):
        if rank > measure.depth:
            break
        satisfied = (2.0**grade - 1) / whole
        score += satisfied * still_reading / rank
        still_reading *= 1 - satisfied
    return score


def _greatest_grade(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 4 and 1 <= int(text) <= 1000):
        raise ValueError(text)
    return int(text)


ERR = Definition(
    name="ERR",
    summary="expected reciprocal rank; max_rel is the greatest grade of the scale",
    value=_expected_reciprocal_rank,
    cutoff="optional",
    parameters=(Parameter("max_rel", 4, _greatest_grade, "a whole number from 1 to 1000"),),
)
