"""How many queries a comparison takes, and what so many of them can show."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import Any

from judge_tui.errors import UsageError
from judge_tui.significance.levels import refuse_power
from judge_tui.significance.power import (
    MOST_QUERIES,
    POWER,
    detectable_effect,
    power_of,
    queries_needed,
)
from judge_tui.significance.result import Alternative

__all__ = ["Plan", "make_plan"]


@dataclass(frozen=True, slots=True)
class Plan:
    """What was asked, and what follows from it for a paired t test, uncorrected.

    Asked: `effect` (d_z; `delta` / `sd` where these were given), `queries`, `power`, `alpha`,
    `alternative`. Found: `queries_needed` to see the effect with that power, and `power_needed`,
    the power that so many have, which is at least that; `power_had`, the power of so many
    `queries` as were asked about; `detectable_effect`, the smallest that they show with that
    power, and `detectable_delta`, the same in units of the measure. What was not asked or is
    undefined is None; `why` has the reason for the latter, by name.
    """

    effect: float | None
    delta: float | None
    sd: float | None
    queries: int | None
    power: float
    alpha: float
    alternative: Alternative
    queries_needed: int | None
    power_needed: float | None
    power_had: float | None
    detectable_effect: float | None
    detectable_delta: float | None
    why: dict[str, str]

    def to_dict(self) -> dict[str, Any]:
        """The plan as JSON has it."""
        document: dict[str, Any] = {
            "schema_version": 1,
            "settings": {
                "effect": self.effect,
                "delta": self.delta,
                "sd": self.sd,
                "queries": self.queries,
                "power": self.power,
                "alpha": self.alpha,
                "alternative": self.alternative,
            },
            "queries_needed": self.queries_needed,
            "power_needed": self.power_needed,
            "power": self.power_had,
            "detectable_effect": self.detectable_effect,
            "detectable_delta": self.detectable_delta,
        }
        return {**document, "why": self.why} if self.why else document


def make_plan(
    *,
    effect: float | None = None,
    delta: float | None = None,
    sd: float | None = None,
    queries: int | None = None,
    power: float = POWER,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
) -> Plan:
    """Plan a comparison by an effect, or by a mean difference and the sd of the differences.

    The sign of an effect does not matter. Raises `UsageError` where neither an effect nor a number
    of queries is given, or both an effect and a difference, and for values that make no sense.
    """
    effect = _effect(effect, delta, sd)
    if effect is None and queries is None:
        raise UsageError("neither an effect nor a number of queries", "give one of them, or both")
    refuse_power(power, alpha)
    if queries is not None and not 1 <= queries <= MOST_QUERIES:
        raise UsageError(f"{queries} queries are too few or too many", f"give 1 to {MOST_QUERIES}")
    needed = had = least = reached = None
    why = {}
    if effect is not None:
        needed = queries_needed(effect, power, alpha, alternative)
        if needed is None:
            why["queries_needed"] = f"{MOST_QUERIES:,} queries do not suffice"
        else:
            reached = power_of(effect, needed, alpha, alternative)
    if queries is not None:
        least = detectable_effect(queries, alpha, alternative, power)
        if least is None:
            why["detectable_effect"] = f"no power can be had from {queries} queries at this alpha"
        if effect is not None:
            had = power_of(effect, queries, alpha, alternative)
            if had is None:
                why["power"] = f"a variance needs at least 2 queries, here {queries}"
    return Plan(
        effect=effect,
        delta=delta,
        sd=sd,
        queries=queries,
        power=power,
        alpha=alpha,
        alternative=alternative,
        queries_needed=needed,
        power_needed=reached,
        power_had=had,
        detectable_effect=least,
        detectable_delta=None if least is None or sd is None else least * sd,
        why=why,
    )


def _effect(effect: float | None, delta: float | None, sd: float | None) -> float | None:
    if effect is not None and (delta is not None or sd is not None):
        raise UsageError("both an effect and a difference", "give --effect, or --delta and --sd")
    if delta is not None and sd is None:
        raise UsageError(
            f"a difference of {delta:g} says nothing without its spread",
            "add --sd, the standard deviation of the differences",
        )
    if sd is not None and not (isfinite(sd) and sd > 0):
        raise UsageError(f"a standard deviation of {sd:g}", "give one above 0")
    return effect if delta is None or sd is None else delta / sd
