"""What a call of a system costs, where somebody pays for it."""

from __future__ import annotations

from dataclasses import dataclass

from judge_tui.collect.section import Section

__all__ = ["Price", "read_price"]

_MOST = 1e6
_LONGEST = 12


@dataclass(frozen=True, slots=True)
class Price:
    """`amount` for one call, be it answered or not; `currency` is empty where none is said."""

    amount: float
    currency: str = ""


def read_price(section: Section, usual: Price | None = None) -> Price | None:
    """`price` and `currency` of a table, in place of the usual ones; None where neither says a
    price."""
    amount = section.number("price", usual.amount if usual else None, least=0, most=_MOST)
    currency = section.plain("currency", usual.currency if usual else "").strip()
    if len(currency) > _LONGEST or not currency.isprintable():
        section.refuse("currency", "currency is no short word", 'write currency = "USD"')
    if amount is None and "currency" in section:
        section.refuse("currency", "there is a currency and no price", "write price = 0.002, too")
    return None if amount is None else Price(amount, currency)
