"""Who judged, how much, and how far they agree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from judge_tui.agreement import Checked, Estimate
from judge_tui.agreement.bands import FIRM, TENTATIVE
from judge_tui.report.layout import Cell, Column, Grid, difference, number
from judge_tui.report.page.content import Block, Figure, Paragraph, Points, Section, Table, Terms
from judge_tui.report.page.findings import Findings
from judge_tui.report.page.sections.phrases import counted, ends_of, listed
from judge_tui.report.page.sections.trust import agreement_in_words
from judge_tui.report.plots import Interval, Intervals

__all__ = ["judges"]

_TWO_BY_TWO = 15
"""More judges two by two than these are not listed: those who agree least are."""


def judges(found: Findings) -> Section:
    """Their work, their agreement, and what shows how each of them grades."""
    data = found.data
    rules = data.results.now.decided.rules
    blocks: list[Block] = [
        Paragraph("Grades and what they mean:"),
        Terms([(str(grade), label or "no label") for grade, label in data.scale.labels.items()]),
        Table(_work(found), "The work of all judges, whether their grades count here or not."),
        Paragraph(
            f"{counted(data.results.basis.pairs, 'pair')} have a final grade: "
            f"{listed((f'{n:,} {_RULES[rule]}' for rule, n in rules.items()), len(_RULES))}."
        ),
        Paragraph(agreement_in_words(found), strong=True),
    ]
    if len(found.study.agreement.judges) > 1:
        blocks += _agreement(found)
    return Section("judges", "The judges and their agreement", blocks)


_RULES = {
    "adjudicated": "settled by the lead",
    "unanimous": "on which all judges agree",
    "single judge": "graded by one judge",
    "majority": "by majority",
    "median": "by the median",
    "mean-rounded": "by the rounded mean",
    "min": "by the least grade",
    "max": "by the greatest grade",
    "judge": "as one judge graded",
}


def _work(found: Findings) -> Grid:
    settled = found.data.settled
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


def _agreement(found: Findings) -> Iterator[Block]:
    agreement = found.study.agreement
    alpha = {f"alpha {name}": one for name, one in agreement.alpha.items()}
    yield Table(
        Grid(
            "Agreement of all judges",
            [Column("coefficient", right=False), *_NUMBERS, Column("pairs")],
            [
                (name, *_cells(one), agreement.pairs_shared)
                for name, one in (alpha | {"Fleiss' kappa": agreement.fleiss}).items()
            ],
        ),
        f"Over pairs that two or more judges graded. 1 is full agreement, 0 what chance gives. From"
        f" {FIRM:.2f} on grades are firm, below {TENTATIVE} they are weak (Krippendorff 2004)."
        f"{_reasons(alpha | {'Fleiss’ kappa': agreement.fleiss})}",
    )
    two = sorted(
        (one for one in agreement.between if one.pairs),
        key=lambda one: (
            value if (value := one.estimates["kappa_quadratic"].value) is not None else 2.0
        ),
    )
    if two:
        least = "" if len(two) <= _TWO_BY_TWO else f": the {_TWO_BY_TWO} that agree least"
        two = two[:_TWO_BY_TWO]
        yield Figure(
            Intervals(
                "How far the judges agree",
                "coefficient",
                [
                    _interval("all, ordinal alpha", agreement.alpha["ordinal"]),
                    *(
                        _interval(" and ".join(one.judges), one.estimates["kappa_quadratic"])
                        for one in two
                    ),
                ],
                mark=TENTATIVE,
                note="All judges: ordinal alpha. Two judges: quadratic weighted kappa. Whiskers:"
                f" 95 % intervals. The line: {TENTATIVE}, below which agreement is weak.",
            ),
            told=True,
        )
        yield Table(
            Grid(
                f"Every two judges{least}",
                [
                    Column("judges", right=False),
                    Column("pairs"),
                    Column("same grade", number),
                    Column("kappa", number),
                    Column("weighted kappa", number),
                    Column("low", number),
                    Column("high", number),
                    Column("AC2", number),
                ],
                [
                    (
                        " and ".join(one.judges),
                        one.pairs,
                        one.estimates["agreement"].value,
                        one.estimates["kappa"].value,
                        *_cells(one.estimates["kappa_quadratic"]),
                        one.estimates["ac2"].value,
                    )
                    for one in two
                ],
            ),
            "Weighted kappa: Cohen's with quadratic weights, so that neighbouring grades disagree"
            " less; low and high are its 95 % interval.",
        )
    yield from _each_judge(found)
    yield from _orders(found)


def _each_judge(found: Findings) -> Iterator[Block]:
    beside = found.study.against_others
    own, gold = found.study.own, found.study.gold
    if len(beside) > 2 or own or gold:
        yield Table(
            Grid(
                "Each judge",
                [
                    Column("judge", right=False),
                    Column("same grade as others", number),
                    Column("higher than others by", difference),
                    Column("alpha without", number),
                    *([Column("repeats"), Column("same again", number)] if own else []),
                    *([Column("gold pairs"), Column("as the gold", number)] if gold else []),
                ],
                [
                    (
                        name,
                        one.estimates["agreement"].value,
                        one.estimates["bias"].value,
                        one.alpha_without.value if one.alpha_without else None,
                        *(_checked(own, name)),
                        *(_checked(gold, name)),
                    )
                    for name, one in beside.items()
                ],
            ),
            "Higher by: mean difference in grades, on pairs that others graded, too. Alpha without:"
            " ordinal alpha of the other judges alone."
            + (" Same again: of pairs met twice, unmarked, the share graded alike." if own else ""),
        )
    if found.study.warnings:
        yield Points([f"{one[:1].upper()}{one[1:]}." for one in found.study.warnings])


def _orders(found: Findings) -> Iterator[Block]:
    """Would another judge change the order of the systems?"""
    orders = found.data.orders
    two = sorted(
        (one for one in orders.between if one.pairs),
        key=lambda one: (one.tau if one.tau is not None else 2.0, -len(one.swaps)),
    )
    if not two:
        return
    yield Paragraph(_does_it_matter(found), strong=True)
    least = "" if len(two) <= _TWO_BY_TWO else f": the {_TWO_BY_TWO} least alike"
    yield Table(
        Grid(
            f"The order of the systems by each of two judges, on the pairs of both{least}",
            [
                Column("judges", right=False),
                Column("pairs"),
                Column("queries"),
                Column("tau", number),
                Column("tau AP", number),
                Column("systems that swap", right=False),
                Column("verdicts that change", right=False),
            ],
            [
                (
                    " and ".join(one.judges),
                    one.pairs,
                    one.queries,
                    one.tau,
                    one.tau_ap,
                    listed(f"{a} with {b}" for a, b in one.swaps) or "none",
                    listed(change.tag for change in one.verdicts_changed) or "none",
                )
                for one in two[:_TWO_BY_TWO]
            ],
        ),
        f"By {orders.measure}. Tau: Kendall's, 1 is the same order; tau AP weighs the top of the"
        f" order more. Verdicts: beside {orders.baseline}.",
    )


def _does_it_matter(found: Findings) -> str:
    two = [one for one in found.data.orders.between if one.pairs]
    swapping = sum(bool(one.swaps) for one in two)
    changing = sum(bool(one.verdicts_changed) for one in two)
    if not swapping and not changing:
        return "It does not matter for the order of the systems which of the judges graded."
    whom = "the two judges" if len(two) == 1 else f"{counted(len(two), 'pair')} of judges"
    if len(two) == 1:
        what = [
            *(["the order of the systems"] if swapping else []),
            *(["a verdict"] if changing else []),
        ]
        return f"It matters which of {whom} graded: {listed(what)} would change."
    return (
        f"It matters who graded: of {whom}, {swapping:,} differ in the order of the systems and"
        f" {changing:,} in a verdict."
    )


def _checked(of: Mapping[str, Checked], name: str) -> tuple[Cell, ...]:
    if not of:
        return ()
    return of[name].pairs, of[name].estimates["agreement"].value


_NUMBERS = (Column("value", number), Column("low", number), Column("high", number))


def _cells(one: Estimate) -> tuple[Cell, Cell, Cell]:
    return one.value, *ends_of(one.ci95)


def _interval(label: str, one: Estimate) -> Interval:
    low, high = ends_of(one.ci95)
    words = (one.why or "") if one.value is None else ""
    return Interval(label, one.value, low, high, words=words)


def _reasons(estimates: dict[str, Estimate]) -> str:
    return "".join(
        f" {name} is undefined: {one.why}." for name, one in estimates.items() if one.value is None
    )
