"""A judge's way through the desk: which visit, which pair, and where to next."""

from __future__ import annotations

from dataclasses import replace

from judge_tui.campaign.store.desk import Desk, DeskPair, DeskPairs, DeskQuery
from judge_tui.campaign.store.event import Event

ALL_JUDGED = "all judged: thank you"
GROWN = "there is more to judge meanwhile"
NOT_THERE = "that document is not on your desk any more"


class Route:
    """Where the judge is. Moves return a sentence to show, or None where the screen says enough.

    A visit is a query's pairs, met for the first time (turn 0) or as hidden repeats (turn 1).
    """

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._place = 0
        self.pairs = DeskPairs()
        self.index = 0
        self.all_judged = False
        self._read_queries()

    @property
    def pair(self) -> DeskPair | None:
        """The pair in front of the judge; None on an empty desk."""
        return self.pairs[self.index] if self.pairs else None

    @property
    def likely_next(self) -> DeskPair | None:
        """The pair that comes after this one is decided, if it is of the same visit."""
        index = self.pairs.next_undecided(self.index) if self.pairs else None
        return None if index is None else self.pairs[index]

    @property
    def query_key(self) -> int:
        return self._queries[self._place].key

    @property
    def query_id(self) -> str:
        return self._queries[self._place].query_id

    @property
    def visit(self) -> tuple[int, int]:
        """The query's key and the turn; see `DeskQuery.visit`."""
        return self._queries[self._place].visit

    @property
    def progress(self) -> tuple[int, int]:
        """Pairs decided and pairs in all, over the whole desk."""
        return self._decided, self._pairs

    def queries(self) -> list[DeskQuery]:
        """The first visits in their order, with the counts of now, for the judge to choose from.

        A query that stood there twice would tell what the second visit is: hidden repeats.
        """
        return [query for query in self._queries if query.turn == 0]

    def resume(self) -> str | None:
        """Go to the first pair without a decision at or after the last one worked on."""
        if not self._queries:
            return None
        last = self._desk.last_slot()
        if last is None or not self._to_slot(last):
            self._open(0)
        if self.pair is not None and self.pair.state.decision is None:
            return None
        return self.to_next_undecided()

    def catch_up(self) -> bool:
        """Read the desk anew if others have changed it: given pairs out, or brought judgments of
        this judge; whether they had. One stays with the pair where it still is."""
        now = self._desk.queries()
        if self._queries == now:
            return False
        self._read_again()
        return True

    def step(self, by: int) -> str | None:
        """To the next or previous pair, over the borders of queries."""
        if 0 <= self.index + by < len(self.pairs):
            self.index += by
            return None
        here, at = self._place, self.index
        place = here + by
        while 0 <= place < len(self._queries):
            self._open(place)
            # Empty where the pairs were given to somebody else meanwhile, and where they are
            # repeats whose first look is still to come.
            if self.pairs:
                self.index = 0 if by > 0 else len(self.pairs) - 1
                return None
            place += by
        if self._place != here:
            self._open(here)
            self.index = min(at, max(0, len(self.pairs) - 1))
        return "this is the last document" if by > 0 else "this is the first document"

    def to_next_undecided(self) -> str | None:
        """To the next pair without a decision: in this query, then in the ones after it, around.

        Where there is none, the file is asked again: there may be more meanwhile. Only then are
        `all_judged` and the sentence true.
        """
        self.all_judged = False
        if not self._queries:
            return None
        if self._find_undecided():
            return None
        if self.pair is not None and self.pair.state.decision is None:
            return "this is the only one left"
        self._read_again()
        if self._find_undecided():
            return GROWN
        self.all_judged = True
        return ALL_JUDGED

    def _find_undecided(self) -> bool:
        index = self.pairs.next_undecided(self.index)
        if index is not None:
            self.index = index
            return True
        count, here, at = len(self._queries), self._place, self.index
        for place in (*range(here + 1, count), *range(here)):
            if self._queries[place].decided < self._queries[place].pairs:
                self._open(place)
                index = self.pairs.next_undecided(-1)
                if index is not None:
                    self.index = index
                    return True
        if self._place != here:
            self._open(here)
            self.index = min(at, max(0, len(self.pairs) - 1))
        return False

    def to_query(self, visit: tuple[int, int]) -> str | None:
        """To a visit's first pair without a decision, else its first."""
        self._open(self._places[visit])
        self.index = self.pairs.next_undecided(-1) or 0
        return None

    def to_index(self, index: int) -> str | None:
        """To a pair of this visit."""
        self.index = max(0, min(len(self.pairs) - 1, index))
        return None

    def to_event(self, event: Event) -> str | None:
        """To where an event was done, read afresh."""
        return self.to_slot((event.pair, event.turn))

    def to_slot(self, slot: tuple[int, int]) -> str | None:
        """To a pair by its key and turn, read afresh."""
        return None if self._to_slot(slot) else NOT_THERE

    def _to_slot(self, slot: tuple[int, int]) -> bool:
        pair, turn = slot
        visit = self._desk.query_of(pair), turn
        if visit not in self._places:
            # There is more on the desk than when it was opened.
            self._read_again()
        if visit not in self._places:
            return False
        if not self.pairs or visit != self.visit:
            self._open(self._places[visit])
        index = self.pairs.place_of(pair)
        if index is None:
            return False
        self.index = index
        self.reread()
        return True

    def reread(self) -> DeskPair:
        """The pair in front of the judge, its state read afresh and counted."""
        pair = self.pairs.put(self.index, self._desk.state(self.pairs[self.index]))
        self._count(self._place)
        return pair

    def _read_queries(self) -> None:
        self._queries = self._desk.queries()
        self._places = {query.visit: place for place, query in enumerate(self._queries)}
        self._decided = sum(query.decided for query in self._queries)
        self._pairs = sum(query.pairs for query in self._queries)

    def _read_again(self) -> None:
        """Read the desk anew, and stay with the pair where it still is."""
        visit, pair = self.visit if self._queries else None, self.pair
        self._read_queries()
        self._place, self.pairs, self.index = 0, DeskPairs(), 0
        if not self._queries:
            return
        if visit is None or visit not in self._places:
            self._open(0)
            return
        self._open(self._places[visit])
        if pair is not None:
            self.index = self.pairs.place_of(pair.key) or 0

    def _open(self, place: int) -> None:
        self._place = place
        self.pairs = self._desk.pairs(*self._queries[place].visit)
        self.index = 0
        self._count(place)

    def _count(self, place: int) -> None:
        """Take the counts of a visit from its pairs, which are open."""
        query, pairs = self._queries[place], self.pairs
        self._decided += pairs.decided - query.decided
        total = len(pairs) + pairs.waiting
        self._pairs += total - query.pairs
        if (query.pairs, query.decided) != (total, pairs.decided):
            self._queries[place] = replace(query, pairs=total, decided=pairs.decided)
