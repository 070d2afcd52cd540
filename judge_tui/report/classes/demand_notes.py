"""What the tables of demands mean, in a line each."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.analysis.demands import ClassDemand, Demanded
from judge_tui.report.classes.views import DEMAND_VIEWS

__all__ = ["demand_notes"]


def demand_notes(found: Demanded) -> Iterator[str]:
    """What the tables mean, and why a test has no p."""
    for demand in dict.fromkeys(one.demand for one in found.classes):
        yield from DEMAND_VIEWS[demand].notes
    if found.family:
        beside = any(one.beside for one in found.classes)
        # Measures beside an earlier result are tested, too, and are a family of their own.
        alone = found.family == len(found.p_values())
        yield (
            f"adjusted: corrected ({found.settings.correction}) over a family of {found.family},"
            + (" of what queries demand and of no measure" if alone else " all that is tested here")
            + ("; mcnemar: exact, on queries that hold for one of the two alone" if beside else "")
        )
    for one in found.classes:
        for tag, test in one.tests.items():
            if test.p is None:
                yield f"{_where(one)}{tag}: no sign p: {test.why}"
        for arm in one.beside:
            if arm.test.p is None:
                yield f"{_where(one)}{one.demand}, {arm.arm}: no mcnemar p: {arm.test.why}"
            for why in arm.why.values():
                yield f"{_where(one)}{one.demand}, {arm.arm}: no interval: {why}"


def _where(one: ClassDemand) -> str:
    return f"{one.name}, " if one.name else ""
