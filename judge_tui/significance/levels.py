"""Which alpha and which power can be asked for."""

from __future__ import annotations

from judge_tui.errors import UsageError

__all__ = ["refuse_alpha", "refuse_power"]


def refuse_alpha(alpha: float) -> None:
    """Raise `UsageError` unless 0 < alpha < 1."""
    if not 0 < alpha < 1:
        raise UsageError(f"alpha {alpha} is not between 0 and 1", "write .05")


def refuse_power(power: float, alpha: float) -> None:
    """Raise `UsageError` unless alpha < power < 1, which no effect at all has already, and for what
    `refuse_alpha` refuses."""
    refuse_alpha(alpha)
    if not alpha < power < 1:
        raise UsageError(f"power {power} is not between alpha {alpha} and 1", "write .8")
