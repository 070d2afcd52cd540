"""Qrels as a graded benchmark has them: the grades of each query's candidates."""

from __future__ import annotations

import re
from collections.abc import Iterator

from judge_tui.formats.benchmark.entry import entries
from judge_tui.formats.benchmark.reading import graded_entries
from judge_tui.formats.format import Format, Likeness, Sample
from judge_tui.formats.ids import as_field
from judge_tui.formats.problems import Reporter
from judge_tui.formats.source import Source
from judge_tui.formats.trec_qrels import QrelsRow
from judge_tui.nothing_right import nothing_right, without_right

__all__ = ["FORMAT", "LAYOUT", "is_benchmark"]

LAYOUT = 'JSON of a benchmark [{"query", "documents": [{"id", "text", "score"}]}]'

_BEGINS = re.compile(rb"(?:\[\s*)?\{")
_QUERY = re.compile(rb'"query"\s*:\s*"')
_DOCUMENTS = re.compile(rb'"documents"\s*:\s*\[')

# An object of a query and a list of objects that is called otherwise: what is wrong, its reader
# says.
_NEARLY = re.compile(rb'\[\s*\{[^{}]*?"query"\s*:\s*"(?:[^"\\]|\\.)*"[^{}]*?"[^"]+"\s*:\s*\[\s*\{')


def rows(source: Source, report: Reporter) -> Iterator[QrelsRow]:
    """Every candidate with its grade."""
    graded = graded_entries(list(entries(source, report)), report)
    grades = ((one.query.query_id, [its.grade for its in one.candidates]) for one in graded)
    report.notes += nothing_right(without_right(grades), len(graded))
    for entry in graded:
        query_id = as_field(entry.query.query_id)
        for one in entry.candidates:
            yield QrelsRow(one.line, query_id, as_field(one.document.doc_id), one.grade)


def is_benchmark(sample: Sample) -> Likeness:
    """Whether the first lines have what a benchmark needs."""
    text = b"\n".join(sample.lines)
    found = _BEGINS.match(text.strip()) and _QUERY.search(text) and _DOCUMENTS.search(text)
    if found:
        return Likeness.NAMED
    return Likeness.POSSIBLE if _NEARLY.match(text.strip()) else Likeness.NO


FORMAT = Format("qrels", "benchmark", LAYOUT, is_benchmark, rows, has_texts=True)
