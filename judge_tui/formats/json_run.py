"""Runs as one JSON object of queries, each an object of documents with their scores."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.formats import json_pairs
from judge_tui.formats.numerals import score_in
from judge_tui.formats.problems import Reporter
from judge_tui.formats.source import Source
from judge_tui.formats.trec_run import RunRow

__all__ = ["rows"]


def rows(source: Source, report: Reporter) -> Iterator[RunRow]:
    """Every pair with a score. There is no tag in such a file."""
    for pair in json_pairs.json_pairs(source, report):
        line, query_id, doc_id, value = pair
        told = pair.within(report)
        score = score_in(value, line, told)
        if score is not None:
            yield RunRow(line, query_id, doc_id, score, None)
