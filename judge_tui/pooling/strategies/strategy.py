"""What a pooling strategy is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

__all__ = ["Choice", "Choose", "Strategy", "Tie"]


class Choice(NamedTuple):
    """A document that a query gets judged.

    `stratum`: why, the name of the strategy. `probability`: the chance that it had to be chosen,
    where it was drawn, else None. `weight`: what a judgment of it is worth; a budget goes to what
    weighs most in all queries, and evenly to the queries where all weigh the same.
    """

    doc_id: str
    stratum: str
    probability: float | None = None
    weight: float = 0.0


Tie: TypeAlias = Callable[[str], bytes]
"""Document to a place among equals: seeded, so that a tie is not settled by the alphabet."""

Choose: TypeAlias = Callable[
    [Sequence[Sequence[str]], Mapping[str, int], int | None, Tie], list[Choice]
]
"""(ranked, judged, count, tie) to what one query shall get judged, best first.

`ranked`: its lists of doc_ids, one a run, best first, empty where a run found nothing. The runs
stand in the same order for every query, and that order must not change what is chosen. `judged`:
doc_id -> the final grade of what people have judged; empty unless the strategy `uses_judgments`.
`count`: how many at most, None for no limit: fewer are the first of more. `tie`: see `Tie`.

What is pooled or judged already may be chosen again: the caller leaves it out, and shares a budget
over the queries by the weights."""


@dataclass(frozen=True, slots=True)
class Strategy:
    """`name` of the strategy and of its stratum; what it does, in one line; `choose`.

    `uses_judgments`: whether its next round depends on the grades of now. `ranked` is cut at the
    depth of the pool, unless it looks at `whole_lists`: then the depth is its `count`, and a budget
    takes the place of that.
    """

    name: str
    summary: str
    choose: Choose
    uses_judgments: bool = False
    whole_lists: bool = False
