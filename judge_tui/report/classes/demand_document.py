"""What queries demand, for programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
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


def demand_rows(
    found: Demanded, tag: str, subset_of: Mapping[str, str]
) -> Iterator[tuple[str, str, float | None, str, int]]:
    """Of a system (query_id, demand, 0 or 1, class, 1), and last of each class the share under an
    empty query_id, with the number of queries, and so every other number that the document has of
    the system there, as `demand.key`."""
    for one in found.classes:
        for query_id, its in one.found[tag].items():
            yield query_id, one.demand, float(its.held), one.name, 1
        yield "", one.demand, one.share(tag), one.name, len(one.query_ids)
        for path, value in _numbers(_system(one, tag, subsets_of(one.query_ids, subset_of))):
            if path != "share":
                yield "", f"{one.demand}.{path}", value, one.name, len(one.query_ids)


def _numbers(told: Mapping[str, Any], within: str = "") -> Iterator[tuple[str, float | None]]:
    """The numbers of a document under their keys, parted by dots; undefined ones are None. What
    stands in a list goes by its first value, which is a name."""
    for key, value in told.items():
        if isinstance(value, Mapping):
            yield from _numbers(value, f"{within}{key}.")
        elif isinstance(value, list):
            for entry in value:
                yield from _numbers(entry, f"{within}{key}.{next(iter(entry.values()))}.")
        elif not isinstance(value, str):
            yield f"{within}{key}", value


def _class(one: ClassDemand, subset_of: Mapping[str, str], *, per_query: bool) -> dict[str, Any]:
    view = DEMAND_VIEWS[one.demand]
    subsets = subsets_of(one.query_ids, subset_of)
    document: dict[str, Any] = {
        "class": one.name or None,
        "queries": len(one.query_ids),
        "subsets": {name: len(its) for name, its in subsets.items()},
        "systems": {tag: _system(one, tag, subsets) for tag in one.tags},
        "comparisons": [_beside(arm) for arm in one.beside],
    }
    if per_query:
        document["per_query"] = {
            query_id: {tag: view.of_query(one.found[tag][query_id]) for tag in one.tags}
            for query_id in one.query_ids
        }
    return document


def _system(one: ClassDemand, tag: str, subsets: Mapping[str, Set[str]]) -> dict[str, Any]:
    return {
        "share": one.share(tag),
        "subsets": {name: one.share(tag, its) for name, its in subsets.items()},
        **DEMAND_VIEWS[one.demand].of_system(one, tag),
    }


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
        **({"why": dict(arm.why)} if arm.why else {}),
    }
