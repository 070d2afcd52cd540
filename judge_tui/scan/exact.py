"""The exact reader of a run: any layout, a line at a time, and FILE:LINE for a fault; and the ranks
of graded documents in lists whose scores are in mappings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import inf

import numpy as np

from judge_tui.formats.compression import refuse_nul
from judge_tui.formats.trec import RunLines
from judge_tui.model import Qrels
from judge_tui.scoring.judged_lists import JudgedLists, JudgedQueries

_PIECE = 1 << 20
"""Bytes that are cut into lines at once."""


def read_lines(lines: RunLines, text: bytes, path: str, number: int = 1) -> None:
    """Read `text`, the first line of which has this number, behind the `lines` read before. Raises
    `InputError` for the first fault of the file."""
    nul = text.find(b"\0")
    end = len(text) if nul < 0 else text.rfind(b"\n", 0, nul) + 1
    begin = 0
    while begin < end:
        stop = text.find(b"\n", begin + _PIECE, end) + 1 or end
        lines.read(text[begin:stop].removesuffix(b"\n"), number)
        number += text.count(b"\n", begin, stop)
        begin = stop
    if nul >= 0:
        refuse_nul(path, text[end:], number - 1)


def judge_lists(
    lists: Iterable[tuple[str, Mapping[str, float]]], qrels: Qrels, known: JudgedQueries
) -> tuple[JudgedLists, list[str]]:
    """Return the lists of the queries that are `known`, and the ids of the other queries.

    `lists`: each query once, with the scores of its documents. `qrels`: the grades of the `known`.
    """
    others: list[str] = []
    judged: list[tuple[int, int, list[tuple[int, int]]]] = []
    for query_id, scores in lists:
        if scores and query_id in known.row_of:
            hits = _ranked_hits(qrels[query_id], scores)
            judged.append((known.row_of[query_id], len(scores), hits))
        elif scores:
            others.append(query_id)
    return JudgedLists.of_lists(judged, known), others


def rounded(scores: Mapping[str, float]) -> dict[str, float]:
    """Round scores to 32 bits."""
    with np.errstate(over="ignore"):
        values = np.fromiter(scores.values(), np.float64, len(scores)).astype(np.float32)
    return dict(zip(scores, values.tolist(), strict=True))


def _ranked_hits(grades: Mapping[str, int], scores: Mapping[str, float]) -> list[tuple[int, int]]:
    """Return rank and grade of the graded documents of one list, by ascending rank.

    Ranks are those of `judge_tui.model.rank`: score descending, then doc_id descending, which is
    trec_eval's order.
    """
    found = [doc_id for doc_id in grades if doc_id in scores]
    if not found:
        return []
    # A run's file is nearly always in order already; the sort then only checks that it is.
    descending = sorted(scores.values(), reverse=True)
    descending.append(-inf)  # the last has a neighbour, too
    found.sort(key=scores.__getitem__, reverse=True)
    ranks: list[int] = []
    tied: dict[float, list[str]] = {}
    at = 0
    for doc_id in found:
        score = scores[doc_id]
        at = descending.index(score, at)
        ranks.append(at + 1)
        if descending[at + 1] == score:
            tied[score] = []
    if tied:
        steps = _steps_in_ties(scores, tied)
        ranks = [rank + steps.get(doc_id, 0) for doc_id, rank in zip(found, ranks, strict=True)]
    return sorted((rank, grades[doc_id]) for doc_id, rank in zip(found, ranks, strict=True))


def _steps_in_ties(scores: Mapping[str, float], tied: dict[float, list[str]]) -> dict[str, int]:
    """Count the documents of the same score before each document of the scores in `tied`."""
    # doc_ids matter only inside the groups of equal scores that hold a judged document.
    for doc_id, score in scores.items():
        if score in tied:
            tied[score].append(doc_id)
    return {
        doc_id: step
        for group in tied.values()
        for step, doc_id in enumerate(sorted(group, reverse=True))
    }
