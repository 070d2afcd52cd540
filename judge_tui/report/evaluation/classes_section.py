"""The classes of an evaluation on the page for an audit: each on its own terms."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.analysis.demands import ClassDemand
from judge_tui.report.classes import DEMAND_VIEWS, demand_notes
from judge_tui.report.evaluation import tables
from judge_tui.report.evaluation.evaluated import Evaluated
from judge_tui.report.layout import difference, number
from judge_tui.report.page.content import Block, Paragraph, Points, Section, Table
from judge_tui.report.page.sections.phrases import counted, sentence, verdict_of, with_test
from judge_tui.scoring import shown_slice
from judge_tui.scoring.class_terms import terms_of
from judge_tui.significance.arms import ArmComparison

__all__ = ["arm_words", "classes_section", "demand_meanings", "demand_words"]


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


def demand_words(evaluated: Evaluated) -> Iterator[str]:
    """What came of the demands, one sentence or so a class and system beside the baseline; of a
    system that was asked alone, the share that holds."""
    for one in evaluated.demanded.classes if evaluated.demanded else ():
        if not one.beside:
            for tag in one.tags:
                queries = counted(len(one.query_ids), "query", "queries")
                share = number(one.share(tag))
                yield f"{shown_slice(one.name)}: by {one.demand}, {tag} has {share} over {queries}."
        for arm in one.beside:
            yield arm_words(evaluated, one, arm)


def arm_words(evaluated: Evaluated, one: ClassDemand, arm: ArmComparison, by: str = "by") -> str:
    """A class's demand, compared, in the words of a measure that is compared; `by`: what stands
    before it."""
    ahead, behind = len(arm.gained), len(arm.lost)
    of = with_test(arm.ci95, arm.p_adjusted, arm.test.why, of=evaluated.family)
    return (
        f"{shown_slice(one.name)}: {by} {one.demand}, beside {arm.baseline}:"
        f" {verdict_of(arm.arm, arm.verdict)}. {number(one.share(arm.arm))} against"
        f" {number(one.share(arm.baseline))}, a difference of {difference(arm.delta)} ({of}); ahead"
        f" on {ahead:,} of {counted(arm.tasks, 'query', 'queries')}, behind on {behind:,}, level on"
        f" {arm.tasks - ahead - behind:,}."
    )


def demand_meanings(evaluated: Evaluated) -> str:
    """What the numbers of the demands are, a sentence each; empty where there are none."""
    classes = evaluated.demanded.classes if evaluated.demanded else ()
    asked = dict.fromkeys(one.demand for one in classes)
    return " ".join(
        f"By {name}: the share of queries in which {DEMAND_VIEWS[name].holds}." for name in asked
    )
