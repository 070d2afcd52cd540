"""Right answers as a first judge's grades, which people then correct in the app."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace as changed_in
from typing import NamedTuple

from judge_tui.campaign.coded_ids import CodedIds
from judge_tui.campaign.file import Campaign
from judge_tui.campaign.from_file import earlier_grades
from judge_tui.campaign.grades import load_grades, refuse_off_scale
from judge_tui.campaign.judges import name_here, proper_name
from judge_tui.campaign.loaded import Loaded
from judge_tui.campaign.queries import all_queries, lacking_demands, lacks_demands
from judge_tui.campaign.typed import typed
from judge_tui.errors import InputError, UsageError
from judge_tui.formats import QrelsRow
from judge_tui.formats.answers import USUAL_GRADE, Answered, read_answers
from judge_tui.formats.answers.whose import called_as, whose
from judge_tui.formats.ids import as_field, spellings
from judge_tui.formats.named_queries import one_of_text
from judge_tui.model import Query
from judge_tui.scoring.truths import Truth, place_of

__all__ = ["load_answers"]


def load_answers(
    campaign: Campaign,
    path: str | os.PathLike[str],
    *,
    judge: str,
    kind: str = "human",
    skip_unknown: bool = False,
    grade: int | None = None,
    replace: bool = False,
) -> Loaded:
    """Grade what the answers say is right, as the judgments of one judge, who is made if new.

    Of each query, every document that a run retrieved or the pool holds gets the best grade among
    the truths that it matches, in either spelling of white space and its codes; a path, or lines of
    one, that no such document matches joins the pool as a document of its own (stratum `loaded`).
    What matches nothing is left ungraded, for people to judge. A query is found by its id, or by
    its text where the file gives no ids.
    `grade`: what a truth is worth that the file gives no grade to, 1 unless it is given.

    Raises `UsageError` for a `grade` off the scale, and for a campaign without runs, in which each
    path would become a document beside those that runs retrieve later; and `InputError` as
    `load_qrels` does: for a bad line, a grade off the scale, a query that the campaign does not
    have, or has with another text. What the judge has judged otherwise is kept, for people correct
    the answers in the app. What came from a file before, for the queries of this one, is kept as
    well, unless `replace`: then a grade of which nobody has decided in the app is that of this
    file, and taken back where no answer gives it any more. `notes` of what is returned say all
    that, and what else came of it.
    """
    # Read before the campaign is held: a slow file keeps no judge waiting.
    if grade is not None and grade not in campaign.settings.scale:
        grades = ", ".join(map(str, campaign.settings.scale.grades))
        raise UsageError(
            f"grade {grade} is not on the campaign's scale ({grades})", "give one of these"
        )
    answers = read_answers(path, usual_grade=USUAL_GRADE if grade is None else grade)
    # Patterns may take their time over many documents: nobody waits for them, either.
    with campaign.reading():
        rows, queries, left_out, notes = _matched(
            campaign, path, answers, judge=judge, skip_unknown=skip_unknown
        )
    with campaign.writing():
        earlier = earlier_grades(campaign, judge, rows, queries)
        if replace:
            earlier.take_back(campaign)
        else:
            rows = [row for row in rows if (row.query_id, row.doc_id) not in earlier.changed]
        loaded = load_grades(
            campaign,
            path,
            rows,
            judge=judge,
            kind=kind,
            keep=True,
            replace=earlier.changed.keys() if replace else False,
        )
    return changed_in(
        loaded,
        left_out=loaded.left_out + left_out,
        notes=(*notes, *loaded.notes, *earlier.notes(replaced=replace)),
    )


def _matched(
    campaign: Campaign,
    path: str | os.PathLike[str],
    answers: Sequence[Answered],
    *,
    judge: str,
    skip_unknown: bool,
) -> tuple[list[QrelsRow], set[str], int, list[str]]:
    """The grades, the queries of the campaign that the answers are of, how many truths were left
    out, and what else is to be known."""
    if not campaign.rows("SELECT 1 FROM results UNION ALL SELECT 1 FROM pool LIMIT 1"):
        raise _no_runs(campaign, path)
    called: list[Answered] = []
    queries: set[str] = set()
    own_ids = _OwnIds(campaign, answers)
    not_relevant = _not_relevant(campaign, judge)
    rows: list[QrelsRow] = []
    undemanded: list[str] = []
    alone = unmatched = left_out = doubled = 0
    for answer, meant in whose(
        answers, all_queries(campaign), path, where=lambda _: "the campaign"
    ):
        query = _one_of(campaign, path, answer, meant, skip_unknown=skip_unknown)
        called.append(called_as(answer, meant))
        if query is None:
            left_out += len(answer.truths)
            continue
        query_id = query.query_id
        queries.add(query_id)
        if lacks_demands(query, answer.demands):
            undemanded.append(query_id)
        candidates = _candidates(campaign, query_id)
        graded = _graded(answer.truths, candidates, own_ids)
        doubled += _doubled(
            answer.truths, candidates, own_ids, not_relevant.get(query_id, frozenset())
        )
        rows += (QrelsRow(answer.line, query_id, *one) for one in graded.grades.items())
        alone += graded.alone
        unmatched += graded.unmatched
    for row in rows:
        refuse_off_scale(campaign, path, row)
    notes: list[str] = []
    if alone:
        notes.append(f"paths that no run retrieved, now in the pool: {alone:,}")
    if doubled:
        notes.append(
            f"paths in the pool of which a run has retrieved other lines since: {doubled:,}; each"
            " counts as one more relevant document, as if no run had it: load the answers after all"
            " runs"
        )
    if unmatched:
        notes.append(f"patterns that match no document: {unmatched:,}")
    if undemanded:
        notes.append(lacking_demands(undemanded))
    return rows, queries, left_out, notes


def _one_of(
    campaign: Campaign,
    path: str | os.PathLike[str],
    answer: Answered,
    meant: Sequence[Query],
    *,
    skip_unknown: bool,
) -> Query | None:
    """The one query of the campaign that an answer is about; None where it is left out. What a
    campaign keeps is for no query that was not meant."""
    if meant or skip_unknown:
        return one_of_text(path, answer.line, meant, answer.query)
    raise InputError(
        path,
        answer.line,
        f"query {answer.query_id if answer.own_id else answer.query!r} is not in the campaign",
        f"load its queries first ({_load_queries(campaign, path)}), or leave such answers out with"
        " --skip-unknown",
    )


class _Graded(NamedTuple):
    """`grades` of doc_ids; how many of them no run retrieved and the pool did not hold (`alone`),
    and how many patterns match none (`unmatched`)."""

    grades: dict[str, int]
    alone: int
    unmatched: int


class _OwnIds:
    """The ids of documents that are nothing but the path of an answer, as the campaign has them."""

    def __init__(self, campaign: Campaign, answers: Sequence[Answered]) -> None:
        fields = [_field(truth) for answer in answers for truth in answer.truths if truth.place]
        self._coded = CodedIds(campaign, literal=True, fields=fields)

    def of(self, truth: Truth) -> str:
        return self._coded.native(_field(truth))


def _field(truth: Truth) -> str:
    return as_field(truth.written.removeprefix("./"))


def _graded(truths: Sequence[Truth], candidates: Mapping[str, bool], own_ids: _OwnIds) -> _Graded:
    retrieved = {doc_id for doc_id, by_run in candidates.items() if by_run}
    named = _spelled(candidates, retrieved)
    own = [
        own_ids.of(truth)
        for truth in truths
        if truth.place is not None and not _right_by(truth, named)
    ]
    # These are judged by all truths as well, so that the same file finds the same grades when they
    # are in the pool.
    every = _spelled(dict.fromkeys([*candidates, *own]), retrieved)
    grades: dict[str, int] = {}
    unmatched = 0
    for truth in truths:
        matched = _right_by(truth, every)
        unmatched += not matched
        for doc_id in matched:
            grades[doc_id] = max(grades.get(doc_id, 0), truth.grade)
    return _Graded(grades, len(every) - len(candidates), unmatched)


def _spelled(doc_ids: Iterable[str], retrieved: Set[str]) -> dict[str, tuple[str, ...]]:
    """Each document, and the ids by which answers may mean it: a reading that is the id of one that
    a run has retrieved means that one."""
    its_own = list(doc_ids)
    return dict(zip(its_own, spellings(its_own, retrieved), strict=True))


def _right_by(truth: Truth, named: Mapping[str, Sequence[str]]) -> list[str]:
    return [doc_id for doc_id, names in named.items() if any(map(truth.matches, names))]


def _doubled(
    truths: Sequence[Truth],
    candidates: Mapping[str, bool],
    own_ids: _OwnIds,
    not_relevant: Set[str],
) -> int:
    """How many candidates are nothing but the path of an answer, which a result stands for now. The
    judge has not said of them that they are `not_relevant`."""
    by_run = {doc_id for doc_id in candidates if candidates[doc_id]}
    retrieved = _spelled(by_run, by_run)
    return sum(
        candidates.get(alone := own_ids.of(truth)) is False
        and alone not in not_relevant
        and bool(_right_by(truth, retrieved))
        for truth in truths
        if truth.place is not None
    )


def _not_relevant(campaign: Campaign, judge: str) -> dict[str, set[str]]:
    """query_id -> the documents that the judge has graded 0, or said cannot be judged."""
    found: dict[str, set[str]] = {}
    for query_id, doc_id in campaign.rows(
        "SELECT q.query_id, d.doc_id FROM decisions AS x JOIN judges AS j ON j.id = x.judge"
        " JOIN pool AS p ON p.id = x.pair JOIN queries AS q ON q.id = p.query"
        " JOIN documents AS d ON d.id = p.document WHERE j.name = ?"
        " AND (x.action = 'cannot' OR (x.action = 'grade' AND x.grade < 1))",
        (name_here(campaign, proper_name(judge)),),
    ):
        found.setdefault(query_id, set()).add(doc_id)
    return found


def _candidates(campaign: Campaign, query_id: str) -> dict[str, bool]:
    """What a run retrieved for the query, or the pool holds of it; whether a run did. Of one place
    in two spellings, as in two forms of Unicode, what is in the pool alone is left out where a run
    retrieved the other: that is what answers mean."""
    rows = campaign.rows(
        "SELECT doc_id, id IN (SELECT document FROM results WHERE query ="
        " (SELECT id FROM queries WHERE query_id = ?1)) FROM documents WHERE id IN ("
        "SELECT document FROM results WHERE query = (SELECT id FROM queries WHERE query_id = ?1)"
        " UNION SELECT document FROM pool WHERE query ="
        " (SELECT id FROM queries WHERE query_id = ?1)) ORDER BY id",
        (query_id,),
    )
    retrieved = {place_of(doc_id) for doc_id, by_run in rows if by_run}
    return {
        doc_id: bool(by_run)
        for doc_id, by_run in rows
        if by_run or place_of(doc_id) not in retrieved
    }


def _load_queries(campaign: Campaign, path: str | os.PathLike[str]) -> str:
    return typed(campaign.path, "load queries", shlex.quote(os.fspath(path)))


def _no_runs(campaign: Campaign, path: str | os.PathLike[str]) -> UsageError:
    steps = [typed(campaign.path, "load run", "FILE...")]
    if not all_queries(campaign):
        steps.insert(0, _load_queries(campaign, path))
    return UsageError(
        "the campaign has no runs yet, and answers say which of their results are right",
        f"load those first: {', then '.join(steps)}",
    )
