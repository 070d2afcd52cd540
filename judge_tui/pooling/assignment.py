"""Who judges what: whole queries dealt to judges in equal parts, some of them to two; and which
pairs a judge meets a second time.

Only what nobody has is dealt, so that the same wish a second time changes nothing and nothing that
a judge has moves: `rebalance` alone makes parts equal again by moving what is untouched.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from itertools import chain, combinations
from math import ceil

from judge_tui.errors import UsageError
from judge_tui.pooling.order import drawn


@dataclass(frozen=True, slots=True)
class QueryPairs:
    """A query's pooled pairs by their keys. `query`: its own key; desks are in its order."""

    query_id: str
    query: int
    pairs: Sequence[int]


@dataclass(frozen=True, slots=True)
class Hand:
    """What a judge has, and what of it the judge has done; pairs by their keys.

    `purposes`: pair -> purpose (normal, overlap, gold) of a first look; `repeats`: pair -> position
    of its hidden repeat. `begun`: pairs with an event, of `begun_again` one of the repeat;
    `decided`: with a decision of the first look that holds.
    """

    purposes: Mapping[int, str] = field(default_factory=dict)
    repeats: Mapping[int, int] = field(default_factory=dict)
    begun: AbstractSet[int] = frozenset()
    begun_again: AbstractSet[int] = frozenset()
    decided: AbstractSet[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Plan:
    """The hands as they shall be, by judge: `purposes` and `repeats` as in `Hand`."""

    purposes: Mapping[str, Mapping[int, str]]
    repeats: Mapping[str, Mapping[int, int]]


def check_judges(judges: Sequence[str], overlap: float | None) -> None:
    """Raise `UsageError` for a list of judges that nothing can be dealt to."""
    if not judges:
        raise UsageError("there is no judge to deal to", "name them with --judges A,B")
    for name in judges:
        if judges.count(name) > 1:
            raise UsageError(f"judge {name!r} is named twice", "name each judge once")
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
    sample: AbstractSet[int] | None = None,
    seed: int = 0,
    rebalance: bool = False,
) -> Plan:
    """Deal what none of `judges` has of the `queries` (in the order of the desk).

    `hands`: by name, of everybody who had something before, and of all `judges`. `overlap` (0..1):
    the share of the pairs that two judges get, by whole queries, spread over all pairs of judges.
    `repeat` (0..0.5): the share of each judge's first looks that comes a second time. None: no more
    than now. `gold` pairs go to every judge, are never repeated, and count as nothing else.

    A query goes to a judge as a whole, and new pairs of it to who has it; only one larger than a
    fair share is divided. Who is not among `judges` keeps what they have begun; what they did not
    decide is dealt. Where there is a `sample`, its pairs are dealt, some to two, in place of all
    that is open: of other pairs everybody keeps what they have begun.
    """
    aside = gold
    if sample is not None:
        begun = {*chain.from_iterable(hands[name].begun for name in judges)}
        queries, hands = _only(queries, hands, sample | gold, begun)
        aside = gold | (begun - sample)
    purposes: dict[str, dict[int, str]] = {}
    repeats: dict[str, dict[int, int]] = {}
    done: set[int] = set()
    for name, hand in hands.items():
        if name in judges:
            purposes[name] = {**dict.fromkeys(sorted(hand.begun), "normal"), **hand.purposes}
            repeats[name] = dict(hand.repeats)
        else:
            purposes[name] = {p: what for p, what in hand.purposes.items() if p in hand.begun}
            repeats[name] = {p: at for p, at in hand.repeats.items() if p in hand.begun_again}
            done |= hand.decided
    deal = _Deal(queries, judges, hands, purposes, aside, drawn(seed, "assign"))
    deal.deal_open(done)
    if overlap is not None:
        deal.overlap(overlap)
    fixed = {name: hands[name].begun for name in judges}
    if not rebalance:
        fixed = {name: begun | hands[name].purposes.keys() for name, begun in fixed.items()}
    deal.rebalance(fixed, shared=rebalance)
    for name in judges:
        mine = purposes[name]
        mine.update(dict.fromkeys(sorted(gold), "gold"))
        repeats[name] = {pair: at for pair, at in repeats[name].items() if pair in mine}
        if repeat is not None:
            visits = _visits(queries, mine, hands[name])
            draw = drawn(seed, "repeat", name)
            repeats[name] = _plan_repeats(visits, repeat, repeats[name], draw)
    return Plan(purposes, repeats)


def _only(
    queries: Sequence[QueryPairs],
    hands: Mapping[str, Hand],
    chosen: AbstractSet[int],
    begun: AbstractSet[int],
) -> tuple[list[QueryPairs], dict[str, Hand]]:
    """Leave out what is neither chosen nor begun: of queries by anybody, of a hand by its judge."""
    pairs_of = [[pair for pair in one.pairs if pair in chosen or pair in begun] for one in queries]
    purposes_of = {
        name: {pair: of for pair, of in one.purposes.items() if pair in chosen or pair in one.begun}
        for name, one in hands.items()
    }
    return (
        [replace(one, pairs=pairs) for one, pairs in zip(queries, pairs_of, strict=True)],
        {name: replace(hands[name], purposes=purposes) for name, purposes in purposes_of.items()},
    )


class _Deal:
    """Who has which pairs of each query, but for those `aside`, which are not dealt. What it deals
    goes into `purposes`."""

    def __init__(
        self,
        queries: Sequence[QueryPairs],
        judges: Sequence[str],
        hands: Mapping[str, Hand],
        purposes: Mapping[str, dict[int, str]],
        aside: AbstractSet[int],
        draw: Callable[..., bytes],
    ) -> None:
        self._pairs_of = {q.query_id: [p for p in q.pairs if p not in aside] for q in queries}
        self._judges = sorted(judges, key=draw)
        self._begun = {name: hands[name].begun for name in judges}
        self._purposes = purposes
        self._draw = draw
        self._load = dict.fromkeys(self._judges, 0)
        # query_id -> judge -> the pairs of it that the judge has.
        self._parts: dict[str, dict[str, list[int]]] = {one: {} for one in self._pairs_of}
        query_of = {pair: one for one, pairs in self._pairs_of.items() for pair in pairs}
        for name in self._judges:
            for pair in purposes[name].keys() - aside:
                self._parts[query_of[pair]].setdefault(name, []).append(pair)
                self._load[name] += 1

    def deal_open(self, done: AbstractSet[int]) -> None:
        """Deal every pair that nobody has and that is not `done`: new pairs of a query to who has
        the query, whole queries to who has least, the largest first."""
        whole = []
        for query_id, pairs in self._pairs_of.items():
            parts = self._parts[query_id]
            taken = {*chain.from_iterable(parts.values())}
            free = [pair for pair in pairs if pair not in taken and pair not in done]
            if not free:
                continue
            if not parts:
                whole.append((query_id, free))
                continue
            first = min(parts, key=self._load.__getitem__)
            also = [one for one in parts if one != first and {*parts[one]} == {*parts[first]}]
            self._give(query_id, first, free, "normal")
            for second in also[:1]:
                self._give(query_id, second, free, "overlap")
        everything = sum(self._load.values()) + sum(len(free) for _, free in whole)
        fair = max(1, ceil(everything / len(self._judges)))
        pieces = []
        for query_id, free in whole:
            count = ceil(len(free) / fair)
            pieces += [(query_id, free[at::count]) for at in range(count)]
        for query_id, piece in sorted(pieces, key=lambda one: (-len(one[1]), self._draw(one[0]))):
            self._give(query_id, min(self._judges, key=self._load.__getitem__), piece, "normal")

    def overlap(self, share: float) -> None:
        """Give queries that one judge has to a second one, until so large a share of all pairs is
        two judges'. Untouched queries come first. The second is who shares least with the first,
        and of several who has least: every pair of judges is to be compared."""
        wanted = share * sum(map(len, self._pairs_of.values()))
        shared = 0
        together: Counter[frozenset[str]] = Counter()
        alone = []
        for query_id, parts in self._parts.items():
            holders = Counter(chain.from_iterable(parts.values()))
            shared += sum(count > 1 for count in holders.values())
            for two in combinations(parts, 2):
                together[frozenset(two)] += len({*parts[two[0]]}.intersection(parts[two[1]]))
            for name, pairs in parts.items():
                mine = [pair for pair in pairs if holders[pair] == 1]
                started = not self._begun[name].isdisjoint(mine)
                alone.append((started, self._draw("overlap", query_id, name), query_id, name, mine))
        for _, _, query_id, name, mine in sorted(alone):
            # Nearer to what is wanted, be it a little beyond.
            if shared + len(mine) / 2 > wanted:
                continue
            second = min(
                (one for one in self._judges if one != name),
                key=lambda one: (together[frozenset((name, one))], self._load[one]),
            )
            self._give(query_id, second, mine, "overlap")
            together[frozenset((name, second))] += len(mine)
            shared += len(mine)

    def rebalance(self, fixed: Mapping[str, AbstractSet[int]], *, shared: bool) -> None:
        """Move whole queries to who has least, the largest first, while that brings the two judges
        nearer to each other. One with a pair that is `fixed` for its judge stays; so does one that
        two have, unless `shared` ones move, too: who shares with whom stays as it was spread."""
        movable = [
            (query_id, name)
            for query_id, parts in self._parts.items()
            for name, pairs in parts.items()
            if (shared or len(parts) == 1) and fixed[name].isdisjoint(pairs)
        ]
        movable.sort(key=lambda one: (-len(self._parts[one[0]][one[1]]), self._draw("move", *one)))
        moved = True
        while moved:
            moved = False
            for at, (query_id, name) in enumerate(movable):
                parts = self._parts[query_id]
                others = [one for one in self._judges if one not in parts]
                least = min(others, key=self._load.__getitem__, default=name)
                if len(parts[name]) < self._load[name] - self._load[least]:
                    pairs = parts[least] = parts.pop(name)
                    self._load[name] -= len(pairs)
                    self._load[least] += len(pairs)
                    for pair in pairs:
                        self._purposes[least][pair] = self._purposes[name].pop(pair)
                    movable[at] = (query_id, least)
                    moved = True

    def _give(self, query_id: str, name: str, pairs: Sequence[int], purpose: str) -> None:
        self._purposes[name].update(dict.fromkeys(pairs, purpose))
        self._parts[query_id].setdefault(name, []).extend(pairs)
        self._load[name] += len(pairs)


@dataclass(frozen=True, slots=True)
class _Visit:
    """A judge's first visit to a query. `pairs`: those that may be repeated; `begun`: whether the
    judge has begun."""

    query_id: str
    query: int
    pairs: Sequence[int]
    begun: bool


def _visits(queries: Sequence[QueryPairs], mine: Mapping[int, str], hand: Hand) -> list[_Visit]:
    """Return a judge's first visits, in the order of the desk."""
    visits = []
    for query in queries:
        pairs = [pair for pair in query.pairs if pair in mine]
        if pairs:
            # What is known of the grade of a gold pair tells more than a second look.
            again = [pair for pair in pairs if mine[pair] != "gold"]
            begun = not hand.begun.isdisjoint(pairs)
            visits.append(_Visit(query.query_id, query.query, again, begun))
    return visits


_AT_ONCE = 5
"""A query is not read again for fewer pairs, where there are so many."""


def _plan_repeats(
    visits: Sequence[_Visit], share: float, already: Mapping[int, int], draw: Callable[..., bytes]
) -> dict[int, int]:
    """Return pair -> position of its repeat, for such a share of the pairs of the visits.

    A repeat comes after at least a third of the judge's visits more, at a drawn place behind, or
    last where there are not so many; what has been begun already is never before it. So those of
    the first two thirds are repeated first. What is repeated `already` stays where it is.
    """
    positions = dict(already)
    looks = sum(len(visit.pairs) for visit in visits)
    wanted = round(share * looks)
    late = ceil(2 * len(visits) / 3)
    line = sorted(range(len(visits)), key=lambda at: (at >= late, draw(visits[at].query_id)))
    # Of two thirds of the queries so large a share makes what is wanted of all.
    of_query = 1.5 * wanted / max(1, looks)
    latest = max((at for at, visit in enumerate(visits) if visit.begun), default=0)
    for at in line:
        pairs = visits[at].pairs
        again = [pair for pair in pairs if pair in positions]
        most = max(_AT_ONCE, ceil(of_query * len(pairs)))
        room = min(wanted - len(positions), most - len(again))
        if room > 0:
            fresh = sorted((p for p in pairs if p not in positions), key=lambda p: draw(str(p)))
            # With those that come again already, where that is late enough.
            before = [positions[pair] for pair in again[:1]]
            position = max([_position(visits, at, latest, draw), *before])
            positions.update(dict.fromkeys(fresh[:room], position))
    return positions


def _position(visits: Sequence[_Visit], at: int, latest: int, draw: Callable[..., bytes]) -> int:
    """Return where the repeats of the visit `at` stand; `latest`: the last visit begun."""
    earliest = max(at + max(1, len(visits) // 3), latest)
    behind = len(visits) - 1
    if earliest < behind:
        place = int.from_bytes(draw("place", visits[at].query_id)[:8])
        behind = earliest + place % (len(visits) - earliest)
    # The query's own key makes the position its own.
    return first_visit_position(visits[behind].query) + visits[at].query + 1


def first_visit_position(query: int) -> int:
    """Return where the first visit to the query of that key stands on the desk; repeats stand
    between the first visits."""
    return query << 32


def shared_pairs(
    purposes: Mapping[str, Mapping[int, str]], gold: AbstractSet[int]
) -> dict[tuple[str, str], int]:
    """Count the pairs that every two judges have in common, gold pairs aside."""
    hands = {name: pairs.keys() - gold for name, pairs in purposes.items()}
    return {
        (one, other): len(hands[one] & hands[other]) for one, other in combinations(purposes, 2)
    }
