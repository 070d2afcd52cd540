"""Judgments as `export judgments` writes them: CSV or JSON Lines, a row for each look of a judge.

Ids stand for themselves, white space and codes such as %20 and all. Hidden repeats, flags and what
a lead settled are nothing that a judge says first of a pair: they are left out, and counted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from math import isfinite
from typing import Any, cast

from judge_tui.formats.ids import encode_id, is_blank
from judge_tui.formats.json_records import RecordError, records
from judge_tui.formats.judgments import Decision, JudgmentRow
from judge_tui.formats.problems import Reporter, quoted
from judge_tui.formats.row_guard import unguarded
from judge_tui.formats.sample import Sample
from judge_tui.formats.source import Source, UnreadableError
from judge_tui.formats.table import OWN_JUDGMENTS, Header, header_of, seen_columns, whole_rows

__all__ = ["rows"]

_DECISIONS = ("grade", "skip", "cannot")
_SETTLED = "adjudicate"
_GRADE = re.compile(r"[0-9](?:\.0+)?")


def rows(source: Source, report: Reporter) -> Iterator[JudgmentRow]:
    """What each judge said first of each pair; a note alone is one of an open pair."""
    left_out: Counter[str] = Counter()
    for line, record in _records(source, report):
        try:
            left_out.update(_left_out(record))
            row = _row(line, record)
        except RecordError as error:
            report(line, error.what, error.mend)
            continue
        if row is not None:
            yield row
    report.notes += [f"{what} left out: {count:,}" for what, count in left_out.items()]


def _records(source: Source, report: Reporter) -> Iterator[tuple[int, Mapping[str, Any]]]:
    sample = Sample(source)
    if sample.first.startswith(b"{"):
        return records(source, report, lambda record: record)
    header = header_of(sample)
    if header is None:
        return iter(())
    if not header.is_own_judgments:
        raise UnreadableError(
            source.path,
            header.line,
            f"these are not the columns of export judgments; {seen_columns(header)}",
            f"name them {','.join(OWN_JUDGMENTS)}",
        )
    return _of_table(source, header, report)


def _of_table(
    source: Source, header: Header, report: Reporter
) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for line, cells in whole_rows(source, header, report):
        yield line, dict(zip(header.names, map(unguarded, cells), strict=True))


def _left_out(record: Mapping[str, Any]) -> Iterator[str]:
    """What of a row there is no place for, by how it is called."""
    if _is_repeat(record):
        yield "hidden repeats"
    if record.get("decision") == _SETTLED:
        yield "what a lead settled"
    if str(record.get("flagged")).strip().casefold() == "true":
        yield "flags"


def _row(line: int, record: Mapping[str, Any]) -> JudgmentRow | None:
    """What a row says; None where there is no place for that."""
    query_id, doc_id, judge = (_named(record, name) for name in ("query_id", "doc_id", "judge"))
    decision = record.get("decision") or ""
    if decision not in (*_DECISIONS, _SETTLED, ""):
        raise RecordError(
            f"decision {quoted(str(decision))} is none",
            f"write {', '.join(_DECISIONS)} or {_SETTLED}, or nothing beside a note or a flag",
        )
    grade = _grade(record.get("grade")) if decision == "grade" else None
    note = record.get("note") or ""
    if not isinstance(note, str):
        raise RecordError("the note is no text", "write it as a string")
    if _is_repeat(record) or decision == _SETTLED or not (decision or note.strip()):
        return None
    # Not `as_field`: this program writes no blank around an id that is none of it.
    return JudgmentRow(
        line,
        encode_id(query_id),
        encode_id(doc_id),
        judge.strip(),
        cast(Decision, decision or "open"),
        grade,
        note,
        kind="model" if record.get("kind") == "model" else "",
        seconds=_seconds(record.get("seconds")),
    )


def _is_repeat(record: Mapping[str, Any]) -> bool:
    return record.get("purpose") == "repeat"


def _named(record: Mapping[str, Any], name: str) -> str:
    value = record.get(name)
    if not isinstance(value, str) or is_blank(value):
        raise RecordError(f"the row has no {name}", f"give each row a {name}")
    if "\0" in value:
        raise RecordError(f"{name} {quoted(value)} holds a NUL character", "remove it")
    return value


def _grade(value: Any) -> int:
    written = "" if value is None or isinstance(value, bool) else str(value).strip()
    if not _GRADE.fullmatch(written):
        raise RecordError(f"grade {quoted(written)} is none", "write a whole number from 0 to 9")
    return int(written[0])


def _seconds(value: Any) -> float | None:
    written = "" if value is None else str(value).strip()
    if not written:
        return None
    try:
        seconds = float(written) if written.isascii() and "_" not in written else -1.0
    except ValueError:
        seconds = -1.0
    if isfinite(seconds) and seconds >= 0:
        return seconds
    raise RecordError(f"{quoted(written)} is no number of seconds", "write it like 12.5")
