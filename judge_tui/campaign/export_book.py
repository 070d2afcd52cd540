"""Every rater's judgments as a book that Quepid takes, in CSV or JSON."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from judge_tui.campaign.chosen_judgments import chosen_judgments
from judge_tui.campaign.export_judgments import Judgment
from judge_tui.campaign.file import Campaign
from judge_tui.campaign.pool import pair_keys
from judge_tui.campaign.queries import all_queries
from judge_tui.formats.qrels_files import one_text_each, read_back_otherwise
from judge_tui.formats.quepid_files import book_csv, book_json
from judge_tui.formats.row_files import write_lines
from judge_tui.model import Query

__all__ = ["BOOKS", "ExportedBook", "export_book"]

BOOKS = ("quepid-book", "quepid-book-json")
"""The forms, by the names that their readers have."""


@dataclass(frozen=True, slots=True)
class ExportedBook:
    """How many judgments were written; what the form has no place for, counted where it can be."""

    judgments: int
    left_out: tuple[str, ...]


def export_book(
    campaign: Campaign,
    path: str | os.PathLike[str],
    form: str,
    *,
    include_models: bool = False,
) -> ExportedBook:
    """Write the judgments that hold, each judge's as the judge's, as one of `BOOKS`, and the pairs
    of the pool that have none.

    In JSON, what cannot be judged is unrateable, what was skipped is to be judged later, a note is
    an explanation, and the judge's name stands where Quepid has an address. Raises what
    `export_judgments` does, and `UsageError` where two queries have the same text.
    """
    decisions = ("grade",) if form == "quepid-book" else ("grade", "skip", "cannot")
    with campaign.reading():
        queries = {query.query_id: query for query in all_queries(campaign)}
        kept, left = chosen_judgments(campaign, decisions=decisions, include_models=include_models)
        pool = sorted(pair_keys(campaign))
    left["notes"] = sum(bool(one.note) for one in kept) if form == "quepid-book" else 0
    left["ids of documents that are read back otherwise"] = read_back_otherwise(
        doc_id for _, doc_id in pool
    )
    texts = one_text_each({query_id: queries[query_id].text for query_id, _ in pool}, form)
    by_pair = _by_pair(pool, kept)
    if form == "quepid-book":
        write_lines(path, _csv(by_pair, texts))
    else:
        settings = campaign.settings
        pairs = _pairs(by_pair, texts, queries)
        write_lines(path, book_json(settings.name, settings.scale.labels, pairs))
    counted = [f"{what}: {count:,}" for what, count in left.items() if count]
    always = "ids of queries, times, who is a model or a lead"
    if form == "quepid-book":
        always += ", narratives, descriptions, labels of the scale"
    return ExportedBook(len(kept), (*counted, always))


_ByPair: TypeAlias = dict[tuple[str, str], list[Judgment]]


def _by_pair(pool: Iterable[tuple[str, str]], kept: list[Judgment]) -> _ByPair:
    pairs: _ByPair = {pair: [] for pair in pool}
    for one in kept:
        pairs[one.query_id, one.doc_id].append(one)
    return pairs


def _csv(by_pair: _ByPair, texts: dict[str, str]) -> Iterator[str]:
    judges = sorted({one.judge for those in by_pair.values() for one in those})

    def rows() -> Iterator[tuple[str, str, list[int | None]]]:
        for (query_id, doc_id), those in by_pair.items():
            grades = {one.judge: one.grade for one in those}
            yield texts[query_id], doc_id, [grades.get(judge) for judge in judges]

    return book_csv(judges, rows())


def _pairs(
    by_pair: _ByPair, texts: dict[str, str], queries: dict[str, Query]
) -> list[dict[str, Any]]:
    return [
        {
            "query_text": texts[query_id],
            "doc_id": doc_id,
            "information_need": queries[query_id].narrative or None,
            "notes": queries[query_id].description or None,
            "judgements": [
                {
                    "rating": None if one.grade is None else float(one.grade),
                    "unrateable": one.decision == "cannot",
                    "judge_later": one.decision == "skip",
                    "user_email": one.judge,
                    "explanation": one.note or None,
                }
                for one in those
            ],
        }
        for (query_id, doc_id), those in by_pair.items()
    ]
