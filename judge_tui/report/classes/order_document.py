"""What queries demand of the order of results, for programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from judge_tui.analysis.class_means import subsets_of
from judge_tui.analysis.demands import ClassDemand, Demanded
from judge_tui.scoring.class_terms import DEMANDS
from judge_tui.scoring.demands import Found
from judge_tui.scoring.prefer import Fate, Hit, Preferred
from judge_tui.significance import TestResult
from judge_tui.significance.arms import ArmComparison

__all__ = ["order_document", "order_rows"]


def order_document(
    found: Demanded, subset_of: Mapping[str, str], *, per_query: bool = True
) -> dict[str, Any]:
    """`prefer` and `authority`: a list of classes each, with systems, comparisons and, where that
    is asked for, every query. What is undefined is None, with the reason under `why`."""
    return {
        demand: [_class(one, subset_of, per_query=per_query) for one in found.of(demand)]
        for demand in DEMANDS
    }


def order_rows(found: Demanded, tag: str) -> Iterator[tuple[str, str, float | None, str, int]]:
    """Of a system (query_id, demand, 0 or 1, class, 1), and last of each class the share under an
    empty query_id, with the number of queries."""
    for one in found.classes:
        for query_id, its in one.found[tag].items():
            yield query_id, one.demand, float(its.held), one.name, 1
        yield "", one.demand, one.share(tag), one.name, len(one.query_ids)


def _class(one: ClassDemand, subset_of: Mapping[str, str], *, per_query: bool) -> dict[str, Any]:
    subsets = subsets_of(one.query_ids, subset_of)
    document: dict[str, Any] = {
        "class": one.name or None,
        "queries": len(one.query_ids),
        "subsets": {name: len(its) for name, its in subsets.items()},
        "systems": {
            tag: {
                "share": one.share(tag),
                "subsets": {name: one.share(tag, its) for name, its in subsets.items()},
                **(_fates(one, tag) if one.demand == "prefer" else _sources(one, tag)),
            }
            for tag in one.tags
        },
        "comparisons": [_beside(arm) for arm in one.beside],
    }
    if per_query:
        document["per_query"] = {
            query_id: {tag: _found(one.found[tag][query_id]) for tag in one.tags}
            for query_id in one.query_ids
        }
    return document


def _fates(one: ClassDemand, tag: str) -> dict[str, Any]:
    fates = one.fates(tag)
    return {
        **{fate.replace(" ", "_"): fates[fate] for fate in Fate},
        "sign": _test(one.tests[tag], one.p_adjusted.get(tag)),
    }


def _sources(one: ClassDemand, tag: str) -> dict[str, Any]:
    return {
        "no_source": one.without_source(tag),
        "sources": [
            {"source": source.written, "queries": source.queries, "RR": source.reciprocal_rank}
            for source in one.sources(tag)
        ],
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
        "tests": {"mcnemar": _test(arm.test, arm.p_adjusted)},
        "verdict": str(arm.verdict),
    }


def _test(test: TestResult, p_adjusted: float | None) -> dict[str, Any]:
    if test.p is None:
        return {"p": None, "why": test.why}
    return {
        "statistic": test.statistic,
        "p": test.p,
        "p_greater": test.p_greater,
        "p_less": test.p_less,
        "p_adjusted": p_adjusted,
    }


def _found(its: Found) -> dict[str, Any]:
    if isinstance(its, Preferred):
        return {
            "outcome": str(its.fate),
            "better": _hit(its.better),
            "worse": _hit(its.worse),
        }
    return {
        "held": its.held,
        "highest": None if its.highest is None else its.written[its.highest],
        "first": {written: _hit(hit) for written, hit in zip(its.written, its.first, strict=True)},
    }


def _hit(hit: Hit | None) -> dict[str, Any] | None:
    return None if hit is None else {"rank": hit.rank, "doc_id": hit.doc_id}
