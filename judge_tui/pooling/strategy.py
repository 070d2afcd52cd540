"""What a strategy sees of the queries, and what it says of their documents."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from judge_tui.arrays import Floats


class Choice(NamedTuple):
    """A document that a query gets judged.

    `weight`: what a judgment of it is worth; a budget goes to what weighs most in all queries, and
    evenly to the queries where all weigh the same. `stratum`: why it is in the pool, for
    `build_pool` to say. `probability`: the chance that it had to be drawn; None for no draw.
    """

    doc_id: str
    weight: float = 0.0
    stratum: str = ""
    probability: float | None = None


class PooledQuery(NamedTuple):
    """What a strategy sees of one query.

    `lists`: doc_ids, one list a run, best first, empty where a run found nothing. The order of the
    runs must not change what is chosen. `grades`: doc_id -> the final grade, of those judged, but
    for what was drawn at random; a strategy that reads them `uses_judgments`. `tie`: an id -> its
    place among equals, drawn from the seed.
    """

    lists: Sequence[Sequence[str]]
    grades: Mapping[str, int]
    tie: Callable[[str], bytes]

    def relevant(self, doc_id: str) -> bool:
        """Whether it is known to be relevant: what nobody judged counts as not relevant."""
        return self.grades.get(doc_id, 0) > 0


class Aim(NamedTuple):
    """What the judgments are to decide: which system is better by a linear measure, the sum of
    discount x gain over the ranks, over that of the ideal list where it is `normalised`.

    `discount`: float64[depth], of each rank; `gain`: of a document by its grade. `between`: the
    places of two runs in `PooledQuery.lists`; None for all runs.
    """

    discount: Floats
    gain: Callable[[int], float]
    normalised: bool = False
    between: tuple[int, int] | None = None


Choose: TypeAlias = "Callable[[Sequence[PooledQuery], Aim | None], list[list[Choice]]]"


class Strategy(NamedTuple):
    """`choose` returns, for each query, all that it may get judged, best first.

    The caller takes as many as are wanted, and leaves out what is pooled. `summary` says what the
    strategy takes, `why` where a pair of it stood. `uses_judgments`: whether the next round depends
    on the grades of now; `has_aim`: whether it needs an `Aim`. Lists are cut at the depth of the
    pool, unless it sees `whole_lists`: then the depth is how many each query gets, unless there is
    a budget.
    """

    choose: Choose
    summary: str
    why: str
    uses_judgments: bool = False
    has_aim: bool = False
    whole_lists: bool = False


def query_by_query(choose: Callable[[PooledQuery], list[Choice]]) -> Choose:
    """Make the `choose` of a strategy of one that sees a single query, and no aim."""
    return lambda queries, _aim: [choose(query) for query in queries]
