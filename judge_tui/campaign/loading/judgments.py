"""Judgments of files into a campaign, each under its judge's name: one set of grades, or what
several judges decided; and gold grades, which are nobody's."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace as changed_in
from typing import cast

from judge_tui.campaign.loading import LoadCounts
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.documents import document_texts
from judge_tui.campaign.store.event import State
from judge_tui.campaign.store.events import append_from_file, pairs_commented_in_app
from judge_tui.campaign.store.judges import add_judge, proper_name
from judge_tui.campaign.store.judgments import states_of_judge
from judge_tui.campaign.store.pool import add_gold, add_pairs, gold_grades, pair_keys
from judge_tui.campaign.store.queries import known_queries
from judge_tui.errors import InputError, UsageError, unknown
from judge_tui.formats.ids import id_in
from judge_tui.formats.judgments import IN_WORDS, Decision, GradeDecision, JudgmentRow, Labels
from judge_tui.formats.pair_rows import QrelsRow
from judge_tui.formats.problems import quoted
from judge_tui.formats.query_names import folded_text
from judge_tui.formats.scale_labels import ScaleLabels
from judge_tui.formats.source import AsLayout, Layout
from judge_tui.formats.whole_files import read_grades, read_queries
from judge_tui.model import Pair
from judge_tui.pooling.strategies import LOADED

PathLike = str | os.PathLike[str]


def load_judgments(
    campaign: Campaign,
    path: PathLike,
    *,
    judge: str | None = None,
    kind: str | None = None,
    query: str | None = None,
    layout: AsLayout = None,
    skip_unknown: bool = False,
    replace: bool = False,
) -> dict[str, LoadCounts]:
    """Load a file of grades: the judgments of each judge in it, who are made if new; by name, what
    came of it.

    Judgments of a file that names nobody are those of `judge`; of one that names several, those
    of `judge` alone are taken. `query`: what a file is about that does not say it. `layout` may
    say what stands in place of grades. Pairs outside the pool join it, with stratum `loaded`. A
    negative grade means pooled, not judged. A skip in the file takes nothing back.

    Raises `InputError` at the first bad line, for a grade off the scale, for a query or a passage
    that the campaign lacks (left out with `skip_unknown`), and where the judge has judged
    otherwise. With `replace`, the file holds over earlier files, never over the app. Raises
    `UsageError` for a judge who is not in the file.
    """
    judge = judge and proper_name(judge)
    rows = _read(path, judge, query, layout)
    labels = Layout.of(layout).labels
    outcomes = {judge: LoadCounts()} if judge else {}
    with campaign.writing():
        found, left_out = _identified(campaign, path, rows, labels, skip_unknown=skip_unknown)
        keys = add_to_pool(campaign, [(row.query_id, row.doc_id) for row in found])
        by_judge: dict[str, list[JudgmentRow]] = {row.judge: [] for row in rows if row.judge}
        for row in found:
            if row.judge:
                by_judge[row.judge].append(row)
        for name, its in by_judge.items():
            kinds = {kind} if kind else {row.kind or "human" for row in its}
            loaded = record(campaign, path, its, keys, name, kinds, replace=replace)
            outcomes[name] = changed_in(loaded, left_out=loaded.left_out + left_out[name])
    return dict(sorted(outcomes.items()))


def _read(
    path: PathLike, judge: str | None, query: str | None, layout: AsLayout
) -> list[JudgmentRow]:
    """The rows of a file, each under its judge's proper name, "" for a pair that nobody judged."""
    read_as, graded = read_grades(path, format=layout)
    if read_as.kind == "qrels":
        if judge is None:
            raise UsageError(
                "the file does not say whose grades these are", "name the judge with --judge NAME"
            )
        rows = as_judgments(graded, judge)
    else:
        rows = _of_judges(path, graded, judge)
    if query is not None:
        for row in rows:
            if row.query_id:
                what = f"the file says for which query, {quoted(row.query_id)}"
                raise InputError(path, row.line, what, "leave --query out")
        return [row._replace(query_id=id_in(query)) for row in rows]
    if read_as.has_texts:
        queries = read_queries(path, format=read_as.name)
        # Where there is no text, the id stands for it.
        texts = {one.query_id: one.text for one in queries if one.text != one.query_id}
        return [row._replace(query_text=texts.get(row.query_id, "")) for row in rows]
    return rows


def _of_judges(path: PathLike, rows: Iterable[JudgmentRow], judge: str | None) -> list[JudgmentRow]:
    """The rows under their judges' proper names, `judge` where there is none; of a file that names
    judges only those of `judge`, if one is given."""
    names = {"": judge or ""}
    found = []
    for row in rows:
        if row.judge not in names:
            try:
                names[row.judge] = proper_name(row.judge)
            except UsageError as error:
                raise InputError(path, row.line, error.what, error.mend) from error
        if not names[row.judge] and _says_anything(row):
            raise UsageError("the file does not say who judged", "name the judge with --judge NAME")
        is_open = not row.judge and not _says_anything(row)
        found.append(row._replace(judge="" if is_open else names[row.judge]))
    here = {row.judge for row in found} - {""}
    if judge is None or not here:
        return found
    if judge not in here:
        raise unknown("judge", judge, sorted(here))
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


def record(
    campaign: Campaign,
    path: PathLike,
    rows: Sequence[JudgmentRow],
    pairs: Mapping[Pair, int],
    judge: str,
    kinds: Set[str],
    *,
    replace: bool,
    keep: bool = False,
) -> LoadCounts:
    """Write what one judge, who is made if new, decided of pairs with these keys, under the ids of
    the campaign; part of the caller's transaction. Rows that say nothing are left out.

    `kinds`: what the file says of the judge, human or model; never both of one name. With `keep`,
    what the judge decided otherwise in the app stays so, and is counted. Raises as `load_judgments`
    does.
    """
    unjudged = sum(not _says_anything(row) for row in rows)
    if unjudged == len(rows):
        return LoadCounts(left_out=unjudged)
    for kind in sorted(kinds):
        who = add_judge(campaign, judge, kind=kind)
    before = states_of_judge(campaign, who.key)
    new: dict[int, GradeDecision] = {}
    notes: dict[int, str] = {}
    seconds: dict[int, float] = {}
    unchanged = replaced = stay = 0
    for row in rows:
        pair = pairs[row.query_id, row.doc_id]
        if row.note.strip():
            notes.setdefault(pair, row.note)
        if row.decision == "open":
            continue
        decision = GradeDecision(row.decision, row.grade)
        state = before.get(pair, _NOTHING)
        known = new.get(pair) or _decision_of(state)
        if known == decision or (known and decision == _SKIPPED):
            unchanged += 1
            continue
        if known not in (None, _SKIPPED):
            if pair in new:
                raise _judged_otherwise(path, row, judge, known, "remove one of the two lines")
            if keep and not state.from_file:
                stay += 1
                continue
            if not state.from_file:
                raise _judged_otherwise(path, row, judge, known, _MEND_OF_APP)
            if not replace:
                raise _judged_otherwise(path, row, judge, known, _MEND_OF_FILE)
            replaced += 1
        new[pair] = decision
        if row.seconds is not None:
            seconds[pair] = row.seconds
    events: list[tuple[int, str, int | None, str, float | None]] = [
        (pair, *one, "", seconds.get(pair)) for pair, one in new.items()
    ]
    own = pairs_commented_in_app(campaign, who.key) if notes else set()
    for pair, note in notes.items():
        noted = before.get(pair, _NOTHING).note
        if pair not in own and (not noted or (replace and noted.strip() != note.strip())):
            events.append((pair, "comment", None, note, None))
    append_from_file(campaign, who.key, events)
    return LoadCounts(len(new) - replaced, replaced, unchanged, unjudged, stay)


_NOTHING = State()
_SKIPPED = GradeDecision("skip")
_MEND_OF_APP = "mend the line, judge it anew in the app, or load the file under another judge"
_MEND_OF_FILE = "mend the line, or let the file hold with --replace"


def _decision_of(state: State) -> GradeDecision | None:
    if state.decision is None:
        return None
    return GradeDecision(cast(Decision, state.decision), state.grade)


def _judged_otherwise(
    path: PathLike, row: JudgmentRow, judge: str, known: GradeDecision, mend: str
) -> InputError:
    return InputError(
        path,
        row.line,
        f"judge {quoted(judge)} has said {_in_words(known)} of {quoted(row.doc_id)} for"
        f" {quoted(row.query_id)} already, not {_in_words(GradeDecision(row.decision, row.grade))}",
        mend,
    )


def _in_words(judgment: GradeDecision) -> str:
    return IN_WORDS[judgment.decision] if judgment.grade is None else str(judgment.grade)


def _says_anything(row: JudgmentRow) -> bool:
    return row.decision != "open" or bool(row.note.strip())


def _identified(
    campaign: Campaign,
    path: PathLike,
    rows: Iterable[JudgmentRow],
    labels: Labels | None,
    *,
    skip_unknown: bool,
) -> tuple[list[JudgmentRow], Counter[str]]:
    """The rows under the ids of the campaign and with grades on its scale, and how many of each
    judge were left out."""
    queries = known_queries(campaign, path)
    query_of = queries.find if skip_unknown else queries.get
    scale_labels = ScaleLabels(campaign.settings.scale, labels)
    passages = _passages(campaign, {row.passage for row in rows if not row.doc_id})
    found = []
    left_out = Counter[str]()
    for one in rows:
        row = _without_negative(scale_labels.graded(path, one))
        refuse_off_scale(campaign, path, row)
        if not row.query_id:
            raise InputError(
                path,
                row.line,
                "the row does not say for which query",
                "write the id, or name the query of the whole file with --query",
            )
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
    found = passages[folded_text(row.passage)]
    if len(found) == 1 or (not found and skip_unknown):
        return "".join(found)
    what = "belongs to " + " and ".join(found[:3]) if found else "is of no document here"
    raise InputError(
        path,
        row.line,
        f"the text {quoted(folded_text(row.passage))} {what}",
        "give the id of the document as doc_id"
        if found
        else "load the documents first (load docs --all), or leave such rows out with"
        " --skip-unknown",
    )


def _passages(campaign: Campaign, passages: set[str]) -> dict[str, list[str]]:
    """The documents of each of these texts, white space folded, with or without their title."""
    by_text: dict[str, list[str]] = {folded_text(passage): [] for passage in passages}
    if by_text:
        for doc_id, title, text in document_texts(campaign):
            for form in {folded_text(text), folded_text(f"{title} {text}")}:
                if form in by_text:
                    by_text[form].append(doc_id)
    return by_text


def add_to_pool(campaign: Campaign, wanted: Sequence[Pair]) -> dict[Pair, int]:
    """The keys of all pairs, once those wanted have joined the pool."""
    add_pairs(campaign, wanted, LOADED)
    return pair_keys(campaign)


def refuse_off_scale(campaign: Campaign, path: PathLike, row: QrelsRow | JudgmentRow) -> None:
    """Raise `InputError` for a grade that the campaign's scale does not have."""
    scale = campaign.settings.scale
    if row.grade is not None and row.grade >= 0 and row.grade not in scale:
        raise InputError(
            path,
            row.line,
            scale.off_scale(row.grade),
            'mend the grade, say what ratings mean with --labels "1=0,2=0,3=1,…", or start a'
            " campaign with a scale that holds it: init --scale",
        )


def load_gold(campaign: Campaign, path: PathLike, rows: Iterable[QrelsRow]) -> int:
    """Make the rows of a qrels file gold pairs, which every judge gets among the others; returns
    how many are new.

    Pairs outside the pool join it, with stratum `gold`. Raises `InputError` for a grade off the
    scale, a query that the campaign does not have, and a gold pair that has another grade already.
    """
    scale = campaign.settings.scale
    with campaign.writing():
        queries = known_queries(campaign, path)
        known = gold_grades(campaign)
        for row in rows:
            query_id = queries.get(row.line, row.query_id).query_id
            if row.grade not in scale:
                mend = "mend the grade, or take the line out"
                raise InputError(path, row.line, scale.off_scale(row.grade), mend)
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
