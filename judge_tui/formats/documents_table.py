"""Documents as a spreadsheet or a data frame has them: a header, and a row a document.

Ids are in `doc_id` or a column that is called as such in other tables, or in `id`; the text is in
`text`, `body`, `contents` or `content`. Columns that are not a document's own go to its meta.
"""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.formats.columns import GRADE, QUERY, RANK, SCORE
from judge_tui.formats.format import Format, Likeness, Sample
from judge_tui.formats.problems import Reporter
from judge_tui.formats.source import Source
from judge_tui.formats.table_records import (
    first_of,
    names_in,
    note_metadata,
    record_header,
    table_records,
    wanted,
)
from judge_tui.model import Document

__all__ = ["FORMAT", "begins_table", "names_columns"]

_IDS_OF_DOCUMENTS = ("doc_id", "docno", "docid", "document_id", "corpus_id")
_IDS = (*_IDS_OF_DOCUMENTS, "_id", "id")
_TEXTS = ("text", "body", "contents", "content")
_OWN = ("title", "url", "kind")
# What was asked; a topic may as well be what a document is about.
_ASKS = tuple(name for name in QUERY.names if name != "topic")


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


def _likeness(sample: Sample) -> Likeness:
    header = record_header(sample)
    if header is None:
        return Likeness.NO
    names = names_in(header)
    if len(names) < 2 or first_of(_IDS, names) is None:
        return Likeness.NO
    says = first_of((*_TEXTS, *_OWN), names) is not None
    if says and not header.has(QUERY, SCORE, RANK, GRADE):
        return Likeness.NAMED
    # Of a run or of qrels, perhaps, which calls a column otherwise: what is asked for tells.
    its = first_of(_IDS_OF_DOCUMENTS, names) is not None
    if first_of(_ASKS, names):
        return Likeness.LIKELY if its and says else Likeness.NO
    return Likeness.LIKELY if its or says else Likeness.NO


def begins_table(sample: Sample) -> bool:
    """Whether the first line is a header that may be one of documents."""
    return _likeness(sample) is not Likeness.NO


def names_columns(sample: Sample) -> bool:
    """Whether the first line names a column that documents have, be it the only one."""
    header = record_header(sample)
    if header is None or len(header.written) < 2:
        return False
    return first_of((*_IDS, *_TEXTS, *_OWN), names_in(header)) is not None


FORMAT = Format("documents", "csv", "a table doc_id,title,text,…", _likeness, rows)
