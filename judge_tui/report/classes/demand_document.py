"""What queries demand, for programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from judge_tui.analysis.class_means import subsets_of
from judge_tui.analysis.demands import ClassDemand, Demanded
from judge_tui.report.classes.view import document_of_test
from judge_tui.report.classes.views import DEMAND_VIEWS
from judge_tui.scoring.class_terms import DEMANDS
from judge_tui.significance.arms import ArmComparison

__all__ = ["demand_document", "demand_rows"]


def demand_document(
    found: Demanded, subset_of: Mapping[str, str], *, per_query: bool = True
) -> dict[str, Any]:
    """Each demand: a list of classes, with systems, comparisons and, where that is asked for, every
    query. What is undefined is None, with the reason under `why`."""
    return {
        demand: [_class(one, subset_of, per_query=per_query) for one in found.of(demand)]
        for demand in DEMANDS
    }


def demand_rows(found: Demanded, tag: str) -> Iterator[tuple[str, str, float | None, str, int]]:
    """Of a system (query_id, demand, 0 or 1, class, 1), and last of each class the share under an
    empty query_id, with the number of queries."""
    for one in found.classes:
        for query_id, its in one.found[tag].items():
            yield query_id, one.demand, float(its.held), one.name, 1
        yield "", one.demand, one.share(tag), one.name, len(one.query_ids)


def _class(one: ClassDemand, subset_of: Mapping[str, str], *, per_query: bool) -> dict[str, Any]:
    view = DEMAND_VIEWS[one.demand]
    subsets = subsets_of(one.query_ids, subset_of)
    document: dict[str, Any] = {
        "class": one.name or None,
        "queries": len(one.query_ids),
        "subsets": {name: len(its) for name, its in subsets.items()},
        "systems": {
            tag: {
                "share": one.share(tag),
                "subsets": {name: one.share(tag, its) for name, its in subsets.items()},
                **view.of_system(one, tag),
            }
            for tag in one.tags
        },
        "comparisons": [_beside(arm) for arm in one.beside],
    }
    if per_query:
        document["per_query"] = {
            query_id: {tag: view.of_query(one.found[tag][query_id]) for tag in one.tags}
            for query_id in one.query_ids
        }
    return document


def _beside(arm: ArmComparison) -> dict[str, Any]:
    return {
        "baseline": arm.baseline,
        "tag": arm.arm,
        "queries": arm.tasks,
        "baseline_holds": arm.before,
        "holds": arm.after,
        "delta": arm.delta,
        "ci95": None if arm.ci95 is None else list(arm.ci95),
        "gained": list(arm.gained),
        "lost": list(arm.lost),
        "tests": {"mcnemar": document_of_test(arm.test, arm.p_adjusted)},
        "verdict": str(arm.verdict),
    }
