"""What a pooling strategy is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias


class Choice(NamedTuple):
    """A document that a query gets judged.

    `weight`: what a judgment of it is worth; a budget goes to what weighs most in all queries, and
    evenly to the queries where all weigh the same. `stratum`: why; empty for the name of the
    strategy. `probability`: the chance that it had to be chosen, where it was drawn, else None.
    """

    doc_id: str
    weight: float = 0.0
    stratum: str = ""
    probability: float | None = None


Tie: TypeAlias = Callable[[str], bytes]
"""Document to a place among equals: seeded, so that a tie is not settled by the alphabet."""

Choose: TypeAlias = Callable[
    [Sequence[Sequence[str]], Mapping[str, int], AbstractSet[str], Tie], list[Choice]
]
"""(ranked, judged, pooled, tie) to all that one query may get judged, best first.

`ranked`: its lists of doc_ids, one a run, best first, empty where a run found nothing. The runs
stand in the same order for every query, and that order must not change what is chosen. `judged`:
doc_id -> the final grade; empty unless the strategy `uses_judgments`. `pooled`: the doc_ids that
are in the pool of the query, judged or waiting to be. `tie`: see `Tie`.

The caller takes as many as are wanted, and leaves out what is pooled. Without a budget it takes the
first --depth, those pooled included: the same round again is empty, and a new one needs a greater
budget or depth, unless the strategy itself leaves out what is pooled."""


@dataclass(frozen=True, slots=True)
class Strategy:
    """`name` of the strategy and of its stratum; what it does, in one line; `why` a pair of its
    stratum is in the pool, as reports say it; `choose`.

    `uses_judgments`: whether its next round depends on the grades of now. `ranked` is cut at the
    depth of the pool, unless it looks at `whole_lists`: then the depth is how many each query gets,
    and a budget takes the place of that.
    """

    name: str
    summary: str
    why: str
    choose: Choose
    uses_judgments: bool = False
    whole_lists: bool = False
