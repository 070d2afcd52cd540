"""Would another judge change the order of the systems?"""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.analysis.judge_orders import VerdictChange
from judge_tui.report.layout import Column, Grid, number
from judge_tui.report.page.content import Block, Paragraph, Table
from judge_tui.report.page.findings import Findings
from judge_tui.report.page.sections.phrases import counted, is_or_are, listed

__all__ = ["TWO_BY_TWO", "order_blocks"]

TWO_BY_TWO = 15
"""More judges two by two than these are not listed: those who agree least are."""


def order_blocks(found: Findings) -> Iterator[Block]:
    """Would another judge change the order of the systems?"""
    orders = found.data.orders
    two = sorted(
        (one for one in orders.between if one.pairs),
        key=lambda one: (one.tau if one.tau is not None else 2.0, -len(one.swaps)),
    )
    if not two:
        return
    yield Paragraph(_does_it_matter(found), strong=True)
    least = "" if len(two) <= TWO_BY_TWO else f": the {TWO_BY_TWO} least alike"
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
                    listed(map(_changed, one.verdicts_changed)) or "none",
                )
                for one in two[:TWO_BY_TWO]
            ],
        ),
        f"By {orders.measure}. Tau: Kendall's, 1 is the same order; tau AP weighs the top of the"
        f" order more. Verdicts: beside {orders.baseline}, by the one judge, then by the other.",
    )
    yield from _winners(found)


def _changed(change: VerdictChange) -> str:
    one, other = change.verdicts
    return f"{change.tag} ({one} → {other})"


def _winners(found: Findings) -> Iterator[Block]:
    """Whose grades, in place of the final ones, would put another system first."""
    orders = found.data.orders
    changed = [one for one in orders.winners if one.changed and one.tags]
    # The final grades of the orders are those by majority.
    if found.data.results.basis.asked.policy == "majority" and changed:
        told = listed(f"{listed(one.tags)} with those of {one.judge}" for one in changed)
        yield Paragraph(
            f"By the final grades {listed(orders.winner)} {is_or_are(len(orders.winner))} first by"
            f" {orders.measure}. Others are with the grades of one judge in their place: {told}."
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
