"""Judgments of files into a campaign, each under its judge's name: one set of grades, or what
several judges decided."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace as changed_in

from judge_tui.campaign.loading.loaded import LOADED, Loaded
from judge_tui.campaign.scale_labels import ScaleLabels
from judge_tui.campaign.store.backend import roomy
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.events import append_from_file
from judge_tui.campaign.store.judges import Judge, add_judge, find_judge, proper_name
from judge_tui.campaign.store.pool import add_pairs, pair_keys
from judge_tui.campaign.store.queries import known_queries
from judge_tui.errors import InputError, UsageError, unknown
from judge_tui.formats.ids import id_in
from judge_tui.formats.judgments import IN_WORDS, GradeDecision, JudgmentRow, Labels
from judge_tui.formats.pair_rows import QrelsRow
from judge_tui.formats.problems import quoted
from judge_tui.formats.query_names import folded_text
from judge_tui.formats.source import AsLayout, Layout
from judge_tui.formats.whole_files import read_grades, read_queries
from judge_tui.model import Pair

__all__ = ["as_judgments", "load_judgments", "record", "refuse_off_scale"]

PathLike = str | os.PathLike[str]


def load_judgments(
    campaign: Campaign,
    path: PathLike,
    *,
    judge: str | None = None,
    kind: str | None = None,
    query: str | None = None,
    format: AsLayout = None,
    skip_unknown: bool = False,
    replace: bool = False,
) -> dict[str, Loaded]:
    """Load a file of grades: the judgments of each judge in it, who are made if new; by name, what
    came of it.

    Of a file that names nobody, the judgments are of `judge`; of one that names several, that one
    alone is taken. `query`: the one that the file is about, where it does not say. Pairs outside
    the pool join it, with stratum `loaded`; a negative grade means pooled but not judged. Skipped,
    cannot be judged, notes and times come along. What a judge had skipped is judged as the file
    says, and a skip in the file takes nothing back. `format` may say what stands in
    place of grades.

    Raises `InputError` at the first bad line, for a grade off the scale, for a query, or a text of
    a document, that the campaign does not have (left out with `skip_unknown`), and where the judge
    has judged otherwise. With `replace`, the file holds over what came from files; what was decided
    in the app stands. Raises `UsageError` for a judge who is not in the file.
    """
    judge = judge and proper_name(judge)
    read_as, graded = read_grades(path, format=format)
    if read_as.kind == "qrels" and judge is None:
        raise UsageError(
            "the file does not say whose grades these are", "name the judge with --judge NAME"
        )
    rows = as_judgments(graded, judge or "") if read_as.kind == "qrels" else graded
    if query is not None:
        rows = _for_query(path, rows, query)
    if read_as.has_texts:
        rows = _with_texts(path, read_as.name, rows)
    by_judge = _by_judge(path, rows, judge)
    names = sorted(name for name, its in by_judge.items() if name and any(map(_says_it, its)))
    outcomes = {judge: Loaded()} if judge else {}
    with campaign.writing() as connection, roomy(connection):
        found: dict[str, list[JudgmentRow]] = {}
        sought = _Sought(
            campaign, path, by_judge, Layout.of(format).labels, skip_unknown=skip_unknown
        )
        for name, its in by_judge.items():
            found[name], left_out = sought.identified(its)
            if name:
                unjudged = sum(not _says_it(row) for row in found[name])
                outcomes[name] = Loaded(left_out=left_out + unjudged)
        keys = pooled(
            campaign, [(row.query_id, row.doc_id) for its in found.values() for row in its]
        )
        for name in names:
            who = _judge(campaign, name, {kind} if kind else _kinds(by_judge[name]))
            loaded = record(campaign, path, found[name], keys, who, replace=replace)
            outcomes[name] = changed_in(loaded, left_out=outcomes[name].left_out)
    return dict(sorted(outcomes.items()))


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


def _for_query(path: PathLike, rows: Iterable[JudgmentRow], query: str) -> list[JudgmentRow]:
    """The rows of a file that names no query, as of this one."""
    rows = list(rows)
    for row in rows:
        if row.query_id:
            what = f"the file says for which query, {quoted(row.query_id)}"
            raise InputError(path, row.line, what, "leave --query out")
    return [row._replace(query_id=id_in(query)) for row in rows]


def _with_texts(path: PathLike, format: str, rows: Iterable[JudgmentRow]) -> list[JudgmentRow]:
    """The rows of a file that has texts of queries beside their ids, with these."""
    queries = read_queries(path, format=format)
    # Where there is no text, the id stands for it.
    texts = {one.query_id: one.text for one in queries if one.text != one.query_id}
    return [row._replace(query_text=texts.get(row.query_id, "")) for row in rows]


def record(
    campaign: Campaign,
    path: PathLike,
    rows: Iterable[JudgmentRow],
    pairs: Mapping[Pair, int],
    who: Judge,
    *,
    replace: bool,
    keep: bool = False,
) -> Loaded:
    """Write what one judge decided of pairs with these keys, under the ids of the campaign; part of
    the caller's transaction. With `keep`, what the judge decided otherwise in the app stays so, and
    is counted. Raises `InputError` as `load_judgments` does."""
    before: dict[int, tuple[GradeDecision, bool]] = {
        pair: (GradeDecision(action, grade), bool(from_file))
        for pair, action, grade, from_file in campaign.rows(
            "SELECT pair, decision, grade, from_file FROM judgments"
            " WHERE judge = ? AND turn = 0 AND decision IS NOT NULL",
            (who.key,),
        )
    }
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
        judgment = GradeDecision(row.decision, row.grade)
        held, from_file = (new[pair], True) if pair in new else before.get(pair, (_SKIPPED, True))
        if (pair in new or pair in before) and (held == judgment or row.decision == "skip"):
            unchanged += 1
            continue
        if held != _SKIPPED:
            if keep and not from_file:
                stay += 1
                continue
            if pair in new or not from_file or not replace:
                raise _judged_otherwise(path, row, who, held, from_file, twice=pair in new)
            replaced += 1
        new[pair] = judgment
        if row.seconds is not None:
            seconds[pair] = row.seconds
    noted = dict(
        campaign.rows(
            "SELECT pair, note FROM judgments WHERE judge = ? AND turn = 0 AND note <> ''",
            (who.key,),
        )
    )
    events: list[tuple[int, str, int | None, str]] = [(pair, *s, "") for pair, s in new.items()]
    for pair, note in notes.items():
        if pair not in noted or (replace and noted[pair].strip() != note.strip()):
            events.append((pair, "comment", None, note))
    append_from_file(campaign, who.key, events, seconds)
    return Loaded(len(new) - replaced, replaced, unchanged, stay=stay)


_SKIPPED = GradeDecision("skip")


def _judged_otherwise(
    path: PathLike,
    row: JudgmentRow,
    who: Judge,
    held: GradeDecision,
    from_file: bool,
    *,
    twice: bool,
) -> InputError:
    if twice:
        mend = "remove one of the two lines"
    elif from_file:
        mend = "mend the line, or let the file hold with --replace"
    else:
        mend = "mend the line, judge it anew in the app, or load the file under another judge"
    return InputError(
        path,
        row.line,
        f"judge {quoted(who.name)} has said {_in_words(held)} of {quoted(row.doc_id)} for"
        f" {quoted(row.query_id)} already, not {_in_words(GradeDecision(row.decision, row.grade))}",
        mend,
    )


def _in_words(judgment: GradeDecision) -> str:
    return IN_WORDS[judgment.decision] if judgment.grade is None else str(judgment.grade)


def _says_it(row: JudgmentRow) -> bool:
    """Whether somebody has said anything in a row."""
    return row.decision != "open" or bool(row.note.strip())


def _by_judge(
    path: PathLike, rows: Iterable[JudgmentRow], judge: str | None
) -> dict[str, list[JudgmentRow]]:
    """The rows by their judges' names, those of pairs without a judge under ""; of a file that
    names judges only those of `judge`, if one is given."""
    by_judge: dict[str, list[JudgmentRow]] = {}
    called: dict[str, str] = {"": judge or ""}
    for row in rows:
        name = called.get(row.judge)
        if name is None:
            try:
                name = called[row.judge] = proper_name(row.judge)
            except UsageError as error:
                raise InputError(path, row.line, error.what, error.mend) from error
        if not name and _says_it(row):
            raise UsageError("the file does not say who judged", "name the judge with --judge NAME")
        by_judge.setdefault(name if row.judge or _says_it(row) else "", []).append(row)
    if judge is None:
        return by_judge
    if judge not in by_judge and any(by_judge):
        raise unknown("judge", judge, sorted(filter(None, by_judge)))
    return {name: its for name, its in by_judge.items() if name in ("", judge)}


def _kinds(rows: Iterable[JudgmentRow]) -> set[str]:
    return {row.kind or "human" for row in rows}


def _judge(campaign: Campaign, name: str, kinds: set[str]) -> Judge:
    """The judge of that name, made if new; one who is there keeps the kind."""
    known = find_judge(campaign, name)
    if known is None and len(kinds) > 1:
        raise UsageError(
            f"{name!r} is a person and a program in the file",
            "give one of them another name: people and models are never mixed under one",
        )
    return add_judge(campaign, name, kind=known.kind if known and len(kinds) > 1 else kinds.pop())


class _Sought:
    """The queries and documents of a campaign, as the rows of a file of judgments name them."""

    def __init__(
        self,
        campaign: Campaign,
        path: PathLike,
        rows: Mapping[str, Sequence[JudgmentRow]],
        labels: Labels | None,
        *,
        skip_unknown: bool,
    ) -> None:
        self._campaign = campaign
        self._path = path
        self._skip_unknown = skip_unknown
        queries = known_queries(campaign, path)
        self._query_of = queries.find if skip_unknown else queries.get
        self._labels = ScaleLabels(campaign, path, labels)
        self._passages = _passages(
            campaign, {row.passage for its in rows.values() for row in its if not row.doc_id}
        )

    def identified(self, rows: Iterable[JudgmentRow]) -> tuple[list[JudgmentRow], int]:
        """The rows under the ids of the campaign and with grades on its scale, and how many were
        left out."""
        found = []
        left_out = 0
        for given in rows:
            row = _without_negative(self._labels.graded(given))
            refuse_off_scale(self._campaign, self._path, row)
            if not row.query_id:
                raise InputError(
                    self._path,
                    row.line,
                    "the row does not say for which query",
                    "write the id, or name the query of the whole file with --query",
                )
            query = self._query_of(row.line, row.query_id, row.query_text)
            doc_id = row.doc_id or self._doc_id(row)
            if query is None or not doc_id:
                left_out += 1
            else:
                found.append(row._replace(query_id=query.query_id, doc_id=doc_id))
        return found, left_out

    def _doc_id(self, row: JudgmentRow) -> str:
        """The document of exactly the text of a row without an id; "" where it is left out."""
        found = self._passages[folded_text(row.passage)]
        if len(found) == 1 or (not found and self._skip_unknown):
            return "".join(found)
        what = "belongs to " + " and ".join(found[:3]) if found else "is of no document here"
        raise InputError(
            self._path,
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
        for doc_id, title, text in campaign.rows(
            "SELECT doc_id, title, text FROM documents WHERE text IS NOT NULL ORDER BY doc_id"
        ):
            for form in {folded_text(text), folded_text(f"{title} {text}")}:
                if form in by_text:
                    by_text[form].append(doc_id)
    return by_text


def pooled(campaign: Campaign, wanted: Iterable[Pair]) -> dict[Pair, int]:
    """The keys of all pairs, once those wanted have joined the pool."""
    pairs = pair_keys(campaign)
    outside = [pair for pair in dict.fromkeys(wanted) if pair not in pairs]
    if not outside:
        return pairs
    add_pairs(campaign, outside, LOADED)
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
