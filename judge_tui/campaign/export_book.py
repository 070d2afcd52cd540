"""Every rater's judgments as a book that Quepid takes, in CSV or JSON."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from judge_tui.campaign.chosen_judgments import chosen_judgments
from judge_tui.campaign.export_judgments import Judgment
from judge_tui.campaign.file import Campaign
from judge_tui.campaign.pool import pair_keys
from judge_tui.campaign.queries import all_queries
from judge_tui.formats.book_files import BOOK_FORMS, Book
from judge_tui.formats.ids import read_back_otherwise, table_field
from judge_tui.formats.judgments import Decision, JudgmentRow
from judge_tui.formats.qrels_files import one_text_each
from judge_tui.formats.row_files import write_lines
from judge_tui.model import Query

__all__ = ["ExportedBook", "export_book"]


@dataclass(frozen=True, slots=True)
class ExportedBook:
    """How many judgments were written; what the form has no place for, counted where it can be;
    the judges whose names are no addresses, where the form wants these."""

    judgments: int
    left_out: tuple[str, ...]
    no_addresses: tuple[str, ...] = ()


def export_book(
    campaign: Campaign,
    path: str | os.PathLike[str],
    form: str,
    *,
    include_models: bool | None = None,
) -> ExportedBook:
    """Write the judgments that hold, each judge's as the judge's, as one of `BOOK_FORMS`, and the
    pairs of the pool that have none.

    Raises what `export_judgments` does, and `UsageError` where two queries have the same text.
    """
    how = BOOK_FORMS[form]
    with campaign.reading():
        queries = {query.query_id: query for query in all_queries(campaign)}
        kept, left = chosen_judgments(
            campaign, decisions=how.decisions, include_models=include_models
        )
        pool = sorted(pair_keys(campaign))
    left["notes"] = 0 if how.notes else sum(bool(one.note) for one in kept)
    left["ids of documents that are read back otherwise"] = read_back_otherwise(
        doc_id for _, doc_id in pool
    )
    texts = one_text_each(
        {query_id: queries[query_id].text for query_id, _ in pool},
        form,
        "csv, jsonl or label-studio",
    )
    settings = campaign.settings
    rows = list(_rows(pool, kept, texts, queries))
    write_lines(path, how.lines(Book(settings.name, settings.scale.labels, rows)))
    counted = [f"{what}: {count:,}" for what, count in left.items() if count]
    unknown = how.unknown(one.judge for one in kept)
    return ExportedBook(len(kept), (*counted, how.left_out), tuple(unknown))


def _rows(
    pool: Iterable[tuple[str, str]],
    kept: Iterable[Judgment],
    texts: Mapping[str, str],
    queries: Mapping[str, Query],
) -> Iterator[JudgmentRow]:
    said: dict[tuple[str, str], list[Judgment]] = {}
    for one in kept:
        said.setdefault((one.query_id, one.doc_id), []).append(one)
    for query_id, doc_id in pool:
        query = queries[query_id]
        is_open = JudgmentRow(
            0,
            texts[query_id],
            table_field(doc_id),
            "",
            "open",
            None,
            narrative=query.narrative,
            description=query.description,
        )
        those = said.get((query_id, doc_id))
        if not those:
            yield is_open
        for one in those or ():
            yield is_open._replace(
                judge=one.judge,
                decision=cast(Decision, one.decision),
                grade=one.grade,
                note=one.note,
            )
