"""MS MARCO's candidates taken for a run: only where somebody says so, as they have no ranks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from judge_tui.formats.format import Format, Likeness
from judge_tui.formats.ids import as_field, is_blank
from judge_tui.formats.msmarco_candidates import LAYOUT, NAME, candidates, candidates_are
from judge_tui.formats.problems import Reporter
from judge_tui.formats.source import Source
from judge_tui.formats.trec_run import RunRow

__all__ = ["FORMAT"]


def rows(source: Source, report: Reporter) -> Iterator[RunRow]:
    """Every line; the rank is the place among the lines of its query."""
    places: Counter[str] = Counter()
    for one in candidates(source, report):
        if is_blank(one.query_id) or is_blank(one.doc_id):
            noun = "query" if is_blank(one.query_id) else "document"
            report(one.line, f"the line has no {noun}", f"give each line a {noun}")
            continue
        query_id = as_field(one.query_id)
        places[query_id] += 1
        yield RunRow(one.line, query_id, as_field(one.doc_id), -float(places[query_id]), None)


FORMAT = Format("run", NAME, LAYOUT, candidates_are(Likeness.POSSIBLE), rows, only_by_name=True)
