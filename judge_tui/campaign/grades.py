"""The grades of all judges: read for agreement and export, loaded from qrels files."""

from __future__ import annotations

import dataclasses
import os
import sqlite3
from collections.abc import Iterable, Sequence, Set
from pathlib import Path

from judge_tui.agreement.decide import Pair
from judge_tui.campaign.coded_ids import CodedIds
from judge_tui.campaign.coming_queries import ComingQuery, coming_queries
from judge_tui.campaign.events import append_from_file as insert_events
from judge_tui.campaign.file import Campaign
from judge_tui.campaign.found_queries import FoundQueries, add_queries_by_text
from judge_tui.campaign.judges import add_judge, all_judges, find_judge, proper_name
from judge_tui.campaign.loaded import LOADED, Loaded, roomy
from judge_tui.campaign.look_alikes import last_document, told_of_new
from judge_tui.campaign.pool import add_pairs, pair_keys
from judge_tui.campaign.queries import all_queries
from judge_tui.campaign.whose_grades import models_count
from judge_tui.errors import InputError, UsageError
from judge_tui.formats import JudgmentRow, QrelsRow, decode_id, read_grades
from judge_tui.formats.ids import as_field
from judge_tui.formats.judgments import Graded
from judge_tui.formats.provenance import texts_graded
from judge_tui.formats.queries_and_documents import queries_for_campaign
from judge_tui.model import Query
from judge_tui.pooling import PooledPair

__all__ = [
    "adjudications",
    "decided_in_app",
    "grades_by_judge",
    "insert_events",
    "load_grades",
    "load_qrels",
    "load_read_qrels",
    "otherwise",
    "pooled",
    "refuse_off_scale",
    "some",
]


def grades_by_judge(
    campaign: Campaign, *, include_models: bool | None = None
) -> dict[str, dict[Pair, int]]:
    """Judge -> (query_id, doc_id) -> grade: the judgments that hold, judges by name.

    Judges without a grade are left out; those of kind `model`, too, unless asked for.
    """
    from judge_tui.campaign.held import held_decisions  # noqa: PLC0415 - numpy is not always needed

    grades: dict[str, dict[Pair, int]] = {}
    names: dict[int, Pair] = {}
    for judge in sorted(all_judges(campaign), key=lambda one: one.name):
        if judge.kind == "human" or models_count(campaign, include_models):
            pairs, given = held_decisions(campaign, judge.key).first_grades()
            if len(pairs):
                # One tuple for each pair, however many judges graded it.
                names = names or {key: pair for pair, key in pair_keys(campaign).items()}
                of_judge = zip(pairs.tolist(), given.tolist(), strict=True)
                grades[judge.name] = {names[key]: grade for key, grade in of_judge}
    return grades


def adjudications(campaign: Campaign) -> dict[Pair, int]:
    """The lead's final grades by (query_id, doc_id)."""
    rows = campaign.rows(
        "SELECT q.query_id, d.doc_id, a.grade FROM adjudications AS a"
        " JOIN pool AS p ON p.id = a.pair JOIN queries AS q ON q.id = p.query"
        " JOIN documents AS d ON d.id = p.document ORDER BY p.id"
    )
    return {(query_id, doc_id): grade for query_id, doc_id, grade in rows}


def load_qrels(
    campaign: Campaign,
    path: str | os.PathLike[str],
    *,
    judge: str,
    kind: str = "human",
    format: str | None = None,
    skip_unknown: bool = False,
    replace: bool = False,
) -> Loaded:
    """Load a qrels file as the judgments of one judge, who is made if new.

    Pairs outside the pool join it, with stratum `loaded`; a negative grade means pooled but not
    judged, so that such a pair joins without a judgment, and a file of nothing else makes no
    judge. The notes say so. Grades that the judge has already given
    are left alone. Raises `InputError` at the first bad line, for a grade off the scale, for a
    query that the campaign does not have (left out with `skip_unknown`), and where the judge has
    graded the pair otherwise, or said that it cannot be judged: nothing a judge did is overwritten
    by a file, unless asked for with `replace`; then the grade of the file is a new event of the
    judge's, who can grade it anew.
    """
    # Read before the campaign is held: a slow file keeps no judge waiting.
    read = read_grades(path, format=format)
    return load_read_qrels(
        campaign, path, read, judge=judge, kind=kind, skip_unknown=skip_unknown, replace=replace
    )


def load_read_qrels(
    campaign: Campaign,
    path: str | os.PathLike[str],
    read: Graded,
    *,
    judge: str,
    kind: str = "human",
    skip_unknown: bool = False,
    replace: bool = False,
) -> Loaded:
    """The same for a file that was read. Raises `UsageError` for one of several judges."""
    if read.rows is None:
        raise UsageError("these are judgments of several judges", "use load_several_judges")
    with campaign.writing():
        added = add_queries_by_text(campaign, read.rows, read.lone_queries) if read.by_text else 0
        documents = CodedIds(
            campaign, literal=read.literal, fields=[row.doc_id for row in read.rows]
        )
        queries = FoundQueries(campaign, path)
        rows, left_out = _rows_of_queries(campaign, path, read, queries, documents, skip_unknown)
        loaded = load_grades(
            campaign,
            path,
            rows,
            judge=judge,
            kind=kind,
            replace=replace,
            mend="mend the line, load the file under another judge's name, or let its grades"
            " hold with --replace",
        )
    notes = (*read.notes, *queries.notes(), *documents.notes(), *loaded.notes)
    if added:
        notes = (*notes, f"the campaign had no queries: added those of the file, {added:,}")
    return dataclasses.replace(loaded, left_out=loaded.left_out + left_out, notes=notes)


def load_grades(
    campaign: Campaign,
    path: str | os.PathLike[str],
    rows: Sequence[QrelsRow],
    *,
    judge: str,
    kind: str = "human",
    keep: bool = False,
    replace: bool | Set[Pair] = False,
    mend: str = "load the file under another judge's name, or mend the line",
) -> Loaded:
    """The same for rows of the file at `path`, under the ids that the campaign knows. With
    `replace`, the grade of the file holds, be it for these pairs alone. With `keep`, what else the
    judge has decided otherwise stays so and is told in the notes; else `mend` says what to do about
    it. That a pair cannot be judged is such a decision, a skip is none."""
    left_out = 0
    kept: list[tuple[QrelsRow, int | None]] = []
    with campaign.reading():
        pairs = pair_keys(campaign)
    new: list[tuple[int, int]] = []
    unchanged = replaced = 0
    judge = proper_name(judge)
    last = last_document(campaign)
    grades_something = any(row.grade >= 0 for row in rows)
    with campaign.writing() as connection, roomy(connection):
        known = find_judge(campaign, judge)
        # Who has graded nothing would stand in every count as one who lags behind.
        who = add_judge(campaign, judge, kind=kind) if grades_something or known else None
        outside = [row for row in rows if (row.query_id, row.doc_id) not in pairs]
        pairs = pooled(campaign, pairs, [(row.query_id, row.doc_id) for row in rows])
        given: dict[int, int | None] = dict(
            connection.execute(
                "SELECT pair, grade FROM decisions WHERE judge = ? AND action <> 'skip'",
                (who.key if who is not None else None,),
            )
        )
        in_app = decided_in_app(connection, who.key) if who is not None and replace else set()
        for row in rows:
            pair = pairs[row.query_id, row.doc_id]
            if row.grade < 0:
                left_out += 1
            elif pair not in given:
                new.append((pair, row.grade))
            elif given[pair] == row.grade:
                unchanged += 1
            elif pair not in in_app and (
                replace is True or (replace and (row.query_id, row.doc_id) in replace)
            ):
                new.append((pair, row.grade))
                replaced += 1
            elif keep:
                kept.append((row, given[pair]))
            else:
                raise InputError(
                    path,
                    row.line,
                    f"judge {judge!r} has {_said_already(row, given[pair])}",
                    mend,
                )
        if who is not None:
            insert_events(connection, who.key, [(pair, "grade", grade, "") for pair, grade in new])
    notes = [*told_of_new(campaign, last)]
    if joined := sum(row.grade < 0 for row in outside):
        count = "1 pair" if joined == 1 else f"{joined:,} pairs"
        notes.append(f"{count} without a grade joined the pool")
    if kept:
        told = (otherwise(row, held) for row, held in kept)
        notes.append(f"kept as judged, where the file says otherwise: {some(tuple(told))}")
    if who is None:
        notes.append(f"nothing was graded, so {judge!r} does not become a judge")
    return Loaded(len(new) - replaced, replaced, unchanged, left_out, tuple(notes))


def decided_in_app(connection: sqlite3.Connection, judge: int) -> set[int]:
    """The pairs (keys) of which what holds of the judge (a key) was decided in the app."""
    rows = connection.execute(
        "SELECT pair FROM decisions WHERE judge = ? AND NOT from_file",
        (judge,),
    )
    return {pair for (pair,) in rows}


def otherwise(row: QrelsRow, held: int | None) -> str:
    """A grade of a file, and what the judge has decided in its place, None for a pair that cannot
    be judged."""
    return f"{row.query_id} {row.doc_id}: {_decided(held)}, not {row.grade}"


def _decided(held: int | None) -> str:
    return "cannot be judged" if held is None else str(held)


def _said_already(row: QrelsRow, held: int | None) -> str:
    pair = f"{row.doc_id!r} for {row.query_id!r}"
    if held is None:
        return f"said already that {pair} cannot be judged, and here it is graded {row.grade}"
    return f"graded {pair} as {held} already, not {row.grade}"


def some(told: Sequence[str]) -> str:
    """How many there are, and the first three of them."""
    more = [f"and {len(told) - _TOLD:,} more"] if len(told) > _TOLD else []
    return f"{len(told):,} ({'; '.join([*told[:_TOLD], *more])})"


_TOLD = 3


def _rows_of_queries(
    campaign: Campaign,
    path: str | os.PathLike[str],
    read: Graded,
    queries: FoundQueries,
    documents: CodedIds,
    skip_unknown: bool,
) -> tuple[list[QrelsRow], int]:
    """The rows under the ids that the campaign knows, and how many were left out."""
    asked, beside = _asked(campaign, path, read)
    rows: dict[Pair, QrelsRow] = {}
    left_out = 0
    for row in read.rows or ():
        refuse_off_scale(campaign, path, row)
        its = asked.get(decode_id(row.query_id))
        if its is None or its.query.own_id:
            query_id = queries.id_of(row, skip_unknown=skip_unknown, by_text=read.by_text)
        elif len(its.known) == 1:
            query_id = its.known[0].query_id
        else:
            named = row._replace(query_id=as_field(its.query.text))
            query_id = queries.id_of(named, skip_unknown=skip_unknown, by_text=True)
        if its and query_id is not None:
            text = its.query.text
            if not queries.is_asked(row, query_id, text, beside, skip_unknown=skip_unknown):
                query_id = None
        if query_id is None:
            left_out += 1
            continue
        found = row._replace(query_id=query_id, doc_id=documents.native(row.doc_id))
        before = rows.setdefault((found.query_id, found.doc_id), found)
        # One query may come under its id and its text, or with other white space.
        if before.grade != found.grade:
            raise InputError(
                path,
                row.line,
                f"{found.doc_id!r} for {query_id!r} is graded {found.grade} here, and"
                f" {before.grade} on line {before.line}",
                "remove one of the two lines",
            )
    return list(rows.values()), left_out


def _asked(
    campaign: Campaign, path: str | os.PathLike[str], read: Graded
) -> tuple[dict[str, ComingQuery], Path | None]:
    """The queries of a file of grades that has texts beside their ids or places, by the ids of its
    rows, those without a text left out; and the file beside it that has them (`texts_graded`), None
    where it has them itself, or nothing has."""
    beside: Path | None = None
    rows: Sequence[tuple[int, Query]] = []
    if read.has_texts and Path(path).is_file():
        rows, _, _ = queries_for_campaign(path, format=read.format)
    elif (graded := texts_graded(path)) is not None:
        beside = graded[0]
        rows = [(1, Query(query_id, text)) for query_id, text in graded[1].items()]
    told = [(line, query) for line, query in rows if query.text != query.query_id]
    coming = coming_queries(all_queries(campaign), told)
    return {one.query.query_id: one for one in coming}, beside


def pooled(campaign: Campaign, pairs: dict[Pair, int], wanted: Iterable[Pair]) -> dict[Pair, int]:
    """The keys of all pairs, once those wanted have joined the pool; `pairs` are those in it."""
    outside = [pair for pair in wanted if pair not in pairs]
    if not outside:
        return pairs
    add_pairs(campaign, [PooledPair(*pair, 0, LOADED) for pair in dict.fromkeys(outside)])
    return pair_keys(campaign)


def refuse_off_scale(
    campaign: Campaign, path: str | os.PathLike[str], row: QrelsRow | JudgmentRow
) -> None:
    """Raise `InputError` for a grade that the campaign's scale does not have."""
    scale = campaign.settings.scale
    if row.grade is not None and row.grade >= 0 and row.grade not in scale:
        grades = ", ".join(map(str, scale.grades))
        # Of files of judging tools alone it can be said what a rating means.
        of_labels = ' say what the ratings mean with --labels "1=0,2=0,3=1,…",'
        mends = of_labels if isinstance(row, JudgmentRow) else ""
        raise InputError(
            path,
            row.line,
            f"grade {row.grade} is not on the campaign's scale ({grades})",
            f"mend the grade,{mends} or start a campaign with a scale that holds it: init --scale",
        )
