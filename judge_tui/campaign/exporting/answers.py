"""What models answered, word for word, for people who want to see why."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator
from typing import Any

from judge_tui.campaign.exporting import ExportCounts
from judge_tui.campaign.overview.model_grades import find_model
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.model_answers import (
    AskedModel,
    asked_models,
    count_answers,
    model_answers,
)
from judge_tui.errors import UsageError
from judge_tui.formats.json_document import jsonl_lines
from judge_tui.formats.tables import csv_lines
from judge_tui.formats.writing import form_of, write_lines

_COLUMNS = (
    *("query_id", "doc_id", "judge", "model", "probe", "grade", "reason", "raw"),
    *("probabilities", "tokens_in", "tokens_out", "seconds", "chars_seen", "written_at"),
)


def export_answers(
    campaign: Campaign,
    path: str | os.PathLike[str],
    name: str | None = None,
    *,
    form: str | None = None,
) -> ExportCounts:
    """Write the answers of a model, or of all, to `path` as CSV or JSON Lines (see `form_of`): a
    row each, those to probes too.

    Raises `UsageError` for a file whose form is not known, a model that is not there, and where
    there is no answer; `InputError` where the file cannot be written.
    """
    form = form_of(path, form)
    counts: Counter[str] = Counter()

    def rows() -> Iterator[dict[str, Any]]:
        for judge in judges:
            for query_id, doc_id, answer in model_answers(campaign, judge.key):
                counts["answers"] += 1
                counts["none"] += answer.grade is None
                counts["probes"] += bool(answer.probe)
                found = {"query_id": query_id, "doc_id": doc_id, "judge": judge.name}
                every = {**answer._asdict(), **found, "model": judge.model}
                yield {column: every[column] for column in _COLUMNS}

    with campaign.reading():
        judges = _who_answered(campaign, name)
        if form == "csv":
            write_lines(path, csv_lines(_COLUMNS, map(_cells, rows())))
        else:
            write_lines(path, jsonl_lines(rows()))
    return ExportCounts(
        {"answers": counts["answers"], "models": len(judges)},
        {"without a grade": counts["none"], "to probes": counts["probes"]},
    )


def _who_answered(campaign: Campaign, name: str | None) -> list[AskedModel]:
    wanted = None if name is None else find_model(campaign, name).key
    judges = [
        one
        for one in asked_models(campaign)
        if wanted in (None, one.key) and count_answers(campaign, one.key).answers
    ]
    if not judges:
        raise UsageError(
            "no model has answered" if name is None else f"no answer of model {name!r} is kept",
            "ask one with model judge; grades that were loaded came without answers",
        )
    return judges


def _cells(row: dict[str, Any]) -> list[Any]:
    chances = row["probabilities"]
    written = None if chances is None else json.dumps(chances)
    return [*(row | {"probabilities": written}).values()]
