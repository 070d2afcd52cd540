"""Every rater's judgments as rows, as books and as files of judging tools; and the pool, to be
judged in one of them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from itertools import chain, groupby
from operator import attrgetter
from typing import NoReturn, cast

from judge_tui.campaign.exporting import Exported
from judge_tui.campaign.file import Campaign
from judge_tui.campaign.final_grades import refuse_unjudged
from judge_tui.campaign.judges import all_judges, find_judge
from judge_tui.campaign.labelled import ScaleLabels
from judge_tui.campaign.pool import pair_keys
from judge_tui.campaign.queries import all_queries, query_keys
from judge_tui.campaign.typed import typed
from judge_tui.campaign.whose_grades import models_count
from judge_tui.errors import UsageError, unknown
from judge_tui.formats.book_files import BOOK_FORMS, Book
from judge_tui.formats.judgments import IN_WORDS, Decision, JudgmentRow
from judge_tui.formats.labelling_files import JUDGMENT_FILES, POOL_FILES, Pair, Task
from judge_tui.formats.qrels_files import one_text_each
from judge_tui.formats.row_files import csv_lines, form_of, jsonl_lines, write_lines
from judge_tui.model import Query

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
    those that one of `BOOK_FORMS` or `JUDGMENT_FILES` can hold, each judge's as the judge's. Of one
    `judge` or for one `query`, where these are given.

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
        if form in BOOK_FORMS:
            return _export_book(campaign, path, form, chosen)
        if form in JUDGMENT_FILES:
            return _export_labelled(campaign, path, form, chosen)
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

    def that_fit(
        self,
        *,
        decisions: Iterable[str],
        kinds: Iterable[str] = ("human", "model"),
        greatest: int = 9,
        models_skip: bool = True,
        notes: bool = True,
    ) -> list[Judgment]:
        """First looks that have one of these decisions, by judges of these kinds, with no grade
        above `greatest`."""
        decisions, kinds = set(decisions), set(kinds)
        kept: list[Judgment] = []
        for one in self.all(only_models="human" not in kinds):
            if one.decision == SETTLED:
                why = "settled by a lead"
            elif one.kind not in kinds:
                why = "by people"
            elif one.purpose == "repeat":
                why = "hidden repeats"
            elif one.decision not in decisions:
                why = IN_WORDS.get(one.decision or "", "notes and flags alone")
            elif one.grade is not None and one.grade > greatest:
                why = f"grades above {greatest}"
            elif one.decision == "skip" and one.kind == "model" and not models_skip:
                why = "skipped by models"
            else:
                kept.append(one)
                continue
            self.left[why] += 1
        if not self.kept:
            self.refuse_none()
        self.kept = Counter({"judgments": len(kept)})
        self.left["flags"] = sum(one.flagged for one in kept)
        self.left["notes"] = 0 if notes else sum(bool(one.note) for one in kept)
        return kept

    def counts(self) -> dict[str, int]:
        left = {f"left out: {what}": count for what, count in self.left.items()}
        return {"judgments": 0, "settled by a lead": 0, **self.kept, **left}

    def refuse_none(self) -> NoReturn:
        """Raise `UsageError`: there is none."""
        if self.judge is not None or self.query is not None:
            raise UsageError("there are no such judgments", "leave --judge or --query out")
        refuse_unjudged(self.campaign)


def _export_book(
    campaign: Campaign, path: str | os.PathLike[str], form: str, chosen: _Chosen
) -> Exported:
    """And the pairs of the pool that have no judgment."""
    how = BOOK_FORMS[form]
    kept = chosen.that_fit(decisions=how.decisions, notes=how.notes)
    queries = {query.query_id: query for query in all_queries(campaign)}
    pool = sorted(pair_keys(campaign))
    texts = one_text_each(
        {query_id: queries[query_id].text for query_id, _ in pool},
        form,
        "csv, jsonl or label-studio",
    )
    settings = campaign.settings
    rows = list(_book_rows(pool, kept, texts, queries))
    write_lines(path, how.lines(Book(settings.name, settings.scale.labels, rows)))
    unknown_names = len(how.unknown(one.judge for one in kept))
    return Exported({**chosen.counts(), "judges whose names are no addresses": unknown_names})


def _book_rows(
    pool: Iterable[tuple[str, str]],
    kept: Iterable[Judgment],
    texts: Mapping[str, str],
    queries: Mapping[str, Query],
) -> Iterator[JudgmentRow]:
    of_pair: dict[tuple[str, str], list[Judgment]] = {}
    for one in kept:
        of_pair.setdefault((one.query_id, one.doc_id), []).append(one)
    for query_id, doc_id in pool:
        query = queries[query_id]
        is_open = JudgmentRow(
            0,
            texts[query_id],
            doc_id,
            "",
            "open",
            None,
            narrative=query.narrative,
            description=query.description,
        )
        those = of_pair.get((query_id, doc_id))
        if not those:
            yield is_open
        for one in those or ():
            yield is_open._replace(
                judge=one.judge,
                decision=cast(Decision, one.decision),
                grade=one.grade,
                note=one.note,
            )


def _export_labelled(
    campaign: Campaign, path: str | os.PathLike[str], form: str, chosen: _Chosen
) -> Exported:
    file = JUDGMENT_FILES[form]
    kept = chosen.that_fit(
        decisions=file.decisions,
        kinds=file.kinds,
        greatest=file.greatest,
        models_skip=file.models_skip,
        notes=file.notes,
    )
    if not kept and "human" not in file.kinds:
        raise UsageError(
            f"no judge of kind model has graded, and {form} holds what models said",
            "take another form, or load a model's grades: load qrels --kind model",
        )
    write_lines(path, file.lines(_tasks(campaign, kept)))
    return Exported(chosen.counts())


def _tasks(campaign: Campaign, kept: Iterable[Judgment]) -> Iterator[Task]:
    labels = ScaleLabels(campaign, campaign.path)
    queries = {query.query_id: query for query in all_queries(campaign)}
    for (query_id, doc_id), those in groupby(kept, key=attrgetter("query_id", "doc_id")):
        pair = _pair(campaign, queries[query_id], doc_id)
        yield pair, [_labelled_row(one, labels) for one in those]


def _labelled_row(one: Judgment, labels: ScaleLabels) -> JudgmentRow:
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


def _pair(campaign: Campaign, query: Query, doc_id: str) -> Pair:
    ((title, text),) = campaign.rows(
        "SELECT title, text FROM documents WHERE doc_id = ?", (doc_id,)
    )
    return Pair(query.query_id, query.text, query.narrative, doc_id, title, text or "")


def export_pool(campaign: Campaign, path: str | os.PathLike[str], form: str) -> Exported:
    """Write the pairs of the pool with their texts and nothing that was said of them, as one of
    `POOL_FILES`: by query in the order of the campaign, and by doc_id, so that no place in the file
    tells a rank. Raises `UsageError` for an empty pool."""
    file = POOL_FILES[form]
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
                    pair = _pair(campaign, query, doc_id)
                    has_text = bool((pair.title + pair.text).strip())
                    bare[query.query_id] += not has_text
                    if has_text or not file.wants_text:
                        written[query.query_id] += 1
                        yield pair, ()

        write_lines(path, file.lines(tasks()))
    without = "left out: pairs without a text" if file.wants_text else "pairs without a text"
    return Exported({"pairs": written.total(), "queries": len(written), without: bare.total()})
