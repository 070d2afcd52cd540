"""Grades and scores as matrices, the shape that scikit-learn's ranking metrics take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf, isnan
from typing import Any

import numpy as np

from judge_tui.errors import UsageError
from judge_tui.evaluation.memory import grades_in, scores_in
from judge_tui.evaluation.shapes import Matrix
from judge_tui.model import Qrels, Run

_SHAPE = "give a row of numbers for each query and a column for each document"


def from_matrices(
    grades: Matrix,
    scores: Matrix | Mapping[str, Matrix],
) -> tuple[Qrels, list[Run]]:
    """Return the qrels and runs that arrays, frames or lists of lists hold, each [queries,
    documents].

    `grades` (scikit-learn's `y_true`): whole numbers; NaN, None, -inf or a negative number where
    nobody judged. `scores` (`y_score`): one run, called `run`, or several by tag, each of the shape
    of `grades`; NaN, None or -inf where the document was not retrieved: a negative score is one
    like any other. Queries and documents are numbered from 0, with zeros in front, so
    that the order of the values is that of the rows. Where scores are tied, the greater doc_id goes
    first; scikit-learn averages over the orders instead.

    Raises `UsageError` for shapes that differ and for what is no grade or score.
    """
    judged = _rows(grades, "grades")
    runs = []
    for tag, matrix in (scores if isinstance(scores, Mapping) else {"run": scores}).items():
        rows = _rows(matrix, f"scores of run {tag!r}")
        if (len(rows), len(rows[0])) != (len(judged), len(judged[0])):
            raise UsageError(
                f"the scores of run {tag!r} are {len(rows)} x {len(rows[0])}, the grades"
                f" {len(judged)} x {len(judged[0])}",
                _SHAPE,
            )
        runs.append(Run(tag, scores_in(_cells_of(rows), f"run {tag!r}")))
    return grades_in(_cells_of(judged), "the grades"), runs


def _rows(matrix: Any, what: str) -> list[list[float]]:
    try:
        # The NA of pandas is no number to numpy.
        of_pandas = hasattr(matrix, "convert_dtypes")
        numbers = matrix.to_numpy("float64", na_value=np.nan) if of_pandas else matrix
        rows = np.asarray(numbers, dtype=np.float64)
    except (TypeError, ValueError):
        raise UsageError(f"the {what} are no matrix of numbers", _SHAPE) from None
    if rows.ndim != 2 or not rows.size:
        raise UsageError(f"the {what} are no matrix", _SHAPE)
    found: list[list[float]] = rows.tolist()
    return found


def _cells_of(rows: Sequence[Sequence[float]]) -> dict[str, dict[str, float]]:
    """Return number of the query -> number of the document -> value, without empty cells."""
    queries, documents = (len(str(len(side) - 1)) for side in (rows, rows[0]))
    return {
        f"{query:0{queries}}": {
            f"{document:0{documents}}": value
            for document, value in enumerate(row)
            if not (isnan(value) or value == -inf)
        }
        for query, row in enumerate(rows)
    }
