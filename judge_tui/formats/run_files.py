"""Runs as other tools take them, some with the grades beside the results."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from judge_tui.formats.quepid_csv import CaseRow, detailed_csv, guarded, snapshot_csv
from judge_tui.formats.tables import csv_cell, unguarded
from judge_tui.model import Run, rank

__all__ = ["RUN_FORMS", "RunToWrite"]


@dataclass(frozen=True, slots=True)
class RunToWrite:
    """A run, and what some forms have beside it: queries that it was asked and found nothing for,
    texts of queries, titles of documents, final grades, the name of the campaign."""

    run: Run
    nothing_found: Sequence[str]
    texts: Mapping[str, str]
    titles: Mapping[str, str]
    grades: Mapping[str, Mapping[str, int]]
    campaign: str

    def ranked(self) -> dict[str, list[str]]:
        """query_id -> its documents, best first."""
        return {query_id: rank(scores) for query_id, scores in sorted(self.run.scores.items())}


class _Form(NamedTuple):
    """How it is written; whether it has grades; whether it names queries by their text.
    `has_nothing_found`: queries that the run was asked and found nothing for are in it."""

    lines: Callable[[RunToWrite], Iterable[str]]
    has_grades: bool = False
    by_text: bool = False
    has_nothing_found: bool = False


def _ranx(to_write: RunToWrite) -> Iterator[str]:
    ranked, scores = to_write.ranked(), to_write.run.scores
    run = {
        query_id: {one: float(scores[query_id][one]) for one in ranked.get(query_id, ())}
        for query_id in sorted((*ranked, *to_write.nothing_found))
    }
    yield json.dumps(run, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _msmarco(to_write: RunToWrite) -> Iterator[str]:
    for query_id, docs in to_write.ranked().items():
        for place, doc_id in enumerate(docs, 1):
            yield f"{query_id}\t{doc_id}\t{place}\n"


def _results(to_write: RunToWrite) -> Iterator[str]:
    yield "query_id,doc_id,rank,relevant\n"
    ranked = to_write.ranked()
    for query_id in sorted({*ranked, *to_write.grades}):
        grades = to_write.grades.get(query_id, {})
        places: dict[str, int | str] = {
            doc_id: place for place, doc_id in enumerate(ranked.get(query_id, ()), 1)
        }
        # What was judged and not retrieved has no rank: recall would be another without it.
        places.update({doc_id: "" for doc_id in sorted(grades) if doc_id not in places})
        for doc_id, place in places.items():
            ids = f"{_results_id(query_id)},{_results_id(doc_id)}"
            yield f"{ids},{place},{grades.get(doc_id, '')}\n"


def _results_id(text: str) -> str:
    """An id with Quepid's blank where it needs one; with a ' that would be taken for the guard of
    all other CSV, it gets one more."""
    return guarded(text) if unguarded(text) == text else csv_cell(text)


def _case_rows(to_write: RunToWrite, nothing_found: Sequence[str] = ()) -> Iterator[CaseRow]:
    ranked = to_write.ranked()
    for query_id in sorted((*ranked, *nothing_found)):
        text = to_write.texts[query_id]
        grades = to_write.grades.get(query_id, {})
        if query_id not in ranked:
            yield CaseRow(text)
        for place, doc_id in enumerate(ranked.get(query_id, ()), 1):
            yield CaseRow(text, doc_id, place, to_write.titles.get(doc_id, ""), grades.get(doc_id))


def _snapshot(to_write: RunToWrite) -> Iterator[str]:
    return snapshot_csv(to_write.run.tag, _case_rows(to_write))


def _detailed(to_write: RunToWrite) -> Iterator[str]:
    return detailed_csv(to_write.campaign, _case_rows(to_write, to_write.nothing_found))


RUN_FORMS: dict[str, _Form] = {
    "ranx": _Form(_ranx, has_nothing_found=True),
    "msmarco": _Form(_msmarco),
    "results": _Form(_results, has_grades=True),
    "quepid-snapshot": _Form(_snapshot, by_text=True),
    "quepid-detailed": _Form(_detailed, has_grades=True, by_text=True, has_nothing_found=True),
}
"""The formats other than TREC's that runs are exported in."""
