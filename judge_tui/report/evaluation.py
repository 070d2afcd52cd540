"""An evaluation of live systems as a report: for a terminal, as Markdown for an audit, as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from judge_tui.analysis.evaluation import (
    HISTOGRAM,
    EvaluatedQuery,
    Evaluation,
    Found,
    histogram,
    missed,
    worst,
)
from judge_tui.report.comparisons import comparison_report
from judge_tui.report.layout import Cell, Column, Grid, Report, number, plain
from judge_tui.scoring import Scores, parse_measure
from judge_tui.significance import Comparisons

__all__ = ["evaluation_report"]

_CAME = 3
_FEW = 30
_SYSTEM = Column("system", plain, right=False)
_QUERY = (Column("query", plain, right=False), Column("text", plain, right=False))


def evaluation_report(
    evaluation: Evaluation,
    comparisons: Comparisons | None,
    *,
    settings: Mapping[str, Any],
    failed: Mapping[str, int],
    notes: Sequence[str] = (),
) -> Report:
    """`comparisons` with a baseline, None where there is one system. `failed`: system -> queries
    that it did not answer. Nothing in it tells how long anything took: the same answers give the
    same bytes."""
    few = len(evaluation.queries) < _FEW
    warnings = list(comparisons.warnings) if comparisons else []
    if few and not warnings:
        warnings.append(
            f"{len(evaluation.queries)} queries are fewer than {_FEW}: any of these numbers may be"
            " chance"
        )
    beside = (
        comparison_report(comparisons, Scores((), (), complete=True, judged_only=False))
        if comparisons
        else None
    )
    grids = [
        _systems(evaluation, failed),
        *(beside.grids if beside else ()),
        _histogram(evaluation),
        _queries("Queries: the rank of the first right result", evaluation.queries, evaluation),
        _queries("The worst queries, by reciprocal rank", worst(evaluation), evaluation),
        *(grid for tag in evaluation.tags if (grid := _failures(evaluation, tag)).rows),
    ]
    told = [f"warning: {warning}" for warning in warnings] if beside is None else beside.notes
    document = _document(evaluation, failed, settings, warnings)
    if comparisons is not None:
        compared = comparisons.to_dict()
        document["settings"]["comparison"] = compared["settings"]
        document["comparisons"] = compared["comparisons"]
    return Report(
        document=document,
        header=evaluation.scores.columns,
        rows=evaluation.scores.to_rows(per_query=True),
        grids=[grid for grid in grids if grid.rows],
        notes=[*told, *notes],
        aside=[*(f"warning: {warning}" for warning in warnings), *notes],
    )


def _systems(evaluation: Evaluation, failed: Mapping[str, int]) -> Grid:
    scores = evaluation.scores
    columns = [
        _SYSTEM,
        Column("queries"),
        Column("failed"),
        *(Column(str(measure), number) for measure in scores.measures),
        Column("in words", plain, right=False),
    ]
    rows: list[list[Cell]] = [
        [
            run.tag,
            len(run.query_ids),
            failed[run.tag],
            *(run.mean(measure) for measure in scores.measures),
            _band(evaluation, run.tag),
        ]
        for run in scores.runs
    ]
    return Grid("", columns, rows)


def _band(evaluation: Evaluation, tag: str) -> str:
    return evaluation.bands.word(evaluation.scores[tag].mean(parse_measure("RR@10")))


def _histogram(evaluation: Evaluation) -> Grid:
    ranks = [str(rank) for rank in range(1, HISTOGRAM + 1)]
    columns = [_SYSTEM, *(Column(rank) for rank in ranks), Column("not found")]
    rows: list[list[Cell]] = [[tag, *histogram(evaluation, tag)] for tag in evaluation.tags]
    return Grid("Queries by the rank of their first right result", columns, rows)


def _queries(title: str, queries: Sequence[EvaluatedQuery], evaluation: Evaluation) -> Grid:
    columns = [*_QUERY, *(Column(tag, plain) for tag in evaluation.tags)]
    rows: list[list[Cell]] = [
        [query.query_id, query.query, *(_rank(query.found[tag]) for tag in evaluation.tags)]
        for query in queries
    ]
    return Grid(title, columns, rows)


def _rank(found: Found) -> str:
    if found.failed:
        return "failed"
    return "missed" if found.first is None else str(found.first)


def _failures(evaluation: Evaluation, tag: str) -> Grid:
    columns = [
        *_QUERY,
        Column("expected", plain, right=False),
        Column("came instead", plain, right=False),
        Column("first right", plain),
    ]
    rows: list[list[Cell]] = []
    for query in missed(evaluation, tag):
        found = query.found[tag]
        came = ", ".join(doc_id for doc_id, _ in found.top[:_CAME])
        rows.append(
            [
                query.query_id,
                query.query,
                ", ".join(written for written, grade in query.expected if grade > 0),
                f"failed: {found.failed}" if found.failed else came or "nothing",
                "-" if found.first is None else str(found.first),
            ]
        )
    return Grid(f"{tag}: nothing right among the first {HISTOGRAM}", columns, rows)


def _document(
    evaluation: Evaluation,
    failed: Mapping[str, int],
    settings: Mapping[str, Any],
    warnings: Sequence[str],
) -> dict[str, Any]:
    scores = evaluation.scores
    ranks = [*map(str, range(1, HISTOGRAM + 1)), "not found"]
    places = {tag: {q: at for at, q in enumerate(scores[tag].query_ids)} for tag in scores}
    return {
        "schema_version": 1,
        "settings": {
            "measures": [str(measure) for measure in scores.measures],
            "bands": {"strong": evaluation.bands.strong, "usable": evaluation.bands.usable},
            **settings,
        },
        "systems": [
            {
                "tag": run.tag,
                "queries": len(run.query_ids),
                "failed": failed[run.tag],
                "mean": {str(measure): run.mean(measure) for measure in scores.measures},
                "band": _band(evaluation, run.tag),
                "histogram": dict(zip(ranks, histogram(evaluation, run.tag), strict=True)),
            }
            for run in scores.runs
        ],
        "queries": [
            {
                "query_id": query.query_id,
                "query": query.query,
                "class": query.query_class or None,
                "expected": [{"what": what, "grade": grade} for what, grade in query.expected],
                "systems": {
                    tag: {
                        "first_rank": found.first,
                        "failed": found.failed or None,
                        "values": {
                            str(measure): scores[tag].values[str(measure)][
                                places[tag][query.query_id]
                            ]
                            for measure in scores.measures
                        },
                        "top": [{"doc_id": doc_id, "grade": grade} for doc_id, grade in found.top],
                    }
                    for tag, found in query.found.items()
                },
            }
            for query in evaluation.queries
        ],
        "worst": [query.query_id for query in worst(evaluation)],
        "warnings": list(warnings),
    }
