"""A benchmark file read whole: its queries, its documents, and the grades that its scores are."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from judge_tui.errors import InputError
from judge_tui.formats.benchmark.entry import EXAMPLE, Candidate, Entry, entries
from judge_tui.formats.benchmark.grading import Grades, found_grades, written_apart
from judge_tui.formats.problems import Problems, Reporter, quoted
from judge_tui.formats.source import UnreadableError, open_source
from judge_tui.model import Document, Qrels, Query
from judge_tui.scoring.class_terms import DEMANDS, Demand, misspelt
from judge_tui.scoring.demands import Wanted

__all__ = ["Benchmark", "Graded", "GradedEntry", "graded_entries", "read_benchmark"]


_KEYS_OF_QUERIES = ("measures", "subset", *DEMANDS)
"""Further fields of a query that something is made of."""

_NAMED = 5


class Graded(NamedTuple):
    """A document among a query's candidates, and its grade."""

    line: int
    document: Document
    grade: int


class GradedEntry(NamedTuple):
    """A query and its candidates in the order of the file; `demands`: what it says is to come
    first."""

    line: int
    query: Query
    candidates: tuple[Graded, ...]
    demands: Mapping[Demand, Wanted]


@dataclass(frozen=True)
class Benchmark:
    """The queries in file order, ids native (`formats.ids`). `notes`: what became of the scores,
    and what looks odd about them."""

    entries: tuple[GradedEntry, ...]
    notes: tuple[str, ...] = ()

    @cached_property
    def documents(self) -> Mapping[str, Document]:
        """Every document by its id, in the order in which they first come."""
        return {one.document.doc_id: one.document for its in self.entries for one in its.candidates}

    @cached_property
    def candidates(self) -> Mapping[str, Sequence[Document]]:
        """query_id -> its candidates."""
        return {
            entry.query.query_id: [one.document for one in entry.candidates]
            for entry in self.entries
        }

    def more_than(self, depth: int) -> int:
        """How many queries have more candidates than that."""
        return sum(len(entry.candidates) > depth for entry in self.entries)

    @cached_property
    def qrels(self) -> Qrels:
        """The grade of every candidate."""
        return {
            entry.query.query_id: {one.document.doc_id: one.grade for one in entry.candidates}
            for entry in self.entries
        }


def read_benchmark(
    path: str | os.PathLike[str],
    *,
    grades: Grades | None = None,
    problems: Problems | None = None,
) -> Benchmark:
    """All of a benchmark, a JSON array or JSON Lines. `grades`: what the scores mean, found in them
    where it is not given. Raises the first `InputError`, unless there are `problems` to take them.
    """
    report = Reporter(path, problems)
    found: list[GradedEntry] = []
    try:
        with open_source(path) as source:
            found = graded_entries(list(entries(source, report)), report, grades)
    except UnreadableError as error:
        report.pass_on(error)
    if not found and not report.count:
        raise InputError(path, None, "there are no queries in it", f"write it as {EXAMPLE}")
    return Benchmark(tuple(found), tuple(report.notes))


def graded_entries(
    read: Sequence[Entry], report: Reporter, grades: Grades | None = None
) -> list[GradedEntry]:
    """The entries with grades in the place of scores; how, the report's notes say."""
    scores = [one.score for entry in read for one in entry.candidates]
    known = grades or found_grades(scores)
    if known is None:
        odd = _first_odd(read)
        report(
            odd.line,
            f"score {odd.score:g} is one of {len(set(scores)):,}: no scale of grades is to be found"
            " in so many",
            "say what they mean: load collection takes --scores 0=0,0.5=1,1=2",
        )
        return []
    notes = (known.note(scores), known.caution(scores), _other_keys(read))
    report.notes += [note for note in notes if note]
    report.notes += misspelt(entry.query.query_class for entry in read)
    return [
        GradedEntry(
            entry.line,
            entry.query,
            tuple(one for held in entry.candidates if (one := _graded(held, known, report))),
            entry.demands,
        )
        for entry in read
    ]


def _graded(one: Candidate, grades: Grades, report: Reporter) -> Graded | None:
    grade = grades.of(one.score)
    if grade is None:
        score, least = written_apart([one.score, grades.steps[0][0]])
        what = f"score {score} is below {least}, the least of --scores"
        report(one.line, what, f"say what it means: --scores {score}=0,…")
        return None
    return Graded(one.line, one.document, grade)


def _other_keys(read: Sequence[Entry]) -> str:
    """Which keys the format does not know, and how often each is there: a field of others, or one
    that is written wrongly; empty where there are none."""
    of_queries = Counter(
        key for entry in read for key in entry.query.meta if key not in _KEYS_OF_QUERIES
    )
    of_documents = Counter(
        key for entry in read for one in entry.candidates for key in one.document.meta
    )
    told = [
        f"of {what} {_counted(counts)}"
        for what, counts in (("queries", of_queries), ("documents", of_documents))
        if counts
    ]
    return (
        f"keys that are not known here, kept as further fields: {'; '.join(told)}" if told else ""
    )


def _counted(counts: Counter[str]) -> str:
    """The most frequent ones, of equals those that come first."""
    named = [f"{quoted(key)} ({count:,})" for key, count in counts.most_common(_NAMED)]
    more = len(counts) - len(named)
    return ", ".join([*named, *([f"and {more:,} more"] if more else [])])


def _first_odd(read: Sequence[Entry]) -> Candidate:
    """The first candidate whose score is no whole number, or the greatest where all are."""
    every = [one for entry in read for one in entry.candidates]
    odd = (one for one in every if not one.score.is_integer())
    return next(odd, max(every, key=lambda one: one.score))
