"""Shares as percentages that never say all of what is not all, nor nothing of what is something."""

from __future__ import annotations


def percent(share: float, decimals: int = 0, *, short: bool = False) -> str:
    """`93 %` of a share from 0 to 1; what rounds to 100 and is less is `more than 99 %`, what
    rounds to 0 and is more is `less than 1 %`, `short` for a column `>99 %` and `<1 %`."""
    shown = f"{100 * share:.{decimals}f}"
    step = 10.0**-decimals
    if share < 1 and float(shown) >= 100:
        return f"{'>' if short else 'more than '}{100 - step:.{decimals}f} %"
    if share > 0 and float(shown) == 0:
        return f"{'<' if short else 'less than '}{step:.{decimals}f} %"
    return f"{shown} %"
