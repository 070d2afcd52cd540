"""Queries as a spreadsheet has them: a header, and a row a query; no documents, nothing right.

A column says what was searched for: `query`, else `query_text` or, beside ids, `text`. Ids are in
`query_id`, `qid` or `id`; without such a column queries are q001 and so on by their places, as
those of answers are. Columns that are not a query's own go to its meta; `measures` are several in
a cell, with commas or blanks between them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from judge_tui.formats.problems import Reporter, quoted
from judge_tui.formats.source import Source, UnreadableError
from judge_tui.formats.spreadsheets import is_error_of_a_sheet
from judge_tui.formats.table_records import (
    first_of,
    names_in,
    note_metadata,
    table_records,
    wanted,
)
from judge_tui.model import Query
from judge_tui.scoring.class_terms import DEMANDS

__all__ = ["rows"]

_IDS = ("query_id", "qid", "q_id", "_id", "id")
_TEXTS = ("query", "query_text")
_TEXT = "text"
_MEASURES = "measures"
_OWN = ("description", "narrative", "class", "subset", _MEASURES)
# Between two measures in a cell; one may have a comma of its own, between its parentheses.
_BETWEEN = re.compile(r"[\s;]+|[\s;]*,(?![^()]*\))[\s;]*")


def rows(source: Source, report: Reporter) -> Iterator[tuple[int, Query]]:
    """Every row that has a query; columns kept as metadata are told.

    Raises `UnreadableError` where the first line names no query, two columns alike, or what a cell
    cannot say.
    """
    table = table_records(source, report, (*_IDS, *_TEXTS, _TEXT, *_OWN))
    if table is None:
        return
    header, records = table
    names = names_in(header)
    if demanded := first_of(DEMANDS, names):
        what = f"a cell cannot say {quoted(demanded)}"
        mend = "JSON Lines can; or take the column out"
        raise UnreadableError(source.path, header.line, what, mend)
    text_in = wanted(header, source.path, (*_TEXTS, _TEXT))
    id_in = first_of(_IDS, names)
    note_metadata(header, {text_in, id_in or "", *_OWN}, "queries", report)
    for number, (line, record) in enumerate(records, 1):
        text = record.pop(text_in, "")
        query_id = f"q{number:03}" if id_in is None else record.pop(id_in, "")
        if not text:
            report(line, "the row has no query", "give each row a query")
        elif is_error_of_a_sheet(text, "query", line, report):
            continue
        elif not query_id:
            mend = "give each row an id, or take the column out"
            report(line, "the row has no query id", mend)
        else:
            description, narrative, query_class = (record.pop(name, "") for name in _OWN[:3])
            meta: dict[str, Any] = {**record}
            if _MEASURES in record:
                meta[_MEASURES] = _BETWEEN.split(record[_MEASURES])
            query = Query(
                query_id,
                text,
                description,
                narrative,
                query_class,
                meta,
                own_id=id_in is not None,
            )
            yield line, query
