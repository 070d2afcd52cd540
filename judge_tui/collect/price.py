"""What a call of a system costs, where somebody pays for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from judge_tui.collect.section import Section

__all__ = ["Price", "UsualPrice", "read_price", "read_usual_price"]

_MOST = 1e6
_LONGEST = 12


@dataclass(frozen=True, slots=True)
class Price:
    """`amount` for one call, be it answered or not; `currency` is empty where none is said."""

    amount: float
    currency: str = ""


class UsualPrice(NamedTuple):
    """What systems cost that do not say otherwise; None where that is not said."""

    amount: float | None = None
    currency: str = ""


def read_usual_price(section: Section) -> UsualPrice:
    """`price` and `currency` of `[defaults]`: either may stand there alone."""
    return _read(section, UsualPrice())


def read_price(section: Section, usual: UsualPrice) -> Price | None:
    """`price` and `currency` of a system; None where nobody says a price."""
    amount, currency = _read(section, usual)
    if amount is None and "currency" in section and "price" not in section:
        section.refuse("currency", "there is a currency and no price", "write price = 0.002, too")
    return None if amount is None else Price(amount, currency)


def _read(section: Section, usual: UsualPrice) -> UsualPrice:
    amount = section.number("price", usual.amount, least=0, most=_MOST)
    currency = section.plain("currency", usual.currency, public=True).strip()
    if len(currency) > _LONGEST or not currency.isprintable():
        section.refuse("currency", "currency is no short word", 'write currency = "USD"')
    return UsualPrice(amount, currency)
