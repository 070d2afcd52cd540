"""Where the judge is on the desk, and where to next."""

from __future__ import annotations

from dataclasses import replace

from judge_tui.campaign.store.desk import Desk, DeskPair, DeskPairs, DeskQuery, PairState
from judge_tui.campaign.store.events import last_slot

ALL_JUDGED = "all judged: thank you"
REST_HELD = "others are at all that is left"
GROWN = "there is more to judge meanwhile"
NOT_THERE = "that is not on your desk now"


class DeskCursor:
    """A place on a judge's desk: a visit, and a pair in it.

    A visit is a query's pairs, met for the first time (turn 0) or as hidden repeats (turn 1). Moves
    return a sentence to show, "" where the screen says enough.
    """

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._place = 0
        self.pairs = DeskPairs()
        self.index = 0
        self.all_judged = False
        self._claimed: int | None = None
        self._read_visits()

    @property
    def pair(self) -> DeskPair | None:
        """The pair in front of the judge; None on an empty desk."""
        return self.pairs[self.index] if self.pairs else None

    @property
    def next_undecided(self) -> DeskPair | None:
        """The next pair of this visit without a decision, None where this is the last one."""
        index = self.pairs.next_undecided(self.index)
        return None if index in (None, self.index) else self.pairs[index]

    @property
    def visit(self) -> DeskQuery:
        """The visit that is open; there is none on an empty desk."""
        return self._visits[self._place]

    @property
    def progress(self) -> tuple[int, int]:
        """Pairs decided and pairs in all, over the whole desk."""
        return self._decided, self._pairs

    @property
    def query_number(self) -> tuple[int, int]:
        """Which query of how many: the same at its first visit and at that of its repeats."""
        queries = [visit.key for visit in self.queries()] or [self.visit.key]
        key = self.visit.key
        return queries.index(key) + 1 if key in queries else len(queries), len(queries)

    def queries(self) -> list[DeskQuery]:
        """The first visits in their order, with the counts of now, for the judge to choose from.

        A query that stood there twice would tell what the second visit is: hidden repeats.
        """
        return [visit for visit in self._visits if visit.turn == 0]

    # Moves

    def resume(self) -> str:
        """Go to the first pair without a decision at or after the last one worked on."""
        if not self._visits:
            return ""
        last = last_slot(self._desk.campaign, self._desk.judge.key)
        if last is None or self.to_slot(last):
            self._open(0)
        return "" if self._is_open else self.to_next_undecided()

    def step(self, by: int) -> str:
        """To the next or previous pair, over the borders of queries. From the end, where all is
        judged, back is the pair that was judged last."""
        at_end, self.all_judged = self.all_judged, False
        if at_end and by < 0:
            return ""
        if 0 <= self.index + by < len(self.pairs):
            self.index += by
            return ""
        here, at = self._place, self.index
        place = here + by
        while 0 <= place < len(self._visits):
            self._open(place)
            # Empty where the pairs were given to somebody else meanwhile, and where they are
            # repeats whose first look is still to come.
            if self.pairs:
                self.index = 0 if by > 0 else len(self.pairs) - 1
                return ""
            place += by
        self._back_to(here, at)
        return f"this is the {'last' if by > 0 else 'first'} document"

    def to_next_undecided(self) -> str:
        """To the next pair without a decision: in this query, then in the ones after it, around.

        Where there is none, the file is asked again: there may be more meanwhile. Only then are
        `all_judged` and the sentence true.
        """
        self.all_judged = False
        if not self._visits and self._desk.is_shared:
            self._read_again()
            if self._is_open:
                return ""
        if not self._visits:
            return REST_HELD if self._desk.is_rest_held() else ""
        if self._find_undecided():
            return ""
        if self._is_open:
            return "this is the only one left"
        self._read_again()
        if self._find_undecided():
            return GROWN
        self.all_judged = True
        return REST_HELD if self._desk.is_rest_held() else ALL_JUDGED

    def to_query(self, visit: tuple[int, int]) -> str:
        """To a visit's first pair without a decision, else its first."""
        self.all_judged = False
        here, at = self._place, self.index
        if visit in self._places:
            self._open(self._places[visit])
        if visit not in self._places or not self.pairs:
            self._back_to(here, at)
            return NOT_THERE
        self.index = self.pairs.next_undecided(-1) or 0
        return ""

    def to_index(self, index: int) -> str:
        """To a pair of this visit."""
        self.all_judged = False
        self.index = max(0, min(len(self.pairs) - 1, index))
        return ""

    def to_slot(self, slot: tuple[int, int], state: PairState | None = None) -> str:
        """To a pair by its key and turn, with its state, where that is known, or read afresh."""
        self.all_judged = False
        pair, turn = slot
        if self.pairs and self.visit.turn == turn and self.pairs.place_of(pair) is not None:
            visit = self.visit.visit
        else:
            visit = self._desk.query_of(pair), turn
            if visit not in self._places or self._desk.is_shared:
                # There may be more on the desk than when it was opened, or others may be there.
                self._read_again()
        if visit not in self._places:
            return NOT_THERE
        here, at = self._place, self.index
        if not self.pairs or visit != self.visit.visit:
            self._open(self._places[visit])
        index = self.pairs.place_of(pair)
        if index is None:
            if not self.pairs:
                self._back_to(here, at)
            return NOT_THERE
        self.index = index
        self.put(self._desk.state(self.pairs[index]) if state is None else state)
        return ""

    # What the file says

    def reread(self) -> DeskPair:
        """The pair in front of the judge, its state read afresh and counted."""
        return self.put(self._desk.state(self.pairs[self.index]))

    def put(self, state: PairState) -> DeskPair:
        """The pair in front of the judge, with the state that was read of it, which is counted."""
        pair = self.pairs.put(self.index, state)
        self._count(self._place)
        return pair

    def reread_pair(self, pair: DeskPair) -> None:
        """Read the state of a pair afresh, where it is of this visit."""
        index = self.pairs.place_of(pair.key)
        if index is not None and self.pairs[index].turn == pair.turn:
            self.pairs.put(index, self._desk.state(pair))

    def catch_up(self) -> bool:
        """Read the desk anew if others have changed it: given pairs out, or brought judgments of
        this judge; whether they had. One stays with the pair where it still is."""
        # A shared pool changes all the time: it is read at the end of a query.
        if self._desk.is_shared or self._visits == self._desk.queries():
            return False
        self._read_again()
        return True

    def hold(self) -> bool:
        """Hold on to the query that was opened of a shared pool; False where somebody else has it
        meanwhile."""
        return self._claimed is None or self._desk.claim(self._claimed)

    def leave_taken(self) -> str:
        """Read the desk anew, from which others have taken what is in front of the judge, and go to
        what there is to do."""
        self._read_again()
        return "" if self._is_open else self.to_next_undecided()

    @property
    def _is_open(self) -> bool:
        """Whether the pair in front of the judge has no decision."""
        return self.pair is not None and self.pair.state.decision is None

    def _find_undecided(self) -> bool:
        if self._to_undecided(self.index):
            return True
        if self._desk.is_shared:
            # Others have taken many since: to try one after another would take long.
            before = self.pair
            self._read_again()
            is_elsewhere = before is None or self.pair is None or self.pair.slot != before.slot
            if is_elsewhere and self._to_undecided(-1):
                return True
        count, here, at = len(self._visits), self._place, self.index
        for place in (*range(here + 1, count), *range(here)):
            if self._visits[place].decided < self._visits[place].pairs:
                self._open(place)
                if self._to_undecided(-1):
                    return True
        self._back_to(here, at)
        return False

    def _to_undecided(self, after: int) -> bool:
        """In this visit."""
        index = self.pairs.next_undecided(after)
        if index is not None:
            self.index = index
        return index is not None

    def _back_to(self, place: int, index: int) -> None:
        if self._place != place:
            self._open(place)
            self.index = min(index, max(0, len(self.pairs) - 1))

    def _read_visits(self) -> None:
        self._visits = self._desk.queries()
        self._places = {one.visit: place for place, one in enumerate(self._visits)}
        self._decided = sum(one.decided for one in self._visits)
        self._pairs = sum(one.pairs for one in self._visits)

    def _read_again(self) -> None:
        """Read the desk anew, and stay with the pair where it still is."""
        visit, pair = self.visit.visit if self._visits else None, self.pair
        self._read_visits()
        self._place, self.pairs, self.index = 0, DeskPairs(), 0
        if not self._visits:
            return
        if visit is None or visit not in self._places:
            self._open(0)
            return
        self._open(self._places[visit])
        if pair is not None:
            self.index = self.pairs.place_of(pair.key) or 0

    def _open(self, place: int) -> None:
        self._place = place
        visit = self._visits[place]
        if self._desk.is_shared and visit.decided < visit.pairs and self._desk.claim(visit.key):
            self._claimed = visit.key
        self.pairs = self._desk.pairs(*self._visits[place].visit)
        self.index = 0
        self._count(place)

    def _count(self, place: int) -> None:
        """Take the counts of a visit from its pairs, which are open."""
        visit, pairs = self._visits[place], self.pairs
        self._decided += pairs.decided - visit.decided
        total = len(pairs) + pairs.waiting
        self._pairs += total - visit.pairs
        if (visit.pairs, visit.decided) != (total, pairs.decided):
            self._visits[place] = replace(visit, pairs=total, decided=pairs.decided)
