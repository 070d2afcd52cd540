"""An evaluation as the rows of a CSV: one value a row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from judge_tui.report.classes import demand_rows
from judge_tui.report.evaluation.evaluated import Evaluated
from judge_tui.report.layout import Cell
from judge_tui.report.score_rows import score_header, score_rows

__all__ = ["header_of", "rows_of"]


def header_of(evaluated: Evaluated) -> Sequence[str]:
    """`tag,query_id,measure,value`; with classes of which each is told by itself also `slice` and
    `queries`."""
    header = score_header(evaluated.evaluation.scores, bounds=False, changes=None)
    return header if evaluated.demanded is None else (*header[:4], *_OF_CLASS)


def rows_of(evaluated: Evaluated) -> Iterator[Sequence[Cell]]:
    """The values of every query, and means under the query_id `all`; then whether each query
    holds what it demands, 1 or 0, the share of those that do, and what else is counted of it."""
    scores = evaluated.evaluation.scores
    if scores.slices is not None:
        yield from score_rows(scores, per_query=True, bounds=False, changes=None)
    else:
        for row in scores.to_rows(per_query=True):
            count = len(scores[row[0]].query_ids) if row[1] == "all" else 1
            yield row if evaluated.demanded is None else (*row, "", count)
    if evaluated.demanded is None:
        return
    for tag in evaluated.evaluation.tags:
        told = demand_rows(evaluated.demanded, tag, evaluated.subset_of)
        for query_id, demand, value, name, queries in told:
            yield (tag, query_id or "all", demand, value, f"class={name}", queries)


_OF_CLASS = ("slice", "queries")
