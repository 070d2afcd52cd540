"""Every rater's judgments as rows, as books and as files of judging tools; and the pool, to be
judged in one of them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from itertools import chain
from operator import attrgetter
from typing import NoReturn, cast

from judge_tui.campaign.exporting import Exported
from judge_tui.campaign.exporting.same_texts import refuse_same_texts
from judge_tui.campaign.overview.grading import refuse_unjudged
from judge_tui.campaign.scale_labels import ScaleLabels
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.judges import all_judges, find_judge, models_count
from judge_tui.campaign.store.pool import pair_keys
from judge_tui.campaign.store.queries import all_queries, query_keys
from judge_tui.campaign.typed import typed
from judge_tui.errors import UsageError, unknown
from judge_tui.formats.json_document import jsonl_lines
from judge_tui.formats.judgments import IN_WORDS, Decision, JudgmentRow
from judge_tui.formats.quepid_json import unknown_judges
from judge_tui.formats.tables import csv_lines
from judge_tui.formats.writers import (
    JUDGMENT_FORMS,
    POOL_FORMS,
    JudgmentForm,
    JudgmentsToWrite,
    Task,
)
from judge_tui.formats.writing import form_of, write_lines
from judge_tui.model import Document, Query

__all__ = [
    "COLUMNS",
    "SETTLED",
    "Judgment",
    "export_judgments",
    "export_pool",
    "judgments",
]

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

_SQL = """
SELECT q.query_id, d.doc_id, w.name, w.kind, w.role, x.purpose, x.decision, x.grade, x.note,
    x.flagged, x.seconds, x.written_at
FROM (
    SELECT j.judge, j.pair, j.turn AS place,
        coalesce(a.purpose, CASE j.turn WHEN 0 THEN 'normal' ELSE 'repeat' END) AS purpose,
        j.decision, j.grade, j.note, j.flagged, j.seconds, j.written_at
    FROM judgments AS j LEFT JOIN assignments AS a
        ON a.judge = j.judge AND a.pair = j.pair AND a.turn = j.turn
    UNION ALL
    SELECT s.judge, s.pair, 2, '', 'adjudicate', s.grade, s.note, 0, e.looked, s.written_at
    FROM adjudications AS s JOIN events AS e ON e.id = s.event
) AS x
JOIN pool AS p ON p.id = x.pair
JOIN queries AS q ON q.id = p.query
JOIN documents AS d ON d.id = p.document
JOIN judges AS w ON w.id = x.judge
ORDER BY q.query_id, d.doc_id, x.place = 2, w.name, x.place
"""


def judgments(campaign: Campaign) -> Iterator[Judgment]:
    """Every judgment that holds, by query_id, doc_id and judge, the first look before the hidden
    repeat, and last what a lead settled.

    They are read as they are asked for: put it inside `campaign.reading()`.
    """
    with campaign.in_words():
        for row in campaign.connection.execute(_SQL):
            found = dict(zip(COLUMNS, row, strict=True))
            yield Judgment(**{**found, "flagged": bool(found["flagged"])})


def export_judgments(
    campaign: Campaign,
    path: str | os.PathLike[str],
    *,
    form: str | None = None,
    include_models: bool | None = None,
    judge: str | None = None,
    query: str | None = None,
) -> Exported:
    """Write the judgments that hold to `path`: all of them as CSV or JSON Lines (see `form_of`), or
    those that one of `JUDGMENT_FORMS` can hold, each judge's as the judge's. Of one `judge` or for
    one `query`, where these are given.

    Judges of kind model are left out unless they count. Raises `UsageError` for a file whose form
    is not known, where nobody who counts did anything, and for a judge or a query that there is
    not; `InputError` where it cannot be written.
    """
    if judge is not None:
        known = find_judge(campaign, judge)
        if known is None:
            raise unknown("judge", judge, [one.name for one in all_judges(campaign)])
        judge = known.name
    if query is not None and query not in query_keys(campaign):
        raise UsageError(f"query {query!r} is not in the campaign", "name it by its id")
    chosen = _Chosen(campaign, judge, query, include_models)
    with campaign.reading():
        if form in JUDGMENT_FORMS:
            return _export_form(campaign, path, form, chosen)
        form = form_of(path, form)
        every = chosen.all()
        first = next(every, None)
        if first is None:
            chosen.refuse_none()
        rows = map(_values, chain([first], every))
        lines = (
            csv_lines(COLUMNS, rows)
            if form == "csv"
            else jsonl_lines(dict(zip(COLUMNS, row, strict=True)) for row in rows)
        )
        write_lines(path, lines)
    return Exported(chosen.counts())


class _Chosen:
    """The judgments that are wanted, counted as they are read."""

    def __init__(
        self, campaign: Campaign, judge: str | None, query: str | None, include_models: bool | None
    ) -> None:
        self.campaign, self.judge, self.query = campaign, judge, query
        self.models = judge is not None or models_count(campaign, include_models)
        self.kept: Counter[str] = Counter()
        self.left: Counter[str] = Counter()

    def all(self, *, only_models: bool = False) -> Iterator[Judgment]:
        """Every one, models where they count, or where no others are wanted."""
        for one in judgments(self.campaign):
            if self.judge not in (None, one.judge) or self.query not in (None, one.query_id):
                continue
            if one.kind == "model" and not self.models and not only_models:
                self.left["by models (--include-models)"] += 1
                continue
            self.kept["settled by a lead" if one.decision == SETTLED else "judgments"] += 1
            yield one

    def that_fit(self, form: JudgmentForm) -> list[Judgment]:
        """First looks that the form has a place for."""
        kept: list[Judgment] = []
        for one in self.all(only_models="human" not in form.kinds):
            if one.decision == SETTLED:
                why = "settled by a lead"
            elif one.kind not in form.kinds:
                why = "by people"
            elif one.purpose == "repeat":
                why = "hidden repeats"
            elif one.decision not in form.decisions:
                why = IN_WORDS.get(one.decision or "", "notes and flags alone")
            elif one.grade is not None and one.grade > form.greatest:
                why = f"grades above {form.greatest}"
            elif one.decision == "skip" and one.kind == "model" and not form.models_skip:
                why = "skipped by models"
            else:
                kept.append(one)
                continue
            self.left[why] += 1
        if not self.kept:
            self.refuse_none()
        self.kept = Counter({"judgments": len(kept)})
        self.left["flags"] = sum(one.flagged for one in kept)
        self.left["notes"] = 0 if form.notes else sum(bool(one.note) for one in kept)
        return kept

    def counts(self) -> dict[str, int]:
        left = {f"left out: {what}": count for what, count in self.left.items()}
        return {"judgments": 0, "settled by a lead": 0, **self.kept, **left}

    def refuse_none(self) -> NoReturn:
        """Raise `UsageError`: there is none."""
        if self.judge is not None or self.query is not None:
            raise UsageError("there are no such judgments", "leave --judge or --query out")
        refuse_unjudged(self.campaign)


def _export_form(
    campaign: Campaign, path: str | os.PathLike[str], form: str, chosen: _Chosen
) -> Exported:
    how = JUDGMENT_FORMS[form]
    kept = chosen.that_fit(how)
    if not kept and "human" not in how.kinds:
        raise UsageError(
            f"no judge of kind model has graded, and {form} holds what models said",
            "take another form, or load a model's grades: load qrels --kind model",
        )
    queries = {query.query_id: query for query in all_queries(campaign)}
    pool = sorted(pair_keys(campaign)) if how.whole_pool else []
    if how.by_text:
        texts = {query_id: queries[query_id].text for query_id, _ in pool}
        refuse_same_texts(texts, form, ("csv", "jsonl", "label-studio"))
    settings = campaign.settings
    tasks = _tasks(campaign, kept, pool, queries)
    write_lines(path, how.lines(JudgmentsToWrite(tasks, settings.name, settings.scale.labels)))
    strangers = unknown_judges(one.judge for one in kept) if how.addresses else ()
    return Exported({**chosen.counts(), "judges whose names are no addresses": len(strangers)})


def _tasks(
    campaign: Campaign,
    kept: Iterable[Judgment],
    pool: Iterable[tuple[str, str]],
    queries: Mapping[str, Query],
) -> Iterator[Task]:
    """The judgments by their pairs, and the other pairs of the pool."""
    labels = ScaleLabels(campaign, campaign.path)
    of_pair: dict[tuple[str, str], list[JudgmentRow]] = {pair: [] for pair in pool}
    for one in kept:
        of_pair.setdefault((one.query_id, one.doc_id), []).append(_row(one, labels))
    for (query_id, doc_id), rows in of_pair.items():
        yield Task(queries[query_id], _document(campaign, doc_id), rows)


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


def _document(campaign: Campaign, doc_id: str) -> Document:
    ((title, text),) = campaign.rows(
        "SELECT title, text FROM documents WHERE doc_id = ?", (doc_id,)
    )
    return Document(doc_id, title, text or "")


def export_pool(campaign: Campaign, path: str | os.PathLike[str], form: str) -> Exported:
    """Write the pairs of the pool with their texts and nothing that was said of them, as one of
    `POOL_FORMS`: by query in the order of the campaign, and by doc_id, so that no place in the file
    tells a rank. Raises `UsageError` for an empty pool."""
    how = POOL_FORMS[form]
    written: Counter[str] = Counter()
    bare: Counter[str] = Counter()
    with campaign.reading():
        wanted = pair_keys(campaign)
        if not wanted:
            raise UsageError("the pool is empty", f"first: {typed(campaign.path, 'pool')}")
        of_query: dict[str, list[str]] = {}
        for query_id, doc_id in sorted(wanted):
            of_query.setdefault(query_id, []).append(doc_id)

        def tasks() -> Iterator[Task]:
            for query in all_queries(campaign):
                for doc_id in of_query.get(query.query_id, ()):
                    document = _document(campaign, doc_id)
                    has_text = bool((document.title + document.text).strip())
                    bare[query.query_id] += not has_text
                    if has_text or not how.wants_text:
                        written[query.query_id] += 1
                        yield Task(query, document)

        write_lines(path, how.lines(JudgmentsToWrite(tasks())))
    without = "left out: pairs without a text" if how.wants_text else "pairs without a text"
    return Exported({"pairs": written.total(), "queries": len(written), without: bare.total()})
