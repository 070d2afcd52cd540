"""What is given out already: whether it may stay, and how far it is from what is wanted.

Both are told from what is there alone, never from how it came to be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import chain, combinations
from math import ceil, comb
from statistics import median_low

from judge_tui.pooling.blocks import FORMER, common_part
from judge_tui.pooling.hands import Hand, QueryPairs

__all__ = ["Hands", "Task", "may_stay", "shared_now", "shortfall", "task_of"]

Hands = Mapping[str, Hand]


@dataclass(frozen=True, slots=True)
class Task:
    """What there is to deal, and what nobody can move: the same before dealing and after.

    Gold pairs are no part of it; `with_gold` are the queries that have some. `queries`: (query_id,
    place, pairs). `done`: pair -> whose it is for good, judges by their place, `FORMER` for who is
    not among them and has decided it; `formers` counts those people.
    `kept`: how many pairs every two judges share for good, (FORMER, FORMER) with those that left.
    `fair`: an equal part of all pairs; `step`: the size of a common query, up to which parts are
    equal.
    """

    queries: list[tuple[str, int, list[int]]]
    judges: Sequence[str]
    gold: AbstractSet[int]
    with_gold: AbstractSet[str]
    done: Mapping[int, list[int]]
    formers: int
    kept: Counter[tuple[int, int]]
    total: int
    fair: int
    step: int

    @property
    def worth_dealing(self) -> int:
        """By how much dealing anew must come nearer, as `shortfall` counts: half a common query."""
        return max(1, len(self.judges) * self.step)

    def each(self, wanted: int) -> int:
        """How many pairs every two are to share; those that left had their part, too."""
        return wanted // max(1, comb(len(self.judges) + self.formers, 2))

    def to_share(self, wanted: int) -> int:
        """How many pairs are to be shared in all, so that every two can share their part.

        What two share for good beyond their part takes nothing from the others, so that who comes
        late shares with everybody. Up to a common query it is not beyond: that much, parts differ.
        """
        each = self.each(wanted)
        judges = len(self.judges)
        with_former = each * (comb(judges + self.formers, 2) - comb(judges, 2))
        return wanted + sum(
            _beyond(count, with_former if two == (FORMER, FORMER) else each, self.step)
            for two, count in self.kept.items()
        )

    def wanted_where(self, shared: int) -> int:
        """The most that may be wanted where no more than `shared` pairs are to be shared in all."""
        twos = max(1, comb(len(self.judges) + self.formers, 2))
        # What two have beyond their part depends on the part alone.
        for each in range(shared // twos, -1, -1):
            least = each * twos
            wanted = min(shared - (self.to_share(least) - least), least + twos - 1)
            if wanted >= least:
                return wanted
        return 0


def _beyond(count: int, part: int, step: int) -> int:
    return count - part if count - part > step else 0


def task_of(
    queries: Sequence[QueryPairs], judges: Sequence[str], hands: Hands, gold: AbstractSet[int]
) -> Task:
    """What is to be dealt to `judges`, `hands` being everybody's."""
    dealt = [
        (query.query_id, query.place, [pair for pair in query.pairs if pair not in gold])
        for query in queries
    ]
    done: dict[int, list[int]] = {}
    for place, judge in enumerate(judges):
        for pair in hands[judge].touched - gold if judge in hands else ():
            done.setdefault(pair, []).append(place)
    former = [hands[name].decided - gold for name in sorted(set(hands).difference(judges))]
    for decided in former:
        for pair in decided:
            done.setdefault(pair, []).append(FORMER)
    kept: Counter[tuple[int, int]] = Counter()
    for who in done.values():
        if len(who) > 1:
            kept.update([(FORMER, FORMER)] if FORMER in who else combinations(who, 2))
    total = sum(len(pairs) for _, _, pairs in dealt)
    fair = ceil(total / len(judges))
    finer = common_part(fair)
    sizes = [len(pairs) if len(pairs) <= fair else finer for _, _, pairs in dealt if pairs]
    return Task(
        queries=dealt,
        judges=judges,
        gold=gold,
        with_gold=frozenset(
            query.query_id
            for query, (_, _, pairs) in zip(queries, dealt, strict=True)
            if len(pairs) < len(query.pairs)
        ),
        done=done,
        formers=sum(map(bool, former)),
        kept=kept,
        total=total,
        fair=fair,
        step=median_low(sizes) if sizes else 0,
    )


def may_stay(task: Task, hands: Hands) -> bool:
    """Whether what is given out could be a plan: everything is somebody's, and as it should be.

    Who is not among the judges has what they touched and no more, who is has the gold pairs and all
    that they touched. Every pair is the normal work of one, and of two only where both touched it;
    nobody is the third to get it. Of a query that is no larger than a fair part, whoever has one
    untouched pair has them all. None of that is lost by touching what one was given.
    """
    for name in set(hands).difference(task.judges):
        if hands[name].given.keys() != hands[name].touched:
            return False
    mine = [hands.get(judge, Hand()) for judge in task.judges]
    if any(
        not hand.given.keys() >= hand.touched | task.gold
        or any((what == "gold") != (pair in task.gold) for pair, what in hand.given.items())
        for hand in mine
    ):
        return False
    return _are_together(task, mine) and _have_purposes(task, hands)


def _are_together(task: Task, mine: Sequence[Hand]) -> bool:
    """Whether queries are whole, and of each pair there are holders, not more than two."""
    for _, _, pairs in task.queries:
        fresh = {pair for pair in pairs if pair not in task.done}
        having = [len(fresh & hand.given.keys()) for hand in mine]
        if len(pairs) <= task.fair:
            if fresh and not 1 <= sum(map(bool, having)) <= 2:
                return False
            if any(count not in (0, len(fresh)) for count in having):
                return False
        else:
            number = Counter(chain.from_iterable(fresh & hand.given.keys() for hand in mine))
            if len(number) < len(fresh) or max(number.values(), default=1) > 2:
                return False
    for pair, who in task.done.items():
        others = sum(pair in hand.given for place, hand in enumerate(mine) if place not in who)
        if others and len(who) + others > 2:
            return False
    return True


def _have_purposes(task: Task, hands: Hands) -> bool:
    """Whether every pair is somebody's normal work, or was judged by those who have it."""
    normal = Counter(
        pair for hand in hands.values() for pair, what in hand.given.items() if what == "normal"
    )
    if any(pair not in normal for _, _, pairs in task.queries for pair in pairs):
        return False
    twice = {pair for pair, count in normal.items() if count > 1}
    return not any(
        hand.given.get(pair) == "normal" and pair not in hand.touched
        for hand in hands.values()
        for pair in twice
    )


def _shares(task: Task, hands: Hands) -> tuple[int, list[int], list[int]]:
    """How many pairs two people or more have, how many every two judges, and each judge."""
    mine = [hands.get(judge, Hand()) for judge in task.judges]
    held = [(hand.given.keys() | hand.touched) - task.gold for hand in mine]
    number = Counter(chain.from_iterable(held))
    for pair, who in task.done.items():
        number[pair] += who.count(FORMER)
    return (
        sum(count > 1 for count in number.values()),
        [len(one & other) for one, other in combinations(held, 2)],
        [len(pairs) for pairs in held],
    )


def shortfall(task: Task, hands: Hands, wanted: int) -> int:
    """How far from what is wanted; 0 where it is reached up to a common query everywhere.

    Counted are the pairs shared too many or too few, those that two judges lack, and those by which
    judges have more or less than the mean, where `wanted` pairs are to be shared. The unit is so
    small that all of it is in whole numbers. All pairs, or none, is meant to the last of them: each
    that is off is worth dealing anew.
    """
    shared, twos, loads = _shares(task, hands)
    each, judges, mean = task.each(wanted), len(loads), sum(loads)
    off = abs(shared - task.to_share(wanted))
    off = off * max(1, task.step) if wanted in (0, task.total) else max(0, off - task.step)
    lacking = sum(max(0, each - count - task.step) for count in twos)
    uneven = sum(max(0, 2 * abs(judges * load - mean) - judges * task.step) for load in loads)
    return 2 * judges * (off + lacking) + uneven


def shared_now(task: Task, queries: Sequence[QueryPairs], hands: Hands) -> int:
    """How many pairs seem to have been wanted to be shared, as much as is shared now.

    It is the number of those that are, but for what came on top of it so that judges who came late
    could share with everybody; and all, where all that was given out is shared. Who is leaving is
    still counted among the judges here.
    """
    number = Counter(
        chain.from_iterable(
            (hand.given.keys() | hand.touched) - task.gold for hand in hands.values()
        )
    )
    out = {pair for hand in hands.values() for pair in hand.given.keys() - task.gold}
    if out and all(number[pair] > 1 for pair in out):
        return task.total
    now = [
        name
        for name, hand in hands.items()
        if (hand.given.keys() | hand.touched) - task.gold
        and (name in task.judges or hand.given.keys() != hand.touched)
    ]
    if not now:
        return 0
    before = task_of(queries, now, hands, task.gold)
    shared, _, _ = _shares(before, hands)
    return before.wanted_where(shared)
