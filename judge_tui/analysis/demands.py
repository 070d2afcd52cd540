"""How systems meet what queries demand: class by class, with tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum

from judge_tui.scoring.authority import Sourced
from judge_tui.scoring.class_terms import DEMANDS, Demand
from judge_tui.scoring.demands import Demands, Found, Met, found_nowhere
from judge_tui.scoring.prefer import Fate, Preferred
from judge_tui.significance import TESTS, Settings, TestResult, adjust, give_verdict
from judge_tui.significance.arms import ArmComparison, compare_arms
from judge_tui.significance.paired.sign import sign

__all__ = ["ClassDemand", "Demanded", "SourceRank", "demanded"]


@dataclass(frozen=True, slots=True)
class SourceRank:
    """A source, as it is `written`: how many queries name it, and the mean over them of one divided
    by the rank of its first result, 0 where it has none. `among`: all sources of the first query
    that names it, the highest first."""

    written: str
    queries: int
    reciprocal_rank: float
    among: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ClassDemand:
    """The queries of one class, or of one slice `by` another field, that demand the same kind of
    thing; `found`: tag -> query_id -> how
    it is met. `tests`: tag -> the test of a system by itself, of `prefer` alone: does one kind come
    before the other more often than chance? `beside`: systems beside the baseline by the share of
    queries that hold. All p are corrected over everything that is printed with them.
    """

    demand: Demand
    name: str
    query_ids: tuple[str, ...]
    found: Mapping[str, Mapping[str, Found]]
    tests: Mapping[str, TestResult]
    p_adjusted: Mapping[str, float | None]
    beside: tuple[ArmComparison, ...]
    by: str = "class"

    @property
    def tags(self) -> tuple[str, ...]:
        """The systems, in their order."""
        return tuple(self.found)

    def share(self, tag: str, within: Collection[str] | None = None) -> float | None:
        """Of a system the share of queries, or of some of them, that hold; None of none."""
        its = [one.held for query, one in self.found[tag].items() if _is_in(query, within)]
        return sum(its) / len(its) if its else None

    def fates(self, tag: str) -> Counter[Fate]:
        """Of `prefer`: how the queries of a system ended."""
        return Counter(one.fate for one in self.found[tag].values() if isinstance(one, Preferred))

    def without_source(self, tag: str) -> int:
        """Of `authority`: how many queries have no result from any source."""
        its = self.found[tag].values()
        return sum(isinstance(one, Sourced) and one.highest is None for one in its)

    def sources(self, tag: str) -> tuple[SourceRank, ...]:
        """Of `authority`: every source that a query names, list by list in the order of the
        queries, the higher ones of each first."""
        ranks: dict[str, list[float]] = {}
        lists: dict[tuple[str, ...], None] = {}
        for one in self.found[tag].values():
            if isinstance(one, Sourced):
                lists.setdefault(one.written)
                for place, written in enumerate(one.written):
                    ranks.setdefault(written, []).append(one.reciprocal_rank(place))
        among: dict[str, tuple[str, ...]] = {}
        for its in lists:
            for written in its:
                among.setdefault(written, its)
        return tuple(
            SourceRank(
                written, len(ranks[written]), fsum(ranks[written]) / len(ranks[written]), its
            )
            for written, its in among.items()
        )


@dataclass(frozen=True, slots=True)
class Demanded:
    """Every demand of every class. `settings` are those of the comparison; `family`: how many tests
    were corrected for together; `nowhere`: sentences on patterns that no result has
    (`scoring.demands.found_nowhere`)."""

    classes: tuple[ClassDemand, ...]
    settings: Settings
    family: int = 0
    nowhere: tuple[str, ...] = ()

    def p_values(self) -> list[float | None]:
        """What its tests say, uncorrected, in an order of its own."""
        return [p for one in self.classes for p in _p_values(one, self.settings)]

    def corrected(self, others: Sequence[float | None] = ()) -> Demanded:
        """The same with every p corrected, and verdicts. `others`: further p of the family."""
        family = [*self.p_values(), *others]
        adjusted = iter(adjust(family, self.settings.correction))
        return replace(
            self,
            classes=tuple(_corrected(one, adjusted, self.settings) for one in self.classes),
            family=len(family),
        )

    def of(self, demand: Demand) -> tuple[ClassDemand, ...]:
        """The classes that demand this."""
        return tuple(one for one in self.classes if one.demand == demand)


def demanded(
    demands: Demands,
    met: Mapping[str, Met],
    pairs: Sequence[tuple[str, str]],
    settings: Settings,
    *,
    by: str = "class",
) -> Demanded:
    """Hold the systems, by tag, to the demands. `pairs`: which ones are compared, the baseline
    first in each. `by`: of which field the classes of the demands are the values.

    Of `prefer`, each system has an exact sign test (Dixon and Mood, 1946) of the queries in which
    the better kind comes first against those in which the worse one does; what is missing is last,
    and queries that are tied or have neither are left out. Two systems are compared by exact
    McNemar (1947) on the queries that hold for one of them alone; as in any comparison of runs,
    with fewer than six of these there is no p. Not corrected yet.
    """
    classes = []
    for demand in DEMANDS:
        for name in demands.classes(demand):
            query_ids = demands.of_class(demand, name)
            found = {
                tag: {query_id: one.of(demand)[query_id] for query_id in query_ids}
                for tag, one in met.items()
            }
            test = _TESTS.get(demand)
            tests = {} if test is None else {tag: test(its) for tag, its in found.items()}
            beside = [
                one
                for before, after in pairs
                for one in compare_arms(
                    query_ids,
                    (before, after),
                    (demand,),
                    {
                        (demand, tag): {query_id: its.held for query_id, its in found[tag].items()}
                        for tag in (before, after)
                    },
                    correction="none",
                    alpha=settings.alpha,
                    seed=settings.seed,
                    of_few=False,
                )
            ]
            classes.append(
                ClassDemand(demand, name, query_ids, found, tests, {}, tuple(beside), by)
            )
    nowhere = found_nowhere(demands, met.values())
    return Demanded(tuple(classes), settings, nowhere=nowhere)


def _sign_test(found: Mapping[str, Found]) -> TestResult:
    signs = [float(one.sign) for one in found.values() if isinstance(one, Preferred)]
    decided = sum(map(bool, signs))
    least = TESTS["sign"].least_nonzero
    if decided < least:
        return TestResult(
            why=f"one kind comes first in {decided} of {len(signs)} queries; the test needs {least}"
        )
    return sign(signs)


_TESTS: Mapping[Demand, Callable[[Mapping[str, Found]], TestResult]] = {"prefer": _sign_test}
"""The test that each system has by itself, of the demands that have one."""


def _p_values(one: ClassDemand, settings: Settings) -> list[float | None]:
    return [
        *(test.p for test in one.tests.values()),
        *(beside.test.p_of(settings.alternative) for beside in one.beside),
    ]


def _corrected(
    one: ClassDemand, adjusted: Iterator[float | None], settings: Settings
) -> ClassDemand:
    p_adjusted = {tag: next(adjusted) for tag in one.tests}
    beside = []
    for arm in one.beside:
        p = next(adjusted)
        verdict = give_verdict(
            arm.tasks,
            arm.delta or 0.0,
            arm.test,
            p,
            alpha=settings.alpha,
            alternative=settings.alternative,
        )
        beside.append(replace(arm, p_adjusted=p, verdict=verdict))
    return replace(one, p_adjusted=p_adjusted, beside=tuple(beside))


def _is_in(query_id: str, within: Collection[str] | None) -> bool:
    return within is None or query_id in within
