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


def deal(
    blocks: Sequence[Block], loads: Sequence[tuple[int, int]], seed: int, extra: float = 0.0
) -> None:
    """Give every block its owners.

    `loads`: how many pairs each judge has for good, as normal work and otherwise. `extra`: how many
    repeats a normal pair makes on the average. Owners stay who they are as long as the parts are
    equal, up to the size of a common block.
    """
    draw = drawn(seed, "deal")
    line = sorted(blocks, key=lambda block: (-len(block.pairs), draw(*_name(block))))
    step = median_low([len(block.pairs) for block in blocks]) if blocks else 0
    scale = _Scale(loads, extra)
    doubled = [block for block in line if block.doubled]
    single = [block for block in line if not block.doubled]
    _deal_doubled(doubled, single, scale, step)
    _deal_single([block for block in single if block.untouched], scale, step)


def _name(block: Block) -> tuple[str, str]:
    return block.query_id, str(block.pairs[0])


class _Scale:
    """What each judge has so far, in ten-thousandths of a pair: exact, where fractions are not."""

    def __init__(self, loads: Iterable[tuple[int, int]], extra: float) -> None:
        self.normal = 10_000 + round(10_000 * extra)
        self.loads = [normal * self.normal + other * 10_000 for normal, other in loads]

    def add(self, block: Block, owners: Sequence[int], sign: int = 1) -> None:
        weights = (self.normal, 10_000)
        for (judge, pairs), weight in zip(block.rows(owners), weights, strict=False):
            self.loads[judge] += sign * pairs * weight


def _deal_doubled(
    blocks: Sequence[Block], others: Iterable[Block], scale: _Scale, step: int
) -> None:
    """Complete the owners to two, so that all pairs of judges share as many pairs."""
    twos = list(combinations(range(len(scale.loads)), 2))
    shares: Counter[Two] = Counter()
    for block in others:
        shares.update(block.twice)
    for block in blocks:
        block.owners = block.holders[:2]
        if len(block.owners) == 2:
            shares[_two(block.owners)] += block.common(*block.owners)
            scale.add(block, block.owners)
    for block in blocks:
        if len(block.owners) == 2:
            continue
        has = set(block.owners)
        best = min(
            (two for two in twos if has <= set(two)),
            key=lambda two: (shares[two], scale.loads[two[0]] + scale.loads[two[1]], two),
        )
        _own(block, best, scale)
        shares[best] += block.common(*best)
        scale.add(block, block.owners)
    hands: dict[Two, list[Block]] = {two: [] for two in twos}
    for block in blocks:
        hands[_two(block.owners)].append(block)
    while _even_out_shares(hands, shares, scale, step):
        pass


def _own(block: Block, two: Two, scale: _Scale) -> None:
    """Give a block to the two: who has it keeps it as normal work, else who has less gets it so."""
    stay = [judge for judge in block.owners if judge in two]
    come = sorted(set(two) - set(stay), key=lambda judge: (scale.loads[judge], judge))
    block.owners = (*stay, *come)


def _even_out_shares(
    hands: dict[Two, list[Block]], shares: Counter[Two], scale: _Scale, step: int
) -> bool:
    """Move one block from two judges who share most to two who share least; False: all is even."""
    for most in sorted(hands, key=lambda two: (-shares[two], two)):
        for least in sorted(hands, key=lambda two: (shares[two], two)):
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
            scale.add(block, block.owners, -1)
            shares[most] -= block.common(*most)
            _own(block, least, scale)
            shares[least] += block.common(*least)
            scale.add(block, block.owners)
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


def _deal_single(blocks: Sequence[Block], scale: _Scale, step: int) -> None:
    """Largest first, to whoever has least; then even out what was dealt before."""
    for block in blocks:
        block.owners = block.holders[:1]
        if block.owners:
            scale.add(block, block.owners)
    for block in blocks:
        if not block.owners:
            block.owners = (min(range(len(scale.loads)), key=lambda j: (scale.loads[j], j)),)
            scale.add(block, block.owners)
    hands: list[list[Block]] = [[] for _ in scale.loads]
    for block in blocks:
        hands[block.owners[0]].append(block)
    while _even_out_loads(hands, scale, step):
        pass


def _even_out_loads(hands: list[list[Block]], scale: _Scale, step: int) -> bool:
    """Move one block from a judge who has much to the one who has least; False: all is even.

    What its owner has begun moves only where nothing else can.
    """
    least = min(range(len(hands)), key=lambda judge: (scale.loads[judge], judge))
    for begun in (False, True):
        for most in sorted(range(len(hands)), key=lambda judge: (-scale.loads[judge], judge)):
            difference = scale.loads[most] - scale.loads[least]
            if difference <= step * 10_000:
                break
            movable = [
                block
                for block in hands[most]
                if (most in block.started) == begun and len(block.pairs) * scale.normal < difference
            ]
            if movable:
                block = min(
                    movable, key=lambda one: abs(difference - 2 * one.untouched * scale.normal)
                )
                hands[most].remove(block)
                hands[least].append(block)
                scale.add(block, block.owners, -1)
                block.owners = (least,)
                scale.add(block, block.owners)
                return True
    return False
