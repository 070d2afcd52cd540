"""Hidden repeats: which pairs a judge meets a second time, and when."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil

from judge_tui.pooling.order import drawn

_AT_ONCE = 5
"""A query is not read again for fewer pairs, where there are so many."""

_SLOTS = 1 << 32


@dataclass(frozen=True, slots=True)
class Visit:
    """A judge's first visit to a query, `query` being its key. `pairs`: those that may be repeated;
    `begun`: whether the judge has begun."""

    query_id: str
    query: int
    pairs: Sequence[int]
    begun: bool


def first_visit_position(query: int) -> int:
    """Where the first visit to the query of that key stands on the desk."""
    return query * _SLOTS


def plan_repeats(
    visits: Sequence[Visit],
    judge: str,
    wanted: int,
    *,
    kept: Mapping[int, int],
    seed: int,
) -> dict[int, int]:
    """Pair -> position of its repeat, at least `wanted` in all; `visits` in the order of the desk.

    A repeat comes after at least a third of the judge's visits more, at a drawn place behind, or
    last where there are not so many; what has been begun already is never before it. So those of
    the first two thirds are repeated first. What is repeated already (`kept`: pair -> position)
    stays where it is.
    """
    positions = dict(kept)
    draw = drawn(seed, "repeat", judge)
    late = ceil(2 * len(visits) / 3)
    line = sorted(range(len(visits)), key=lambda at: (at >= late, draw(visits[at].query_id)))
    # Of two thirds of the queries so large a share makes what is wanted of all.
    share = 1.5 * wanted / max(1, sum(len(visit.pairs) for visit in visits))
    latest = max((at for at, visit in enumerate(visits) if visit.begun), default=0)
    for at in line:
        pairs = visits[at].pairs
        again = [pair for pair in pairs if pair in positions]
        most = max(_AT_ONCE, ceil(share * len(pairs)))
        room = min(wanted - len(positions), most - len(again))
        if room > 0:
            fresh = sorted((p for p in pairs if p not in positions), key=lambda p: draw(str(p)))
            # With those that come again already, where that is late enough.
            before = [positions[pair] for pair in again[:1]]
            position = max([_position(visits, at, latest, draw), *before])
            positions.update(dict.fromkeys(fresh[:room], position))
    return positions


def _position(visits: Sequence[Visit], at: int, latest: int, draw: Callable[..., bytes]) -> int:
    """Behind which visit the repeats of the one `at` stand; `latest`: the last one begun."""
    earliest = max(at + max(1, len(visits) // 3), latest)
    behind = len(visits) - 1
    if earliest < behind:
        place = int.from_bytes(draw("place", visits[at].query_id)[:8])
        behind = earliest + place % (len(visits) - earliest)
    # The query's own key makes the position its own.
    return first_visit_position(visits[behind].query) + visits[at].query + 1
