"""What would a strategy have saved? Pooling replayed where every grade is known already.

It is the usual experiment of papers on pooling: Cormack, Palmer & Clarke (SIGIR 1998), Carterette,
Allan & Sitaraman (SIGIR 2006), Losada, Parapar & Barreiro (Information Processing & Management
53(5), 2017).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import ceil
from typing import NamedTuple

import numpy as np

from judge_tui.analysis.filled_runs import fill_runs
from judge_tui.analysis.judge_influence import Regrading, kendall_tau, order_of, tau_ap
from judge_tui.analysis.judged_runs import NO_DOCUMENT, JudgedRuns, RankedLists, RankedRuns
from judge_tui.analysis.leaderboard import BY_WILCOXON
from judge_tui.arrays import Bools, Floats, Ints
from judge_tui.comparison.family import Verdict, run_tests
from judge_tui.errors import UsageError
from judge_tui.model import Qrels, Run, rank
from judge_tui.pooling.pool import Pool, build_pool, usual_audit
from judge_tui.pooling.retrieved import RetrievedPairs
from judge_tui.pooling.strategies import STRATEGIES, strategy_named
from judge_tui.pooling.strategy import Aim
from judge_tui.scoring import UNJUDGED, Measure
from judge_tui.scoring.filled import StandIn, refuse_unfilled
from judge_tui.scoring.linear import is_linear, require_linear
from judge_tui.scoring.measure import STEP

LARGEST_ROUND = 0.05
"""The share of the full pool that a round has at most: a strategy that uses judgments must get some
to learn from."""


@dataclass(frozen=True, slots=True)
class JudgedPart:
    """What is judged of a full pool: bool[pairs] each, what a strategy chose, and what was drawn at
    random of the rest. `stands_for`: float64[pairs], of how many pairs each of those tells."""

    chosen: Bools
    drawn: Bools
    stands_for: Floats

    @property
    def judged(self) -> Bools:
        """bool[pairs]: both."""
        return self.chosen | self.drawn


@dataclass(frozen=True)
class FullPool:
    """Runs, and every pair of their results that has a grade.

    `judged`: the runs in the light of all grades. `lists`: what a strategy sees, documents with a
    grade alone, of the top `depth` where there is one. `places`: query_id -> doc_id -> the place of
    the pair. `qrels`: all grades, of other documents, too.
    """

    judged: JudgedRuns
    lists: RankedRuns
    places: Mapping[str, Mapping[str, int]]
    qrels: Qrels
    depth: int | None

    @classmethod
    def of(cls, runs: Sequence[Run], qrels: Qrels, depth: int | None = None) -> FullPool:
        """Take all results with a grade, or those in the top `depth` of any run.

        A replay cannot judge what the qrels do not, so that strategies see lists without it, and no
        deeper than `depth`; scores are of the lists as they are. Queries without a grade among the
        results are left out. Raises `UsageError` where none has one, and for a depth below 1.
        """
        if depth is not None and depth < 1:
            raise UsageError(f"depth is {depth}", "give 1 or more")
        ranked = {
            run.tag: {q: rank(run.scores[q]) for q in run.scores if q in qrels} for run in runs
        }
        lists = {
            tag: {q: graded for q in results if (graded := _graded(results[q][:depth], qrels[q]))}
            for tag, results in ranked.items()
        }
        pairs = {
            (q, doc_id) for results in lists.values() for q in results for doc_id in results[q]
        }
        if not pairs:
            raise UsageError(
                "no result of the runs has a grade in the qrels", "give the qrels of these runs"
            )
        places: dict[str, dict[str, int]] = {}
        for place, (query_id, doc_id) in enumerate(sorted(pairs)):
            places.setdefault(query_id, {})[doc_id] = place
        asked = np.array([[query_id in run.asked for query_id in places] for run in runs])
        known, numbers = RankedLists.of(ranked, tuple(places), asked)
        rows = [
            (query, numbers[doc_id], qrels[query_id][doc_id])
            for query, (query_id, doc_ids) in enumerate(places.items())
            for doc_id in doc_ids
        ]
        queries, documents, grades = np.array(rows, dtype=np.int64).T
        judged = JudgedRuns(known, queries, documents, grades, int(grades.max()))
        return cls(judged, lists, places, qrels, depth)

    def __len__(self) -> int:
        return len(self.judged.grades)

    @cached_property
    def retrieved(self) -> RetrievedPairs:
        """The pairs, at their ranks in the lists as they are, where nothing else stands."""
        graded = self.judged.pair_by_rank >= 0
        return RetrievedPairs.of(np.where(graded, self.judged.lists.documents, NO_DOCUMENT))

    def part(self, pool: Pool) -> JudgedPart:
        """Return what is judged where a pool is."""
        chosen, drawn = np.zeros((2, len(self)), dtype=np.bool_)
        chosen[[self.places[query_id][doc_id] for query_id, doc_id in pool.chosen]] = True
        stands_for = np.zeros(len(self))
        for (query_id, doc_id), probability in pool.drawn.items():
            place = self.places[query_id][doc_id]
            drawn[place] = True
            stands_for[place] = 1 / probability if probability else 0
        return JudgedPart(chosen, drawn, stands_for)

    @property
    def deepest(self) -> int:
        """How many results the longest list has that a strategy sees."""
        return max(len(ranked) for lists in self.lists.values() for ranked in lists.values())


def _graded(doc_ids: Sequence[str], grades: Mapping[str, int]) -> list[str]:
    return [doc_id for doc_id in doc_ids if grades.get(doc_id, UNJUDGED) >= 0]


@dataclass(frozen=True, slots=True)
class Replay:
    """What a strategy comes to when `judged` pairs, this `share` of the full pool, are judged.

    `tau`, `tau_ap`: how alike the order of the runs is to that by all grades (Kendall's tau-b, and
    the symmetric AP correlation), None where one of the two ties all runs. Of the verdicts on two
    runs: `lost` that all grades give and these do not, `new` that only these give, `flipped` that
    say the opposite. `bias`: mean over the runs of mean score minus true mean. `found`: the share
    of the relevant pairs that is judged, None where there is none.
    """

    strategy: str
    share: float
    judged: int
    tau: float | None
    tau_ap: float | None
    lost: int
    new: int
    flipped: int
    bias: float
    found: float | None


@dataclass(frozen=True, slots=True)
class ReplaySettings:
    """`shares`: of the full pool, ascending, 0 < share <= 1. `unjudged`: what stands for the gain
    of a pair of the full pool that is not judged; what has no grade in the qrels gains nothing.
    `audit`: the share of each budget that is drawn at random, None for what the strategy has by
    default."""

    measure: Measure
    strategies: Sequence[str]
    shares: Sequence[float]
    unjudged: StandIn = "zero"
    audit: float | None = None
    seed: int = 0

    def audit_of(self, strategy: str) -> float:
        """The share of each budget that is drawn at random beside a strategy."""
        return usual_audit(strategy) if self.audit is None else self.audit

    def aim(self, longest: int) -> Aim:
        """What a strategy that has an aim is to decide, of lists of at most so many results. Raises
        `UsageError` for a measure that is no sum over ranks."""
        return Aim(*require_linear(self.measure, longest))


def replayable(measure: Measure) -> list[str]:
    """Return the strategies that can be replayed by a measure: one that has an aim needs a sum over
    ranks."""
    return [name for name, one in STRATEGIES.items() if not one.has_aim or is_linear(measure)]


@dataclass(frozen=True, slots=True)
class Replays:
    """`rows`: of each strategy at each share. The full pool, of the top `depth` of the runs (where
    all is taken, as deep as the longest list), has so many `pairs`, of which `relevant`; by all
    grades `verdicts` of the `compared` pairs of runs are better or worse."""

    settings: ReplaySettings
    depth: int
    runs: int
    queries: int
    pairs: int
    relevant: int
    compared: int
    verdicts: int
    rows: tuple[Replay, ...]


def replay(
    full: FullPool,
    settings: ReplaySettings,
    on_step: Callable[[str], None] = lambda _what: None,
) -> Replays:
    """Judge the full pool again, as each strategy would have it, and say what is known at each of
    the budgets.

    A strategy pools in rounds, as campaigns do (`build_pool`), and learns the grades of each. A
    round has at most a twentieth of the full pool, and ends where a budget does; a strategy that
    uses no judgments chooses the same in fewer rounds, and has one a budget. One that has an aim is
    to decide the measure, and leaves out what has no weight in that: then less is judged than the
    budget allows. Verdicts are those of Wilcoxon's signed-rank test on every two runs, at .05,
    corrected by Holm over them all.

    Raises `UsageError` for a measure that cannot be filled, where expected gains are to stand, and
    for one that is no sum over ranks, where a strategy has an aim.
    """
    if settings.unjudged != "zero":
        refuse_unfilled([settings.measure])
    scoring = _Scoring(full, settings)
    rows = []
    for strategy in settings.strategies:
        on_step(f"replaying {strategy}")
        rows += [
            scoring.row(strategy, share, part)
            for share, part in judge_again(full, strategy, settings)
        ]
    runs, queries = full.judged.scored.shape
    return Replays(
        settings,
        full.depth or full.judged.lists.documents.shape[2],
        runs,
        queries,
        len(full),
        int(scoring.relevant.sum()),
        len(scoring.true_verdicts),
        int(np.count_nonzero(scoring.true_verdicts)),
        tuple(rows),
    )


def judge_again(
    full: FullPool, strategy: str, settings: ReplaySettings
) -> Iterator[tuple[float, JudgedPart]]:
    """Yield each share of the full pool, and what a strategy would have judged with that budget."""
    chooser = strategy_named(strategy)
    largest = ceil(LARGEST_ROUND * len(full)) if chooser.uses_judgments else len(full)
    aim = settings.aim(full.deepest) if chooser.has_aim else None
    pool, before = Pool(), 0
    for share in settings.shares:
        budget = max(1, round(share * len(full)))
        rounds = ceil((budget - before) / largest)
        for number in range(1, rounds + 1):
            latest = build_pool(
                full.lists,
                pool,
                strategy=strategy,
                depth=full.deepest,
                budget=before + (budget - before) * number // rounds,
                audit=settings.audit_of(strategy),
                seed=settings.seed,
                judged=full.qrels,
                aim=aim,
            )
            pool = pool.after(latest)
        before = budget
        yield share, full.part(pool)


class _Scoring:
    """The runs by all grades, and what is left of that by some of them."""

    def __init__(self, full: FullPool, settings: ReplaySettings) -> None:
        self._full, self._measure, self._unjudged = full, settings.measure, settings.unjudged
        judged = full.judged
        self._regrading = Regrading(judged, settings.measure)
        self.relevant = judged.grades >= settings.measure.rel
        values = judged.values(settings.measure)
        self._true_means = settings.measure.means(values)
        self.true_verdicts = verdicts_on_pairs(values)

    def _values(self, part: JudgedPart) -> Floats:
        """Return float64[runs, queries]: the values by the grades of a part."""
        every = self._full.judged
        grades = np.where(part.judged, every.grades, UNJUDGED)
        if self._unjudged == "zero":
            return self._regrading.values(grades)
        known = every.with_grades(grades)
        filled = fill_runs(known, self._unjudged, part.stands_for, self._full.retrieved)
        return filled.values(self._measure)

    def row(self, strategy: str, share: float, part: JudgedPart) -> Replay:
        """Return what is known where a part is judged."""
        values = self._values(part)
        means, true = self._measure.means(values), self._true_means
        there = ~(np.isnan(means) | np.isnan(true))
        orders = order_of(means[there]), order_of(true[there])
        relevant = int(self.relevant.sum())
        bias = float((means - true)[there].mean())
        lost, new, flipped = verdict_changes(verdicts_on_pairs(values), self.true_verdicts)
        return Replay(
            strategy,
            share,
            int(part.judged.sum()),
            kendall_tau(*orders),
            tau_ap(*orders),
            lost,
            new,
            flipped,
            bias=bias if abs(bias) >= STEP else 0.0,
            found=int((self.relevant & part.judged).sum()) / relevant if relevant else None,
        )


class VerdictChanges(NamedTuple):
    """How many verdicts are `lost`, how many are `new`, and how many say the opposite."""

    lost: int
    new: int
    flipped: int


def verdict_changes(verdicts: Ints, true: Ints) -> VerdictChanges:
    """Count how verdicts differ from the true ones, int64[pairs of runs] each."""
    return VerdictChanges(
        lost=int(((verdicts == 0) & (true != 0)).sum()),
        new=int(((verdicts != 0) & (true == 0)).sum()),
        flipped=int((verdicts * true < 0).sum()),
    )


def verdicts_on_pairs(values: Floats) -> Ints:
    """Return int64[pairs of runs]: 1 where the later of the two is better, -1 where it is worse, 0
    where nothing is shown."""
    there = ~np.isnan(values)
    pairs = [*combinations(range(len(values)), 2)]
    shared = [there[run] & there[later] for run, later in pairs]
    sides = [
        (values[run, queries], values[later, queries])
        for (run, later), queries in zip(pairs, shared, strict=True)
    ]
    signs = {Verdict.BETTER: 1, Verdict.WORSE: -1}
    tests = run_tests(sides, BY_WILCOXON)
    return np.array([signs.get(test.verdict, 0) for test in tests], dtype=np.int64)
