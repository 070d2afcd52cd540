"""An evaluation as JSON: what `results.json` holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from judge_tui.analysis.evaluation import (
    HISTOGRAM,
    TOP,
    EvaluatedQuery,
    by_class,
    histogram,
    missed,
)
from judge_tui.report.classes import classes_document, demand_document
from judge_tui.report.evaluation.closer import closer_document
from judge_tui.report.evaluation.evaluated import Evaluated
from judge_tui.scoring import NO_COMPOSITE, Measure
from judge_tui.scoring.demands import STANDARD

__all__ = ["document_of"]


def document_of(evaluated: Evaluated) -> dict[str, Any]:
    """All of it, floats at full precision. `top`: the first results of each query, each with its
    grade, null where it is not known to be right or wrong."""
    evaluation = evaluated.evaluation
    scores, comparisons = evaluation.scores, evaluated.comparisons
    ranks = [*map(str, range(1, HISTOGRAM + 1)), "not found"]
    compared = None if comparisons is None else comparisons.to_dict()
    return {
        "schema_version": 1,
        "settings": {
            "measures": [measure.name for measure in scores.measures],
            "depth": evaluated.depth,
            "top": TOP,
            "by": evaluated.by,
            "files": dict(evaluated.files),
            "credit": evaluated.credit,
            "bands": {"strong": evaluation.bands.strong, "usable": evaluation.bands.usable},
            "comparison": None if compared is None else compared["settings"],
        },
        "systems": [
            {
                "tag": run.tag,
                "kind": evaluated.kinds[run.tag],
                "identity": one.identity or None,
                "queries": len(one.replies),
                "failed": len(one.failed),
                "nothing_found": len(one.empty),
                "scored": len(run.query_ids),
                "mean": None
                if evaluated.unlike
                else {measure.name: run.mean(measure) for measure in evaluated.over_all},
                "band": evaluated.band(run.tag),
                **({"why": {"mean": NO_COMPOSITE}} if evaluated.unlike else {}),
                "histogram": dict(
                    zip(ranks, histogram(evaluation, run.tag, but=evaluated.unranked), strict=True)
                ),
                "missed": [
                    query.query_id for query in missed(evaluation, run.tag, evaluated.depth)
                ],
            }
            for run, one in zip(scores.runs, evaluated.collected, strict=True)
        ],
        "classes": _classes(evaluated),
        **_order(evaluated),
        **({} if evaluated.closer is None else closer_document(evaluated.closer)),
        "comparisons": [] if compared is None else compared["comparisons"],
        "gates": [
            {
                "gate": one.gate,
                "held": not one.unmet,
                "why": list(one.unmet),
                **({"over": one.over} if one.over else {}),
            }
            for one in evaluated.required
        ],
        "queries": _queries(evaluated),
        "unranked": list(evaluated.unranked),
        "nothing_right": list(evaluation.nothing_right),
        "worst": [query.query_id for query in evaluated.worst],
        "warnings": list(evaluated.warnings),
    }


def _classes(evaluated: Evaluated) -> list[dict[str, Any]]:
    """Class by class what each is measured by; where that is one and the same, its first measure,
    unless there are subsets to be told apart."""
    evaluation = evaluated.evaluation
    if evaluated.parts or evaluated.own_terms:
        return classes_document(evaluated.parts, evaluation.tags, evaluation.bands.word)
    return [
        {
            "class": part.name or None,
            "queries": part.queries,
            "measure": evaluated.first.name,
            "mean": dict(part.means),
        }
        for part in by_class(evaluation, evaluated.first)
    ]


def _order(evaluated: Evaluated) -> dict[str, Any]:
    if evaluated.demanded is None:
        return {}
    return demand_document(evaluated.demanded, evaluated.subset_of)


def _queries(evaluated: Evaluated) -> list[dict[str, Any]]:
    places = {
        run.tag: {query_id: place for place, query_id in enumerate(run.query_ids)}
        for run in evaluated.evaluation.scores.runs
    }
    return [
        {
            "query_id": query.query_id,
            "query": query.query,
            "class": query.query_class or None,
            **(
                {"subset": evaluated.subset_of.get(query.query_id, STANDARD)}
                if evaluated.subset_of
                else {}
            ),
            "expected": [{"what": what, "grade": grade} for what, grade in query.expected],
            "systems": {
                tag: _answered(evaluated, query, tag, places[tag].get(query.query_id))
                for tag in evaluated.evaluation.tags
            },
        }
        for query in evaluated.evaluation.queries
    ]


def _answered(
    evaluated: Evaluated, query: EvaluatedQuery, tag: str, place: int | None
) -> dict[str, Any]:
    scores, found = evaluated.evaluation.scores, query.found[tag]
    return {
        "first_rank": found.first,
        "failed": found.failed or None,
        "values": {
            measure.name: scores[tag].values[measure.name][place]
            for measure in _measured_by(evaluated, query)
            if place is not None
        },
        "top": [{"doc_id": doc_id, "grade": grade} for doc_id, grade in found.top],
    }


def _measured_by(evaluated: Evaluated, query: EvaluatedQuery) -> Sequence[Measure]:
    scores = evaluated.evaluation.scores
    if scores.slices is None or not query.has_answers:
        return scores.measures
    return scores.slices.of(query.query_id).measures
