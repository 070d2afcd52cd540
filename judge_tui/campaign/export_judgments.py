"""Every rater's judgments as rows, with notes and times, and what the lead settled."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from itertools import chain
from operator import attrgetter

from judge_tui.campaign.export import refuse_unjudged
from judge_tui.campaign.file import Campaign
from judge_tui.campaign.judges import Judge, all_judges
from judge_tui.campaign.looks import SETTLED, Look, looks_of
from judge_tui.campaign.whose_grades import models_count
from judge_tui.formats.row_files import Value, csv_lines, form_of, jsonl_lines, write_lines

__all__ = ["COLUMNS", "ExportedJudgments", "Judgment", "export_judgments", "judgments"]


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
_of_look = attrgetter(*(field.name for field in fields(Look)))


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
    include_models: bool | None = None,
) -> ExportedJudgments:
    """Write all judgments that hold to `path`, as CSV or JSON Lines; see `form_of`.

    Judges of kind `model` are left out unless asked for. Raises `UsageError` for a file whose form
    is not known and where nobody who counts did anything, and `InputError` where it cannot be
    written.
    """
    form = form_of(path, form)
    models = models_count(campaign, include_models)
    counts: Counter[str] = Counter()

    def rows() -> Iterator[tuple[Value, ...]]:
        for one in judgments(campaign):
            if one.kind == "model" and not models:
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
) -> Iterator[Judgment]:
    looks, settled = looks_of(campaign, pair)
    every = sorted(looks.items(), key=lambda one: (judges[one[0][0]].name, one[0][1]))
    rows = [(key, look) for (key, _), look in every] + ([] if settled is None else [settled])
    for key, look in rows:
        judge = judges[key]
        yield Judgment(query_id, doc_id, judge.name, judge.kind, judge.role, *_of_look(look))
