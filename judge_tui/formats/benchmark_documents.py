"""The documents of a graded benchmark, each once."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.formats.benchmark.entry import entries
from judge_tui.formats.problems import Reporter
from judge_tui.formats.source import Source
from judge_tui.model import Document

__all__ = ["rows"]


def rows(source: Source, report: Reporter) -> Iterator[tuple[int, Document]]:
    """Every candidate of any query, where it first comes."""
    known: set[str] = set()
    for entry in entries(source, report):
        for one in entry.candidates:
            if one.document.doc_id not in known:
                known.add(one.document.doc_id)
                yield one.line, one.document
