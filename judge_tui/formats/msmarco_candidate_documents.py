"""The passages that a file of MS MARCO's candidates holds."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.formats.format import Format, Likeness
from judge_tui.formats.msmarco_candidates import (
    LAYOUT,
    NAME,
    Candidate,
    candidates_are,
    named_texts,
)
from judge_tui.formats.problems import Reporter
from judge_tui.formats.source import Source
from judge_tui.model import Document

__all__ = ["FORMAT"]


def rows(source: Source, report: Reporter) -> Iterator[tuple[int, Document]]:
    """Each passage at the first line that has it."""
    for line, its_id, text in named_texts(source, report, "passage", _text):
        yield line, Document(its_id, text=text)


def _text(one: Candidate) -> tuple[str, str]:
    return one.doc_id, one.passage


FORMAT = Format("documents", NAME, LAYOUT, candidates_are(Likeness.SURE), rows)
