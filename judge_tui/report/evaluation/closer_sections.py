"""The closer look at an evaluation on a page: which documents the systems find, how evenly they do,
where they disagree."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.report.evaluation import closer
from judge_tui.report.evaluation.evaluated import Evaluated
from judge_tui.report.layout import Grid
from judge_tui.report.page.content import Block, Paragraph, Section, Table
from judge_tui.report.page.sections.phrases import excerpt

__all__ = ["closer_sections"]

_APART = 10


def closer_sections(evaluated: Evaluated) -> Iterator[Section]:
    """Documents, consistency and disagreement, each where there is any; nothing where nobody
    looked."""
    if (look := evaluated.closer) is None:
        return
    if blocks := _tables(closer.documents(look)):
        yield Section(
            "documents", "The documents", [*blocks, Paragraph(closer.about_documents(look))]
        )
    texts = evaluated.texts

    def named(query_id: str) -> str:
        return f"{query_id} {excerpt(texts[query_id], 40)}"

    if (grid := closer.consistency(look, named)).rows:
        yield Section("consistency", "Consistency", [Table(grid, closer.ABOUT_CONSISTENCY)])
    if blocks := _tables(closer.disagreement(look, texts, _APART)):
        told = Paragraph(closer.ABOUT_DISAGREEMENT)
        yield Section("disagreement", "Disagreement", [*blocks, told])


def _tables(grids: Iterator[Grid]) -> list[Block]:
    return [Table(grid) for grid in grids if grid.rows]
