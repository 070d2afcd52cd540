"""A judge's way through the desk: which query, which pair, and where to next."""

from __future__ import annotations

from dataclasses import replace

from judge_tui.campaign.desk import Desk, DeskPair, DeskQuery
from judge_tui.campaign.events import Event

__all__ = ["ALL_JUDGED", "Route"]

ALL_JUDGED = "all judged: thank you"


class Route:
    """Where the judge is. Moves return a sentence to show, or None where the screen says enough."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._read_queries()
        self._place = 0
        self.pairs: list[DeskPair] = []
        self.index = 0
        self.all_judged = False

    @property
    def pair(self) -> DeskPair | None:
        """The pair in front of the judge; None on an empty desk."""
        return self.pairs[self.index] if self.pairs else None

    @property
    def query_key(self) -> int:
        return self._queries[self._place].key

    @property
    def query_id(self) -> str:
        return self._queries[self._place].query_id

    @property
    def progress(self) -> tuple[int, int]:
        """Pairs decided and pairs in all, over the whole desk."""
        return sum(self._decided), sum(query.pairs for query in self._queries)

    def queries(self) -> list[DeskQuery]:
        """The queries with the counts of now."""
        return [
            DeskQuery(query.key, query.query_id, query.text, query.pairs, decided)
            for query, decided in zip(self._queries, self._decided, strict=True)
        ]

    def resume(self) -> str | None:
        """Go to the first undecided pair at or after the last one worked on."""
        if not self._queries:
            return None
        last = self._desk.last_pair()
        if last is None:
            self._open(0)
        else:
            self.to_pair(last)
        if self.pair is not None and self.pair.state.decision is None:
            return None
        return self.to_next_undecided()

    def step(self, by: int) -> str | None:
        """To the next or previous pair, over the borders of queries."""
        if 0 <= self.index + by < len(self.pairs):
            self.index += by
            return None
        place = self._place + by
        if not 0 <= place < len(self._queries):
            return "this is the last document" if by > 0 else "this is the first document"
        self._open(place)
        self.index = 0 if by > 0 else len(self.pairs) - 1
        return None

    def to_next_undecided(self) -> str | None:
        """To the next pair without a decision: in this query, then in the ones after it, around.

        Where there is none, the file is asked again: the pool may have grown meanwhile. Only then
        are `all_judged` and the sentence true.
        """
        self.all_judged = False
        if not self._queries:
            return None
        if self._find_undecided():
            return None
        if self.pair is not None and self.pair.state.decision is None:
            return "this is the only one left"
        here, at = self.query_key, self.pair.key if self.pair else None
        self._read_queries()
        self._open(self._places[here])
        self.index = next((i for i, pair in enumerate(self.pairs) if pair.key == at), 0)
        if self._find_undecided():
            return "the pool has grown meanwhile"
        self.all_judged = True
        return ALL_JUDGED

    def _find_undecided(self) -> bool:
        for index in (*range(self.index + 1, len(self.pairs)), *range(self.index)):
            if self.pairs[index].state.decision is None:
                self.index = index
                return True
        count = len(self._queries)
        for place in (*range(self._place + 1, count), *range(self._place)):
            if self._decided[place] < self._queries[place].pairs:
                self._open(place)
                self.index = self._first_undecided()
                return True
        return False

    def _first_undecided(self) -> int:
        undecided = (i for i, pair in enumerate(self.pairs) if pair.state.decision is None)
        return next(undecided, 0)

    def to_query(self, key: int) -> str | None:
        """To a query's first undecided pair, else its first."""
        self._open(self._places[key])
        self.index = self._first_undecided()
        return None

    def to_index(self, index: int) -> str | None:
        """To a pair of this query."""
        self.index = max(0, min(len(self.pairs) - 1, index))
        return None

    def to_event(self, event: Event) -> str | None:
        """To where an event was done, read afresh."""
        return self.to_pair(event.pair)

    def to_pair(self, pair: int) -> str | None:
        """To a pair by its key, read afresh."""
        query = self._desk.query_of(pair)
        if query not in self._places:
            # The pool has grown since the desk was opened.
            self._read_queries()
        self._open(self._places[query])
        self.index = next((i for i, known in enumerate(self.pairs) if known.key == pair), 0)
        return None

    def reread(self) -> DeskPair:
        """The pair in front of the judge, its state read afresh and counted."""
        pair = self.pairs[self.index]
        state = self._desk.state(pair)
        self._decided[self._place] += (state.decision is not None) - (
            pair.state.decision is not None
        )
        self.pairs[self.index] = pair = replace(pair, state=state)
        return pair

    def _read_queries(self) -> None:
        self._queries: list[DeskQuery] = self._desk.queries()
        self._places = {query.key: place for place, query in enumerate(self._queries)}
        self._decided = [query.decided for query in self._queries]

    def _open(self, place: int) -> None:
        query = self._queries[place]
        self.pairs = self._desk.pairs(query.key)
        self._place = place
        self.index = 0
        self._queries[place] = replace(query, pairs=len(self.pairs))
        self._decided[place] = sum(pair.state.decision is not None for pair in self.pairs)
