"""Documents as `id<TAB>text` or `id<TAB>title<TAB>text`, a line each."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.formats.documents_table import begins_table
from judge_tui.formats.format import LONG_LINE, Format, Likeness, Sample
from judge_tui.formats.problems import Reporter
from judge_tui.formats.source import Source
from judge_tui.formats.tab_records import bare_triples, tab_fields, tab_records
from judge_tui.model import Document

__all__ = ["FORMAT"]

_LAYOUT = "id<TAB>text or id<TAB>title<TAB>text"


def rows(source: Source, report: Reporter) -> Iterator[tuple[int, Document]]:
    """Every well-formed line."""
    for number, (doc_id, *title, text) in tab_records(source, report, (2, 3), _LAYOUT):
        yield number, Document(doc_id, title=title[0] if title else "", text=text)


def _id_of(line: bytes) -> bytes | None:
    doc_id, tab, _ = line.partition(b"\t")
    return doc_id.strip(b" ") if tab and b"%" not in doc_id else None


def _likeness(sample: Sample) -> Likeness:
    if not tab_fields(sample, 2, 3) or bare_triples(sample) or begins_table(sample):
        return Likeness.NO
    # JSON may have a tab between its tokens.
    if sample.first.startswith(b"{"):
        return Likeness.POSSIBLE
    own = tab_fields(sample, 3) or sample.typical_size > LONG_LINE
    return Likeness.SURE if own else Likeness.LIKELY


FORMAT = Format("documents", "tsv", _LAYOUT, _likeness, rows, _id_of)
