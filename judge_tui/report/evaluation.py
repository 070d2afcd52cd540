"""An evaluation of live systems: what `results.json` holds, and what is printed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from judge_tui.analysis.live_systems import (
    BANDED,
    TOP,
    band,
    histogram,
)
from judge_tui.analysis.misses import find_misses, first_ranks, first_relevant, ranked
from judge_tui.analysis.queries import differ_most
from judge_tui.analysis.slices import spreads
from judge_tui.evaluation.live import Evaluation
from judge_tui.report.comparisons import comparison_tables
from judge_tui.report.layout import Cell, Column, Report, Table, counts, word
from judge_tui.report.results.by_query import divergent_table
from judge_tui.report.results.documents import misses_table, ranks_table
from judge_tui.report.results.slices import slices_table
from judge_tui.report.scores import mean_tables, slice_means, values_table

_PRINTED = 20


def evaluation_report(evaluation: Evaluation) -> Report:
    """Tables for readers, the means last; the values of all queries for CSV."""
    judged, texts = evaluation.judged, evaluation.texts
    missed = [find_misses(judged, tag, TOP) for tag in evaluation.scores]
    names = evaluation.name_documents(range(len(evaluation.lists.doc_ids)))
    long = [first_ranks_table(evaluation), *(misses_table(one, texts, names) for one in missed)]
    return Report(
        [
            *(table._replace(name="", most=_PRINTED).hide(*evaluation.hidden) for table in long),
            *slice_tables(evaluation),
            ranks_table(first_relevant(judged)).hide(*evaluation.hidden),
            *(comparison_tables(evaluation.comparisons) if evaluation.comparisons else ()),
            system_table(evaluation),
            *mean_tables(evaluation.scores),
        ],
        warnings=[*evaluation.failures, *evaluation.warnings],
        json=_document(evaluation),
        csv=values_table(evaluation.scores, per_query=True),
    )


def system_table(evaluation: Evaluation) -> Table:
    """How each system answered, and its mean reciprocal rank in a word."""
    columns = [
        word("tag", "system"),
        *counts("queries", "failed", "nothing_found", "there_already"),
    ]
    if not evaluation.unlike:
        columns.append(word("band", f"{BANDED} is", lambda one: _band(evaluation, one.tag)))
    return Table.of("The systems", columns, evaluation.systems).if_any("there_already")


def slice_tables(evaluation: Evaluation) -> Iterator[Table]:
    """The means in each class of queries, and the share of relevant documents of each kind and
    length that a system has among its first results."""
    yield from slice_means(evaluation.scores)
    yield from map(slices_table, evaluation.slices)


def first_ranks_table(evaluation: Evaluation) -> Table:
    """The rank of the first right result of each query, where something is right."""
    judged = evaluation.judged
    columns = [word("", "query"), word("text", "text")]
    columns += [Column("", tag) for tag in evaluation.scores]
    ranks = first_ranks(judged)
    rows: list[list[Cell]] = []
    for query_id, text in evaluation.texts.items():
        if judged.graded_queries[place := evaluation.places[query_id]]:
            found: list[Cell] = [
                "failed" if (run, place) in judged.lists.failed else rank or "missed"
                for run, rank in enumerate(ranks[:, place].tolist())
            ]
            rows.append([query_id, text, *found])
    return Table("The rank of the first right result", columns, rows)


_RANKS = (*map(str, range(1, TOP + 1)), "not found")


def _band(evaluation: Evaluation, tag: str) -> str | None:
    mean = None if evaluation.unlike else evaluation.scores[tag].mean_or_none(BANDED)
    return None if mean is None else band(mean)


def _document(evaluation: Evaluation) -> dict[str, Any]:
    """All of it, floats at full precision."""
    scored = evaluation.scores.to_dict(per_query=True)
    compared = None if evaluation.comparisons is None else evaluation.comparisons.to_dict()
    runs = {run["tag"]: run for run in scored["runs"]}
    values = {tag: run.pop("per_query") for tag, run in runs.items()}
    judged, tags = evaluation.judged, [*evaluation.scores]
    first = first_ranks(judged)
    spread, divergent = {}, []
    if not evaluation.unlike:
        spread = spreads(evaluation.scores, evaluation.main)
        divergent = divergent_table(
            differ_most(judged, evaluation.scores, evaluation.main), evaluation.texts
        ).records()
    return {
        "schema_version": 2,
        "settings": {
            **scored["settings"],
            "measures": scored["measures"],
            "depth": evaluation.depth,
            "files": dict(evaluation.files),
            "credit": evaluation.credit,
            "comparison": None if compared is None else compared["settings"],
        },
        "systems": [
            {
                **runs[one.tag],
                "kind": one.kind,
                "identity": one.identity or None,
                "failed": one.failed,
                "nothing_found": one.nothing_found,
                "there_already": one.there_already,
                "band": _band(evaluation, one.tag),
                "histogram": dict(zip(_RANKS, histogram(judged, tags.index(one.tag)), strict=True)),
            }
            for one in evaluation.systems
        ],
        "comparisons": [] if compared is None else compared["comparisons"],
        "gates": [one.to_dict() for one in evaluation.gates],
        "queries": [
            {
                "query_id": query.query_id,
                "query": query.text,
                "class": query.query_class or None,
                "expected": _expected(evaluation.right.get(query.query_id, {})),
                "systems": {
                    tag: {
                        "first_rank": int(first[run, at]) or None,
                        "failed": judged.lists.failed.get((run, at)),
                        "top": [
                            {"doc_id": evaluation.lists.doc_ids[hit.document], "grade": hit.grade}
                            for hit in ranked(judged, run, at, TOP)
                        ],
                        "values": values[tag].get(query.query_id, {}),
                    }
                    for run, tag in enumerate(tags)
                },
            }
            for query in evaluation.queries
            for at in [evaluation.places[query.query_id]]
        ],
        "consistency": [
            {"tag": tag, "mean": one.mean, "sd": one.sd, "median": one.median}
            for tag, one in spread.items()
        ],
        "disagreement": divergent,
        "document_slices": [
            {
                "by": found.by,
                "slice": part.name or None,
                "k": found.k,
                "relevant": part.relevant,
                "queries": part.queries,
                "share": {tag: run.mean for tag, run in part.runs.items()},
            }
            for found in evaluation.slices
            for part in found.slices
        ],
        "warnings": [*evaluation.failures, *evaluation.warnings],
    }


def _expected(right: Mapping[str, int]) -> list[dict[str, Any]]:
    """What is right, the best first."""
    known = sorted(right.items(), key=lambda one: -one[1])
    return [{"what": what, "grade": grade} for what, grade in known if grade > 0]
