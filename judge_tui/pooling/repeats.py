"""Hidden repeats: which pairs a judge meets a second time, and when."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from math import ceil

from judge_tui.pooling.order import drawn

__all__ = ["Visit", "first_visit_position", "plan_repeats"]

_AT_ONCE = 5
"""A query is not read again for fewer pairs, where there are so many."""

_SLOTS = 1 << 32


@dataclass(frozen=True, slots=True)
class Visit:
    """A judge's first visit to a query.

    `pairs`: those that may be repeated; `touched`: whether the judge has begun; `repeats`: pair ->
    position of what is repeated already.
    """

    query_id: str
    place: int
    pairs: Sequence[int]
    touched: bool
    repeats: Mapping[int, int]


def first_visit_position(place: int) -> int:
    """Where the first visit to the query of that place stands on the desk."""
    return place * _SLOTS


def plan_repeats(
    visits: Sequence[Visit],
    judge: str,
    wanted: int,
    *,
    keep: AbstractSet[int] = frozenset(),
    seed: int = 0,
) -> dict[int, int]:
    """Pair -> position of its repeat, about `wanted` in all; `visits` in the order of the desk.

    A repeat comes after at least a third of the judge's visits more, at a drawn place behind, or
    last where there are not so many; what has been begun already is never before it. So those of
    the first two thirds are repeated first. What is repeated already stays, as far as it is wanted;
    those to `keep` stay anyhow.
    """
    draw = drawn(seed, "repeat", judge)
    late = ceil(2 * len(visits) / 3)
    line = sorted(range(len(visits)), key=lambda at: (at >= late, draw(visits[at].query_id)))
    chosen = _standing([visits[at] for at in line], wanted, keep, draw)
    everything = sum(len(visit.pairs) for visit in visits)
    for all_of_it in (False, True):
        for at in line:
            pairs = visits[at].pairs
            least = ceil(len(pairs) * wanted / max(1, everything))
            most = len(pairs) if all_of_it else max(_AT_ONCE, least)
            room = min(wanted - len(chosen), most - sum(pair in chosen for pair in pairs))
            if room > 0:
                fresh = sorted((p for p in pairs if p not in chosen), key=lambda p: draw(str(p)))
                chosen.update(fresh[:room])
    begun = max((at for at, visit in enumerate(visits) if visit.touched), default=0)
    positions: dict[int, int] = {}
    for at, visit in enumerate(visits):
        again = [p for p in (*visit.pairs, *visit.repeats) if p in chosen]
        position = _standing_position(visits, at, keep)
        if position is None:
            position = _position(visits, at, begun, draw)
        positions.update(dict.fromkeys(again, position))
    return positions


def _standing(
    line: Sequence[Visit], wanted: int, keep: AbstractSet[int], draw: Callable[..., bytes]
) -> set[int]:
    """What is repeated already and stays so."""
    chosen = {pair for visit in line for pair in visit.repeats if pair in keep}
    for visit in line:
        others = [pair for pair in visit.repeats if pair not in keep]
        others.sort(key=lambda pair: draw(str(pair)))
        chosen.update(others[: max(0, wanted - len(chosen))])
    return chosen


def _standing_position(visits: Sequence[Visit], at: int, keep: AbstractSet[int]) -> int | None:
    """Where the repeats of the visit `at` stand already, None where that is no place for them now.

    Other visits may have come and gone. What the judge has begun stays where it is.
    """
    repeats = visits[at].repeats
    if not repeats:
        return None
    for pair, position in repeats.items():
        if pair in keep:
            return position
    position = min(repeats.values())
    earliest = visits[min(_gap(visits, at), len(visits) - 1)]
    return position if position > first_visit_position(earliest.place) else None


def _gap(visits: Sequence[Visit], at: int) -> int:
    """The first visit behind which the one `at` may be repeated, if there are so many."""
    return at + max(1, len(visits) // 3)


def _position(visits: Sequence[Visit], at: int, begun: int, draw: Callable[..., bytes]) -> int:
    """Behind which visit the repeats of the one `at` stand."""
    earliest = max(_gap(visits, at), begun)
    behind = len(visits) - 1
    if earliest < behind:
        place = int.from_bytes(draw("place", visits[at].query_id)[:8])
        behind = earliest + place % (len(visits) - earliest)
    # The query's own place makes the position its own.
    return first_visit_position(visits[behind].place) + visits[at].place + 1
