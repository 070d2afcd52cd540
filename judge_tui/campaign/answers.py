"""Right answers as a first judge's grades, which people then correct in the app."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace

from judge_tui.campaign.file import Campaign
from judge_tui.campaign.grades import load_grades, refuse_off_scale
from judge_tui.campaign.loaded import Loaded
from judge_tui.campaign.queries import add_queries, all_queries
from judge_tui.errors import InputError
from judge_tui.formats import QrelsRow
from judge_tui.formats.answers import Answered, read_answers
from judge_tui.model import Query
from judge_tui.scoring.truths import place_of

__all__ = ["load_answers"]


def load_answers(
    campaign: Campaign,
    path: str | os.PathLike[str],
    *,
    judge: str,
    kind: str = "human",
    skip_unknown: bool = False,
) -> Loaded:
    """Grade what the answers say is right, as the judgments of one judge, who is made if new.

    Of each query, every document that a run retrieved or the pool holds gets the best grade among
    the truths that it matches; a path, or lines of one, that no such document matches joins the
    pool as a document of its own (stratum `loaded`). What matches nothing is left ungraded, for
    people to judge. A query is found by its id, or by its text where the file gives no ids; in a
    campaign without queries those of the file are added.

    Raises `InputError` as `load_qrels` does: for a bad line, a grade off the scale, a query that
    the campaign does not have, and where the judge has graded a pair otherwise. `notes` of what is
    returned say how many truths no document matched.
    """
    # Read before the campaign is held: a slow file keeps no judge waiting.
    answers = read_answers(path)
    with campaign.writing():
        return _load(campaign, path, answers, judge, kind, skip_unknown)


def _load(
    campaign: Campaign,
    path: str | os.PathLike[str],
    answers: Sequence[Answered],
    judge: str,
    kind: str,
    skip_unknown: bool,
) -> Loaded:
    if not all_queries(campaign):
        _add_queries(campaign, path, answers)
    known = all_queries(campaign)
    by_id = {query.query_id: query.query_id for query in known}
    by_text = {_words(query.text): query.query_id for query in known}
    rows: list[QrelsRow] = []
    unmatched = left_out = 0
    for answer in answers:
        found = by_id.get(answer.query_id) if answer.own_id else by_text.get(_words(answer.query))
        if found is not None:
            graded, alone = _rows(campaign, path, answer, found)
            rows += graded
            unmatched += alone
        elif skip_unknown:
            left_out += len(answer.truths)
        else:
            raise InputError(
                path,
                answer.line,
                f"query {answer.query_id if answer.own_id else answer.query!r} is not in the"
                " campaign",
                "load its queries first, or leave such answers out with --skip-unknown",
            )
    loaded = load_grades(campaign, path, rows, judge=judge, kind=kind)
    notes = (f"{unmatched:,} patterns match no document of a run",) if unmatched else ()
    return replace(loaded, left_out=loaded.left_out + left_out, notes=notes)


def _rows(
    campaign: Campaign, path: str | os.PathLike[str], answer: Answered, query_id: str
) -> tuple[list[QrelsRow], int]:
    """The grades of one query, and how many patterns matched nothing."""
    doc_ids = _candidates(campaign, query_id)
    places = [place_of(doc_id) for doc_id in doc_ids]
    best: dict[str, int] = {}
    alone = 0
    for truth in answer.truths:
        matched = [
            doc_id
            for doc_id, place in zip(doc_ids, places, strict=True)
            if truth.matches(doc_id, place)
        ]
        if not matched and truth.place is not None:
            matched = [truth.written]
        alone += not matched
        for doc_id in matched:
            best[doc_id] = max(best.get(doc_id, truth.grade), truth.grade)
    rows = [QrelsRow(answer.line, query_id, doc_id, grade) for doc_id, grade in best.items()]
    for row in rows:
        refuse_off_scale(campaign, path, row)
    return rows, alone


def _candidates(campaign: Campaign, query_id: str) -> list[str]:
    """What a run retrieved for the query, or the pool holds of it."""
    rows = campaign.rows(
        "SELECT doc_id FROM documents WHERE id IN ("
        "SELECT document FROM results WHERE query = (SELECT id FROM queries WHERE query_id = ?1)"
        " UNION SELECT document FROM pool WHERE query ="
        " (SELECT id FROM queries WHERE query_id = ?1)) ORDER BY id",
        (query_id,),
    )
    return [doc_id for (doc_id,) in rows]


def _add_queries(
    campaign: Campaign, path: str | os.PathLike[str], answers: Sequence[Answered]
) -> None:
    for answer in answers:
        if not answer.query:
            raise InputError(
                path,
                answer.line,
                f"query {answer.query_id!r} is not in the campaign, and has no text here",
                "load its queries first",
            )
    add_queries(
        campaign,
        [
            Query(answer.query_id, answer.query, query_class=answer.query_class)
            for answer in answers
        ],
    )


def _words(text: str) -> str:
    return " ".join(text.split())
