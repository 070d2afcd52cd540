"""How far the judges agree, with each other and with themselves."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.agreement import Estimate, verdict_of
from judge_tui.agreement.bands import FIRM, TENTATIVE
from judge_tui.report.agreement import NAMES, alpha_number, of_all
from judge_tui.report.layout import Cell, Column, Grid, number
from judge_tui.report.page.content import Block, Figure, Table
from judge_tui.report.page.findings import Findings
from judge_tui.report.page.sections.each_judge import each_judge
from judge_tui.report.page.sections.orders import TWO_BY_TWO, order_blocks
from judge_tui.report.page.sections.phrases import counted, ends_of
from judge_tui.report.plots import Interval, Intervals

__all__ = ["agreement_blocks", "agreement_in_words"]


def agreement_in_words(found: Findings) -> str:
    """How far the judges agree, in a sentence or two."""
    agreement = found.study.agreement
    if not agreement.judges:
        return "Agreement: no judge's grades count here, only what the lead settled."
    if len(agreement.judges) < 2:
        return (
            "Agreement: one judge graded, so that nobody knows how far the answer depends on who"
            " graded."
        )
    alpha = agreement.alpha["ordinal"]
    verdict = verdict_of(alpha, agreement.pairs_shared)
    if alpha.value is None:
        return f"Agreement: {verdict}."
    return (
        f"Agreement of {len(agreement.judges)} judges: {verdict}. Ordinal alpha is"
        f" {alpha_number(alpha.value)}, from {counted(agreement.pairs_shared, 'pair')} of query and"
        " document that two or more of them graded."
    )


def agreement_blocks(found: Findings) -> Iterator[Block]:
    """All judges, every two, each of them, and what they do to the order of the systems; of one
    judge what there is to check that judge by."""
    agreement = found.study.agreement
    if len(agreement.judges) < 2:
        yield from each_judge(found)
        return
    together = dict(of_all(agreement))
    yield Table(
        Grid(
            "Agreement of all judges",
            [Column("coefficient", right=False), *_NUMBERS, Column("pairs")],
            [(name, *_cells(one), agreement.pairs_shared) for name, one in together.items()],
        ),
        f"Over pairs that two or more judges graded. 1 is full agreement, 0 what chance gives. From"
        f" {FIRM:.2f} on grades are firm, below {TENTATIVE} they are weak (Krippendorff 2004)."
        f"{_reasons(together)}",
    )
    two = sorted(
        (one for one in agreement.between if one.pairs),
        key=lambda one: (
            value if (value := one.estimates["kappa_quadratic"].value) is not None else 2.0
        ),
    )
    if two:
        least = "" if len(two) <= TWO_BY_TWO else f": the {TWO_BY_TWO} that agree least"
        two = two[:TWO_BY_TWO]
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
                marked=1,
                note="All judges: ordinal alpha. Two judges: quadratic weighted kappa. Whiskers:"
                f" 95 % intervals. The line at alpha: {TENTATIVE}, below which it is weak.",
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
                    Column(NAMES["kappa"], number),
                    Column("weighted kappa", number),
                    Column("low", number),
                    Column("high", number),
                    Column(NAMES["ac2"], number),
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
    yield from each_judge(found)
    yield from order_blocks(found)


_NUMBERS = tuple(Column(name, alpha_number) for name in ("value", "low", "high"))


def _cells(one: Estimate) -> tuple[Cell, Cell, Cell]:
    return one.value, *ends_of(one.ci95)


def _interval(label: str, one: Estimate) -> Interval:
    low, high = ends_of(one.ci95)
    words = (one.why or "") if one.value is None else ""
    return Interval(label, one.value, low, high, words=words)


def _reasons(estimates: dict[str, Estimate]) -> str:
    undefined = (
        (name.replace("'", "’"), one.why) for name, one in estimates.items() if one.value is None
    )
    return "".join(f" {name} is undefined: {why}." for name, why in undefined)
