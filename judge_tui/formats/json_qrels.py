"""Qrels as one JSON object of queries, each an object of documents with their grades."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.formats import json_pairs
from judge_tui.formats.numerals import grade_in
from judge_tui.formats.problems import Reporter
from judge_tui.formats.source import Source
from judge_tui.formats.trec_qrels import QrelsRow

__all__ = ["rows"]


def rows(source: Source, report: Reporter) -> Iterator[QrelsRow]:
    """Every pair with a grade."""
    for pair in json_pairs.json_pairs(source, report):
        line, query_id, doc_id, value = pair
        told = pair.within(report)
        if value in ("true", "false"):
            told(line, f"grade {value} is no number", "write it in digits, like 1")
            continue
        grade = grade_in(value, line, told)
        if grade is not None:
            yield QrelsRow(line, query_id, doc_id, grade)
