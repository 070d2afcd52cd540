"""Whether a difference could be shown at all: the least p that tests of so few queries can have."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from judge_tui.scoring import NO_REGRESSION, shown_slice
from judge_tui.significance.corrections import adjust
from judge_tui.significance.paired import TESTS
from judge_tui.significance.result import Alternative
from judge_tui.significance.verdict import FEWEST_QUERIES

__all__ = ["Tried", "least_p", "nothing_worse"]

_MORE = "take more queries, or require a number"


class Tried(NamedTuple):
    """One verdict, or one test beside them, of a family: over so many `queries`, all or those of
    one slice."""

    queries: int
    test: str
    slice: str | None = None
    verdict: bool = True

    def least(self, alternative: Alternative) -> float:
        """As `least_p`; 1 where there is no p."""
        enough = self.queries >= max(1, TESTS[self.test].least_nonzero)
        return least_p(self.test, self.queries, alternative) if enough else 1.0


def least_p(test: str, queries: int, alternative: Alternative = "two-sided") -> float:
    """The least p that a paired test of so many queries has, whatever their values: of 2^n equally
    likely sign patterns that of queries which all change to one side is one, and two-sided its
    opposite another. 0 for tests that count none."""
    if not TESTS[test].counts:
        return 0.0
    return min(1.0, (2.0 if alternative == "two-sided" else 1.0) * 0.5**queries)


def nothing_worse(
    family: Sequence[Tried],
    *,
    correction: str,
    alpha: float,
    alternative: Alternative = "two-sided",
) -> tuple[str, ...]:
    """One sentence where no verdict of the `family` can be `worse`, however much is lost; or where
    those of some slices cannot, if they alone change.

    No adjusted p is less than the one where every test has its least p: all corrections rise with
    each p.
    """
    least = [one.least(alternative) for one in family]
    verdicts = [place for place, one in enumerate(family) if one.verdict]
    if not verdicts:
        return ()

    def within_reach(places: Iterable[int], p_values: Sequence[float]) -> bool:
        adjusted = adjust(p_values, correction)
        return any(
            family[place].queries >= FEWEST_QUERIES and (adjusted[place] or 0.0) < alpha
            for place in places
        )

    def why(places: Iterable[int]) -> str:
        those = [family[place] for place in places]
        return _why(those, len(family), correction, alpha, alternative)

    if not within_reach(verdicts, least):
        return (f"{NO_REGRESSION} cannot find anything worse here: {why(verdicts)}",)
    slices: dict[str, list[int]] = {}
    for place in verdicts:
        name = family[place].slice
        if name is not None:
            slices.setdefault(name, []).append(place)
    blind = [
        name
        for name, places in slices.items()
        if not within_reach(places, [p if at in places else 1.0 for at, p in enumerate(least)])
    ]
    if not blind:
        return ()
    those = [place for name in blind for place in slices[name]]
    named = ", ".join(map(shown_slice, blind))
    return (f"{NO_REGRESSION} cannot find anything worse in {named} alone: {why(those)}",)


def _why(
    those: Sequence[Tried], family: int, correction: str, alpha: float, alternative: Alternative
) -> str:
    most = max(those, key=lambda one: one.queries)
    least = least_p(most.test, most.queries, alternative)
    counted = f"{most.queries:,} {'query' if most.queries == 1 else 'queries'}"
    if most.queries < FEWEST_QUERIES:
        return (
            f"with {counted} the least p is {least:.4f}, and a verdict needs {FEWEST_QUERIES};"
            f" {_MORE}"
        )
    adjusted = adjust([least, *[1.0] * (family - 1)], correction)[0]
    return (
        f"with {counted} the least p is {least:.4f}, {adjusted:.4f} corrected ({correction}) over a"
        f" family of {family}, and alpha is {alpha:g}; compare by fewer measures (-m), {_MORE}"
    )
