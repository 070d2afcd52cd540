"""Judged runs written by hand: a letter is a document."""

from __future__ import annotations

import numpy as np

from judge_tui.analysis.judged_runs import NO_DOCUMENT, JudgedRuns, RankedLists
from judge_tui.model import Run

__all__ = ["GREATEST", "grades_text", "judged_runs_of", "qrels_of", "runs_of"]

GREATEST = 3


def judged_runs_of(lists, grades, asked=None, failed=None):
    """`lists`: tag -> query_id -> letters, best first; `grades`: query_id -> "a2 b0", a pair that
    nobody graded "c-1"; `asked`: tag -> the queries that the run was asked; `failed`: (tag,
    query_id) -> why."""
    ids = tuple(sorted({query for run in lists.values() for query in run} | set(grades)))
    depth = max((len(one) for run in lists.values() for one in run.values()), default=0)
    documents = np.full((len(lists), len(ids), depth), NO_DOCUMENT, dtype=np.int64)
    for place, run in enumerate(lists.values()):
        for query, letters in run.items():
            documents[place, ids.index(query), : len(letters)] = [ord(one) for one in letters]
    rows = [
        (ids.index(query), ord(pair[0]), int(pair[1:]))
        for query, text in grades.items()
        for pair in text.split()
    ]
    pairs = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    tags = tuple(lists)
    known = None
    if asked is not None:
        known = np.array([[query in asked.get(tag, ()) for query in ids] for tag in tags])
    reasons = {
        (tags.index(tag), ids.index(query)): why for (tag, query), why in (failed or {}).items()
    }
    return JudgedRuns(RankedLists(tags, ids, documents, known, reasons), *pairs, GREATEST)


def qrels_of(grades):
    """The same grades for `score_runs`."""
    return {
        query: {pair[0]: int(pair[1:]) for pair in text.split()} for query, text in grades.items()
    }


def runs_of(lists, asked=None):
    """The same lists for `score_runs`, with what they were asked."""
    return [
        Run(
            tag,
            {
                query: {letter: -float(rank) for rank, letter in enumerate(letters)}
                for query, letters in run.items()
            },
            frozenset((asked or {}).get(tag, ())),
        )
        for tag, run in lists.items()
    ]


def grades_text(by_letter):
    """Letter -> grade as `judged_runs_of` takes it."""
    return " ".join(f"{letter}{grade}" for letter, grade in sorted(by_letter.items()))
