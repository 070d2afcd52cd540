"""Two rankings of one query side by side."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches

import numpy as np

from judge_tui.analysis.deltas import places_of_two
from judge_tui.analysis.rankings import NO_DOCUMENT
from judge_tui.analysis.standing import Standing
from judge_tui.errors import UsageError

__all__ = ["Placed", "TwoRankings", "place_of_query", "two_rankings"]

_TOLD = 5


@dataclass(frozen=True, slots=True)
class Placed:
    """A document at a rank: its number, its grade (None: unjudged), and the rank that it has in the
    other list, None where that does not have it as far as it is kept."""

    rank: int
    document: int
    grade: int | None
    other_rank: int | None

    @property
    def moved(self) -> int | None:
        """By how many ranks it stands higher here than in the other list; less than 0: lower."""
        return None if self.other_rank is None else self.other_rank - self.rank


@dataclass(frozen=True, slots=True)
class TwoRankings:
    """The tops of both lists, rank by rank; None behind the end of the shorter one.

    `query`: its place in the rankings. `lengths`: how many results each list has, as far as it is
    kept. `known`: how many documents of the query have a final grade, by grade. `nothing`: of a
    list without results why it has none (`Rankings.nothing`).
    """

    query: int
    query_id: str
    tags: tuple[str, str]
    rows: tuple[tuple[Placed | None, Placed | None], ...]
    lengths: tuple[int, int]
    known: tuple[int, ...]
    nothing: tuple[str, str] = ("", "")


def two_rankings(
    standing: Standing, query: int, baseline: str, tag: str, depth: int = 10
) -> TwoRankings:
    """The first `depth` results of the query (a place in the rankings) in both runs.

    Raises `UsageError` for a run that is not there, and for a run beside itself.
    """
    places = places_of_two(standing, baseline, tag)
    lists = [standing.rankings.documents[place, query] for place in places]
    seen = [standing.seen[place, query] for place in places]
    lengths = [int((one != NO_DOCUMENT).sum()) for one in lists]
    ranks = [
        {document: rank for rank, document in enumerate(one[:length].tolist(), 1)}
        for one, length in zip(lists, lengths, strict=True)
    ]
    columns = [
        [
            Placed(rank, document, None if grade < 0 else grade, ranks[1 - side].get(document))
            for rank, (document, grade) in enumerate(
                zip(
                    lists[side][: lengths[side]][:depth].tolist(),
                    seen[side][: lengths[side]][:depth].tolist(),
                    strict=True,
                ),
                1,
            )
        ]
        for side in (0, 1)
    ]
    rows = tuple(
        (
            columns[0][place] if place < len(columns[0]) else None,
            columns[1][place] if place < len(columns[1]) else None,
        )
        for place in range(max(len(columns[0]), len(columns[1])))
    )
    return TwoRankings(
        query=query,
        query_id=standing.rankings.query_ids[query],
        tags=(baseline, tag),
        rows=rows,
        lengths=(lengths[0], lengths[1]),
        known=tuple(np.asarray(standing.known[query]).tolist()),
        nothing=(
            standing.rankings.nothing(places[0], query),
            standing.rankings.nothing(places[1], query),
        ),
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
