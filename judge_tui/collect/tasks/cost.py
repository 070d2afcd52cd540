"""What the arms of a task cost: calls of the endpoint, and of the search that a context is from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from judge_tui.collect.price import Price

__all__ = ["Calls", "cost_of"]


@dataclass(frozen=True, slots=True)
class Calls:
    """How often `system` was called for an arm, retries counted; `price`: of one call, None where
    none is set."""

    system: str
    count: int
    price: Price | None


def cost_of(calls: Iterable[Calls]) -> dict[str, float]:
    """Currency -> amount, of those that have a price; what is paid in unlike currencies is not
    added up."""
    found: dict[str, float] = {}
    for one in calls:
        if one.price is not None:
            cost = one.count * one.price.amount
            found[one.price.currency] = found.get(one.price.currency, 0.0) + cost
    return found
