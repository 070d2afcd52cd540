"""Who judges what: whole queries dealt to judges in equal parts, some of them to two.

Nothing that a judge has touched ever moves. What was given out before stays where it is unless the
parts have become unequal; the same state and the same wish give the same plan, always.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import cache

from judge_tui.errors import UsageError
from judge_tui.pooling.blocks import Block, choose_doubled, cut_into_blocks
from judge_tui.pooling.dealing import deal
from judge_tui.pooling.hands import REPEATABLE, Hand, QueryPairs, shared_pairs
from judge_tui.pooling.repeats import Visit, plan_repeats
from judge_tui.pooling.standing import Hands, Task, may_stay, shared_now, shortfall, task_of

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

_NAMED = 5

Given = Mapping[str, Mapping[int, str]]


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
    queries, spread evenly over all pairs of judges; None: as many pairs as now. What two share for
    good beyond their part is not counted, so that who comes late shares with everybody. `repeat`
    (0..0.5): the share of each judge's first looks that comes a second time; None: as large a share
    as each judge's is now, and for who is new as large as everybody's together. `gold` pairs go to
    every judge, are never repeated, and count as nothing else.

    A query goes to a judge as a whole; only one larger than a fair share is divided. In the end the
    judges have the same number of pairs, up to a query of common size, as far as what they touched
    allows. Who is not among `judges` keeps what they touched; what they did not decide is dealt.

    The same wish a second time changes nothing, see `_settled`.

    Raises `UsageError` for numbers and lists of judges that make no sense.
    """
    check_wish(judges, overlap, repeat)
    hands = {name: _whole(hand) for name, hand in hands.items()}
    shares = _repeat_shares(judges, hands, repeat)
    task = task_of(queries, judges, hands, gold)
    standing, wanted = _settled(task, queries, hands, overlap, seed)
    given = {
        name: dict(standing[name].given) if name in standing else {}
        for name in (*judges, *sorted(set(standing).difference(judges)))
    }
    visits = _Visits(queries)
    repeats = {
        name: visits.repeats(name, hands.get(name, Hand()), given[name], shares.get(name, 0), seed)
        for name in given
    }

    # As long as planning itself: only where there is something to advise, and once.
    @cache
    def with_more() -> Given:
        return _given_with_all_shared(queries, judges, standing, overlap, gold, seed)

    warnings = [
        *(_unshared(judges, given, gold, with_more) if wanted else []),
        *_alone(visits, judges, given, with_more),
    ]
    return Plan(given, repeats, tuple(warnings))


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


def _settled(
    task: Task, queries: Sequence[QueryPairs], hands: Hands, overlap: float | None, seed: int
) -> tuple[Hands, int]:
    """The hands after dealing as often as it helps, and how many pairs were wanted to be shared.

    What is given out is dealt anew only where it cannot stay (`may_stay`; all that is dealt can) or
    where that brings it nearer to the wish by something. How far hands are from it (`shortfall`,
    for the pairs that these very hands say are to be shared, where the wish leaves that out) is a
    whole number, never below 0, and less each time, so that this ends: with hands that dealing anew
    does not bring nearer. Whether hands are dealt anew, and what then becomes of them, is told from
    them and the wish alone; so those very hands, given out and planned again, stay as they are.
    """
    must = not may_stay(task, hands)
    while True:
        wanted = _to_share(task, queries, hands, overlap)
        if not must and not shortfall(task, hands, wanted):
            return hands, wanted
        dealt = _dealt(task, hands, wanted, seed)
        if not must:
            then = _to_share(task, queries, dealt, overlap)
            if not (
                _is_nearer(task, hands, dealt, wanted, then)
                and _is_nearer_untouched(task, queries, hands, wanted, seed)
            ):
                return hands, wanted
        hands, must = dealt, False


def _is_nearer(task: Task, hands: Hands, dealt: Hands, wanted: int, then: int) -> bool:
    """Whether what is dealt is so much nearer to the wish that it is worth the moving.

    Its distance is the greater one, whether counted for the pairs `wanted` of the hands before, or
    for those that are wanted of it `then`.
    """
    after = max(shortfall(task, dealt, number) for number in {wanted, then})
    return shortfall(task, hands, wanted) - after >= task.worth_dealing


def _is_nearer_untouched(
    task: Task, queries: Sequence[QueryPairs], hands: Hands, wanted: int, seed: int
) -> bool:
    """Whether dealing would bring it nearer if the judges had not begun yet.

    Where it does not, it is a chance of what they began: nothing moves for that. A plan made before
    anybody began stays for the same wish, whatever of it is judged.
    """
    fresh = {
        name: Hand(hand.given) if name in task.judges else hand for name, hand in hands.items()
    }
    untouched = task_of(queries, task.judges, fresh, task.gold)
    dealt = _dealt(untouched, fresh, wanted, seed)
    return _is_nearer(untouched, fresh, dealt, wanted, wanted)


def _given_with_all_shared(
    queries: Sequence[QueryPairs],
    judges: Sequence[str],
    standing: Hands,
    overlap: float | None,
    gold: AbstractSet[int],
    seed: int,
) -> Given:
    """What the judges have where the same is asked again with the greatest overlap there is: it
    tells whether it is worth asking for a greater one."""
    hands = standing
    if overlap != 1 and len(judges) > 1:
        task = task_of(queries, judges, standing, gold)
        hands, _ = _settled(task, queries, standing, 1, seed)
    return {name: hands[name].given if name in hands else {} for name in judges}


def _to_share(
    task: Task, queries: Sequence[QueryPairs], hands: Hands, overlap: float | None
) -> int:
    if len(task.judges) < 2:
        return 0
    return shared_now(task, queries, hands) if overlap is None else round(overlap * task.total)


def _dealt(task: Task, hands: Hands, wanted: int, seed: int) -> dict[str, Hand]:
    """The hands after dealing once: all that is untouched is somebody's, purposes and all."""
    mine = [hands.get(judge, Hand()) for judge in task.judges]
    held = [{**dict.fromkeys(hand.touched, ""), **hand.given} for hand in mine]
    to_share = task.to_share(wanted)
    blocks = cut_into_blocks(
        task.queries,
        held,
        task.done,
        fair=task.fair,
        overlap=to_share / task.total if task.total else 0,
        seed=seed,
    )
    choose_doubled(blocks, to_share, seed, task.with_gold)
    deal(blocks, [_load(hand, task.gold) for hand in mine], seed)
    given = _given(task, hands, blocks)
    return {name: replace(hands.get(name, Hand()), given=given[name]) for name in given}


def _load(hand: Hand, gold: AbstractSet[int]) -> tuple[int, int]:
    """The pairs that a judge has whatever is dealt: as normal work, and in all."""
    for_good = [hand.given.get(pair, "normal") for pair in hand.touched - gold]
    return for_good.count("normal"), len(for_good)


def _repeat_shares(judges: Sequence[str], hands: Hands, repeat: float | None) -> dict[str, float]:
    """The share of the first looks that each judge is to repeat: `repeat`, None for as now."""
    if repeat is not None:
        return dict.fromkeys(judges, repeat)
    looks = {
        name: sum(purpose in REPEATABLE for purpose in hand.given.values())
        for name, hand in hands.items()
    }
    repeats = {name: len(hand.repeats) for name, hand in hands.items()}
    usual = min(GREATEST_REPEAT, sum(repeats.values()) / max(1, sum(looks.values())))
    return {name: repeats[name] / looks[name] if looks.get(name) else usual for name in judges}


def _given(task: Task, hands: Hands, blocks: Sequence[Block]) -> dict[str, dict[int, str]]:
    """Everybody's pairs and their purposes, former judges' with what they touched."""
    judges, gold, done = task.judges, task.gold, task.done
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
            takers = block.owners
            if have:
                need = 1 + block.doubled - len(have)
                takers = tuple(one for one in takers if one not in have)[: max(0, need)]
            if len(takers) > 1 and before[takers[1]].given.get(pair) == "normal":
                # Whose normal work it was keeps it as that.
                takers = takers if before[takers[0]].given.get(pair) == "normal" else takers[::-1]
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
        self, judge: str, hand: Hand, given: Mapping[int, str], share: float, seed: int
    ) -> dict[int, int]:
        """The judge's hidden repeats: `share` of all first looks but those at gold pairs."""
        pairs: dict[int, list[int]] = {}
        looks = 0
        for pair, purpose in given.items():
            visit = pairs.setdefault(self._at[pair], [])
            if purpose in REPEATABLE:
                visit.append(pair)
                looks += 1
        again = {
            pair: position
            for pair, position in hand.repeats.items()
            if pair in hand.touched_again or given.get(pair) in REPEATABLE
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
        wanted = round(share * looks)
        return plan_repeats(visits, judge, wanted, keep=hand.touched_again, seed=seed)

    def gold_alone(self, given: Mapping[int, str]) -> int:
        """How many gold pairs of a judge stand in queries where the judge has no other pair."""
        queries = {self._at[pair] for pair, purpose in given.items() if purpose != "gold"}
        return sum(
            purpose == "gold" and self._at[pair] not in queries for pair, purpose in given.items()
        )


def _unshared(
    judges: Sequence[str], given: Given, gold: AbstractSet[int], with_more: Callable[[], Given]
) -> list[str]:
    """What an overlap was to reach and did not."""
    shares = shared_pairs({judge: given[judge] for judge in judges}, gold)
    without = [two for two, count in shares.items() if not count]
    if not without:
        return []
    one, other = without[0]
    more = f" and {len(without) - 1} more" if len(without) > 1 else ""
    but = " but the gold ones" if gold else ""
    then = shared_pairs(with_more(), gold)
    helped = sum(then[two] > 0 for two in without)
    whom = "them" if helped == len(without) else f"{helped} of them"
    advice = f": a greater overlap, up to 1, would give {whom} some" if helped else ""
    return [
        f"{len(without)} of {len(shares)} pairs of judges have no pairs in common{but}"
        f" ({one} and {other}{more}){advice}"
    ]


def _alone(
    visits: _Visits, judges: Sequence[str], given: Given, with_more: Callable[[], Given]
) -> list[str]:
    """Whose gold pairs are easily told from the others."""
    alone = {judge: count for judge in judges if (count := visits.gold_alone(given[judge]))}
    if not alone:
        return []
    told = [f"{judge} {count:,}" for judge, count in list(alone.items())[:_NAMED]]
    more = f" and {len(alone) - _NAMED} more judges" if len(alone) > _NAMED else ""
    then = with_more()
    lonely = sum(visits.gold_alone(then[judge]) for judge in judges)
    advice = ""
    if lonely < sum(alone.values()):
        advice = f": a greater overlap gives {'some of ' if lonely else ''}them company"
    return [
        "gold pairs stand alone in their query, where a judge may guess what they are"
        f" ({', '.join(told)}{more}){advice}"
    ]
