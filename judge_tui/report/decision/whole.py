"""The page with the decision: the answer first, then what it rests on."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.report.decision.answer import answer
from judge_tui.report.decision.decided import Decided
from judge_tui.report.decision.paid import latency_and_cost
from judge_tui.report.decision.unknown import unknown
from judge_tui.report.evaluation import (
    AUDIT_FILE,
    RESULTS_FILE,
    classes_section,
    closer_sections,
    differences,
    tables,
)
from judge_tui.report.page.content import Block, Page, Paragraph, Points, Section, Table
from judge_tui.report.page.sections.phrases import counted, listed, sentence

__all__ = ["decision_page"]


def decision_page(decided: Decided) -> Page:
    """All of it."""
    evaluated = decided.evaluated
    tags = evaluated.evaluation.tags
    title = f"Decision between {listed(tags)}" if len(tags) > 1 else f"Decision on {tags[0]}"
    return Page(title, list(answer(decided)), list(_sections(decided)))


def _sections(decided: Decided) -> Iterator[Section]:
    evaluated = decided.evaluated
    asked = counted(len(evaluated.evaluation.queries), "query", "queries")
    measured: list[Block] = [Table(grid) for grid in tables.systems(evaluated, "")]
    means = (
        f"Measured class by class over {asked}"
        if evaluated.own_terms
        else f"Means over {evaluated.scored}"
    )
    measured.append(
        Paragraph(
            f"{means}; one at which a system failed, or for which it found nothing, counts"
            f" as 0. {AUDIT_FILE} says how each number was made and shows query by query,"
            f" {RESULTS_FILE} has all at full precision."
        )
    )
    if evaluated.notes:
        measured.append(Points([sentence(note) for note in evaluated.notes]))
    yield Section("measures", "The measures", measured)
    if (told := differences(evaluated, queries=False)) is not None:
        yield told
    if (classes := tables.classes(evaluated)).rows:
        yield Section("classes", "The queries", [Table(classes)])
    elif (class_by_class := classes_section(evaluated)) is not None:
        yield class_by_class
    yield from closer_sections(evaluated)
    yield latency_and_cost(decided)
    yield unknown(decided)
