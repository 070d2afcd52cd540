"""Who judges what: whole queries dealt to judges in equal parts, some of them to two.

Only what nobody has is dealt, so that the same wish a second time changes nothing and nothing that
a judge has been given moves. To make parts equal again, `rebalance` moves untouched queries.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import combinations
from math import ceil

from judge_tui.errors import UsageError
from judge_tui.pooling.order import drawn
from judge_tui.pooling.repeats import Visit, plan_repeats

__all__ = [
    "GREATEST_REPEAT",
    "Hand",
    "Plan",
    "QueryPairs",
    "check_wish",
    "plan_assignments",
    "shared_pairs",
]

GREATEST_REPEAT = 0.5

_REPEATABLE = ("normal", "overlap")
"""What is known of the grade of a gold pair tells more than a second look."""

Given = dict[str, dict[int, str]]
"""Judge -> pair -> purpose."""


@dataclass(frozen=True, slots=True)
class QueryPairs:
    """A query's pooled pairs by their keys. `place`: where it stands on every desk, from 0."""

    query_id: str
    place: int
    pairs: Sequence[int]


@dataclass(frozen=True, slots=True)
class Hand:
    """What a judge has been given, and what of it the judge has done; pairs by their keys.

    `given`: pair -> purpose (normal, overlap, gold), the first looks; `repeats`: pair -> position
    of its hidden repeat. `touched`, `touched_again`: pairs with an event of the first look, of the
    repeat; `decided`: with a decision of the first look that holds.
    """

    given: Mapping[int, str] = field(default_factory=dict)
    repeats: Mapping[int, int] = field(default_factory=dict)
    touched: AbstractSet[int] = frozenset()
    touched_again: AbstractSet[int] = frozenset()
    decided: AbstractSet[int] = frozenset()

    @property
    def begun(self) -> AbstractSet[int]:
        """The pairs that no longer move."""
        return self.touched | self.touched_again


@dataclass(frozen=True, slots=True)
class Plan:
    """The hands as they shall be, by judge: `given` and `repeats` as in `Hand`."""

    given: Given
    repeats: dict[str, dict[int, int]]


def check_wish(judges: Sequence[str], overlap: float | None, repeat: float | None) -> None:
    """Raise the `UsageError` of `plan_assignments`."""
    twice = [name for name, count in Counter(judges).items() if count > 1]
    if twice:
        raise UsageError(f"judge {twice[0]!r} is named twice", "name each judge once")
    if not judges:
        raise UsageError("there is no judge to deal to", "name them with --judges A,B")
    if overlap is not None and not 0 <= overlap <= 1:
        raise UsageError(f"an overlap of {overlap} is no share", "give one from 0 to 1")
    if repeat is not None and not 0 <= repeat <= GREATEST_REPEAT:
        raise UsageError(
            f"a share of {repeat} to repeat cannot be hidden",
            f"give one from 0 to {GREATEST_REPEAT}",
        )
    if overlap and len(judges) < 2:
        raise UsageError("an overlap takes two judges", "name one more, or leave --overlap out")


def plan_assignments(
    queries: Sequence[QueryPairs],
    judges: Sequence[str],
    hands: Mapping[str, Hand],
    *,
    overlap: float | None = None,
    repeat: float | None = None,
    gold: AbstractSet[int] = frozenset(),
    seed: int = 0,
    rebalance: bool = False,
) -> Plan:
    """Deal what none of `judges` has of the `queries` (in the order of the desk).

    `hands`: by name, of everybody who was given something before, and of those among `judges` who
    have judged without. `overlap` (0..1): the share of the pairs that two judges get, by whole
    queries, spread over all pairs of judges; None: no more than now. `repeat` (0..0.5): the share
    of each judge's first looks that comes a second time; None: as large a share as now. `gold`
    pairs go to every judge, are never repeated, and count as nothing else.

    A query goes to a judge as a whole, and new pairs of it to who has it; only one larger than a
    fair share is divided. Who is not among `judges` keeps what they touched; what they did not
    decide is dealt. Raises `UsageError` for numbers and lists of judges that make no sense.
    """
    check_wish(judges, overlap, repeat)
    hands = {**{name: Hand() for name in judges}, **hands}
    given: Given = {}
    for name, hand in hands.items():
        if name in judges:
            given[name] = {**dict.fromkeys(sorted(hand.begun), "normal"), **hand.given}
        else:
            given[name] = {pair: what for pair, what in hand.given.items() if pair in hand.begun}
    deal = _Deal(queries, judges, hands, given, gold, drawn(seed, "assign"))
    deal.all_open()
    if overlap is not None:
        deal.overlap(overlap)
    if rebalance:
        deal.rebalance()
    deal.gold()
    return Plan(given, _repeats(queries, judges, hands, given, repeat, seed))


class _Deal:
    """What is dealt so far: `given`, which grows."""

    def __init__(
        self,
        queries: Sequence[QueryPairs],
        judges: Sequence[str],
        hands: Mapping[str, Hand],
        given: Given,
        gold: AbstractSet[int],
        draw: Callable[..., bytes],
    ) -> None:
        self.pairs_of = {q.query_id: [p for p in q.pairs if p not in gold] for q in queries}
        self.judges = sorted(judges, key=draw)
        self.hands = hands
        self.given = given
        self._gold = gold
        self._draw = draw
        self._holders_of: dict[int, list[str]] = defaultdict(list)
        for name in self.judges:
            for pair in given[name].keys() - gold:
                self._holders_of[pair].append(name)
        # What somebody who left has decided needs nobody.
        self._done = {
            pair for name, hand in hands.items() if name not in judges for pair in hand.decided
        }
        self._load = {name: len(given[name].keys() - gold) for name in judges}
        self._shared = Counter(
            {
                frozenset(two): len(given[two[0]].keys() & given[two[1]].keys() - gold)
                for two in combinations(self.judges, 2)
            }
        )

    def all_open(self) -> None:
        """Deal every pair that nobody has: new pairs of a query to who has the query, whole queries
        to who has least, the largest first."""
        whole = []
        for query_id, pairs in self.pairs_of.items():
            free = [p for p in pairs if p not in self._holders_of and p not in self._done]
            if not free:
                continue
            holders = self._holders(pairs)
            if holders:
                for purpose, name in zip(("normal", "overlap"), holders, strict=False):
                    self._give(name, free, purpose)
            else:
                whole.append((query_id, free))
        everything = sum(self._load.values()) + sum(len(free) for _, free in whole)
        fair = max(1, ceil(everything / len(self.judges)))
        parts = [part for query_id, free in whole for part in self._parts(query_id, free, fair)]
        for _, part in sorted(parts, key=lambda one: (-len(one[1]), self._draw(one[0]))):
            self._give(min(self.judges, key=self._load.__getitem__), part, "normal")

    def overlap(self, share: float) -> None:
        """Give queries that one judge has to a second one, until so large a share of all pairs is
        two judges'. Untouched queries come first."""
        wanted = share * sum(map(len, self.pairs_of.values()))
        holders = self._holders_of
        shared = sum(len(names) > 1 for names in holders.values())
        begun = {pair for name in self.judges for pair in self.hands[name].begun}
        alone = []
        for query_id, pairs in self.pairs_of.items():
            parts: dict[str, list[int]] = defaultdict(list)
            for pair in pairs:
                if len(names := holders.get(pair, [])) == 1:
                    parts[names[0]].append(pair)
            for name, part in parts.items():
                started = any(pair in begun for pair in part)
                alone.append((started, self._draw("overlap", query_id, name), name, part))
        for _, _, name, part in sorted(alone):
            # Nearer to what is wanted, be it a little beyond.
            if shared + len(part) / 2 > wanted:
                continue
            others = [one for one in self.judges if one != name]
            second = min(
                others, key=lambda one: (self._shared[frozenset((name, one))], self._load[one])
            )
            self._give(second, part, "overlap")
            self._shared[frozenset((name, second))] += len(part)
            shared += len(part)

    def rebalance(self) -> None:
        """Move untouched whole queries from who has most to who has least, while that brings them
        nearer to each other."""
        while self._move_one():
            pass

    def _move_one(self) -> bool:
        by_load = sorted(self.judges, key=self._load.__getitem__)
        for most in reversed(by_load):
            movable = self._movable(most)
            for least in by_load:
                gap = self._load[most] - self._load[least]
                fitting = [
                    pairs
                    for pairs in movable
                    if len(pairs) < gap and not any(pair in self.given[least] for pair in pairs)
                ]
                if fitting:
                    # What halves the gap best; of several, the first one drawn.
                    chosen = min(fitting, key=lambda pairs: abs(gap - 2 * len(pairs)))
                    for pair in chosen:
                        self.given[least][pair] = self.given[most].pop(pair)
                    self._load[most] -= len(chosen)
                    self._load[least] += len(chosen)
                    return True
        return False

    def gold(self) -> None:
        """Every judge gets every gold pair."""
        for name in self.judges:
            self.given[name].update(dict.fromkeys(sorted(self._gold), "gold"))

    def _movable(self, name: str) -> list[list[int]]:
        """What a judge has of each query that the judge has not begun."""
        begun = self.hands[name].begun
        found = []
        for query_id in sorted(self.pairs_of, key=lambda one: self._draw("move", one)):
            mine = [pair for pair in self.pairs_of[query_id] if pair in self.given[name]]
            if mine and not any(pair in begun for pair in mine):
                found.append(mine)
        return found

    def _holders(self, pairs: Sequence[int]) -> list[str]:
        """Who has the query, and who shares all of it; of one that was divided, who has least to do
        of those who have any of it."""
        held: dict[str, set[int]] = defaultdict(set)
        for pair in pairs:
            for name in self._holders_of.get(pair, ()):
                held[name].add(pair)
        having = [name for name in self.judges if name in held]
        if not having:
            return []
        first = min(having, key=lambda name: self._load[name])
        second = [name for name in having if name != first and held[name] == held[first]]
        return [first, *second[:1]]

    def _parts(self, query_id: str, pairs: Sequence[int], fair: int) -> list[tuple[str, list[int]]]:
        """The pairs of a query, in equal parts where they are more than a fair share."""
        count = ceil(len(pairs) / fair)
        if count == 1:
            return [(query_id, list(pairs))]
        order = sorted(pairs, key=lambda pair: self._draw(query_id, str(pair)))
        return [(f"{query_id} {at}", sorted(order[at::count])) for at in range(count)]

    def _give(self, name: str, pairs: Sequence[int], purpose: str) -> None:
        for pair in pairs:
            self.given[name].setdefault(pair, purpose)
            self._holders_of[pair].append(name)
        self._load[name] += len(pairs)


def _repeats(
    queries: Sequence[QueryPairs],
    judges: Sequence[str],
    hands: Mapping[str, Hand],
    given: Given,
    share: float | None,
    seed: int,
) -> dict[str, dict[int, int]]:
    """Pair -> position of its repeat, by judge: what there is of pairs that are still theirs stays,
    and what is wanted beyond comes."""
    of_all = _share_now([*hands.values()])
    at_of = {pair: at for at, query in enumerate(queries) for pair in query.pairs}
    planned = {}
    for name, hand in hands.items():
        mine = given[name]
        kept = {
            pair: position
            for pair, position in hand.repeats.items()
            if pair in hand.touched_again or (name in judges and pair in mine)
        }
        if name not in judges:
            planned[name] = kept
            continue
        mine_of: dict[int, list[int]] = defaultdict(list)
        for pair in sorted(mine):
            mine_of[at_of[pair]].append(pair)
        visits = []
        for at in sorted(mine_of):
            pairs = mine_of[at]
            again = [pair for pair in pairs if mine[pair] in _REPEATABLE]
            begun = not hand.begun.isdisjoint(pairs)
            visits.append(Visit(queries[at].query_id, queries[at].place, again, begun))
        looks = sum(len(visit.pairs) for visit in visits)
        now = share
        if now is None:
            now = _share_now([hand]) if hand.given else of_all
        planned[name] = plan_repeats(visits, name, round(now * looks), kept=kept, seed=seed)
    return planned


def _share_now(hands: Sequence[Hand]) -> float:
    """Which share of their first looks comes again."""
    looks = sum(what in _REPEATABLE for hand in hands for what in hand.given.values())
    return sum(len(hand.repeats) for hand in hands) / looks if looks else 0.0


def shared_pairs(
    given: Mapping[str, Mapping[int, str]], gold: AbstractSet[int]
) -> dict[tuple[str, str], int]:
    """How many pairs every two judges have in common, gold pairs aside."""
    hands = {name: pairs.keys() - gold for name, pairs in given.items()}
    return {(one, other): len(hands[one] & hands[other]) for one, other in combinations(given, 2)}
