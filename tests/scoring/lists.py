"""Every measure of the registry, and one list of one query in the light of its grades."""

from collections.abc import Mapping, Sequence

import numpy as np

from judge_tui.scoring import MEASURES, JudgedLists, JudgedQueries, Measure, parse_measure
from tests.scored import judged_lists


def every_measure(*cutoffs: int) -> list[Measure]:
    """All that look at grades: with each of these cutoffs where they take one, and without where
    they need none."""
    names = []
    for name, definition in MEASURES.items():
        if definition.at is not None:
            names.append(f"{name}@{definition.at.default}")
        elif not definition.of_order:
            names += [name] if definition.cutoff != "required" else []
            names += [f"{name}@{at}" for at in cutoffs if definition.cutoff != "none"]
    return [parse_measure(name) for name in names]


def list_of(grades: Mapping[str, int], scores: Mapping[str, float]) -> JudgedLists:
    """`grades`: doc_id -> grade, at least one; `scores`: doc_id -> score."""
    known = JudgedQueries.of({"q": grades})
    if not scores:
        return JudgedLists.without_results(np.array([0]), known)
    return judged_lists(known, {"q": grades}, {"q": scores})


def values_of(
    measure: Measure, gradings: Sequence[Mapping[str, int]], scores: Mapping[str, float]
) -> list[float]:
    """The measure of that list under each of the gradings."""
    names = [f"{place:06}" for place in range(len(gradings))]
    qrels = dict(zip(names, gradings, strict=True))
    known = JudgedQueries.of(qrels)
    if not scores:
        lists = JudgedLists.without_results(np.arange(len(names)), known)
    else:
        lists = judged_lists(known, qrels, dict.fromkeys(names, scores))
    values: list[float] = measure.value(lists).tolist()
    return values


def value_of(measure: Measure, grades: Mapping[str, int], scores: Mapping[str, float]) -> float:
    """The measure of that list."""
    [value] = measure.value(list_of(grades, scores)).tolist()
    return float(value)
