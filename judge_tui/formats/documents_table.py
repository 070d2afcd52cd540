"""Documents as a spreadsheet or a data frame has them: a header, and a row a document.

Ids are in `doc_id` or a column that is called as such in other tables, or in `id`; the text is in
`text`, `body`, `contents` or `content`. Columns that are not a document's own go to its meta.
"""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.formats.problems import Reporter
from judge_tui.formats.source import Source
from judge_tui.formats.table_records import (
    first_of,
    names_in,
    note_metadata,
    table_records,
    wanted,
)
from judge_tui.model import Document

__all__ = ["rows"]

_IDS_OF_DOCUMENTS = ("doc_id", "docno", "docid", "document_id", "corpus_id")
_IDS = (*_IDS_OF_DOCUMENTS, "_id", "id")
_TEXTS = ("text", "body", "contents", "content")
_OWN = ("title", "url", "kind")


def rows(source: Source, report: Reporter) -> Iterator[tuple[int, Document]]:
    """Every row that has an id; columns kept as metadata are told. Raises `UnreadableError` where
    the first line names no id, or two columns alike."""
    table = table_records(source, report, (*_IDS, *_TEXTS, *_OWN))
    if table is None:
        return
    header, records = table
    id_in = wanted(header, source.path, _IDS)
    text_in = first_of(_TEXTS, names_in(header))
    note_metadata(header, {id_in, text_in or "", *_OWN}, "documents", report)
    for line, record in records:
        doc_id = record.pop(id_in, "")
        text = record.pop(text_in, "") if text_in else ""
        if not doc_id:
            report(line, "the row has no document id", "give each row a document id")
            continue
        title, url, kind = (record.pop(name, "") for name in _OWN)
        yield line, Document(doc_id, title=title, text=text, url=url, kind=kind, meta=record)
