"""Dealing blocks to judges: equal parts, and every two judges sharing as much as any other two."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from statistics import median_low

from judge_tui.pooling.blocks import Block
from judge_tui.pooling.order import drawn

__all__ = ["deal"]

Two = tuple[int, int]


def deal(blocks: Sequence[Block], loads: Sequence[tuple[int, int]], seed: int) -> None:
    """Give every block its owners.

    `loads`: how many pairs each judge has for good, as normal work and in all. Everybody has the
    same gold pairs and repeats the same share of the others, so that neither counts. Owners stay
    who they are as long as the parts are equal, up to the size of a common block.
    """
    draw = drawn(seed, "deal")
    line = sorted(blocks, key=lambda block: (-len(block.pairs), draw(*_name(block))))
    step = median_low([len(block.pairs) for block in blocks]) if blocks else 0
    parts = _Parts(loads)
    doubled = [block for block in line if block.doubled]
    single = [block for block in line if not block.doubled]
    _deal_doubled(doubled, single, parts, step)
    _deal_single([block for block in single if block.untouched], parts, step)


def _name(block: Block) -> tuple[str, str]:
    return block.query_id, str(block.pairs[0])


class _Parts:
    """How many pairs each judge has so far: as normal work, and in all."""

    def __init__(self, loads: Iterable[tuple[int, int]]) -> None:
        self.normal: list[int] = []
        self.pairs: list[int] = []
        for normal, pairs in loads:
            self.normal.append(normal)
            self.pairs.append(pairs)

    def add(self, block: Block, sign: int = 1) -> None:
        first, *second = block.rows(block.owners)
        self.normal[first[0]] += sign * first[1]
        for judge, pairs in (first, *second):
            self.pairs[judge] += sign * pairs

    def size(self, judge: int) -> tuple[int, int, int]:
        """What judges are sorted by: of those who have as many pairs, by their normal work."""
        return self.pairs[judge], self.normal[judge], judge

    def both(self, two: Two) -> int:
        """How many pairs the two have, each for themselves."""
        return self.pairs[two[0]] + self.pairs[two[1]]


def _deal_doubled(
    blocks: Sequence[Block], others: Iterable[Block], parts: _Parts, step: int
) -> None:
    """Complete the owners to two, so that all pairs of judges share as many pairs."""
    twos = list(combinations(range(len(parts.pairs)), 2))
    shares: Counter[Two] = Counter()
    for block in others:
        shares.update(block.twice)
    for block in blocks:
        block.owners = block.holders[:2]
        if len(block.owners) == 2:
            shares[_two(block.owners)] += block.common(*block.owners)
            parts.add(block)
    for block in blocks:
        if len(block.owners) == 2:
            continue
        has = set(block.owners)
        best = min(
            (two for two in twos if has <= set(two)),
            key=lambda two: (shares[two], parts.both(two), two),
        )
        _own(block, best, parts)
        shares[best] += block.common(*best)
        parts.add(block)
    hands: dict[Two, list[Block]] = {two: [] for two in twos}
    for block in blocks:
        hands[_two(block.owners)].append(block)
    while _even_out_shares(hands, shares, parts, step):
        pass


def _own(block: Block, two: Two, parts: _Parts) -> None:
    """Give a block to the two: who has it keeps it as normal work, else who has less gets it so."""
    stay = [judge for judge in block.owners if judge in two]
    come = sorted(set(two) - set(stay), key=parts.size)
    block.owners = (*stay, *come)


def _even_out_shares(
    hands: dict[Two, list[Block]], shares: Counter[Two], parts: _Parts, step: int
) -> bool:
    """Move one block from two judges who share most to two who share least; False: all is even."""
    fewest = sorted(hands, key=lambda two: (shares[two], parts.both(two), two))
    for most in sorted(hands, key=lambda two: (-shares[two], -parts.both(two), two)):
        for least in fewest:
            difference = shares[most] - shares[least]
            if difference <= step:
                break
            movable = [
                block
                for block in hands[most]
                if block.started <= set(least) and _evens(block, most, least, shares)
            ]
            if not movable:
                continue
            block = min(movable, key=lambda one: abs(difference - 2 * one.common(*least)))
            hands[most].remove(block)
            hands[least].append(block)
            parts.add(block, -1)
            shares[most] -= block.common(*most)
            _own(block, least, parts)
            shares[least] += block.common(*least)
            parts.add(block)
            return True
    return False


def _evens(block: Block, most: Two, least: Two, shares: Counter[Two]) -> bool:
    """Whether the shares are more alike with the block moved; what always is comes to an end."""
    if len(block.pairs) >= shares[most] - shares[least]:
        return False
    less, more = shares[most] - block.common(*most), shares[least] + block.common(*least)
    return less**2 + more**2 < shares[most] ** 2 + shares[least] ** 2


def _two(owners: Sequence[int]) -> Two:
    first, second = sorted(owners)
    return first, second


def _deal_single(blocks: Sequence[Block], parts: _Parts, step: int) -> None:
    """Largest first, to whoever has least; then even out what was dealt before."""
    for block in blocks:
        block.owners = block.holders[:1]
        if block.owners:
            parts.add(block)
    for block in blocks:
        if not block.owners:
            block.owners = (min(range(len(parts.pairs)), key=parts.size),)
            parts.add(block)
    hands: list[list[Block]] = [[] for _ in parts.pairs]
    for block in blocks:
        hands[block.owners[0]].append(block)
    while _even_out_loads(hands, parts, step):
        pass


def _even_out_loads(hands: list[list[Block]], parts: _Parts, step: int) -> bool:
    """Move one block from a judge who has much to the one who has least; False: all is even.

    What its owner has begun moves only where nothing else can. Every move is of fewer pairs, and of
    one at least, than the one judge has more than the other, so that it lowers the sum of the
    squares of what they have: a whole number, and no move leads back.
    """
    least = min(range(len(hands)), key=parts.size)
    for begun in (False, True):
        for most in sorted(range(len(hands)), key=parts.size, reverse=True):
            difference = parts.pairs[most] - parts.pairs[least]
            if difference <= step:
                break
            movable = [
                block
                for block in hands[most]
                if (most in block.started) == begun and len(block.pairs) < difference
            ]
            if movable:
                block = min(movable, key=lambda one: abs(difference - 2 * one.untouched))
                hands[most].remove(block)
                hands[least].append(block)
                parts.add(block, -1)
                block.owners = (least,)
                parts.add(block)
                return True
    return False
