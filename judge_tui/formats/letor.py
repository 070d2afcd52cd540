"""Qrels in a file of learning to rank, as LETOR and RankLib have it: a label, the id of a query,
features, and behind a # the document."""

from __future__ import annotations

import re
from collections.abc import Iterator

from judge_tui.formats.ids import id_in
from judge_tui.formats.numerals import grade_in
from judge_tui.formats.problems import Reporter, counted, decoded
from judge_tui.formats.source import Source
from judge_tui.formats.trec_qrels import QrelsRow

__all__ = ["rows"]

# LETOR says docid = X inc = 1 prob = 0.1 behind the #, RankLib the document's id alone.
_LINE = re.compile(r"\s*(\S+)\s+qid:(\S+)\s([^#]*)#\s*(?:docid\s*=\s*(\S+).*|(\S+))", re.ASCII)


def rows(source: Source, report: Reporter) -> Iterator[QrelsRow]:
    """Every well-formed line. Its features play no part, nor do `inc` and `prob` behind the id."""
    features = 0
    for line, raw in source.lines():
        if not raw.strip():
            continue
        text = decoded(raw, line, report)
        if text is None:
            continue
        match = _LINE.fullmatch(text.rstrip())
        if match is None:
            report(
                line,
                "the line is not a label, qid:, features, # and the id of a document",
                "write it like 2 qid:10 1:0.5 #docid = X",
            )
            continue
        features = max(features, len(match[3].split()))
        grade = grade_in(match[1], line, report)
        if grade is not None:
            doc_id = match[4] or match[5]
            yield QrelsRow(line, id_in(match[2]), id_in(doc_id), grade)
    if features:
        report.notes.append(f"{counted(features, 'feature')} of each document left out")
