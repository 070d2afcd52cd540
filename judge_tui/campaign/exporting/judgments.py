"""Every rater's judgments, as rows and as files of judging tools; and the pool, to be judged in one
of them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from typing import cast

from judge_tui.campaign.exporting import ExportCounts, refuse_same_texts
from judge_tui.campaign.overview.grading import models_count, refuse_unjudged
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.documents import documents_to_judge
from judge_tui.campaign.store.judgments import (
    SETTLED,
    Judgment,
    judgments,
    judgments_of_query,
)
from judge_tui.campaign.store.pool import refuse_empty_pool
from judge_tui.campaign.store.queries import all_queries, query_keys
from judge_tui.errors import UsageError
from judge_tui.formats.json_document import jsonl_lines
from judge_tui.formats.judgments import Decision, JudgmentRow, ScaleLabels
from judge_tui.formats.tables import csv_lines
from judge_tui.formats.writers import (
    JUDGMENT_FORMS,
    POOL_FORMS,
    Form,
    JudgmentsToWrite,
    Task,
)
from judge_tui.formats.writing import form_of, write_lines
from judge_tui.model import Query

_MODELS = "by models (--include-models)"


def export_judgments(
    campaign: Campaign,
    path: str | os.PathLike[str],
    *,
    form: str | None = None,
    include_models: bool | None = None,
) -> ExportCounts:
    """Write the judgments that hold to `path`: all of them as CSV or JSON Lines (see `form_of`), or
    those that one of `JUDGMENT_FORMS` can hold, each judge's as the judge's.

    Judges of kind model are left out unless they count. Raises `UsageError` for a file whose form
    is not known and where there is nothing to write, `InputError` where it cannot be written.
    """
    models = models_count(campaign, include_models)
    if form in JUDGMENT_FORMS:
        return _export_form(campaign, path, form, models=models)
    form = form_of(path, form)
    counts: Counter[str] = Counter()

    def rows() -> Iterator[Judgment]:
        for one in judgments(campaign):
            if one.kind == "model" and not models:
                counts["by models"] += 1
                continue
            counts["settled" if one.decision == SETTLED else "judgments"] += 1
            yield one

    with campaign.reading():
        if next(rows(), None) is None:
            refuse_unjudged(campaign)
        counts.clear()
        if form == "csv":
            write_lines(path, csv_lines(Judgment._fields, rows()))
        else:
            write_lines(path, jsonl_lines(one._asdict() for one in rows()))
    return ExportCounts(
        {"judgments": counts["judgments"]},
        {"settled by a lead": counts["settled"]},
        {_MODELS: counts["by models"]},
    )


def _export_form(
    campaign: Campaign, path: str | os.PathLike[str], form: str, *, models: bool
) -> ExportCounts:
    how = JUDGMENT_FORMS[form]
    labels = ScaleLabels(campaign.settings.scale)
    counts: Counter[str] = Counter()
    queries = sorted(_queries(campaign), key=lambda one: one[0].query_id)

    def fitting(query: int) -> dict[str, list[JudgmentRow]]:
        """doc_id -> the judgments of a query (a key) that are written."""
        found: dict[str, list[JudgmentRow]] = {}
        for one in judgments_of_query(campaign, query):
            if one.kind == "model" and how.people and not models:
                counts["by models"] += 1
            elif not _fits(one, how):
                counts["unfit"] += 1
            else:
                counts["judgments"] += 1
                found.setdefault(one.doc_id, []).append(_row(one, labels))
        return found

    def tasks() -> Iterator[Task]:
        for query, key in queries:
            rows = fitting(key)
            for document in documents_to_judge(campaign, key):
                if document.doc_id in rows or how.whole_pool:
                    yield Task(query, document, rows.get(document.doc_id, ()))

    with campaign.reading():
        if not any(fitting(key) for _, key in queries):
            raise UsageError(
                f"{form} can hold none of the judgments",
                "export them as csv or jsonl",
            )
        counts.clear()
        if how.by_text:
            refuse_same_texts((query for query, _ in queries), form)
        settings = campaign.settings
        content = JudgmentsToWrite(tasks(), settings.name, settings.scale.labels)
        write_lines(path, how.lines(content))
    return ExportCounts(
        {"judgments": counts["judgments"]},
        left_out={_MODELS: counts["by models"], f"no place for them in {form}": counts["unfit"]},
    )


def _fits(one: Judgment, how: Form) -> bool:
    """Whether it is a first look that the form has a place for."""
    decisions = how.models if one.kind == "model" else how.people
    return (
        one.purpose != "repeat" and one.decision in decisions and (one.grade or 0) <= how.greatest
    )


def _row(one: Judgment, labels: ScaleLabels) -> JudgmentRow:
    decision = cast(Decision, one.decision)
    return JudgmentRow(
        0,
        one.query_id,
        one.doc_id,
        one.judge,
        decision,
        one.grade,
        one.note,
        label=labels.label_of(decision, one.grade),
        kind=one.kind,
        seconds=one.seconds,
    )


def export_pool(campaign: Campaign, path: str | os.PathLike[str], form: str) -> ExportCounts:
    """Write the pairs of the pool with their texts and nothing that was said of them, as one of
    `POOL_FORMS`: by query in the order of the campaign, and by doc_id, so that no place in the file
    tells a rank. Raises `UsageError` for an empty pool."""
    how = POOL_FORMS[form]
    counts: Counter[str] = Counter()

    def tasks() -> Iterator[Task]:
        for query, key in _queries(campaign):
            before = counts["pairs"]
            for document in documents_to_judge(campaign, key):
                has_text = bool((document.title + document.text).strip())
                counts["without a text"] += not has_text
                if has_text or not how.wants_text:
                    counts["pairs"] += 1
                    yield Task(query, document)
            counts["queries"] += counts["pairs"] > before

    with campaign.reading():
        refuse_empty_pool(campaign)
        write_lines(path, how.lines(JudgmentsToWrite(tasks())))
    written = {what: counts[what] for what in ("pairs", "queries")}
    without = {"pairs without a text": counts["without a text"]}
    return (
        ExportCounts(written, left_out=without)
        if how.wants_text
        else ExportCounts(written, without)
    )


def _queries(campaign: Campaign) -> list[tuple[Query, int]]:
    """The queries as they were loaded, and their keys."""
    keys = query_keys(campaign)
    return [(query, keys[query.query_id]) for query in all_queries(campaign)]
