"""Judged runs written by hand, and drawn by hypothesis: a letter is a document."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from judge_tui.analysis.judged_runs import NO_DOCUMENT, JudgedRuns, RankedLists
from judge_tui.model import Run

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


LETTERS = "abcdefghi"


def _text(by_letter):
    return " ".join(f"{letter}{grade}" for letter, grade in sorted(by_letter.items()))


@st.composite
def campaigns(draw, least_runs=1, greatest=GREATEST, letters=LETTERS):
    """(lists, grades) for `judged_runs_of`: up to four runs, five queries, nine documents."""
    queries = [f"q{number}" for number in range(draw(st.integers(1, 5)))]
    count = draw(st.integers(least_runs, 4))
    lists = {
        f"r{number}": {
            query: "".join(draw(st.permutations(letters))[: draw(st.integers(0, len(letters)))])
            for query in queries
        }
        for number in range(count)
    }
    grades = {
        query: _text(draw(st.dictionaries(st.sampled_from(letters), st.integers(0, greatest))))
        for query in queries
    }
    return lists, grades
