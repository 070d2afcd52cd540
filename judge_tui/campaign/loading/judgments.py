"""Judgments of files into a campaign, each under its judge's name: one set of grades, or what
several judges decided; and gold grades, which are nobody's."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace as changed_in
from typing import SupportsIndex, cast

from judge_tui.campaign.loading import LoadCounts
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.documents import document_texts
from judge_tui.campaign.store.event import State
from judge_tui.campaign.store.events import append_from_file, take_back_grades
from judge_tui.campaign.store.judges import add_judge, proper_name
from judge_tui.campaign.store.judgments import states_of_judge
from judge_tui.campaign.store.pool import add_gold, add_pairs, gold_grades, pair_keys
from judge_tui.campaign.store.queries import known_queries
from judge_tui.errors import InputError, UsageError, check_known
from judge_tui.formats.judgments import (
    IN_WORDS,
    Decision,
    GradeDecision,
    JudgmentRow,
    QrelsRow,
    ScaleLabels,
)
from judge_tui.formats.problems import quoted
from judge_tui.formats.query_names import folded_text
from judge_tui.formats.source import AsLayout, Layout
from judge_tui.formats.whole_files import read_grades, read_queries
from judge_tui.pooling.strategies import LOADED

PathLike = str | os.PathLike[str]


def load_judgments(
    campaign: Campaign,
    path: PathLike,
    *,
    judge: str | None = None,
    kind: str | None = None,
    layout: AsLayout = None,
    skip_unknown: bool = False,
    replace: bool = False,
) -> dict[str, LoadCounts]:
    """Load a file of grades: the judgments of each judge in it, who are made if new; by name, what
    came of it.

    Judgments of a file that names nobody are those of `judge`; of one that names several, those
    of `judge` alone are taken. `layout` may say what stands in place of grades. Pairs outside the
    pool join it, with stratum `loaded`. A negative grade means pooled, not judged.

    Raises `InputError` at the first bad line, for a grade off the scale, for a query or a passage
    that the campaign lacks (left out with `skip_unknown`), and as `write_judgments` does. Raises
    `UsageError` for a judge who is not in the file.
    """
    judge = judge and proper_name(judge)
    rows = _read(path, judge, layout)
    outcomes = {judge: LoadCounts()} if judge else {}
    with campaign.writing():
        labels = ScaleLabels(campaign.settings.scale, Layout.of(layout).labels)
        found, left_out = _identified(campaign, path, rows, labels, skip_unknown=skip_unknown)
        outcomes |= write_judgments(campaign, path, found, kind, replace=replace)
    for name, count in left_out.items():
        before = outcomes.get(name, LoadCounts())
        outcomes[name] = changed_in(before, left_out=before.left_out + count)
    return dict(sorted(outcomes.items()))


def _read(path: PathLike, judge: str | None, layout: AsLayout) -> list[JudgmentRow]:
    """The rows of a file, each under its judge's proper name, "" for a pair that nobody judged."""
    read_as, graded = read_grades(path, format=layout)
    if read_as.kind == "qrels":
        if judge is None:
            raise UsageError(*_NO_JUDGE)
        rows = as_judgments(graded, judge)
    else:
        rows = _of_judges(path, graded, judge)
    if read_as.has_texts:
        queries = read_queries(path, format=read_as.name)
        # Where there is no text, the id stands for it.
        texts = {one.query_id: one.text for one in queries if one.text != one.query_id}
        return [row._replace(query_text=texts.get(row.query_id, "")) for row in rows]
    return rows


_NO_JUDGE = ("the file does not say whose grades these are", "name the judge with --judge NAME")


def _of_judges(path: PathLike, rows: Iterable[JudgmentRow], judge: str | None) -> list[JudgmentRow]:
    """The rows under their judges' proper names, `judge` where there is none; of a file that names
    judges only those of `judge`, if one is given."""
    names: dict[str, str] = {}
    found = []
    for row in rows:
        if row.judge:
            if row.judge not in names:
                try:
                    names[row.judge] = proper_name(row.judge)
                except UsageError as error:
                    raise InputError(path, row.line, error.what, error.mend) from error
            found.append(row._replace(judge=names[row.judge]))
        elif not _says_anything(row):
            found.append(row)
        elif judge is None:
            raise UsageError(*_NO_JUDGE)
        else:
            found.append(row._replace(judge=judge))
    here = {row.judge for row in found} - {""}
    if judge is None or not here:
        return found
    check_known("judge", judge, sorted(here))
    return [row for row in found if row.judge in ("", judge)]


def as_judgments(rows: Iterable[QrelsRow], judge: str) -> list[JudgmentRow]:
    """Grades as what one judge decided; a negative one is none yet."""
    return [
        _without_negative(JudgmentRow(line, query_id, doc_id, judge, decision, grade))
        for line, query_id, doc_id, grade, decision in rows
    ]


def _without_negative(row: JudgmentRow) -> JudgmentRow:
    if row.grade is None or row.grade >= 0:
        return row
    return row._replace(decision="open" if row.decision == "grade" else row.decision, grade=None)


def write_judgments(
    campaign: Campaign,
    path: PathLike,
    rows: Sequence[JudgmentRow],
    kind: str | None,
    *,
    replace: bool,
    whole_queries: Collection[str] = (),
) -> dict[str, LoadCounts]:
    """Write rows under the ids of the campaign, as part of the caller's transaction: their pairs
    join the pool, and their judges the campaign, of this `kind` or of what the rows say. By judge,
    what came of it; rows that say nothing are left out.

    What was decided in the app stays. What an earlier file decided otherwise raises `InputError`
    unless `replace`; then, of `whole_queries`, grades that the rows no longer have are taken back.
    A skip takes nothing back. Raises `InputError` for a grade off the scale.
    """
    for row in rows:
        if row.grade is not None and row.grade not in campaign.settings.scale:
            raise _off_scale(campaign, path, row.line, row.grade)
    add_pairs(campaign, [(row.query_id, row.doc_id) for row in rows], LOADED)
    pairs = pair_keys(campaign)
    by_judge: dict[str, list[tuple[int, JudgmentRow]]] = {}
    for row in rows:
        if row.judge:
            pair = pairs[row.query_id, row.doc_id]
            by_judge.setdefault(row.judge, []).append((pair, row))
    outcomes = {}
    for name, its in by_judge.items():
        said = [(pair, row) for pair, row in its if _says_anything(row)]
        loaded = LoadCounts()
        if said:
            for each in sorted({kind or row.kind or "human" for _, row in said}):
                judge = add_judge(campaign, name, kind=each).key
            if replace and whole_queries:
                here = {pair for pair, _ in said}
                others = (key for (query, _), key in pairs.items() if query in whole_queries)
                take_back_grades(campaign, judge, {*others} - here)
            loaded = _record(campaign, path, judge, said, replace=replace)
        outcomes[name] = changed_in(loaded, left_out=len(its) - len(said))
    return outcomes


def _record(
    campaign: Campaign,
    path: PathLike,
    judge: int,
    rows: Iterable[tuple[int, JudgmentRow]],
    *,
    replace: bool,
) -> LoadCounts:
    """Write what one judge (a key) decided of pairs (keys)."""
    before = states_of_judge(campaign, judge)
    new: dict[int, JudgmentRow] = {}
    notes: dict[int, str] = {}
    unchanged = replaced = stay = 0
    for pair, row in rows:
        if row.note.strip():
            notes.setdefault(pair, row.note)
        if row.decision == "open":
            continue
        decision, state = GradeDecision(row.decision, row.grade), before.get(pair, State())
        known = _decided(state)
        if pair in new:
            known = GradeDecision(new[pair].decision, new[pair].grade)
        if known == decision or (known and decision == _SKIPPED):
            unchanged += 1
            continue
        if known not in (None, _SKIPPED):
            if pair in new:
                raise _decided_otherwise(path, row, known, "remove one of the two lines")
            if not state.from_file:
                stay += 1
                continue
            if not replace:
                mend = "mend the line, or replace what the earlier file said with --replace"
                raise _decided_otherwise(path, row, known, mend)
            replaced += 1
        new[pair] = row
    events: list[tuple[int, str, int | None, str, float | None]] = [
        (pair, row.decision, row.grade, "", row.seconds) for pair, row in new.items()
    ]
    for pair, note in notes.items():
        noted = before.get(pair, State()).note
        if not noted or (replace and noted.strip() != note.strip()):
            events.append((pair, "comment", None, note, None))
    append_from_file(campaign, judge, events)
    return LoadCounts(len(new) - replaced, replaced, unchanged, stay=stay)


_SKIPPED = GradeDecision("skip")


def _decided(state: State) -> GradeDecision | None:
    if state.decision is None:
        return None
    return GradeDecision(cast(Decision, state.decision), state.grade)


def _decided_otherwise(
    path: PathLike, row: JudgmentRow, known: GradeDecision, mend: str
) -> InputError:
    before, now = (
        IN_WORDS[one.decision] if one.grade is None else str(one.grade) for one in (known, row)
    )
    return InputError(
        path,
        row.line,
        f"judge {quoted(row.judge)} judged {quoted(row.doc_id)} for {quoted(row.query_id)} before:"
        f" {before} then, {now} here",
        mend,
    )


def _says_anything(row: JudgmentRow) -> bool:
    return row.decision != "open" or bool(row.note.strip())


def _identified(
    campaign: Campaign,
    path: PathLike,
    rows: Iterable[JudgmentRow],
    labels: ScaleLabels,
    *,
    skip_unknown: bool,
) -> tuple[list[JudgmentRow], Counter[str]]:
    """The rows under the ids of the campaign, and how many of each judge were left out."""
    queries = known_queries(campaign, path)
    query_of = queries.find if skip_unknown else queries.get
    passages = _passages(campaign, {row.passage for row in rows if not row.doc_id})
    found = []
    left_out = Counter[str]()
    for one in rows:
        row = _without_negative(labels.graded(path, one))
        query = query_of(row.line, row.query_id, row.query_text)
        doc_id = row.doc_id or _of_passage(path, row, passages, skip_unknown=skip_unknown)
        if query is None or not doc_id:
            left_out[row.judge] += 1
        else:
            found.append(row._replace(query_id=query.query_id, doc_id=doc_id))
    return found, left_out


def _of_passage(
    path: PathLike, row: JudgmentRow, passages: Mapping[str, list[str]], *, skip_unknown: bool
) -> str:
    """The document of exactly the text of a row without an id; "" where it is left out."""
    text = folded_text(row.passage)
    found = passages[text]
    if len(found) == 1 or (not found and skip_unknown):
        return "".join(found)
    if found:
        what, mend = "belongs to " + " and ".join(found[:3]), "give the document's id as doc_id"
    else:
        what = "is of no document here"
        mend = "load the documents first (load docs --all), or add --skip-unknown"
    raise InputError(path, row.line, f"the text {quoted(text)} {what}", mend)


def _passages(campaign: Campaign, passages: set[str]) -> dict[str, list[str]]:
    """The documents of each of these texts, white space folded, with or without their title."""
    by_text: dict[str, list[str]] = {folded_text(passage): [] for passage in passages}
    if by_text:
        for doc_id, title, text in document_texts(campaign):
            for form in {folded_text(text), folded_text(f"{title} {text}")}:
                if form in by_text:
                    by_text[form].append(doc_id)
    return by_text


def _off_scale(campaign: Campaign, path: PathLike, line: SupportsIndex, grade: int) -> InputError:
    mend = "mend the grade, or say what each rating means with --labels 1=0,2=1,3=2"
    return InputError(path, line, campaign.settings.scale.off_scale(grade), mend)


def load_gold(campaign: Campaign, path: PathLike, rows: Iterable[QrelsRow]) -> int:
    """Make the rows of a qrels file gold pairs, which every judge gets among the others; returns
    how many are new.

    Pairs outside the pool join it, with stratum `gold`. Raises `InputError` for a grade off the
    scale, a query that the campaign does not have, and a gold pair that has another grade already.
    """
    with campaign.writing():
        queries = known_queries(campaign, path)
        known = gold_grades(campaign)
        for row in rows:
            query_id = queries.get(row.line, row.query_id).query_id
            if row.grade not in campaign.settings.scale:
                raise _off_scale(campaign, path, row.line, row.grade)
            grade = known.setdefault((query_id, row.doc_id), row.grade)
            if grade != row.grade:
                raise InputError(
                    path,
                    row.line,
                    f"the gold grade of {row.doc_id!r} for {query_id!r} is {grade} already,"
                    f" not {row.grade}",
                    "mend the line: a gold grade stays what it is",
                )
        return add_gold(campaign, known)
