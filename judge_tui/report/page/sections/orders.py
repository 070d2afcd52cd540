"""Would another judge change the order of the systems?"""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.agreement.bands import FEW_PAIRS
from judge_tui.analysis.judge_orders import OrdersOfTwo, VerdictChange, Winner
from judge_tui.report.layout import Column, Grid, number
from judge_tui.report.page.content import Block, Paragraph, Table
from judge_tui.report.page.findings import Findings
from judge_tui.report.page.sections.phrases import counted, is_or_are, listed
from judge_tui.significance.verdict import FEWEST_QUERIES

__all__ = ["TWO_BY_TWO", "order_blocks"]

TWO_BY_TWO = 15
"""More judges two by two than these are not listed: those who agree least are."""

_PER_QUERY = 5
"""Two judges who share fewer documents of a query, on average, are not counted."""


def order_blocks(found: Findings) -> Iterator[Block]:
    """Would another judge change the order of the systems?"""
    orders = found.data.orders
    two = sorted(
        (one for one in orders.between if one.pairs),
        key=lambda one: (_thin(one), one.tau if one.tau is not None else 2.0, -len(one.swaps)),
    )
    if not two:
        return
    yield Paragraph(_does_it_matter(found), strong=True)
    enough = [one for one in two if not _thin(one)]
    by_twos = " ".join(_by_twos(enough, len(two) - len(enough)))
    if by_twos:
        yield Paragraph(by_twos)
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
        f" order more. Verdicts: beside {orders.baseline}, by the one judge, then by the other."
        " They are a family of their own, and need not be the verdicts of the rest of this page:"
        f" {orders.measure} alone, {counted(len(found.board.rows) - 1, 'comparison')}, on the"
        " pairs of both.",
    )
    yield from _winners(found)


def _changed(change: VerdictChange) -> str:
    one, other = change.verdicts
    return f"{change.tag} ({one} → {other})"


def _winners(found: Findings) -> Iterator[Block]:
    """Whose grades, in place of the final ones, would put another system first."""
    orders = found.data.orders
    changed = _other_winners(found)
    if changed:
        told = listed(f"{listed(one.tags)} with those of {one.judge}" for one in changed)
        yield Paragraph(
            f"By the final grades {listed(orders.winner)} {is_or_are(len(orders.winner))} first by"
            f" {orders.measure}. Others are with the grades of one judge in their place: {told}."
        )


def _by_majority(found: Findings) -> bool:
    """Whether the final grades of the orders, which are by majority, are those of the page."""
    return found.data.results.basis.asked.policy == "majority" and bool(found.data.orders.winner)


def _other_winners(found: Findings) -> list[Winner]:
    if not _by_majority(found):
        return []
    return [one for one in found.data.orders.winners if one.changed and one.tags]


def _thin(two: OrdersOfTwo) -> bool:
    """Whether the two share so little that an order by it says little of the judges."""
    return two.pairs < max(FEW_PAIRS, _PER_QUERY * two.queries) or two.queries < FEWEST_QUERIES


def _does_it_matter(found: Findings) -> str:
    orders = found.data.orders
    others = _other_winners(found)
    if others:
        return (
            f"It matters who graded: with the grades of {listed(one.judge for one in others)} in"
            " place of the final ones, another system is best."
        )
    enough = [one for one in orders.between if one.pairs and not _thin(one)]
    what = [
        *(["the order of the systems"] if any(one.swaps for one in enough) else []),
        *(["verdicts"] if any(one.verdicts_changed for one in enough) else []),
    ]
    if not enough:
        said = "Whether it matters for the order of the systems who graded cannot be told."
    elif what:
        said = f"It matters for {listed(what)} which of the judges graded."
    else:
        said = "It does not matter for the order of the systems which of the judges graded."
    if not _by_majority(found):
        return said
    return (
        f"{listed(orders.winner)} {is_or_are(len(orders.winner))} first by {orders.measure} with"
        f" the final grades, and with those of any one judge in their place. {said}"
    )


def _by_twos(enough: list[OrdersOfTwo], thin: int) -> Iterator[str]:
    """What is counted: pairs of judges who share enough."""
    swapping = sum(bool(one.swaps) for one in enough)
    changing = sum(bool(one.verdicts_changed) for one in enough)
    if swapping or changing:
        yield (
            f"Of {counted(len(enough), 'pair')} of judges, compared on what both graded:"
            f" {swapping:,} with two systems or more the other way round, however close those are; "
            f"{changing:,} with another verdict on a system."
        )
    if thin:
        yield (
            f"{counted(thin, 'pair')} of judges {'shares' if thin == 1 else 'share'} too little to"
            f" be counted: fewer than {FEW_PAIRS} pairs of query and document, {FEWEST_QUERIES}"
            f" queries or {_PER_QUERY} documents of a query. Their orders, last in the table, say"
            " little of the judges."
        )
