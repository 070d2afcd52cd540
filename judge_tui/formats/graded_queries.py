"""Grades under the queries that a file of qrels means, in whatever ways it names each."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence

from judge_tui.errors import InputError
from judge_tui.formats.ids import decode_id

__all__ = ["under_queries"]


def under_queries(
    path: str | os.PathLike[str],
    qrels: Mapping[str, Mapping[str, int]],
    meant_by: Callable[[str], Sequence[str]],
) -> dict[str, dict[str, int]]:
    """query_id -> doc_id -> grade, of qrels by the fields of their file, of which each is about the
    queries `meant_by` it. A query may come under several, as by its id and by its text: all of its
    grades are its own. Raises `InputError` where two of them grade one document differently."""
    graded: dict[str, dict[str, int]] = {}
    by_field: dict[str, str] = {}
    for field, by_doc in qrels.items():
        for query_id in meant_by(field):
            own = graded.setdefault(query_id, {})
            before = by_field.setdefault(query_id, field)
            for doc_id, grade in by_doc.items():
                if own.setdefault(doc_id, grade) != grade:
                    raise InputError(
                        path,
                        None,
                        f"{decode_id(doc_id)!r} is graded {own[doc_id]} for query"
                        f" {decode_id(before)!r:.70}, and {grade} for {decode_id(field)!r:.70},"
                        " which are one query",
                        "remove one of the two grades",
                    )
    return graded
