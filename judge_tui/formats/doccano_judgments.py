"""Judgments as doccano exports them for text classification: JSON Lines of texts and labels.

doccano keeps what else a record was imported with and gives it back beside `text`, `label` and
`Comments`: there the pair is named. It does not say who chose a label (each annotator has a file
of that name), unless the record was imported with a `judge`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from judge_tui.formats.json_records import RecordError, records
from judge_tui.formats.judgments import JudgmentRow
from judge_tui.formats.pair_names import open_pair, pair_names, text_at
from judge_tui.formats.problems import Reporter, counted, quoted
from judge_tui.formats.source import Source

__all__ = ["rows"]

_LONGEST = 1e9


def rows(source: Source, report: Reporter) -> Iterator[JudgmentRow]:
    """Every record with a label, whose comments are a note; others are pairs to be judged."""
    without = found = 0
    for line, row in records(source, report, _row):
        is_open = row.decision == "open"
        without += is_open
        found += not is_open
        yield row._replace(line=line)
    if without and not found:
        report(None, f"none of {counted(without, 'record')} has a label", "label them first")
    elif without:
        report.notes.append(f"{counted(without, 'record')} without a label: no judgment")


def _row(record: dict[str, Any]) -> JudgmentRow:
    """What a record says: an open pair where it has no label."""
    meta = record.get("meta")  # older doccano has there what was imported
    named = {**meta, **record} if isinstance(meta, dict) else record
    names = pair_names(named)
    labels = record.get("label", record.get("labels"))
    if labels is None or labels == []:
        return open_pair(0, names)
    if isinstance(labels, str | int) and not isinstance(labels, bool):
        raise RecordError(
            "the label is no list of one string, as doccano writes it",
            """write it as a list, "label": ["…"], e.g. with jq -c '.label |= [tostring]'""",
        )
    if not isinstance(labels, list) or not all(isinstance(one, str) for one in labels):
        raise RecordError(
            "the labels are not a list of strings", "export a project of text classification"
        )
    if len(labels) > 1:
        raise RecordError(
            f"{len(labels)} labels for one pair: {', '.join(map(quoted, labels[:5]))}",
            "leave the one that is the grade",
        )
    comments = record.get("Comments") or []
    written = comments if isinstance(comments, list) else [comments]
    notes = [text_at(named, "note"), *(one for one in written if isinstance(one, str))]
    return JudgmentRow(
        0,
        names.query_id,
        names.doc_id,
        text_at(named, "judge", "annotator").strip(),
        "grade",
        None,
        "\n".join(filter(None, notes)),
        label=labels[0].strip(),
        query_text=names.query_text,
        by_text=names.by_text,
        passage=names.passage,
        kind="model" if named.get("kind") == "model" else "",
        seconds=_seconds(named.get("seconds")),
    )


def _seconds(value: Any) -> float | None:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if number and 0 <= value <= _LONGEST else None
