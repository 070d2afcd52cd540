"""What is dealt in one piece: the pairs of a query, or a part of a query too large for one judge.

Judges are numbers here, the places in the list of those that are dealt to; `FORMER` is anybody who
is not in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import chain
from math import ceil

from judge_tui.pooling.order import drawn

__all__ = ["FORMER", "Block", "choose_doubled", "common_part", "cut_into_blocks"]

FORMER = -1

_PIECE = 5
"""For fewer pairs, nobody more is to read a query."""

_FINER = 8
"""A query too large for one judge is dealt in parts of a fair one divided by so much."""


@dataclass(slots=True)
class Block:
    """Pairs that go to the same judge, or, `doubled`, to the same two.

    `untouched` counts the pairs that nobody touched, `once` by judge and `twice` by two judges
    those that exactly they did: they are theirs for good. `holders`: who has pairs of it now, the
    one with most first; `started`: who has touched some. `owners`: whom it is dealt to, first the
    one whose normal work it is.
    """

    query_id: str
    place: int
    pairs: list[int]
    untouched: int = 0
    once: Counter[int] = field(default_factory=Counter)
    twice: Counter[tuple[int, int]] = field(default_factory=Counter)
    holders: tuple[int, ...] = ()
    started: frozenset[int] = frozenset()
    shared: bool = False
    """Whether most of it is planned for two already, or was cut to be."""
    doubled: bool = False
    owners: tuple[int, ...] = ()

    @property
    def gain(self) -> int:
        """The pairs that one judge would have alone if it were not doubled."""
        return self.untouched + self.once.total()

    def common(self, first: int, second: int) -> int:
        """How many pairs the two would come to share."""
        both = self.twice[min(first, second), max(first, second)]
        return self.untouched + self.once[first] + self.once[second] + both

    def rows(self, owners: Sequence[int]) -> Iterator[tuple[int, int]]:
        """How many more pairs each owner gets."""
        if not self.doubled:
            yield owners[0], self.untouched
            return
        first, second = owners
        yield first, self.gain - self.once[first]
        yield second, self.untouched + self.once[first]


def cut_into_blocks(
    queries: Iterable[tuple[str, int, Sequence[int]]],
    held: Sequence[Mapping[int, str]],
    done: Mapping[int, Sequence[int]],
    *,
    fair: int,
    overlap: float,
    seed: int,
) -> list[Block]:
    """The blocks of all queries (query_id, place, pairs).

    `held`: for each judge, pair -> purpose; `done`: pair -> the judges who touched it. A query of
    more than `fair` pairs is divided: what the same judges have is cut apart from what others
    have, always in drawn order, as what stands at the top of the runs is for all to judge; of what
    nobody has, `overlap` is cut into pieces for every two judges.
    """
    blocks = []
    for query_id, place, pairs in queries:
        if len(pairs) > fair:
            order = drawn(seed, "divide", query_id)
            mixed = sorted(pairs, key=lambda pair, order=order: order(str(pair)))  # type: ignore[misc]
            parts = _divided(mixed, held, done, fair, overlap)
        else:
            parts = iter([(list(pairs), False)] if pairs else [])
        for part, shared in parts:
            block = _block(query_id, place, part, held, done)
            block.shared |= shared
            blocks.append(block)
    return blocks


def _divided(
    pairs: Sequence[int],
    held: Sequence[Mapping[int, str]],
    done: Mapping[int, Sequence[int]],
    fair: int,
    overlap: float,
) -> Iterator[tuple[list[int], bool]]:
    """The parts, and whether each was cut to be shared."""
    groups: dict[tuple[tuple[int, ...], tuple[int, ...]], list[int]] = {}
    for pair in pairs:
        holders = tuple(judge for judge, hand in enumerate(held) if pair in hand)
        groups.setdefault((holders, tuple(done.get(pair, ()))), []).append(pair)
    judges = len(held)
    for (holders, _), group in groups.items():
        number, cut = ceil(len(group) / fair), 0
        if holders:
            # Small, so that a part of it can go to who comes late.
            number = max(number, len(group) // common_part(fair))
        else:
            # More parts than need be, so that they can be dealt out evenly.
            number = min(judges, 2 * number)
            cut = round(overlap * len(group)) if judges > 1 else 0
        pieces = min(judges * (judges - 1) // 2, max(1, cut // _PIECE))
        yield from ((part, True) for part in _parts(group[:cut], pieces))
        yield from ((part, False) for part in _parts(group[cut:], number))


def common_part(fair: int) -> int:
    """The size of the parts of a query larger than `fair` by which judges become equal."""
    return max(1, min(fair, max(_PIECE, fair // _FINER)))


def _parts(pairs: list[int], number: int) -> Iterator[list[int]]:
    """`pairs` in `number` parts that differ in length by one at most; empty ones are left out."""
    for at in range(number):
        part = pairs[at * len(pairs) // number : (at + 1) * len(pairs) // number]
        if part:
            yield part


def _block(
    query_id: str,
    place: int,
    pairs: list[int],
    held: Sequence[Mapping[int, str]],
    done: Mapping[int, Sequence[int]],
) -> Block:
    block = Block(query_id, place, pairs)
    touched: Counter[int] = Counter()
    known = [pair for pair in pairs if pair in done]
    block.untouched = len(pairs) - len(known)
    for pair in known:
        who = done[pair]
        touched.update(who)
        if len(who) == 1:
            block.once[who[0]] += 1
        elif len(who) == 2:
            block.twice[min(who), max(who)] += 1
    mine = {
        judge: here for judge, hand in enumerate(held) if (here := [p for p in pairs if p in hand])
    }
    normal = {judge: [held[judge][pair] for pair in mine[judge]].count("normal") for judge in mine}
    block.holders = tuple(sorted(mine, key=lambda j: (-len(mine[j]), -normal[j], -touched[j], j)))
    block.started = frozenset(judge for judge in touched if judge != FORMER)
    if len(mine) > 1:
        number = Counter(chain.from_iterable(mine.values()))
        for pair in known:
            if len(done[pair]) > 1:
                del number[pair]
        twice = sum(count > 1 for count in number.values())
        block.shared = 2 * twice > len(number)
    return block


def choose_doubled(
    blocks: Sequence[Block], wanted: int, seed: int, gold: AbstractSet[str] = frozenset()
) -> None:
    """Mark the blocks that two judges get, so that about `wanted` pairs are shared in all.

    Those that are shared already stay so, as far as they are wanted. Of the others those of the
    queries in `gold` come first, each of them in drawn order: their gold pairs go to everybody, and
    stand beside others for one judge more.
    """
    order = drawn(seed, "overlap")
    line = sorted(
        (block for block in blocks if block.gain),
        key=lambda block: (
            not block.shared,
            block.query_id not in gold,
            order(block.query_id, str(block.pairs[0])),
        ),
    )
    for block in line:
        block.doubled = block.shared
    total = sum(len(block.pairs) - (0 if block.doubled else block.gain) for block in blocks)
    # Each step comes nearer to what is wanted, so that there is a last one.
    changed = True
    while changed:
        changed = False
        for block in line:
            if not block.doubled and block.gain < 2 * (wanted - total):
                block.doubled, total, changed = True, total + block.gain, True
        for block in reversed(line):
            # Its whole size, so that what is judged meanwhile makes no difference.
            if block.doubled and len(block.pairs) < 2 * (total - wanted):
                block.doubled, total, changed = False, total - block.gain, True
