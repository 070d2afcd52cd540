"""Every rater's judgments as rows, with notes and times, and what the lead settled."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from itertools import chain
from operator import attrgetter
from typing import Any

from judge_tui.campaign.events import DECISIONS
from judge_tui.campaign.export import refuse_unjudged
from judge_tui.campaign.export_rows import Value, csv_lines, form_of, jsonl_lines, write_lines
from judge_tui.campaign.file import Campaign
from judge_tui.campaign.judges import Judge, all_judges

__all__ = ["COLUMNS", "ExportedJudgments", "Judgment", "export_judgments", "judgments"]

SETTLED = "adjudicate"
"""The decision of a lead."""


@dataclass(frozen=True, slots=True)
class Judgment:
    """What one judge did with one pair at one look, or what a lead settled.

    `purpose`: normal, overlap, gold or repeat; empty where a lead settled. `decision`: grade, skip
    or cannot, adjudicate where a lead settled, None where there is a note or a flag alone. `note`:
    the judge's, or the lead's reason. `seconds` looked at it, None where nobody measured;
    `written_at` is in UTC.
    """

    query_id: str
    doc_id: str
    judge: str
    kind: str
    role: str
    purpose: str
    decision: str | None
    grade: int | None
    note: str
    flagged: bool
    seconds: float | None
    written_at: str


COLUMNS = tuple(field.name for field in fields(Judgment))

_values = attrgetter(*COLUMNS)


@dataclass(frozen=True, slots=True)
class ExportedJudgments:
    """How many rows were written, how many of them are settled by a lead, and how many by models
    were left out."""

    rows: int
    settled: int
    models_left_out: int


def export_judgments(
    campaign: Campaign,
    path: str | os.PathLike[str],
    *,
    form: str | None = None,
    include_models: bool = False,
) -> ExportedJudgments:
    """Write all judgments that hold to `path`, as CSV or JSON Lines; see `form_of`.

    Judges of kind `model` are left out unless asked for. Raises `UsageError` for a file whose form
    is not known and where nobody who counts did anything, and `InputError` where it cannot be
    written.
    """
    form = form_of(path, form)
    counts: Counter[str] = Counter()

    def rows() -> Iterator[tuple[Value, ...]]:
        for one in judgments(campaign):
            if one.kind == "model" and not include_models:
                counts["models"] += 1
                continue
            counts["rows"] += 1
            counts["settled"] += one.decision == SETTLED
            yield _values(one)

    with campaign.reading():
        found = rows()
        first = next(found, None)
        if first is None:
            refuse_unjudged(campaign)
        every = chain([first], found)
        lines = (
            csv_lines(COLUMNS, every)
            if form == "csv"
            else jsonl_lines(dict(zip(COLUMNS, row, strict=True)) for row in every)
        )
        write_lines(path, lines)
    return ExportedJudgments(counts["rows"], counts["settled"], counts["models"])


def judgments(campaign: Campaign) -> Iterator[Judgment]:
    """Every judgment that holds, by query_id, doc_id and judge, the first look before the hidden
    repeat, and last what a lead settled.

    They are read as they are asked for: put it inside `campaign.reading()`.
    """
    judges = {judge.key: judge for judge in all_judges(campaign)}
    with campaign.in_words():
        for pair, query_id, doc_id in campaign.connection.execute(
            "SELECT p.id, q.query_id, d.doc_id FROM pool AS p"
            " JOIN queries AS q ON q.id = p.query JOIN documents AS d ON d.id = p.document"
            " WHERE EXISTS (SELECT 1 FROM events AS e WHERE e.pair = p.id) ORDER BY 2, 3"
        ):
            yield from _of_pair(campaign, pair, query_id, doc_id, judges)


def _of_pair(
    campaign: Campaign, pair: int, query_id: str, doc_id: str, judges: Mapping[int, Judge]
) -> list[Judgment]:
    looks: dict[tuple[int, int], dict[str, Any]] = {}
    settled = None
    for key, turn, action, grade, note, looked, written_at, purpose in campaign.rows(
        "SELECT e.judge, e.turn, action, grade, note, looked, written_at, a.purpose"
        " FROM live_events AS e LEFT JOIN assignments AS a"
        " ON a.judge = e.judge AND a.pair = e.pair AND a.turn = e.turn"
        " WHERE e.pair = ? ORDER BY e.id",
        (pair,),
    ):
        if action == SETTLED:
            settled = _judgment(
                query_id,
                doc_id,
                judges[key],
                decision=action,
                grade=grade,
                note=note,
                seconds=looked,
                written_at=written_at,
            )
            continue
        look = looks.setdefault((key, turn), {"written_at": written_at})
        look["purpose"] = purpose or ("repeat" if turn else "normal")
        if action in DECISIONS:
            look.update(decision=action, grade=grade, seconds=looked, written_at=written_at)
        elif action == "comment":
            look["note"] = note
        else:
            look["flagged"] = action == "flag"
    found = [
        _judgment(query_id, doc_id, judges[key], **looks[key, turn])
        for key, turn in sorted(looks, key=lambda one: (judges[one[0]].name, one[1]))
    ]
    # A flag or note that was taken back leaves nothing.
    found = [one for one in found if one.decision or one.note or one.flagged]
    return found if settled is None else [*found, settled]


def _judgment(
    query_id: str,
    doc_id: str,
    judge: Judge,
    *,
    written_at: str,
    purpose: str = "",
    decision: str | None = None,
    grade: int | None = None,
    note: str = "",
    flagged: bool = False,
    seconds: float | None = None,
) -> Judgment:
    return Judgment(
        query_id=query_id,
        doc_id=doc_id,
        judge=judge.name,
        kind=judge.kind,
        role=judge.role,
        purpose=purpose,
        decision=decision,
        grade=grade,
        note=note,
        flagged=flagged,
        seconds=seconds,
        written_at=written_at,
    )
