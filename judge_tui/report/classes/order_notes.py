"""What the tables about the order of results mean, in a line each."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.analysis.demands import ClassDemand, Demanded

__all__ = ["order_notes"]


def order_notes(found: Demanded) -> Iterator[str]:
    """What the tables mean, and why a test has no p."""
    if found.of("prefer"):
        yield (
            "modern first: the share of queries in which the better kind stands before the worse"
            " one; what is missing is last, and without either neither is first"
        )
        yield "sign p: exact sign test of modern against legacy; tied and both missing left out"
    if found.of("authority"):
        yield (
            "highest first: the share of queries of which result 1 is from the highest source that"
            " has any result; without a result from any source it is not"
        )
    if found.family:
        beside = any(one.beside for one in found.classes)
        yield (
            f"adjusted: corrected ({found.settings.correction}) over a family of {found.family},"
            " all that is tested here"
            + ("; mcnemar: exact, on queries that hold for one of the two alone" if beside else "")
        )
    for one in found.classes:
        for tag, test in one.tests.items():
            if test.p is None:
                yield f"{_where(one)}{tag}: no sign p: {test.why}"
        for arm in one.beside:
            if arm.test.p is None:
                yield f"{_where(one)}{one.demand}, {arm.arm}: no mcnemar p: {arm.test.why}"


def _where(one: ClassDemand) -> str:
    return f"{one.name}, " if one.name else ""
