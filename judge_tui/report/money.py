"""Amounts of money in words and tables."""

from __future__ import annotations

from decimal import Decimal

__all__ = ["money", "price_of_call"]

_NO_CURRENCY = "(no currency configured)"


def money(amount: float, currency: str) -> str:
    """With two decimals, and more where it takes them for two digits that say something; and that
    no currency is set where there is none."""
    decimals = 2
    while decimals < 9 and amount and abs(amount) < 10 ** (1 - decimals):
        decimals += 1
    return f"{amount:,.{decimals}f} {currency or _NO_CURRENCY}"


def price_of_call(amount: float, currency: str) -> str:
    """As somebody would write it, without an exponent."""
    return f"{f'{Decimal(repr(amount)):f}'.removesuffix('.0')} {currency or _NO_CURRENCY}"
