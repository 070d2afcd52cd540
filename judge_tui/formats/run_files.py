"""Runs as other tools take them, some with the grades beside the results, and what of a run each
has no place for."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from judge_tui.formats.ids import encode_id, table_fields
from judge_tui.formats.quepid import CaseRow, detailed_csv, guarded, snapshot_csv
from judge_tui.formats.tables import csv_cell, unguarded
from judge_tui.model import Run, rank

__all__ = ["RUN_FORMS", "RunToWrite"]


@dataclass(frozen=True, slots=True)
class RunToWrite:
    """A run under native ids, and what some forms have beside it: queries that it was asked and
    found nothing for, texts of queries, titles of documents, final grades, the name of the
    campaign."""

    run: Run
    nothing_found: Sequence[str]
    texts: Mapping[str, str]
    titles: Mapping[str, str]
    grades: Mapping[str, Mapping[str, int]]
    campaign: str


class _Form(NamedTuple):
    """How it is written; whether it has grades; whether it names queries by their text; what is
    left out. `has_not_returned`: documents that have a grade and that the run did not return are in
    it as well. `has_nothing_found`: so are queries that the run was asked and found nothing for.
    `any_id`: it can hold every id."""

    lines: Callable[[RunToWrite], Iterable[str]]
    has_grades: bool
    by_text: bool
    left_out: str
    has_not_returned: bool = False
    has_nothing_found: bool = False
    any_id: bool = False


def _ranked(to_write: RunToWrite) -> Iterator[tuple[str, list[str]]]:
    """Each query with its documents, best first: in the order of the ids as TREC has them, so that
    documents of one score stand as they do in the file that TREC's form is."""
    scores = to_write.run.scores
    for query_id in sorted(scores, key=encode_id):
        native = {encode_id(doc_id): doc_id for doc_id in scores[query_id]}
        by_field = {field: scores[query_id][doc_id] for field, doc_id in native.items()}
        yield query_id, [native[field] for field in rank(by_field)]


def _ranx(to_write: RunToWrite) -> Iterator[str]:
    ranked = dict(_ranked(to_write))
    queries = sorted((*ranked, *to_write.nothing_found), key=encode_id)
    run = {
        its_id: {
            field: float(to_write.run.scores[query_id][doc_id])
            for doc_id, field in _documents(query_id, ranked.get(query_id, ()))
        }
        for query_id, its_id in table_fields(queries, "queries")
    }
    yield json.dumps(run, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _msmarco(to_write: RunToWrite) -> Iterator[str]:
    for query_id, docs in _ranked(to_write):
        for place, doc_id in enumerate(docs, 1):
            yield f"{encode_id(query_id)}\t{encode_id(doc_id)}\t{place}\n"


def _results(to_write: RunToWrite) -> Iterator[str]:
    yield "query_id,doc_id,rank,relevant\n"
    ranked = dict(_ranked(to_write))
    queries = sorted({*ranked, *to_write.grades}, key=encode_id)
    for query_id, its_id in table_fields(queries, "queries"):
        grades = to_write.grades.get(query_id, {})
        places: dict[str, int | str] = {
            doc_id: place for place, doc_id in enumerate(ranked.get(query_id, ()), 1)
        }
        # What was judged and not retrieved has no rank: recall would be another without it.
        places.update({doc_id: "" for doc_id in sorted(grades) if doc_id not in places})
        for doc_id, field in _documents(query_id, places):
            ids = _results_id(its_id), _results_id(field)
            yield f"{ids[0]},{ids[1]},{places[doc_id]},{grades.get(doc_id, '')}\n"


def _documents(query_id: str, doc_ids: Iterable[str]) -> Iterator[tuple[str, str]]:
    return table_fields(doc_ids, f"documents of query {query_id}")


def _results_id(text: str) -> str:
    """An id with Quepid's blank where it needs one; with a ' that would be taken for the guard of
    all other CSV, it gets one more."""
    return guarded(text) if unguarded(text) == text else csv_cell(text)


def _case_rows(to_write: RunToWrite, nothing_found: Sequence[str] = ()) -> Iterator[CaseRow]:
    ranked = dict(_ranked(to_write))
    for query_id in sorted((*ranked, *nothing_found), key=encode_id):
        text = to_write.texts[query_id]
        grades = to_write.grades.get(query_id, {})
        if query_id not in ranked:
            yield CaseRow(text)
        documents = _documents(query_id, ranked.get(query_id, ()))
        for place, (doc_id, field) in enumerate(documents, 1):
            title = to_write.titles.get(doc_id, "")
            yield CaseRow(text, field, place, title, grades.get(doc_id))


def _snapshot(to_write: RunToWrite) -> Iterator[str]:
    return snapshot_csv(to_write.run.tag, _case_rows(to_write))


def _detailed(to_write: RunToWrite) -> Iterator[str]:
    return detailed_csv(to_write.campaign, _case_rows(to_write, to_write.nothing_found))


_BY_TEXT = "scores, ids of queries (told by their text)"

RUN_FORMS: dict[str, _Form] = {
    "ranx": _Form(_ranx, False, False, "the tag", has_nothing_found=True),
    "msmarco": _Form(_msmarco, False, False, "scores, the tag", any_id=True),
    "results": _Form(_results, True, False, "scores, the tag", has_not_returned=True),
    "quepid-snapshot": _Form(
        _snapshot,
        False,
        True,
        f"{_BY_TEXT}, texts of documents; Snapshot Time and Case ID are for you to set",
    ),
    "quepid-detailed": _Form(
        _detailed,
        True,
        True,
        f"{_BY_TEXT}, the tag, texts of documents; Team Name and Case ID are for you to set",
        has_nothing_found=True,
    ),
}
"""The formats other than TREC's that runs are exported in."""
