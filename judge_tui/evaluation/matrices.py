"""Grades and scores as matrices, the shape that scikit-learn's ranking metrics take."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import inf
from typing import Any

import numpy as np

from judge_tui.errors import UsageError
from judge_tui.evaluation.memory import grades_in, id_of, named_value, scores_in
from judge_tui.evaluation.shapes import Id, Matrix
from judge_tui.model import Qrels, Run

__all__ = ["from_matrices"]

_SHAPE = "give a row of numbers for each query and a column for each document"


def from_matrices(
    grades: Matrix,
    scores: Matrix | Mapping[str, Matrix],
    *,
    query_ids: Iterable[Id] | None = None,
    doc_ids: Iterable[Id] | None = None,
) -> tuple[Qrels, list[Run]]:
    """Return the qrels and runs that arrays, frames or lists of lists hold, each [queries,
    documents].

    `grades` (scikit-learn's `y_true`): whole numbers; NaN, None, -inf or a negative number where
    nobody judged. `scores` (`y_score`): one run, called `run`, or several by tag, each of the shape
    of `grades`; NaN, None or -inf where the document was not retrieved: a negative score is one
    like any other. Without ids, queries and documents are numbered from 0, with zeros in front, so
    that the order of the values is that of the rows. Where scores are tied, the greater doc_id goes
    first; scikit-learn averages over the orders instead.

    Raises `UsageError` for shapes that differ and for what is no grade or score.
    """
    judged = _rows(grades, "grades")
    names = _ids(query_ids, len(judged), "query"), _ids(doc_ids, len(judged[0]), "document")
    runs = []
    for tag, matrix in (scores if isinstance(scores, Mapping) else {"run": scores}).items():
        rows = _rows(matrix, f"scores of run {tag!r}")
        if (len(rows), len(rows[0])) != (len(judged), len(judged[0])):
            raise UsageError(
                f"the scores of run {tag!r} are {len(rows)} x {len(rows[0])}, the grades"
                f" {len(judged)} x {len(judged[0])}",
                _SHAPE,
            )
        runs.append(Run(tag, scores_in(_pairs(rows, *names), f"run {tag!r}")))
    return grades_in(_pairs(judged, *names), "the grades"), runs


def _rows(matrix: Any, what: str) -> list[list[float]]:
    try:
        # The NA of pandas is no number to numpy.
        numbers = matrix.to_numpy("float64", na_value=np.nan) if _is_of_pandas(matrix) else matrix
        rows = np.asarray(numbers, dtype=np.float64)
    except (TypeError, ValueError):
        raise UsageError(f"the {what} are no matrix of numbers", _SHAPE) from None
    if rows.ndim != 2 or not rows.size:
        raise UsageError(f"the {what} are no matrix", _SHAPE)
    found: list[list[float]] = rows.tolist()
    return found


def _is_of_pandas(matrix: object) -> bool:
    return hasattr(matrix, "to_numpy") and hasattr(matrix, "convert_dtypes")


def _ids(names: Iterable[Id] | None, wanted: int, noun: str) -> list[str]:
    if names is None:
        return [f"{place:0{len(str(wanted - 1))}}" for place in range(wanted)]
    ids = [named_value(f"{noun} id {at}", id_of, one) for at, one in enumerate(names, 1)]
    if len(ids) != wanted or len(set(ids)) < wanted:
        raise UsageError(
            f"there are {len(set(ids))} different {noun} ids for {wanted}",
            f"give each {noun} an id of its own",
        )
    return ids


def _pairs(
    rows: Sequence[Sequence[float]], query_ids: Sequence[str], doc_ids: Sequence[str]
) -> dict[str, dict[str, float]]:
    """Return query_id -> doc_id -> number, without the cells that are empty."""
    return {
        query_id: {
            doc_id: number
            for doc_id, number in zip(doc_ids, row, strict=True)
            if number == number and number != -inf  # noqa: PLR0124 - which NaN is not
        }
        for query_id, row in zip(query_ids, rows, strict=True)
    }
