"""The ranking of one query in a run, or those of two runs side by side."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from itertools import zip_longest

import numpy as np

from judge_tui.analysis.deltas import places_of
from judge_tui.analysis.rankings import NO_DOCUMENT
from judge_tui.analysis.standing import Standing
from judge_tui.errors import UsageError

__all__ = ["Placed", "SideBySide", "place_of_query", "side_by_side"]

_TOLD = 5


@dataclass(frozen=True, slots=True)
class Placed:
    """A document at a rank: its number, its grade (None: unjudged), and the rank that it has in the
    other list, None where that does not have it as far as it is kept, or there is none."""

    rank: int
    document: int
    grade: int | None
    other_rank: int | None

    @property
    def moved(self) -> int | None:
        """By how many ranks it stands higher here than in the other list; less than 0: lower."""
        return None if self.other_rank is None else self.other_rank - self.rank


@dataclass(frozen=True, slots=True)
class SideBySide:
    """The tops of the lists of one run or of two, rank by rank; None behind the end of the shorter
    one.

    `query`: its place in the rankings. `lengths`: how many results each list has, as far as it is
    kept. `known`: how many documents of the query have a final grade, by grade. `nothing`: of a
    list without results why it has none (`Rankings.nothing`).
    """

    query: int
    query_id: str
    tags: tuple[str, ...]
    rows: tuple[tuple[Placed | None, ...], ...]
    lengths: tuple[int, ...]
    known: tuple[int, ...]
    nothing: tuple[str, ...]


def side_by_side(standing: Standing, query: int, *tags: str, depth: int = 10) -> SideBySide:
    """The first `depth` results of the query (a place in the rankings) in one run, or in two.

    Raises `UsageError` for a run that is not there, and for a run beside itself.
    """
    places = places_of(standing, *tags)
    lists = [standing.rankings.documents[place, query] for place in places]
    seen = [standing.seen[place, query] for place in places]
    lengths = [int((one != NO_DOCUMENT).sum()) for one in lists]
    ranks = [
        {document: rank for rank, document in enumerate(one[:length].tolist(), 1)}
        for one, length in zip(lists, lengths, strict=True)
    ]
    # Of one list alone, the other has nothing.
    others = ranks[::-1] if len(ranks) > 1 else [{}]
    columns = [
        [
            Placed(rank, document, None if grade < 0 else grade, others[side].get(document))
            for rank, (document, grade) in enumerate(
                zip(
                    lists[side][: lengths[side]][:depth].tolist(),
                    seen[side][: lengths[side]][:depth].tolist(),
                    strict=True,
                ),
                1,
            )
        ]
        for side in range(len(lists))
    ]
    return SideBySide(
        query=query,
        query_id=standing.rankings.query_ids[query],
        tags=tags,
        rows=tuple(zip_longest(*columns)),
        lengths=tuple(lengths),
        known=tuple(np.asarray(standing.known[query]).tolist()),
        nothing=tuple(standing.rankings.nothing(place, query) for place in places),
    )


def place_of_query(standing: Standing, query_id: str) -> int:
    """Where the query stands in the rankings. Raises `UsageError` where it does not."""
    ids = standing.rankings.query_ids
    if query_id not in ids:
        near = get_close_matches(query_id, ids, 1)
        some = ", ".join(map(repr, ids[:_TOLD])) + (", …" if len(ids) > _TOLD else "")
        raise UsageError(
            f"no query {query_id!r}",
            f"did you mean {near[0]!r}?" if near else f"there are {len(ids):,}: {some}",
        )
    return ids.index(query_id)
