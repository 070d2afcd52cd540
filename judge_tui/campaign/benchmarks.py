"""A graded benchmark loaded into a campaign: its queries, its documents, and its grades as those of
one judge."""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass
from dataclasses import replace as changed_in

from judge_tui.campaign.coded_ids import CodedIds
from judge_tui.campaign.coming_queries import coming_queries, told_of_ids
from judge_tui.campaign.doubled_queries import refuse_doubled, told_of_doubled
from judge_tui.campaign.file import Campaign
from judge_tui.campaign.grades import load_grades, refuse_off_scale
from judge_tui.campaign.loaded import Loaded
from judge_tui.campaign.queries import (
    add_queries,
    all_queries,
    lacking_demands,
    lacks_demands,
)
from judge_tui.campaign.staged_documents import StagedDocuments, staging
from judge_tui.formats import QrelsRow, encode_id
from judge_tui.formats.benchmark import Benchmark, Graded
from judge_tui.formats.named_queries import clash, one_of_text, words_of
from judge_tui.model import Query

__all__ = ["LoadedBenchmark", "load_benchmark"]


_MEND = (
    "let the file's grades hold with --replace; grades by another --scores are another judge's:"
    " name one with --judge, or give the --scores that were loaded before"
)


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
    replace: bool = False,
) -> LoadedBenchmark:
    """Load what was read from the file at `path`, all of it or nothing; the judge is made if new.

    A query is found by its id or, where the file gives none, by its text; one that is new is added.
    Every document comes with its text, and every pair joins the pool (stratum `loaded`). Loading
    the same again changes nothing. Raises `InputError` for a query that the campaign has with
    another text or judged under another id (`refuse_doubled`), a document of which it says
    something else, a grade off its scale, and where the judge has graded a pair otherwise.
    `replace` lets the file hold: what it says of such documents, the judge's grades, and such
    queries are new ones.
    """
    with staging(campaign) as staged:
        coded = _coded(campaign, benchmark)
        _stage(staged, benchmark, coded)
        staged.complete()
        with campaign.writing():
            queries, rows = _queries(campaign, path, benchmark, coded, replace=replace)
            documents = staged.take_over(0, path, Loaded(), replace=replace)
            for row in rows:
                refuse_off_scale(campaign, path, row)
            grades = load_grades(
                campaign, path, rows, judge=judge, kind=kind, replace=replace, mend=_MEND
            )
    about = (*queries.notes, *documents.notes, *coded.notes(), *grades.notes)
    return LoadedBenchmark(queries, documents, changed_in(grades, notes=(*benchmark.notes, *about)))


def _mend_of_text(path: str | os.PathLike[str]) -> str:
    mended = f"judge-tui load queries {shlex.quote(os.fspath(path))} --replace"
    return f"if its text was mended, first: {mended}; another query takes a query_id of its own"


def _coded(campaign: Campaign, benchmark: Benchmark) -> CodedIds:
    fields = [
        encode_id(one.document.doc_id) for entry in benchmark.entries for one in entry.candidates
    ]
    return CodedIds(campaign, literal=True, fields=fields)


def _doc_id(coded: CodedIds, one: Graded) -> str:
    """The id that the campaign knows."""
    return coded.native(encode_id(one.document.doc_id))


def _stage(staged: StagedDocuments, benchmark: Benchmark, coded: CodedIds) -> None:
    for entry in benchmark.entries:
        for one in entry.candidates:
            # One that comes for several queries waits once.
            staged.add(0, one.line, _doc_id(coded, one), one.document)


def _queries(
    campaign: Campaign,
    path: str | os.PathLike[str],
    benchmark: Benchmark,
    coded: CodedIds,
    *,
    replace: bool,
) -> tuple[Loaded, list[QrelsRow]]:
    """What came of the queries; and the grades, under the ids that the campaign has."""
    known = all_queries(campaign)
    coming = coming_queries(known, [(entry.line, entry.query) for entry in benchmark.entries])
    if not replace:
        refuse_doubled(campaign, path, known, coming)
    new: list[Query] = []
    undemanded: list[str] = []
    rows: list[QrelsRow] = []
    for entry, its in zip(benchmark.entries, coming, strict=True):
        query = one_of_text(path, entry.line, its.known, entry.query.text)
        if query is None:
            query = changed_in(entry.query, query_id=its.query_id)
            new.append(query)
        elif words_of(query.text) != words_of(entry.query.text):
            raise clash(path, entry.line, query, entry.query, _mend_of_text(path))
        elif lacks_demands(query, entry.demands):
            undemanded.append(query.query_id)
        rows += (
            QrelsRow(one.line, query.query_id, _doc_id(coded, one), one.grade)
            for one in entry.candidates
        )
    add_queries(campaign, new)
    notes = [*told_of_ids(known, coming), *told_of_doubled(known, coming)]
    if undemanded:
        notes.append(lacking_demands(undemanded))
    return Loaded(len(new), unchanged=len(coming) - len(new), notes=tuple(notes)), rows
