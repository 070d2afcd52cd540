"""What each judge's grades make of the order of the systems."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import TYPE_CHECKING

from judge_tui.agreement.caveats import listed
from judge_tui.report.layout import Cell, Column, Grid, number, plain

if TYPE_CHECKING:
    from judge_tui.analysis.judge_orders import OrdersOfTwo, SystemOrders

__all__ = ["order_grids", "order_told"]

_SHOWN = 20
_JUDGES = (Column("judge", plain, right=False), Column("judge ", plain, right=False))


def order_grids(orders: SystemOrders | None) -> Iterator[Grid]:
    """The orders of every two judges beside each other, those most unlike first where they are
    many; nothing where it was not worked out."""
    if orders is None or not orders.between:
        return
    shown = orders.between
    if len(shown) > _SHOWN:
        shown = tuple(sorted(shown, key=_tau)[:_SHOWN])
    rows: list[tuple[Cell, ...]] = [
        (
            *two.judges,
            two.pairs,
            two.queries,
            two.tau,
            two.tau_ap,
            len(two.verdicts_changed),
            listed([f"{one} and {other}" for one, other in two.swaps]) or "none",
        )
        for two in shown
    ]
    columns = [
        *_JUDGES,
        Column("pairs"),
        Column("queries"),
        Column("tau", number),
        Column("tau AP", number),
        Column("verdicts changed"),
        Column("systems that swap", plain, right=False),
    ]
    yield Grid(f"Order of the systems by {orders.measure}, by each of two judges", columns, rows)
    verdicts: list[tuple[Cell, ...]] = [
        (*two.judges, change.tag, *map(str, change.verdicts))
        for two in shown
        for change in two.verdicts_changed
    ]
    if verdicts:
        texts = [
            Column(name, plain, right=False) for name in ("run", "by the first", "by the second")
        ]
        title = f"Verdicts against {orders.baseline} that change, by {orders.measure} alone"
        yield Grid(title, [*_JUDGES, *texts], verdicts[:_SHOWN])


def order_told(orders: SystemOrders | None) -> Iterator[str]:
    """The best system, and what is missing, in one line each."""
    if orders is None:
        return
    if orders.why is not None:
        yield f"order of systems: {orders.why}"
    if orders.between:
        yield (
            f"verdicts by each judge: Wilcoxon's test by {orders.measure} alone, p corrected (holm)"
            f" over the runs beside {orders.baseline}; results and compare correct over every"
            " measure and run that they print, so that their verdicts may be others"
        )
    if len(orders.between) > _SHOWN:
        yield (
            f"of {len(orders.between)} pairs of judges, the {_SHOWN} whose orders of systems are"
            " least alike are shown: -f csv and -f json have all"
        )
    changes = sum(len(two.verdicts_changed) for two in orders.between)
    if changes > _SHOWN:
        yield f"of {changes} verdicts that change, {_SHOWN} are shown at most: -f json has all"
    unlike: dict[str, list[str]] = {}
    for two in orders.between:
        if two.why is not None:
            unlike.setdefault(two.why, []).append(" and ".join(two.judges))
    for why, judges in unlike.items():
        yield f"tau of {listed(judges)} {'is' if len(judges) == 1 else 'are'} undefined: {why}"
    changed = [one for one in orders.winners if one.changed]
    if orders.winner and orders.winners:
        best = f"best by {orders.measure} with the final grades: {_tags(orders.winner)}"
        if changed:
            others = [f"with those of {one.judge}: {_tags(one.tags)}" for one in changed]
            yield f"{best}; {listed(others)}"
        # The grades of an only judge are the final ones, or nearly: that they agree shows nothing.
        elif len(orders.winners) > 1:
            yield f"{best}; with those of any one judge in their place, too"


def _tau(two: OrdersOfTwo) -> float:
    return inf if two.tau is None else two.tau


def _tags(tags: tuple[str, ...]) -> str:
    return " = ".join(tags)
