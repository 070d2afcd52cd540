"""What is right for each query, whether answers or qrels say so, and how systems that are asked
those queries fare: their scores, their first right result, what stands at their top.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from judge_tui.errors import InputError, UsageError
from judge_tui.formats import iter_queries, recognise
from judge_tui.formats.answers import Answered, cautions_of, read_answers
from judge_tui.formats.answers.demands import of_queries
from judge_tui.formats.answers.whose import together, unasked_called
from judge_tui.formats.benchmark import Benchmark
from judge_tui.formats.queries_and_documents import has_its_queries
from judge_tui.formats.query_names import QueryNames
from judge_tui.formats.runs_and_qrels import read_named_qrels
from judge_tui.model import Qrels, Query, Run
from judge_tui.scoring import Known, Measure, Rules, RunScores, Scores, know, score_run
from judge_tui.scoring.by_answers import refuse_unanswerable, score_by_answers
from judge_tui.scoring.class_terms import class_called, misspelt
from judge_tui.scoring.demands import Demands, first_named
from judge_tui.scoring.run import nothing_found
from judge_tui.scoring.truths import Credit, Truths, matrix

__all__ = ["Expectations", "expectations_of", "expectations_of_benchmark"]

_ALL = Rules(complete=True)


@dataclass(frozen=True, slots=True)
class Expectations:
    """`queries` for which something is known; by `truths` or, where these are None, by `qrels`. All
    ids are native ones: `my query`, where files of TREC have `my%20query`. `notes`: what was left
    out. `demands`: what queries demand; one that has nothing else is in neither truths nor
    qrels."""

    queries: tuple[Query, ...]
    qrels: Qrels
    truths: Truths | None
    notes: tuple[str, ...] = ()
    demands: Demands = field(default_factory=Demands)

    def refuse(self, measures: Sequence[Measure]) -> None:
        """Raise `UsageError` for measures that cannot be had from these."""
        if self.truths is not None:
            refuse_unanswerable(measures, _ALL)

    def scores(
        self, runs: Sequence[Run], measures: Sequence[Measure], credit: Credit = "once"
    ) -> Scores:
        """Score runs over all queries of which right answers are known: what a run
        does not answer counts as nothing found. Raises `UsageError` for two runs of one tag."""
        tags = [run.tag for run in runs]
        if len(set(tags)) < len(tags):
            raise UsageError("two runs have one tag", "give each run its own tag")
        parts = [self._scored(run, measures, credit) for run in runs]
        return Scores.by_rules(
            _ALL,
            measures,
            (scored for scored, _ in parts),
            by="qrels" if self.truths is None else "answers",
            remarks=(remark for _, remarks in parts for remark in remarks),
        )

    def grades(self, query_id: str, doc_ids: Sequence[str]) -> list[int | None]:
        """The grade of each of these results, None where it is not known."""
        by_doc = self.qrels.get(query_id, {})
        if self.truths is None:
            found = (by_doc.get(doc_id) for doc_id in doc_ids)
            return [grade if grade is not None and grade >= 0 else None for grade in found]
        if query_id not in self.truths:
            return [None] * len(doc_ids)
        best = matrix(self.truths[query_id], Known(by_doc), doc_ids).best
        return [best.get(rank) for rank in range(1, len(doc_ids) + 1)]

    def _scored(
        self, run: Run, measures: Sequence[Measure], credit: Credit
    ) -> tuple[RunScores, Sequence[str]]:
        """The scores of a run, and what else is to be told of them."""
        if not any(run.scores.get(query_id) for query_id in self.qrels):
            return nothing_found(run.tag, know(self.qrels), measures), ()
        own = Run(run.tag, {q: its for q, its in run.scores.items() if q in self.qrels})
        if self.truths is None:
            return score_run(self.qrels, own, measures, complete=True), ()
        scores = score_by_answers(
            self.truths,
            [own],
            measures,
            rules=_ALL,
            credit=credit,
        )
        return scores.runs[0], scores.remarks


def expectations_of(
    *,
    queries: str | os.PathLike[str] | None,
    answers: str | os.PathLike[str] | None = None,
    qrels: str | os.PathLike[str] | None = None,
) -> Expectations:
    """Read the answers, or the qrels, and the queries they are about.

    Answers hold their queries, so that a queries file is needed for qrels alone; given both, an
    answer belongs to the query of its id or, where its file gives no ids, to all of its text.
    Raises `InputError` for a bad file, and where nothing is known for any of the queries.
    """
    if answers is not None:
        return _of_answers(answers, queries)
    if qrels is None or queries is None:
        raise _nothing_to_ask(qrels)
    known = [query for _, query in iter_queries(queries)]
    read, by_text = read_named_qrels(qrels, names=QueryNames.of(known))
    graded = {query_id: by_doc for query_id, by_doc in read.items() if by_doc}
    demanded = of_queries(known, queries)
    asked = tuple(_of_class(q) for q in known if q.query_id in graded or q.query_id in demanded)
    if not asked:
        raise InputError(
            queries,
            None,
            f"none of its queries is in {os.fspath(qrels)}",
            f"look at the {'texts' if by_text else 'ids'}",
        )
    its = {query.query_id: graded[query.query_id] for query in asked if query.query_id in graded}
    ids = {query.query_id for query in asked}
    notes = (
        *misspelt(query.query_class for query in known),
        *_left_out(
            [one.query_id for one in known if one.query_id not in ids],
            [query_id for query_id in graded if query_id not in its],
        ),
    )
    return Expectations(asked, its, None, notes, Demands.made(asked, demanded))


def expectations_of_benchmark(benchmark: Benchmark) -> Expectations:
    """The queries of a graded benchmark, the grades of their candidates, and what they demand."""
    qrels = benchmark.qrels
    queries = tuple(_of_class(entry.query) for entry in benchmark.entries)
    demanded = {entry.query.query_id: entry.demands for entry in benchmark.entries}
    demands = Demands.made(queries, demanded)
    return Expectations(queries, qrels, None, benchmark.notes, demands)


def _of_answers(
    path: str | os.PathLike[str], queries: str | os.PathLike[str] | None
) -> Expectations:
    answers = list(read_answers(path))
    if queries is not None:
        return _of_both(answers, path, list(iter_queries(queries)), queries)
    for answer in answers:
        if not answer.query:
            raise InputError(
                path,
                answer.line,
                f"query {answer.query_id!r} has no text here",
                "write its query, or give the queries, too",
            )
    asked = [answer.as_query() for answer in answers]
    return _by_truths(asked, {answer.query_id: answer for answer in answers}, cautions_of(answers))


def _of_both(
    answers: Sequence[Answered],
    path: str | os.PathLike[str],
    read: Sequence[tuple[int, Query]],
    queries: str | os.PathLike[str],
) -> Expectations:
    both = together(answers, path, read, queries)
    notes = (
        *misspelt(query.query_class for _, query in read),
        *_left_out([one.query_id for one in both.others], unasked_called(both.unasked)),
    )
    return _by_truths(both.queries, both.answers, (*cautions_of(both.called), *notes))


def _by_truths(
    queries: Sequence[Query], answers: Mapping[str, Answered], notes: tuple[str, ...]
) -> Expectations:
    truths = {query_id: one.truths for query_id, one in answers.items() if one.truths}
    grades = {
        query_id: {truth.key: truth.grade for truth in its} for query_id, its in truths.items()
    }
    asked = tuple(map(_of_class, queries))
    demands = Demands.made(asked, {query_id: one.demands for query_id, one in answers.items()})
    return Expectations(asked, grades, truths, notes, demands)


def _nothing_to_ask(qrels: str | os.PathLike[str] | None) -> UsageError:
    """What to say of qrels without queries: some are in a file that has these as well."""
    if qrels is None or not has_its_queries(qrels):
        return UsageError("qrels say nothing of what was asked", "give the queries, too")
    file = os.fspath(qrels)
    if recognise(qrels).format == "benchmark":
        return UsageError(f"{file} is a benchmark", f"give it as --benchmark {file}")
    return UsageError(f"{file} holds its queries, too", f"give it as --queries {file} as well")


def _of_class(query: Query) -> Query:
    """The query, its class under the name by which it is told."""
    return replace(query, query_class=class_called(query.query_class))


def _left_out(queries: Sequence[str], answers: Sequence[str]) -> tuple[str, ...]:
    notes = []
    if queries:
        left_out = first_named(queries)
        notes.append(f"queries for which nothing is known, left out and not asked: {left_out}")
    if answers:
        unasked = first_named(answers)
        notes.append(f"queries that are not asked, though something is known: {unasked}")
    return tuple(notes)
