"""How a demand is shown: what the tables, notes and documents of one have that others have not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from judge_tui.analysis.demands import ClassDemand
from judge_tui.report.layout import Grid
from judge_tui.scoring.prefer import Hit
from judge_tui.significance import TestResult

__all__ = ["DemandView", "document_of_hit", "document_of_test", "title_of", "with_count"]

FoundT = TypeVar("FoundT")


@dataclass(frozen=True, slots=True)
class DemandView(Generic[FoundT]):
    """One of these for each demand, by `FoundT`: how one list meets it.

    `holds`: what is so where a query holds, in words. `notes`: what its tables mean, a line each.
    `grids`: the tables of a class; they are given the subset of each query and its text, by
    query_id, and how many lost queries are named, None for all. `came`: what came of one query in
    one list, with ranks; it is given how a text of the user's own is shown; `told`: what that
    tells, in words. `of_system`: for
    programs, what a system has beside the share that holds, by its tag; `of_query`: one query in
    one list.
    """

    holds: str
    notes: tuple[str, ...]
    grids: Callable[[ClassDemand, Mapping[str, str], Mapping[str, str], int | None], Iterable[Grid]]
    came: Callable[[FoundT, Callable[[str], str]], str]
    told: str
    of_system: Callable[[ClassDemand, str], dict[str, Any]]
    of_query: Callable[[FoundT], dict[str, Any]]


def title_of(one: ClassDemand, what: str) -> str:
    """The title of a table of the class, or of the slice by another field."""
    whole = f"{one.by} {one.name}, {what}" if one.name else what
    return f"{whole[0].upper()}{whole[1:]}"


def with_count(one: ClassDemand, what: str) -> str:
    """The same with the number of queries."""
    queries = "query" if len(one.query_ids) == 1 else "queries"
    return title_of(one, f"{what}: {len(one.query_ids):,} {queries}")


def document_of_hit(hit: Hit | None) -> dict[str, Any] | None:
    """A result and its rank, None without one."""
    return None if hit is None else {"rank": hit.rank, "doc_id": hit.doc_id}


def document_of_test(test: TestResult, p_adjusted: float | None) -> dict[str, Any]:
    """A test, or under `why` the reason that it says nothing."""
    if test.p is None:
        return {"p": None, "why": test.why}
    return {
        "statistic": test.statistic,
        "p": test.p,
        "p_greater": test.p_greater,
        "p_less": test.p_less,
        "p_adjusted": p_adjusted,
    }
