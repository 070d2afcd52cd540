"""What queries demand of the order of their results, and how runs meet it: a yes or no each."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from judge_tui.model import Query
from judge_tui.scoring.authority import Authority, Sourced
from judge_tui.scoring.class_terms import DEMANDS, Demand, class_called, terms_of
from judge_tui.scoring.prefer import Prefer, Preferred

__all__ = [
    "STANDARD",
    "Demands",
    "Found",
    "Met",
    "Wanted",
    "first_named",
    "found_nowhere",
    "measured_as_usual",
    "meet",
    "subset_called",
    "subset_named",
    "undemanding",
    "value_called",
]

STANDARD = "standard"
"""The subset of queries that name none."""

_NAMED = 3
"""Queries, or patterns, that a sentence about some of them names."""


Wanted: TypeAlias = Prefer | Authority
"""What one query demands: the `patterns` that it seeks, how it is `written` in JSON, and `met_by`,
how a list meets it."""

Found: TypeAlias = Preferred | Sourced
"""How one list meets it: where things stand, the `first` result by each of the patterns, and
whether the demand is `held`."""


@dataclass(frozen=True, slots=True)
class Demands:
    """`of_query`: query_id -> what it demands, by the kind; `class_of` and `subset_of` have these
    queries, too: "" where a query has no class. Empty where nothing is demanded."""

    of_query: Mapping[str, Mapping[Demand, Wanted]] = field(default_factory=dict)
    class_of: Mapping[str, str] = field(default_factory=dict)
    subset_of: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def made(
        cls, queries: Collection[Query], of_query: Mapping[str, Mapping[Demand, Wanted]]
    ) -> Demands:
        """What `queries` demand (`of_query`, which may lack those that demand nothing), with their
        classes and subsets under the names by which these are told."""
        return cls(
            {query.query_id: of_query.get(query.query_id, {}) for query in queries},
            {query.query_id: class_called(query.query_class) for query in queries},
            {query.query_id: name for query in queries if (name := subset_named(query))},
        )

    def __bool__(self) -> bool:
        return any(self.of_query.values())

    @property
    def query_ids(self) -> frozenset[str]:
        """The queries that demand anything."""
        return frozenset(query_id for query_id, its in self.of_query.items() if its)

    def of(self, demand: Demand) -> dict[str, Wanted]:
        """query_id -> what it demands of this kind."""
        return {query_id: its[demand] for query_id, its in self.of_query.items() if demand in its}

    def classes(self, demand: Demand) -> tuple[str, ...]:
        """The classes whose queries demand this, in byte order, "" last."""
        names = {self.class_of.get(query_id, "") for query_id in self.of(demand)}
        return tuple(sorted(names, key=lambda name: (not name, name)))

    def of_class(self, demand: Demand, name: str) -> tuple[str, ...]:
        """The queries of a class that demand this, in their order."""
        return tuple(
            query_id for query_id in self.of(demand) if self.class_of.get(query_id, "") == name
        )


def undemanding(demands: Demands, answered: Container[str]) -> tuple[str, ...]:
    """One sentence for each standard class that is held to a demand and has queries which are
    `answered`, that is of which right answers are known, but make no such demand: no table of the
    class would have them. Where none of the class makes it, as `measured_as_usual`."""
    sentences = [*measured_as_usual(demands.class_of, demands.of_query, answered)]
    for name in dict.fromkeys(demands.class_of.values()):
        terms = terms_of(name)
        demand = None if terms is None else terms.demand
        if demand is None or not (demanding := {*demands.of_class(demand, name)}):
            continue
        those = [
            query_id
            for query_id, its in demands.class_of.items()
            if its == name and query_id in answered and query_id not in demanding
        ]
        if those:
            them = "it" if len(those) == 1 else "them"
            sentences.append(
                f"queries of class {name!r} that have right answers but no {demand}, and so no part"
                f" in its numbers by {demand}: {first_named(those)}; declare {demand} for"
                f" {them}, or give {them} another class"
            )
    return tuple(sentences)


def measured_as_usual(
    class_of: Mapping[str, str], of_query: Mapping[str, Container[Demand]], answered: Container[str]
) -> tuple[str, ...]:
    """One sentence for each standard class that is held to a demand which none of its queries
    makes, although right answers are known of some. `class_of`: query_id -> class as it is told;
    `of_query`: query_id -> the kinds of what it demands."""
    sentences = []
    for name in dict.fromkeys(class_of.values()):
        terms = terms_of(name)
        demand = None if terms is None else terms.demand
        its = [query_id for query_id, one in class_of.items() if one == name]
        if demand is None or any(demand in of_query.get(query_id, ()) for query_id in its):
            continue
        if those := [query_id for query_id in its if query_id in answered]:
            sentences.append(
                f"no query of class {name!r} declares {demand}, so that the class is measured as"
                f" usual, and not by what comes first: {first_named(those)}"
            )
    return tuple(sentences)


def first_named(query_ids: Sequence[str]) -> str:
    """How many, and which of them first: `5 (q1, q2, q3 and 2 more)`."""
    return f"{len(query_ids):,} ({_some(query_ids)})"


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return f"{', '.join(names[:_NAMED])}{more}"


def subset_called(name: str) -> str:
    """The name under which a subset is told: capitals make no subset of their own."""
    return name.strip().casefold()


def value_called(field: str, value: str) -> str:
    """The name under which queries of one value of a field are told, as a slice, "" being that of
    queries without it: `class_called` of a class, `subset_called` of a subset, which is `STANDARD`
    without one, and of any other field what is written."""
    if field == "class":
        return class_called(value)
    return subset_called(value) or STANDARD if field == "subset" else value


def subset_named(query: Query) -> str:
    """The subset that a query names in its own file, empty without one."""
    name = query.meta.get("subset", "")
    return subset_called(name) if isinstance(name, str) else ""


@dataclass(frozen=True, slots=True)
class Met:
    """How one run meets the demands. `found`: demand -> query_id -> how it is met, of all queries
    that demand it, for a query without results has nothing first; `in_vain`: those without."""

    found: Mapping[Demand, Mapping[str, Found]]
    in_vain: frozenset[str] = frozenset()

    def of(self, demand: Demand) -> Mapping[str, Found]:
        """query_id -> how this demand is met."""
        return self.found.get(demand, {})


def meet(
    demands: Demands,
    lists: Mapping[str, Sequence[str]],
    *,
    depth: int | None = None,
) -> Met:
    """Hold one run to the demands, by its best `depth` results. `lists`: query_id -> all doc_ids,
    best first."""

    def found(query_id: str, wanted: Wanted) -> Found:
        doc_ids = lists.get(query_id, ())
        return wanted.met_by(doc_ids[:depth])

    return Met(
        {
            demand: {query_id: found(query_id, its) for query_id, its in demands.of(demand).items()}
            for demand in DEMANDS
        },
        frozenset(query_id for query_id in demands.query_ids if not lists.get(query_id)),
    )


def found_nowhere(demands: Demands, met: Iterable[Met]) -> tuple[str, ...]:
    """One sentence for each kind of demand of which a pattern is found in no result of any run, for
    none of the queries that have it: mistyped, it would make a demand met, or missed, in silence.
    Queries for which no run has results say nothing of a pattern. `met`: of each run."""
    runs = tuple(met)
    sentences = []
    for demand in DEMANDS:
        sought: dict[str, dict[str, None]] = {}
        found: set[str] = set()
        for query_id, wanted in demands.of(demand).items():
            lists = [one.of(demand)[query_id] for one in runs if query_id not in one.in_vain]
            for place, pattern in enumerate(wanted.patterns if lists else ()):
                sought.setdefault(pattern.pattern, {})[query_id] = None
                if any(one.first[place] is not None for one in lists):
                    found.add(pattern.pattern)
        nowhere = [
            f"'{written}' ({'query' if len(its) == 1 else 'queries'} {_some([*its])})"
            for written, its in sought.items()
            if written not in found
        ]
        if nowhere:
            sentences.append(
                f"no result of any run has what {demand} seeks by"
                f" {_some(nowhere)}: a pattern that is mistyped may make the"
                " demand met, or missed; look at it beside the ids"
            )
    return tuple(sentences)
