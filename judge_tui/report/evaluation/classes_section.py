"""The classes of an evaluation on the page for an audit: each on its own terms."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.analysis.demands import Demanded
from judge_tui.report.classes import DEMAND_VIEWS, demand_notes
from judge_tui.report.evaluation import tables
from judge_tui.report.evaluation.evaluated import Evaluated
from judge_tui.report.layout import number, probability
from judge_tui.report.page.content import Block, Paragraph, Points, Section, Table
from judge_tui.report.page.sections.phrases import sentence
from judge_tui.scoring import shown_slice
from judge_tui.scoring.class_terms import terms_of

__all__ = ["classes_section", "demand_words"]


def classes_section(evaluated: Evaluated) -> Section | None:
    """A table a class; None where there is nothing to be told of classes."""
    blocks: list[Block] = []
    blocks += [Table(grid) for grid in tables.of_classes(evaluated, listed=None) if grid.rows]
    if not blocks:
        return None
    refusals = [
        f"{part.slice.shown}: by {terms.only}@k alone, for {terms.why}."
        for part in evaluated.parts
        if (terms := terms_of(part.slice.name)) is not None and terms.only
    ]
    if refusals:
        blocks.append(Points(refusals))
    if evaluated.subset_of:
        blocks.append(Paragraph("Queries that name no subset are standard ones."))
    if evaluated.demanded is not None:
        blocks.append(Points([sentence(note) for note in demand_notes(evaluated.demanded)]))
    return Section("classes", "Class by class", blocks)


def demand_words(found: Demanded) -> Iterator[str]:
    """What came of the demands, one sentence a class and system."""
    for one in found.classes:
        beside = {arm.arm: arm for arm in one.beside}
        for tag in one.tags:
            share = one.share(tag)
            words = (
                f"{shown_slice(one.name)}: in {number(share)} of the queries of {tag}"
                f" {DEMAND_VIEWS[one.demand].holds}"
            )
            if (arm := beside.get(tag)) is not None:
                p = f"no p: {arm.test.why}"
                if arm.p_adjusted is not None:
                    p = f"p {probability(arm.p_adjusted)}, corrected"
                words += f"; beside {arm.baseline}: {arm.verdict} (exact McNemar, {p})"
            yield f"{words}."
