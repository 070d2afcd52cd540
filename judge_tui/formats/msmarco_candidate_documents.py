"""The passages that a file of MS MARCO's candidates holds."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.formats.msmarco_candidates import (
    Candidate,
    named_texts,
)
from judge_tui.formats.problems import Reporter
from judge_tui.formats.source import Source
from judge_tui.model import Document

__all__ = ["rows"]


def rows(source: Source, report: Reporter) -> Iterator[tuple[int, Document]]:
    """Each passage at the first line that has it."""
    for line, its_id, text in named_texts(source, report, "passage", _text):
        yield line, Document(its_id, text=text)


def _text(one: Candidate) -> tuple[str, str]:
    return one.doc_id, one.passage
