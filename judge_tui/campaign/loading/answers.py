"""Right answers as a first judge's grades, which people then correct in the app."""

from __future__ import annotations

import os
from collections.abc import Sequence

from judge_tui.campaign.loading import LoadCounts
from judge_tui.campaign.loading.judgments import as_judgments, write_judgments
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.judges import proper_name
from judge_tui.campaign.store.pool import pairs_pooled
from judge_tui.campaign.store.queries import known_queries
from judge_tui.campaign.store.runs import chosen_runs, retrieved_or_pooled
from judge_tui.errors import InputError, UsageError
from judge_tui.formats.answers import USUAL_GRADE, Answered, read_answers
from judge_tui.formats.ids import id_in
from judge_tui.formats.judgments import QrelsRow
from judge_tui.formats.problems import quoted
from judge_tui.formats.query_names import name_of
from judge_tui.formats.source import AsLayout
from judge_tui.truths import Truth

PathLike = str | os.PathLike[str]


def load_answers(
    campaign: Campaign,
    path: PathLike,
    *,
    judge: str,
    layout: AsLayout = None,
    grade: int | None = None,
    replace: bool = False,
) -> LoadCounts:
    """Grade what the answers say is right, as the judgments of one judge, who is made if new.

    Every document that a run retrieved or the pool holds gets the best grade among the truths that
    it matches. A path that no such document matches joins the pool as a document of its own
    (stratum `loaded`). What matches nothing stays ungraded. `grade`: what a truth is worth that the
    file gives no grade to (None: 1). With `replace`, grades of an earlier file for these queries
    follow this one.

    Raises `UsageError` for a `grade` off the scale and for a campaign without runs, and
    `InputError` as `load_judgments` does.
    """
    scale = campaign.settings.scale
    if grade is not None and grade not in scale:
        raise UsageError(scale.off_scale(grade), "give one of these")
    judge = proper_name(judge)
    # Read before the campaign is held: a slow file keeps no judge waiting.
    usual_grade = USUAL_GRADE if grade is None else grade
    answers = read_answers(path, format=layout, usual_grade=usual_grade)
    # Patterns may take their time over many documents: nobody waits for them, either.
    with campaign.reading():
        by_query = _matched(campaign, path, answers)
    rows = as_judgments((row for its in by_query.values() for row in its), judge)
    with campaign.writing():
        loaded = write_judgments(
            campaign, path, rows, "human", replace=replace, whole_queries=by_query
        )
    return loaded.get(judge, LoadCounts())


def _matched(
    campaign: Campaign, path: PathLike, answers: Sequence[Answered]
) -> dict[str, list[QrelsRow]]:
    """The grades for each query that the answers are of."""
    if not pairs_pooled(campaign):
        chosen_runs(campaign)  # refuses a campaign without runs
    queries = known_queries(campaign, path)
    lines: dict[str, int] = {}
    found: dict[str, list[QrelsRow]] = {}
    for answer in answers:
        query = queries.get(answer.line, name_of(answer.query), answer.query.text)
        line = lines.setdefault(query.query_id, answer.line)
        if line != answer.line:
            raise InputError(
                path,
                answer.line,
                f"query {quoted(query.query_id)} has answers in line {line} already",
                "put them together",
            )
        grades = _graded(answer.truths, retrieved_or_pooled(campaign, query.query_id))
        found[query.query_id] = [
            QrelsRow(answer.line, query.query_id, *one) for one in grades.items()
        ]
    return found


def _graded(truths: Sequence[Truth], candidates: Sequence[str]) -> dict[str, int]:
    """doc_id -> the best grade among the truths that it matches."""
    own = [
        id_in(truth.written.removeprefix("./"))
        for truth in truths
        if truth.place is not None and not any(map(truth.matches, candidates))
    ]
    # These are judged by all truths as well, so that the same file finds the same grades when they
    # are in the pool.
    grades: dict[str, int] = {}
    for doc_id in dict.fromkeys([*candidates, *own]):
        matched = [truth.grade for truth in truths if truth.matches(doc_id)]
        if matched:
            grades[doc_id] = max(matched)
    return grades
