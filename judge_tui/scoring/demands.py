"""See `scoring.order`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from judge_tui.model import Query
from judge_tui.scoring.order import OrderDemand

__all__ = ["Demands", "Wanted", "first_named", "subset_called", "subset_named", "value_called"]

Wanted = OrderDemand


@dataclass(frozen=True, slots=True)
class Demands:
    """query_id -> what it demands."""

    of_query: Mapping[str, Mapping[str, OrderDemand]] = field(default_factory=dict)

    @classmethod
    def made(
        cls, queries: Collection[Query], of_query: Mapping[str, Mapping[str, OrderDemand]]
    ) -> Demands:
        """What these queries demand."""
        return cls({query.query_id: of_query.get(query.query_id, {}) for query in queries})


def first_named(query_ids: Sequence[str]) -> str:
    """How many, and which of them first."""
    return f"{len(query_ids):,} ({', '.join(query_ids[:3])})"


def subset_called(name: str) -> str:
    """The subset as it is written."""
    return name


def subset_named(query: Query) -> str:
    """The subset that a query names."""
    return str(query.meta.get("subset", ""))


def value_called(_field: str, value: str) -> str:
    """The value as it is written."""
    return value
