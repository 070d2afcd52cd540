"""Everything that was graded, as arrays, and its kinds: pairs that every judge graded alike.

Sums over kinds, which stand in an order of their own, are the same to the last digit in whatever
order the pairs came; and where few judges grade many pairs, there are few of them.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from judge_tui.errors import UsageError, unknown

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from judge_tui.agreement.coefficients import Confusion

__all__ = [
    "NOT_GRADED",
    "AgreementData",
    "Kinds",
    "chosen_judges",
    "data_of",
    "kinds_of",
    "pair_order",
    "sorted_runs",
]

T = TypeVar("T")

NOT_GRADED = -1
"""In the place of a grade: the judge gave the pair none."""


@dataclass(frozen=True, slots=True)
class AgreementData:
    """Grades of several judges, and what is known of when and where they were given.

    `judges`: names. `scale`: the campaign's grades, ascending. `places`: int8[judges, pairs], each
    grade's place on the scale, or `NOT_GRADED`; the grades of a first look, never hidden repeats.
    `came`: int32[judges, pairs], when the grade came, as a number that is greater the later it
    was, across all judges; of no meaning where there is no grade. `queries`: int32[pairs], the
    place of each pair's query in `query_ids`; `classes`: of the queries, "" for none.

    `repeats` and `gold`: judge -> confusion over the whole scale, for judges who have any: the
    judge's first grade in the rows, and the later one of the same pair, or the gold grade, in the
    columns. `repeats_planned` and `gold_planned`: judge -> how many they were given, graded or not,
    for whoever was given any, with or without a grade. `from_file`: judges most of whose first
    grades came from a file, so that their order is the file's.
    """

    judges: tuple[str, ...]
    scale: tuple[int, ...]
    places: NDArray[np.int8]
    came: NDArray[np.int32]
    queries: NDArray[np.int32]
    query_ids: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    repeats: Mapping[str, Confusion] = field(default_factory=dict)
    gold: Mapping[str, Confusion] = field(default_factory=dict)
    repeats_planned: Mapping[str, int] = field(default_factory=dict)
    gold_planned: Mapping[str, int] = field(default_factory=dict)
    from_file: frozenset[str] = frozenset()

    def only(self, judges: Sequence[str]) -> AgreementData:
        """Those judges, in that order, and the pairs that one of them graded.

        Raises `UsageError` for a judge who is not there or is named twice.
        """
        names = chosen_judges(self.judges, judges)
        rows = [self.judges.index(name) for name in names]
        places = self.places[rows]
        there = (places != NOT_GRADED).any(axis=0)
        return replace(
            self,
            judges=names,
            places=places[:, there],
            came=self.came[rows][:, there],
            queries=self.queries[there],
            repeats=_of(names, self.repeats),
            gold=_of(names, self.gold),
            repeats_planned=_of(names, self.repeats_planned),
            gold_planned=_of(names, self.gold_planned),
            from_file=self.from_file & set(names),
        )

    def called(self, names: Mapping[str, str]) -> AgreementData:
        """The same, judges called otherwise. `names`: the new one of everybody named here, whoever
        was only given something among them."""
        return replace(
            self,
            judges=tuple(names[name] for name in self.judges),
            repeats=_called(names, self.repeats),
            gold=_called(names, self.gold),
            repeats_planned=_called(names, self.repeats_planned),
            gold_planned=_called(names, self.gold_planned),
            from_file=frozenset(names[name] for name in self.from_file),
        )


def _of(names: Sequence[str], some: Mapping[str, T]) -> dict[str, T]:
    return {name: some[name] for name in names if name in some}


def _called(names: Mapping[str, str], some: Mapping[str, T]) -> dict[str, T]:
    return {names[name]: one for name, one in some.items()}


def data_of(
    grades: Mapping[str, Mapping[Hashable, int]],
    scale: Sequence[int],
    *,
    judges: Sequence[str] | None = None,
) -> AgreementData:
    """Of judge -> pair -> grade, each judge's pairs in the order in which they were graded.

    A pair is anything hashable; where it is a tuple, its first part is the query. Raises
    `UsageError` for a judge who is not in `grades` or is named twice, and for a grade off the
    scale.
    """
    import numpy as np  # noqa: PLC0415 - of no use to who only imports the room

    if list(scale) != sorted(set(scale)) or len(scale) < 2:
        raise UsageError("a scale has at least two grades", "give each once, least first")
    names = chosen_judges(sorted(grades), judges)
    place = {grade: at for at, grade in enumerate(scale)}
    columns: dict[Hashable, int] = {}
    filled: list[tuple[list[int], list[int]]] = []
    for name in names:
        row = grades[name]
        at = [columns.setdefault(pair, len(columns)) for pair in row]
        try:
            filled.append((at, [place[grade] for grade in row.values()]))
        except KeyError as error:
            known = ", ".join(map(str, scale))
            raise UsageError(
                f"grade {error.args[0]} of judge {name!r} is not on the scale", f"known: {known}"
            ) from None
    places = np.full((len(names), len(columns)), NOT_GRADED, dtype=np.int8)
    came = np.zeros(places.shape, dtype=np.int32)
    for judge, (at, codes) in enumerate(filled):
        places[judge, at] = codes
        came[judge, at] = np.arange(len(at))
    named = [str(pair[0]) if isinstance(pair, tuple) and pair else "" for pair in columns]
    ids = {query_id: at for at, query_id in enumerate(sorted(set(named)))}
    queries = np.array([ids[query_id] for query_id in named], dtype=np.int32)
    return AgreementData(names, tuple(scale), places, came, queries, tuple(ids), ("",) * len(ids))


def chosen_judges(known: Sequence[str], judges: Sequence[str] | None) -> tuple[str, ...]:
    """The judges asked for, in that order; all that are known where none are asked for."""
    if judges is None:
        return tuple(known)
    for name in judges:
        if name not in known:
            raise unknown("judge", name, sorted(known))
        if judges.count(name) > 1:
            raise UsageError(f"judge {name!r} is named twice", "name each judge once")
    return tuple(judges)


def pair_order(data: AgreementData) -> NDArray[np.int64]:
    """int64[n]: the pairs with two grades or more, by when the second of their grades came."""
    import numpy as np  # noqa: PLC0415

    if len(data.judges) < 2:
        return np.empty(0, dtype=np.int64)
    never = np.iinfo(np.int32).max
    came = np.where(data.places != NOT_GRADED, data.came, never)
    second = np.partition(came, 1, axis=0)[1]
    shared = np.flatnonzero(second != never)
    order: NDArray[np.int64] = shared[np.argsort(second[shared], kind="stable")]
    return order


@dataclass(frozen=True, slots=True)
class Kinds:
    """`places`: int8[judges, kinds], places on the scale or `NOT_GRADED`; `times`: int64[kinds],
    how many pairs were graded so; `part`: int64[kinds], ascending, the part that these pairs are
    of; `grades`: the size of the scale."""

    places: NDArray[np.int8]
    times: NDArray[np.int64]
    part: NDArray[np.int64]
    grades: int

    @property
    def table(self) -> NDArray[np.int64]:
        """int64[kinds, grades]: how many judges gave each grade."""
        import numpy as np  # noqa: PLC0415

        rows = [(self.places == grade).sum(axis=0) for grade in range(self.grades)]
        return np.stack(rows, axis=1)

    @property
    def shared(self) -> Kinds:
        """Those with two grades or more."""
        return self.those((self.places != NOT_GRADED).sum(axis=0) >= 2)

    def those(self, there: NDArray[np.bool_]) -> Kinds:
        """Some of them. `there`: bool[kinds]."""
        return Kinds(self.places[:, there], self.times[there], self.part[there], self.grades)


def kinds_of(places: NDArray[np.int8], grades: int, part: NDArray[np.int64] | None = None) -> Kinds:
    """The kinds of some pairs, by part. `places`: int8[judges, pairs]; `grades`: the size of the
    scale; `part`: int64[pairs], all in one where it is not given."""
    import numpy as np  # noqa: PLC0415

    pairs = places.shape[1]
    part = np.zeros(pairs, dtype=np.int64) if part is None else part
    order, begin = sorted_runs([part, *places])
    first = order[begin]
    return Kinds(places[:, first], np.diff(begin, append=pairs), part[first], grades)


def sorted_runs(
    keys: Sequence[NDArray[np.signedinteger[Any]]],
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The order by these keys, the first one first, and where in it others begin."""
    import numpy as np  # noqa: PLC0415

    order = np.lexsort(keys[::-1])
    new = np.ones(len(order), dtype=bool)
    new[1:] = np.any([key[order][1:] != key[order][:-1] for key in keys], axis=0)
    return order, np.flatnonzero(new)
