"""Qrels as TREC has them: four columns, of which the second plays no part."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple, SupportsIndex

from judge_tui.formats.ids import has_other_white, id_in
from judge_tui.formats.labels import Decision, grade_in
from judge_tui.formats.problems import RecordError, Reporter, counted, decoded, mend_of_fields
from judge_tui.formats.source import Source, UnreadableError
from judge_tui.model import Qrels

__all__ = ["QrelsRow", "plain_qrels", "qrels_lines", "rows"]

_LAYOUT = "query_id 0 doc_id grade"
_GRADE = re.compile(rb"([+-]?[0-9]{1,16})(?:\.0*)?")
_LIMIT = 2**31


class QrelsRow(NamedTuple):
    """One line of qrels. A negative grade means pooled but not judged; `decision`: what stands
    there that is no grade, as labels say."""

    line: SupportsIndex
    query_id: str
    doc_id: str
    grade: int
    decision: Decision = "grade"


def rows(source: Source, report: Reporter) -> Iterator[QrelsRow]:
    """Every well-formed line, exactly diagnosed."""
    for number, line in source.lines():
        fields = line.split()
        if fields:
            row = _row(number, line, fields, report)
            if row is not None:
                yield row


def plain_qrels(source: Source) -> dict[str, dict[str, int]] | None:
    """What `rows` would give, all at once and faster, for a file without faults, else None."""
    by_query: dict[bytes, dict[str, int]] = {}
    docs: dict[str, int] = {}
    numbers: dict[bytes, int] = {}
    current = b""
    number = 0
    try:
        for lines in source.blocks():
            for line in lines:
                fields = line.split()
                if not fields:
                    continue
                query, _, doc, grade = fields
                if query != current:
                    current = query
                    docs = by_query.setdefault(query, {})
                value = numbers.get(grade)
                if value is None:
                    value = _grade(grade)
                    if value is None:
                        return None
                    numbers[grade] = value
                docs[doc.decode()] = value
                number += 1
        if not number or sum(map(len, by_query.values())) != number:
            return None
        qrels = {query.decode(): docs for query, docs in by_query.items()}
        if has_other_white("".join(qrels)):
            return None
        return None if any(has_other_white("".join(ids)) for ids in qrels.values()) else qrels
    except (ValueError, UnreadableError):
        return None


def qrels_lines(qrels: Qrels) -> Iterator[bytes]:
    """The lines of a qrels file, queries and documents in byte order of the ids as written.

    Ids are percent-encoded where they hold white space. Raises `UsageError` for an id that no
    TREC file can hold: an empty one, a lone surrogate, NUL.
    """
    by_query = {id_in(query_id): docs for query_id, docs in qrels.items()}
    for query_id in sorted(by_query):
        grades = {id_in(doc_id): grade for doc_id, grade in by_query[query_id].items()}
        for doc_id in sorted(grades):
            yield f"{query_id} 0 {doc_id} {grades[doc_id]}\n".encode()


def _row(number: int, line: bytes, fields: list[bytes], report: Reporter) -> QrelsRow | None:
    if len(fields) != 4:
        report(
            number,
            f"{counted(len(fields), 'field')}; a line of qrels has 4 ({_LAYOUT})",
            mend_of_fields(fields, 4),
        )
        return None
    try:
        said = grade_in(fields[3].decode("utf-8", "replace"), report)
        return QrelsRow(number, id_in(fields[0].decode()), id_in(fields[2].decode()), *said)
    except RecordError as error:
        report.refuse(error, number)
        return None
    except UnicodeDecodeError:
        decoded(line, number, report)
        return None


def _grade(field: bytes) -> int | None:
    """The integer that `field` is. `+1` and `1.0` are one, as for C's atol, by which trec_eval
    reads grades; `1.5`, of which it makes 1, and `1_0` are none."""
    match = _GRADE.fullmatch(field)
    if match is None:
        return None
    grade = int(match[1])
    return grade if -_LIMIT <= grade < _LIMIT else None
