"""Judgments as `export judgments` writes them: CSV or JSON Lines, a row for each look of a judge.

Hidden repeats, flags and what a lead settled are nothing that a judge says first of a pair: they
are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, SupportsIndex, cast

from judge_tui.formats.json_document import each, lines_in
from judge_tui.formats.judgments import Decision, JudgmentRow, grade_in, judge_in
from judge_tui.formats.numbers import seconds_of
from judge_tui.formats.problems import RecordError, Reporter, quoted
from judge_tui.formats.source import Source
from judge_tui.formats.tables import Table, id_of, of_table, unguarded

_COLUMNS = ("query_id", "doc_id", "judge", "decision", "grade")
_DECISIONS = ("grade", "skip", "cannot", "adjudicate", "")


def rows(source: Source, report: Reporter) -> Iterator[JudgmentRow]:
    """Yield the first decision of each judge on each pair; a note alone belongs to an open pair."""
    if source.head.lstrip().startswith(b"{"):
        nodes = (node for _, node in lines_in(source, report, lambda node: node))
        return each(nodes, lambda node: _rows(node, node, report), report)
    return _rows_of_table(source, report)


@of_table
def _rows_of_table(table: Table) -> Iterator[JudgmentRow]:
    for name in _COLUMNS:
        if name not in table.names:
            raise table.lacks(name)

    def rows(line: int, cells: list[str]) -> Iterator[JudgmentRow]:
        record = dict(zip(table.names, map(unguarded, cells), strict=True))
        return _rows(line, record, table.report)

    return table.made(rows)


def _rows(
    line: SupportsIndex, record: Mapping[str, Any], report: Reporter
) -> Iterator[JudgmentRow]:
    """Yield the row of a record, if it says anything that a row can hold."""
    query_id, doc_id, judge = (_text(record, name) for name in ("query_id", "doc_id", "judge"))
    decision, note = record.get("decision") or "", record.get("note") or ""
    if decision not in _DECISIONS:
        what = f"decision {quoted(str(decision))} is none"
        raise RecordError(what, "write grade, skip, cannot or adjudicate, or nothing beside a note")
    judge = judge_in(judge)
    grade = None
    if decision == "grade":
        decision, grade = grade_in(record.get("grade"), report)
        if grade is not None and not 0 <= grade <= 9:
            raise RecordError(f"grade {grade} is none", "write a whole number from 0 to 9")
    if not isinstance(note, str):
        raise RecordError("the note is no text", "write it as a string")
    pair = id_of(query_id, "query"), id_of(doc_id, "document")
    seconds = seconds_of(record.get("seconds"))
    if record.get("purpose") == "repeat" or decision == "adjudicate":
        return
    if not decision and not note.strip():
        return
    yield JudgmentRow(
        line,
        *pair,
        judge,
        cast(Decision, decision or "open"),
        grade,
        note,
        kind="model" if record.get("kind") == "model" else "",
        seconds=seconds,
    )


def _text(record: Mapping[str, Any], name: str) -> str:
    value = record.get(name)
    return value if isinstance(value, str) else ""
