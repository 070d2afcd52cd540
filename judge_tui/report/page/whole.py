"""The page itself: which sections it has, and in which order."""

from __future__ import annotations

from collections.abc import Mapping

from judge_tui.report.page.content import Page
from judge_tui.report.page.findings import Findings, Named
from judge_tui.report.page.sections.answer import answer
from judge_tui.report.page.sections.by_query import by_query, divided_queries
from judge_tui.report.page.sections.collection import collection
from judge_tui.report.page.sections.differences import differences
from judge_tui.report.page.sections.failures import failed_queries, ranks
from judge_tui.report.page.sections.judges import judges
from judge_tui.report.page.sections.method import method
from judge_tui.report.page.sections.slices import slices
from judge_tui.report.page.sections.systems import systems

__all__ = ["report_page"]


def report_page(found: Findings, named: Mapping[int, Named]) -> Page:
    """Everything that is said. `named`: how the documents are called that `found` names."""
    sections = [
        collection(found),
        judges(found),
        systems(found),
        differences(found),
        by_query(found),
        failed_queries(found, named),
        ranks(found),
        slices(found),
        divided_queries(found),
        method(found),
    ]
    return Page(
        title=found.data.name or "A campaign",
        answer=answer(found),
        sections=[one for one in sections if one is not None],
    )
