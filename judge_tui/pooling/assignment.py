"""Who judges what: whole queries dealt to judges in equal parts, some of them to two.

Nothing that a judge has touched ever moves. What was given out before stays where it is unless the
parts have become unequal; the same state and the same wish give the same plan, always.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import ceil

from judge_tui.errors import UsageError
from judge_tui.pooling.blocks import FORMER, Block, choose_doubled, cut_into_blocks
from judge_tui.pooling.dealing import deal
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

_ROUNDS = 20
_PURPOSES = ("normal", "overlap", "gold")


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


@dataclass(frozen=True, slots=True)
class Plan:
    """The hands as they shall be, by judge: `given` and `repeats` as in `Hand`.

    `warnings`: what could not be reached, in a sentence each.
    """

    given: dict[str, dict[int, str]]
    repeats: dict[str, dict[int, int]]
    warnings: tuple[str, ...]


def plan_assignments(
    queries: Sequence[QueryPairs],
    judges: Sequence[str],
    hands: Mapping[str, Hand],
    *,
    overlap: float | None = None,
    repeat: float | None = None,
    gold: AbstractSet[int] = frozenset(),
    seed: int = 0,
) -> Plan:
    """Deal all pairs of `queries` (in the order of the desk) to `judges`.

    `hands`: by name, of everybody who was given something before, and of those among `judges` who
    have judged without. `overlap` (0..1): the share of the pairs that two judges get, by whole
    queries, spread evenly over all pairs of judges. `repeat` (0..0.5): the share of each judge's
    normal pairs that comes a second time. None: as many as there are. `gold` pairs go to every
    judge, and count as nothing else.

    A query goes to a judge as a whole; only one larger than a fair share is divided. In the end the
    judges have the same number of pairs, up to a query of common size, as far as what they touched
    allows. Who is not among `judges` keeps what they touched; what they did not decide is dealt.

    Raises `UsageError` for numbers and lists of judges that make no sense.
    """
    check_wish(judges, overlap, repeat)
    hands = {name: _whole(hand) for name, hand in hands.items()}
    plan, settled = _planned(queries, judges, hands, overlap, repeat, gold, seed)
    # Planned again from what it came to, a plan may come to another, and that one back to it. The
    # one that is taken must not depend on where among them one begins.
    seen = [_mark(plan)]
    wanted: tuple[int, ...] | None = None
    while not settled and len(seen) < _ROUNDS:
        given_out = {
            name: replace(hands.get(name, Hand()), given=given, repeats=plan.repeats[name])
            for name, given in plan.given.items()
        }
        plan, _whole_queries = _planned(queries, judges, given_out, overlap, repeat, gold, seed)
        mark = _mark(plan)
        if wanted is None and mark in seen:
            wanted = min(seen[seen.index(mark) :])
        settled = mark == wanted
        seen.append(mark)
    return plan


def _mark(plan: Plan) -> tuple[int, ...]:
    """What two plans share only if they are the same; the same in every process."""
    return tuple(
        hash(frozenset(pieces))
        for name in sorted(plan.given)
        for pieces in (
            ((pair, _PURPOSES.index(purpose)) for pair, purpose in plan.given[name].items()),
            plan.repeats[name].items(),
        )
    )


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


def _whole(hand: Hand) -> Hand:
    """What was repeated was looked at."""
    return replace(hand, touched=hand.touched | hand.touched_again)


def _planned(
    queries: Sequence[QueryPairs],
    judges: Sequence[str],
    hands: Mapping[str, Hand],
    overlap: float | None,
    repeat: float | None,
    gold: AbstractSet[int],
    seed: int,
) -> tuple[Plan, bool]:
    """One round, and whether another would change nothing for sure: all is new, and all is whole.

    What is begun and what is divided is dealt by who has what, which the round itself has changed.
    """
    mine = [hands.get(judge, Hand()) for judge in judges]
    held = [{**dict.fromkeys(hand.touched, ""), **hand.given} for hand in mine]
    done = _done(judges, hands)
    dealt = [
        (query.query_id, query.place, [pair for pair in query.pairs if pair not in gold])
        for query in queries
    ]
    total = sum(len(pairs) for _, _, pairs in dealt)
    wanted = _shared(hands, gold) if overlap is None else round(overlap * total)
    fair = ceil(total / len(judges))
    blocks = cut_into_blocks(
        dealt,
        held,
        done,
        fair=fair,
        overlap=wanted / total if total else 0,
        seed=seed,
    )
    choose_doubled(blocks, wanted if len(judges) > 1 else 0, seed)
    extra = _repeated(hands) if repeat is None else repeat
    deal(blocks, [_load(hand, gold) for hand in mine], seed, extra)
    given = _given(judges, hands, blocks, done, gold)
    visits = _Visits(queries)
    repeats = {
        name: visits.repeats(
            name, hands.get(name, Hand()), given[name], repeat if name in judges else 0, seed
        )
        for name in given
    }
    warnings = _unshared(judges, given, gold) if wanted else []
    settled = not any(held) and all(len(pairs) <= fair for _, _, pairs in dealt)
    return Plan(given, repeats, tuple(warnings)), settled


def _load(hand: Hand, gold: AbstractSet[int]) -> tuple[int, int]:
    """The pairs that a judge has whatever is dealt: as normal work, and otherwise."""
    for_good = [hand.given.get(pair, "normal") for pair in hand.touched - gold]
    normal = for_good.count("normal")
    return normal, len(for_good) - normal + len(gold)


def _done(judges: Sequence[str], hands: Mapping[str, Hand]) -> dict[int, list[int]]:
    """Pair -> whose it is for good: judges by their place, `FORMER` for who is not among them."""
    done: dict[int, list[int]] = {}
    for place, judge in enumerate(judges):
        for pair in hands[judge].touched if judge in hands else ():
            done.setdefault(pair, []).append(place)
    for judge in sorted(set(hands).difference(judges)):
        for pair in hands[judge].decided:
            done.setdefault(pair, []).append(FORMER)
    return done


def _shared(hands: Mapping[str, Hand], gold: AbstractSet[int]) -> int:
    """How many pairs two judges or more have now."""
    count = Counter(
        pair for hand in hands.values() for pair in (hand.given.keys() | hand.touched) - gold
    )
    return sum(number > 1 for number in count.values())


def _repeated(hands: Mapping[str, Hand]) -> float:
    """The share of the normal pairs that is repeated now."""
    normal = sum(list(hand.given.values()).count("normal") for hand in hands.values())
    return sum(len(hand.repeats) for hand in hands.values()) / max(1, normal)


def _given(
    judges: Sequence[str],
    hands: Mapping[str, Hand],
    blocks: Iterable[Block],
    done: Mapping[int, Sequence[int]],
    gold: AbstractSet[int],
) -> dict[str, dict[int, str]]:
    """Everybody's pairs and their purposes, former judges' with what they touched."""
    names = [*judges, *sorted(set(hands).difference(judges))]
    before = [hands.get(name, Hand()) for name in names]
    given: list[dict[int, str]] = [{} for _ in names]
    normal: set[int] = set()
    for hand, pairs in zip(before, given, strict=True):
        for pair in hand.touched:
            pairs[pair] = hand.given.get(pair, "")
            if pairs[pair] == "normal":
                normal.add(pair)
    for block in blocks:
        for pair in block.pairs:
            have = done.get(pair, ())
            need = 1 + block.doubled - len(have)
            takers = [one for one in block.owners if one not in have][: max(0, need)]
            # Whose normal work it was keeps it as that.
            takers.sort(key=lambda one: before[one].given.get(pair) != "normal")
            for owner in takers:
                given[owner][pair] = "overlap" if pair in normal else "normal"
                normal.add(pair)
    for pairs in given:
        for pair, purpose in pairs.items():
            if pair in gold:
                pairs[pair] = "gold"
            elif pair not in normal:
                pairs[pair] = "normal"
                normal.add(pair)
            elif purpose not in ("normal", "overlap"):
                pairs[pair] = "overlap"
    for pairs in given[: len(judges)]:
        pairs.update(dict.fromkeys(gold, "gold"))
    return dict(zip(names, given, strict=True))


class _Visits:
    """Which query a pair belongs to."""

    def __init__(self, queries: Sequence[QueryPairs]) -> None:
        self._queries = queries
        self._at = {pair: at for at, query in enumerate(queries) for pair in query.pairs}

    def repeats(
        self, judge: str, hand: Hand, given: Mapping[int, str], share: float | None, seed: int
    ) -> dict[int, int]:
        """The judge's hidden repeats: `share` of what is normal work, None for as many as now."""
        pairs: dict[int, list[int]] = {}
        normal = 0
        for pair, purpose in given.items():
            visit = pairs.setdefault(self._at[pair], [])
            if purpose == "normal":
                visit.append(pair)
                normal += 1
        again = {
            pair: position
            for pair, position in hand.repeats.items()
            if pair in hand.touched_again or given.get(pair) == "normal"
        }
        begun = {self._at[pair] for pair in hand.touched}
        repeats: dict[int, dict[int, int]] = {}
        for pair, position in again.items():
            repeats.setdefault(self._at[pair], {})[pair] = position
        visits = [
            Visit(
                self._queries[at].query_id,
                self._queries[at].place,
                pairs[at],
                at in begun,
                repeats.get(at, {}),
            )
            for at in sorted(pairs)
        ]
        wanted = len(again) if share is None else round(share * normal)
        return plan_repeats(visits, judge, wanted, keep=hand.touched_again, seed=seed)


def shared_pairs(
    given: Mapping[str, Mapping[int, str]], gold: AbstractSet[int]
) -> dict[tuple[str, str], int]:
    """How many pairs every two judges have in common, gold pairs aside."""
    hands = {name: pairs.keys() - gold for name, pairs in given.items()}
    return {(one, other): len(hands[one] & hands[other]) for one, other in combinations(given, 2)}


def _unshared(
    judges: Sequence[str], given: Mapping[str, Mapping[int, str]], gold: AbstractSet[int]
) -> list[str]:
    """What an overlap was to reach and did not."""
    shares = shared_pairs({judge: given[judge] for judge in judges}, gold)
    without = [two for two, count in shares.items() if not count]
    if not without:
        return []
    one, other = without[0]
    more = f" and {len(without) - 1} more" if len(without) > 1 else ""
    return [
        f"{len(without)} of {len(shares)} pairs of judges have no pairs in common"
        f" ({one} and {other}{more}): a greater overlap, or more queries, would give them some"
    ]
