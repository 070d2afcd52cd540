"""Grades and scores as matrices, the shape that scikit-learn's ranking metrics take."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import inf
from typing import Any, NoReturn

from judge_tui.errors import UsageError
from judge_tui.evaluation.shapes import Id, Matrix
from judge_tui.evaluation.values import Number, Refuse, as_grades, as_ids, as_scores, is_null
from judge_tui.model import Qrels, Run

__all__ = ["from_matrices"]

_SHAPE = "give a row for each query and a column for each document"


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

    Raises `UsageError` for shapes that differ and for what is no grade or score, with its place.
    """
    rows = _rows_of(grades, "grades")
    queries, documents = len(rows), len(rows[0])
    names = _ids(query_ids, queries, "query"), _ids(doc_ids, documents, "document")
    by_tag: Mapping[str, Any] = scores if isinstance(scores, Mapping) else {"run": scores}
    runs = []
    for tag, matrix in by_tag.items():
        its_rows = _rows_of(matrix, f"scores of run {tag!r}")
        if (len(its_rows), len(its_rows[0])) != (queries, documents):
            raise UsageError(
                f"the scores of run {tag!r} are {len(its_rows)} x {len(its_rows[0])}, the grades"
                f" {queries} x {documents}",
                _SHAPE,
            )
        runs.append(Run(tag, _pairs(its_rows, names, f"score of run {tag!r}", as_scores)))
    return _pairs(rows, names, "grade", as_grades), runs


def _rows_of(matrix: Any, what: str) -> Sequence[Sequence[Any]]:
    if hasattr(matrix, "to_numpy"):
        matrix = matrix.to_numpy()
    if hasattr(matrix, "tolist"):
        matrix = matrix.tolist()
    elif isinstance(matrix, Iterable) and not isinstance(matrix, str | bytes | Mapping):
        matrix = [row.tolist() if hasattr(row, "tolist") else row for row in matrix]
    sized = isinstance(matrix, list) and all(isinstance(row, list | tuple) for row in matrix)
    if not sized or not matrix or not matrix[0] or len(set(map(len, matrix))) > 1:
        raise UsageError(f"the {what} are no matrix", _SHAPE)
    rows: Sequence[Sequence[Any]] = matrix
    return rows


def _ids(given: Iterable[Id] | None, wanted: int, noun: str) -> list[str]:
    if given is None:
        return [f"{place:0{len(str(wanted - 1))}}" for place in range(wanted)]

    def refuse(place: int, value: str, mend: str) -> NoReturn:
        raise UsageError(f"{noun} id {place + 1} is {value}", mend)

    ids = as_ids(list(given), refuse)
    if len(ids) != wanted or len(set(ids)) < wanted:
        raise UsageError(
            f"there are {len(set(ids))} different {noun} ids for {wanted}",
            f"give each {noun} an id of its own",
        )
    return ids


def _pairs(
    rows: Sequence[Sequence[Any]],
    names: tuple[Sequence[str], Sequence[str]],
    noun: str,
    read: Callable[[Sequence[Any], Refuse], list[Number]],
) -> dict[str, dict[str, Number]]:
    """Return query_id -> doc_id -> number, without the cells that are empty."""
    query_ids, doc_ids = names
    pairs = {}
    for at, row in enumerate(rows):
        places = [place for place, value in enumerate(row) if not _is_empty(value)]
        numbers = read([row[place] for place in places], _refusal(noun, at, places))
        pairs[query_ids[at]] = dict(zip([doc_ids[p] for p in places], numbers, strict=True))
    return pairs


def _is_empty(value: Any) -> bool:
    return is_null(value) or (isinstance(value, float) and value == -inf)


def _refusal(noun: str, at: int, places: Sequence[int]) -> Refuse:
    def refuse(place: int, value: str, mend: str) -> NoReturn:
        raise UsageError(f"the {noun} at [{at}, {places[place]}] is {value}", mend)

    return refuse
