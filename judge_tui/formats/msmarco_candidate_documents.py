"""The passages that a file of MS MARCO's candidates holds."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.formats.format import Format, Likeness, Sample
from judge_tui.formats.msmarco_candidates import (
    LAYOUT,
    NAME,
    Texts,
    candidates,
    looks_like_candidates,
)
from judge_tui.formats.problems import Reporter
from judge_tui.formats.source import Source
from judge_tui.model import Document

__all__ = ["FORMAT"]


def rows(source: Source, report: Reporter) -> Iterator[tuple[int, Document]]:
    """Each passage at the first line that has it."""
    texts = Texts("passage", report)
    for one in candidates(source, report):
        if texts.is_new(one.line, one.doc_id, one.passage):
            yield one.line, Document(one.doc_id, text=one.passage)


def _likeness(sample: Sample) -> Likeness:
    return Likeness.SURE if looks_like_candidates(sample) else Likeness.NO


FORMAT = Format("documents", NAME, LAYOUT, _likeness, rows)
