"""How far the answer can be trusted, in a line each."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.report.page.findings import Findings
from judge_tui.report.page.sections.agreement import agreement_in_words
from judge_tui.report.page.sections.phrases import counted, percent
from judge_tui.significance.cautions import FEW_QUERIES

__all__ = ["trust"]


def trust(found: Findings) -> Iterator[str]:
    """Agreement, coverage and the number of queries, whatever they are."""
    yield agreement_in_words(found)
    yield _coverage(found)
    queries = max((row.queries for row in found.ranked), default=0)
    enough = queries >= FEW_QUERIES
    size = "" if enough else ", which can show a large difference only"
    yield f"Queries: {counted(queries, 'judged query', 'judged queries')}{size}."


def _coverage(found: Findings) -> str:
    share = next(iter(found.board.shares), None)
    k = found.data.results.basis.asked.k
    if share is None:
        return f"Coverage: how much of the top {k} was judged cannot be told."
    means = [mean for row in found.ranked if (mean := row.means[share.name]) is not None]
    if not means:
        return "Coverage: no judged query is answered."
    low, high = percent(min(means)), percent(max(means))
    how = low if low == high else f"from {low} to {high}, depending on the system,"
    return f"Coverage: {how} of the first {share.cutoff} results have a final grade."
