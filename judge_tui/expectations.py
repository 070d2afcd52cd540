"""What is right for each query, whether answers or qrels say so, and how systems that are asked
those queries fare: their scores, their first right result, what stands at their top.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from judge_tui.analysis.evaluation import EvaluatedQuery, Found
from judge_tui.errors import InputError, UsageError
from judge_tui.formats import decode_id, encode_id, read_qrels, read_queries
from judge_tui.formats.answers import Answered, read_answers
from judge_tui.model import Qrels, Query, Run
from judge_tui.scoring import Known, Measure, Rules, RunScores, Scores, know, score_run
from judge_tui.scoring.by_answers import refuse_unanswerable, score_by_answers
from judge_tui.scoring.run import nothing_found
from judge_tui.scoring.truths import Credit, Truths, matrix

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Expectations", "expectations_of", "native_queries"]

_ALL = Rules(complete=True)


@dataclass(frozen=True, slots=True)
class Expectations:
    """`queries` for which something is known to be right, under their native ids; by `truths` or,
    where these are None, by `qrels` with ids as in files of TREC. `notes`: what was left out."""

    queries: tuple[Query, ...]
    qrels: Qrels
    truths: Truths | None
    notes: tuple[str, ...] = ()

    def refuse(self, measures: Sequence[Measure]) -> None:
        """Raise `UsageError` for measures that cannot be had from these."""
        if self.truths is not None:
            refuse_unanswerable(measures, _ALL)

    def scores(
        self, runs: Sequence[Run], measures: Sequence[Measure], credit: Credit = "once"
    ) -> Scores:
        """Score runs of native ids over all queries: what a run does not answer counts as nothing
        found. Raises `UsageError` for two runs of one tag."""
        tags = [run.tag for run in runs]
        if len(set(tags)) < len(tags):
            raise UsageError("two runs have one tag", "give each run its own tag")
        scored = tuple(self._scored(_as_in_files(run), measures, credit) for run in runs)
        return Scores(tuple(measures), scored, complete=True, judged_only=False)

    def looked_at(
        self,
        query: Query,
        results: Mapping[str, Sequence[str]],
        failed: Mapping[str, str],
        top: int = 10,
    ) -> EvaluatedQuery:
        """What each system found for a query. `results`: system -> native doc_ids, best first;
        `failed`: why a system did not answer, for those that did not."""
        grades = self._grader(query.query_id)
        found = {}
        for tag, doc_ids in results.items():
            graded = grades(doc_ids)
            right = [
                rank for rank, grade in enumerate(graded, 1) if grade is not None and grade > 0
            ]
            found[tag] = Found(
                tuple(zip(doc_ids[:top], graded[:top], strict=True)),
                right[0] if right else None,
                failed.get(tag, ""),
            )
        return EvaluatedQuery(
            query.query_id, query.text, query.query_class, self._expected(query.query_id), found
        )

    def _scored(self, run: Run, measures: Sequence[Measure], credit: Credit) -> RunScores:
        if not any(run.scores.get(encode_id(query.query_id)) for query in self.queries):
            return nothing_found(run.tag, know(self.qrels), measures)
        if self.truths is None:
            return score_run(self.qrels, run, measures, complete=True)
        scores = score_by_answers(
            self.truths, [run], measures, rules=_ALL, credit=credit, native=decode_id
        )
        return scores.runs[0]

    def _grader(self, query_id: str) -> Callable[[Sequence[str]], list[int | None]]:
        """Native doc_ids, best first -> the grade of each, None where it is not known."""
        key = encode_id(query_id)
        if self.truths is None:
            by_doc = self.qrels[key]

            def by_qrels(doc_ids: Sequence[str]) -> list[int | None]:
                found = (by_doc.get(encode_id(doc_id)) for doc_id in doc_ids)
                return [grade if grade is not None and grade >= 0 else None for grade in found]

            return by_qrels
        truths = self.truths[key]

        def by_truths(doc_ids: Sequence[str]) -> list[int | None]:
            known = Known({truth.written: truth.grade for truth in truths})
            best = matrix(truths, known, doc_ids).best
            return [best.get(rank) for rank in range(1, len(doc_ids) + 1)]

        return by_truths

    def _expected(self, query_id: str) -> tuple[tuple[str, int], ...]:
        key = encode_id(query_id)
        grades = self.qrels[key]
        decode = decode_id if self.truths is None else str
        right = [(decode(what), grade) for what, grade in grades.items() if grade > 0]
        return tuple(sorted(right, key=lambda one: -one[1]))


def expectations_of(
    *,
    queries: str | os.PathLike[str] | None,
    answers: str | os.PathLike[str] | None = None,
    qrels: str | os.PathLike[str] | None = None,
) -> Expectations:
    """Read the answers, or the qrels, and the queries they are about.

    Answers hold their queries, so that a queries file is needed for qrels alone; given both, an
    answer belongs to the query of its id or, where its file gives no ids, of its text. Raises
    `InputError` for a bad file, and where none of the queries has anything that is right.
    """
    if answers is not None:
        return _of_answers(answers, queries)
    if qrels is None or queries is None:
        raise UsageError("qrels say nothing of what was asked", "give the queries, too")
    graded = read_qrels(qrels)
    known = native_queries(queries)
    asked = tuple(query for query in known if graded.get(encode_id(query.query_id)))
    if not asked:
        raise InputError(
            queries, None, f"none of its queries is in {os.fspath(qrels)}", "look at the ids"
        )
    ids = {encode_id(query.query_id) for query in asked}
    return Expectations(
        asked,
        {query_id: by_doc for query_id, by_doc in graded.items() if query_id in ids},
        None,
        _left_out(len(known) - len(asked), len(set(graded) - ids)),
    )


def native_queries(path: str | os.PathLike[str]) -> list[Query]:
    """The queries of a file, their ids as they really are: `my%20query` is `my query`."""
    return [replace(query, query_id=decode_id(query.query_id)) for query in read_queries(path)]


def _of_answers(
    path: str | os.PathLike[str], queries: str | os.PathLike[str] | None
) -> Expectations:
    answers = read_answers(path)
    if queries is None:
        for answer in answers:
            if not answer.query:
                raise InputError(
                    path,
                    answer.line,
                    f"query {answer.query_id!r} has no text here",
                    "write its query, or give the queries, too",
                )
        asked = {
            answer.query_id: (Query(answer.query_id, answer.query, query_class=answer.query_class))
            for answer in answers
        }
        of_query = {answer.query_id: answer for answer in answers}
        return _by_truths(list(asked.values()), of_query, ())
    known = native_queries(queries)
    by_id = {query.query_id: query for query in known}
    by_text = {" ".join(query.text.split()): query for query in known}
    found: dict[str, Answered] = {}
    for answer in answers:
        query = (
            by_id.get(answer.query_id)
            if answer.own_id
            else by_text.get(" ".join(answer.query.split()))
        )
        if query is None:
            continue
        if query.query_id in found:
            raise InputError(
                path,
                answer.line,
                f"query {query.query_id!r} has answers in line {found[query.query_id].line}"
                " already",
                "put them together",
            )
        found[query.query_id] = answer
    if not found:
        raise InputError(
            queries, None, f"none of its queries is in {os.fspath(path)}", "look at ids and texts"
        )
    asked_queries = [query for query in known if query.query_id in found]
    notes = _left_out(len(known) - len(asked_queries), len(answers) - len(found))
    return _by_truths(asked_queries, found, notes)


def _by_truths(
    queries: Sequence[Query], answers: Mapping[str, Answered], notes: tuple[str, ...]
) -> Expectations:
    truths = {encode_id(query_id): answer.truths for query_id, answer in answers.items()}
    grades = {
        query_id: {truth.written: truth.grade for truth in its} for query_id, its in truths.items()
    }
    return Expectations(tuple(queries), grades, truths, notes)


def _left_out(queries: int, answers: int) -> tuple[str, ...]:
    notes = []
    if queries:
        notes.append(f"left out, and not asked: {queries:,} queries for which nothing is known")
    if answers:
        notes.append(f"left out: what is right for {answers:,} queries that are not asked")
    return tuple(notes)


def _as_in_files(run: Run) -> Run:
    """With ids as a run file would have them, so that they are those of qrels files."""
    return Run(
        run.tag,
        {
            encode_id(query_id): {encode_id(doc_id): score for doc_id, score in scores.items()}
            for query_id, scores in run.scores.items()
        },
    )
