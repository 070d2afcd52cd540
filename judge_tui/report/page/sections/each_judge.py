"""Each judge beside the others, beside themselves, and beside the gold grades."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from judge_tui.agreement import Checked
from judge_tui.report.agreement import NAMES
from judge_tui.report.layout import Cell, Column, Grid, difference, number
from judge_tui.report.page.content import Block, Table
from judge_tui.report.page.findings import Findings

__all__ = ["each_judge"]


def each_judge(found: Findings) -> Iterator[Block]:
    """What there is: of one judge the hidden repeats and the gold pairs, where any were graded."""
    beside, halves = found.study.against_others, found.study.drift
    own, gold = found.study.own, found.study.gold
    if not (beside or own or gold):
        return
    many = len(beside) > 2
    others = [
        Column("same grade as others", number),
        Column("higher than others by", difference),
        Column("later than at first by", difference),
        *([Column(NAMES["alpha_without"], number)] if many else []),
    ]
    rows: list[tuple[Cell, ...]] = []
    for name in found.study.agreement.judges:
        row: list[Cell] = [name]
        if beside:
            one = beside[name]
            row += [one.estimates["agreement"].value, one.estimates["bias"].value]
            row.append(halves[name].change.value)
            if many:
                row.append(one.alpha_without.value if one.alpha_without else None)
        rows.append((*row, *_checked(own, name), *_checked(gold, name)))
    yield Table(
        Grid(
            "Each judge",
            [
                Column("judge", right=False),
                *(others if beside else []),
                *([Column("repeats"), Column("same again", number)] if own else []),
                *([Column("gold pairs"), Column("as the gold", number)] if gold else []),
            ],
            rows,
        ),
        " ".join(_note(found)),
    )


def _note(found: Findings) -> Iterator[str]:
    study = found.study
    if study.against_others:
        yield (
            "Higher by: mean difference from the others' grades, in grades, on pairs of both. Later"
            " than at first: how much more that is in the second half of the judge's work."
        )
        if study.from_file:
            yield "Halves of grades from a file are by its order."
    if len(study.against_others) > 2:
        yield "Alpha without: ordinal alpha of the other judges alone."
    if study.own:
        yield "Same again: of pairs met twice, unmarked, the share graded alike."
    if study.gold:
        yield "As the gold: of pairs of known grade, the share graded so."


def _checked(of: Mapping[str, Checked], name: str) -> tuple[Cell, ...]:
    if not of:
        return ()
    return of[name].pairs, of[name].estimates["agreement"].value
