"""One list of one query in the light of its grades."""

from collections.abc import Mapping

import numpy as np

from judge_tui.scoring import JudgedLists, JudgedQueries, Measure
from judge_tui.scoring.judged_lists import look_up


def list_of(grades: Mapping[str, int], scores: Mapping[str, float]) -> JudgedLists:
    """`grades`: doc_id -> grade, at least one; `scores`: doc_id -> score."""
    known = JudgedQueries.of({"q": grades})
    if not scores:
        return JudgedLists.without_results(np.array([0]), known)
    return look_up(known, {"q": grades}, {"q": scores})


def value_of(measure: Measure, grades: Mapping[str, int], scores: Mapping[str, float]) -> float:
    """The measure of that list."""
    [value] = measure.value(list_of(grades, scores)).tolist()
    return float(value)
