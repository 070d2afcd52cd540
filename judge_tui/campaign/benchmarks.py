"""A graded benchmark loaded into a campaign: its queries, its documents, and its grades as those of
one judge."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace

from judge_tui.campaign.file import Campaign
from judge_tui.campaign.grades import load_grades, refuse_off_scale
from judge_tui.campaign.loaded import Loaded
from judge_tui.campaign.queries import add_queries, all_queries
from judge_tui.campaign.staged_documents import StagedDocuments, staging
from judge_tui.errors import InputError
from judge_tui.formats import QrelsRow
from judge_tui.formats.benchmark import Benchmark
from judge_tui.model import Query

__all__ = ["LoadedBenchmark", "load_benchmark"]


@dataclass(frozen=True, slots=True)
class LoadedBenchmark:
    """What came of each part."""

    queries: Loaded
    documents: Loaded
    grades: Loaded


def load_benchmark(
    campaign: Campaign,
    path: str | os.PathLike[str],
    benchmark: Benchmark,
    *,
    judge: str,
    kind: str = "human",
) -> LoadedBenchmark:
    """Load what was read from the file at `path`, all of it or nothing; the judge is made if new.

    A query is found by its id or, where the file gives none, by its text; one that is new is added.
    Every document comes with its text, and every pair joins the pool (stratum `loaded`). Loading
    the same again changes nothing. Raises `InputError` for a query or a document that the campaign
    has with another text, a grade off its scale, and where the judge has graded a pair otherwise.
    """
    with staging(campaign) as staged:
        _stage(staged, benchmark)
        staged.complete()
        with campaign.writing():
            queries, rows = _queries(campaign, path, benchmark)
            documents = staged.take_over(0, path, Loaded(), replace=False)
            for row in rows:
                refuse_off_scale(campaign, path, row)
            grades = load_grades(campaign, path, rows, judge=judge, kind=kind)
    notes = (*benchmark.notes, *grades.notes)
    return LoadedBenchmark(queries, documents, replace(grades, notes=notes))


def _stage(staged: StagedDocuments, benchmark: Benchmark) -> None:
    known: set[str] = set()
    for entry in benchmark.entries:
        for one in entry.candidates:
            if one.document.doc_id not in known:
                known.add(one.document.doc_id)
                staged.add(0, one.line, one.document.doc_id, one.document)


def _queries(
    campaign: Campaign, path: str | os.PathLike[str], benchmark: Benchmark
) -> tuple[Loaded, list[QrelsRow]]:
    """What came of the queries; and the grades, under the ids that the campaign has."""
    there = {query.query_id: query for query in all_queries(campaign)}
    by_text: dict[str, str] = {}
    for query in there.values():
        by_text.setdefault(_words(query.text), query.query_id)
    new: list[Query] = []
    rows: list[QrelsRow] = []
    for entry in benchmark.entries:
        query = entry.query
        query_id = query.query_id
        if not entry.own_id:
            query_id = by_text.get(_words(query.text), query_id)
        known = there.get(query_id)
        if known is None:
            new.append(query)
        elif _words(known.text) != _words(query.text):
            raise InputError(
                path,
                entry.line,
                f"query {query_id!r} is {known.text!r:.70} in the campaign, and {query.text!r:.70}"
                " here",
                "give it a query_id of its own",
            )
        rows += (
            QrelsRow(one.line, query_id, one.document.doc_id, one.grade) for one in entry.candidates
        )
    add_queries(campaign, new)
    return Loaded(len(new), unchanged=len(benchmark.entries) - len(new)), rows


def _words(text: str) -> str:
    return " ".join(text.split())
