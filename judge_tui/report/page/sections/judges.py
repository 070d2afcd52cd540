"""Who judged, how much, and how far they agree."""

from __future__ import annotations

from collections.abc import Mapping

from judge_tui.agreement import RULES
from judge_tui.report.layout import Cell, Column, Grid
from judge_tui.report.page.content import Block, Paragraph, Section, Table, Terms
from judge_tui.report.page.findings import Findings
from judge_tui.report.page.sections.agreement import agreement_blocks, agreement_in_words
from judge_tui.report.page.sections.phrases import counted, listed

__all__ = ["judges"]


def judges(found: Findings) -> Section:
    """Their work, their agreement, and what shows how each of them grades."""
    data = found.data
    blocks: list[Block] = [
        Paragraph("Grades and what they mean:"),
        Terms([(str(grade), label or "no label") for grade, label in data.scale.labels.items()]),
        Table(_work(found), _note(found)),
        Paragraph(_decided(data.results.basis.pairs, data.results.now.decided.rules)),
        Paragraph(agreement_in_words(found), strong=True),
        *agreement_blocks(found),
    ]
    return Section("judges", "The judges and their agreement", blocks)


def _decided(pairs: int, rules: Mapping[str, int]) -> str:
    """How the pairs came to their final grades. `rules`: rule -> pairs."""
    if not pairs:
        return "No pair has a final grade."
    how = listed((f"{n:,} {RULES[rule]}" for rule, n in rules.items()), len(RULES))
    return f"{counted(pairs, 'pair')} {'has' if pairs == 1 else 'have'} a final grade: {how}."


def _note(found: Findings) -> str:
    again = [
        f"{judge.repeats_graded:,} of {judge.name}’s {judge.graded:,}"
        for judge in found.data.progress.judges
        if judge.repeats_graded
    ]
    note = "The work of all judges, whether their grades count here or not."
    if again:
        note += f" Hidden repeats, pairs graded a second time, are among them: {listed(again)}."
    return note


def _work(found: Findings) -> Grid:
    settled = found.data.settled
    # Who has nothing to do and has done nothing, such as a lead who undid it, is no judge here.
    there = {*settled, *(judge.name for judge in found.data.progress.people)}
    rows: list[tuple[Cell, ...]] = [
        (
            judge.name,
            "person" if judge.kind == "human" else judge.kind,
            judge.graded,
            judge.skipped,
            judge.cannot,
            judge.left,
            settled.get(judge.name, 0),
        )
        for judge in found.data.progress.judges
        if judge.name in there or judge.graded + judge.skipped + judge.cannot
    ]
    names = ("graded", "skipped", "cannot be judged", "left", "settled as lead")
    return Grid(
        "Who judged how much",
        [
            Column("judge", right=False),
            Column("kind", right=False),
            *(Column(name) for name in names),
        ],
        rows,
    )
