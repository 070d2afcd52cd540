"""A judge's desk: what may be seen while judging, and nothing else.

Blind by construction: nothing here reads a run, a rank, a score, why a pair is in the pool, or what
another judge did; but for `ranks_of`, which a campaign has to be made for with `--show-ranks`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import overload

from judge_tui.campaign.store.assignments import Dealt, how_dealt
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.documents import DOCUMENT_COLUMNS, document_of_row
from judge_tui.campaign.store.judges import Judge
from judge_tui.campaign.store.leases import (
    HELD_BY_OTHERS,
    IS_ON_DESK,
    TAKEN_BY_OTHERS,
    claim,
    is_rest_held,
    release,
)
from judge_tui.campaign.store.queries import QUERY_COLUMNS, query_by_key, query_of_row
from judge_tui.formats.checkout import KEY
from judge_tui.model import Document, Query
from judge_tui.pooling.order import judging_order


@dataclass(frozen=True, slots=True)
class DeskQuery:
    """One visit to a query: its pairs, and how many of them the judge has decided.

    `turn` is 1 where its pairs are hidden repeats, which come considerably later than the first
    visit. `key` is the query's. `pairs` counts the repeats that are not to be met yet as well: a
    total that grew by the look at a pair would tell that it is to be repeated.
    """

    key: int
    query_id: str
    text: str
    pairs: int
    decided: int
    turn: int = 0

    @property
    def visit(self) -> tuple[int, int]:
        """What no two visits of a desk share."""
        return self.key, self.turn


class Desk:
    """What one judge sees of a campaign.

    Where pairs are assigned, that is what was assigned to the judge, which may be nothing; else it
    is the whole pool, or where that is shared, what the judge has decided, and what nobody else has
    or is at. `is_shared`: whether it was when `queries` was called last.
    """

    def __init__(self, campaign: Campaign, judge: Judge) -> None:
        self.campaign = campaign
        self.judge = judge
        self.is_shared = False

    def queries(self) -> list[DeskQuery]:
        """The visits, in the order in which the judge makes them.

        Where nothing is assigned, the queries that have pairs, in the order in which they were
        loaded.
        """
        dealt = how_dealt(self.campaign)
        self.is_shared = dealt is Dealt.SHARED
        if dealt is Dealt.ASSIGNED:
            rows = self.campaign.rows(
                "SELECT q.id, q.query_id, q.text, v.pairs, v.decided, v.turn FROM ("
                "  SELECT p.query, a.turn, max(a.position) AS position, count(*) AS pairs,"
                "   count(j.decision) AS decided FROM assignments AS a"
                "  JOIN pool AS p ON p.id = a.pair LEFT JOIN judgments AS j"
                "   ON j.judge = a.judge AND j.pair = a.pair AND j.turn = a.turn"
                "  WHERE a.judge = ? GROUP BY p.query, a.turn"
                " ) AS v JOIN queries AS q ON q.id = v.query ORDER BY v.position, v.turn, q.id",
                (self.judge.key,),
            )
        elif self.is_shared:
            rows = self.campaign.rows(
                "SELECT q.id, q.query_id, q.text,"
                f" CASE WHEN q.id IN ({HELD_BY_OTHERS}) THEN coalesce(v.decided, 0)"
                "  ELSE n.pairs - coalesce(t.pairs, 0) END, coalesce(v.decided, 0), 0"
                f" FROM {_POOLED} LEFT JOIN ({TAKEN_BY_OTHERS}) AS t ON t.query = q.id {_DECIDED}",
                (self.judge.key,) * 3,
            )
        else:
            rows = self.campaign.rows(
                "SELECT q.id, q.query_id, q.text, n.pairs, coalesce(v.decided, 0), 0"
                f" FROM {_POOLED} {_DECIDED}",
                (self.judge.key,),
            )
        return [DeskQuery(*row) for row in rows if row[3]]

    def query(self, key: int) -> Query:
        """One query, whole."""
        return query_by_key(self.campaign, key)

    def pairs(self, query: int, turn: int = 0) -> DeskPairs:
        """The pairs of one visit, in this judge's own order; each turn has its own. Of a shared
        pool, those that the judge has decided, and all that are left where the query is claimed.

        A repeat is among them once its first look is decided. That may be late: what is pooled
        meanwhile comes to queries that the judge has passed.
        """
        rows = assigned = self._pairs(query, turn)
        states = self._states(query, turn)
        if turn:
            first = self._states(query, 0)
            decided = {key for key, state in first.items() if state.decision is not None}
            rows = [row for row in assigned if row[0] in decided or row[0] in states]
        order = judging_order(
            self.query(query).query_id,
            [doc_id for _, doc_id in rows],
            self.campaign.settings.seed,
            self.judge.first_name,
            turn=turn,
        )
        return DeskPairs(
            [rows[place][0] for place in order],
            [rows[place][1] for place in order],
            states,
            turn,
            len(assigned) - len(rows),
        )

    def claim(self, query: int) -> bool:
        """Of a shared pool: let no other judge be at the query until this one is at another, or
        does nothing for `LEASE`; False where somebody else is there."""
        return claim(self.campaign, self.judge.key, query)

    def release(self) -> None:
        """Of a shared pool: let others judge what this judge leaves."""
        if self.is_shared:
            release(self.campaign, self.judge.key)

    def is_rest_held(self) -> bool:
        """Of a shared pool: whether others are at what this judge has not on the desk."""
        return self.is_shared and is_rest_held(self.campaign, self.judge.key)

    def state(self, pair: DeskPair) -> PairState:
        """The state of one pair, read afresh."""
        rows = self.campaign.rows(
            "SELECT decision, grade, flagged, note FROM judgments"
            " WHERE judge = ? AND pair = ? AND turn = ?",
            (self.judge.key, *pair.slot),
        )
        return _state(*rows[0]) if rows else UNTOUCHED

    def query_of(self, pair: int) -> int:
        """The key of the query that a pair belongs to."""
        [query] = self.campaign.row("SELECT query FROM pool WHERE id = ?", (pair,))
        return int(query)

    def look(self, pair: DeskPair) -> Look:
        """A pair as it is now, all of it at once."""
        columns = (self.campaign.backend.readable(f"d.{one}") for one in DOCUMENT_COLUMNS)
        sql = _LOOK.format(of_document=", ".join(columns))
        row = self.campaign.row(sql, (self.judge.key, pair.turn, pair.key))
        query, rest = row[: len(QUERY_COLUMNS)], row[len(QUERY_COLUMNS) :]
        document, has_text = document_of_row(self.campaign, rest[: len(DOCUMENT_COLUMNS)])
        # A column of grades or ranks would end blindness: only what the campaign names is shown.
        shown = (KEY, *self.campaign.settings.show_fields)
        meta = {name: document.meta[name] for name in shown if name in document.meta}
        return Look(
            query_of_row(self.campaign, query),
            replace(document, meta=meta),
            has_text,
            _state(*rest[len(DOCUMENT_COLUMNS) :]),
        )

    def ranks_of(self, pair: DeskPair) -> list[tuple[str, int]]:
        """Where each run ranks the pair, best first; always empty in a blind campaign."""
        if not self.campaign.settings.show_ranks:
            return []
        return self.campaign.rows(
            "SELECT runs.tag, r.rank FROM pool AS p JOIN results AS r"
            " ON r.query = p.query AND r.document = p.document"
            " JOIN runs ON runs.id = r.run WHERE p.id = ? ORDER BY r.rank, runs.id",
            (pair.key,),
        )

    def _pairs(self, query: int, turn: int) -> list[tuple[int, str]]:
        """The keys and document ids of a visit, in no order that matters."""
        sql = (
            "SELECT p.id, d.doc_id FROM pool AS p JOIN documents AS d ON d.id = p.document"
            " WHERE p.query = ?"
        )
        dealt = how_dealt(self.campaign)
        if dealt is Dealt.WHOLE:
            return self.campaign.rows(sql, (query,))
        if dealt is Dealt.SHARED:
            its = self.judge.key, self.judge.key
            return self.campaign.rows(f"{sql} AND {IS_ON_DESK}", (query, *its))
        return self.campaign.rows(
            f"{sql} AND EXISTS (SELECT 1 FROM assignments AS a"
            " WHERE a.judge = ? AND a.pair = p.id AND a.turn = ?)",
            (query, self.judge.key, turn),
        )

    def _states(self, query: int, turn: int) -> dict[int, PairState]:
        """The states of the touched pairs of a visit."""
        # Equal states are one object: of a hundred thousand there are a few kinds.
        kinds: dict[PairState, PairState] = {}
        states: dict[int, PairState] = {}
        for pair, *row in self.campaign.rows(
            "SELECT pair, decision, grade, flagged, note FROM judgments"
            " WHERE judge = ? AND query = ? AND turn = ?",
            (self.judge.key, query, turn),
        ):
            state = _state(*row)
            states[pair] = kinds.setdefault(state, state)
        return states


@dataclass(frozen=True, slots=True)
class PairState:
    """What the judge's own events say of a pair. `decision` is grade, skip, cannot or None."""

    decision: str | None = None
    grade: int | None = None
    flagged: bool = False
    note: str = ""


UNTOUCHED = PairState()


@dataclass(frozen=True, slots=True)
class Look:
    """What a judge sees of a pair. `has_text`: whether the text of the document was ever loaded."""

    query: Query
    document: Document
    has_text: bool
    state: PairState


_POOLED = (
    "(SELECT query, count(*) AS pairs FROM pool GROUP BY query) AS n"
    " JOIN queries AS q ON q.id = n.query"
)
_DECIDED = (
    "LEFT JOIN (SELECT query, count(decision) AS decided FROM judgments"
    "  WHERE judge = ? AND turn = 0 GROUP BY query) AS v ON v.query = q.id ORDER BY q.id"
)
_LOOK = (
    f"SELECT {', '.join(f'q.{one}' for one in QUERY_COLUMNS)}, {{of_document}},"
    " j.decision, j.grade, j.flagged, j.note"
    " FROM pool AS p JOIN queries AS q ON q.id = p.query JOIN documents AS d ON d.id = p.document"
    " LEFT JOIN judgments AS j ON j.judge = ? AND j.pair = p.id AND j.turn = ? WHERE p.id = ?"
)


def _state(
    decision: str | None, grade: int | None, flagged: int | None, note: str | None
) -> PairState:
    return UNTOUCHED if note is None else PairState(decision, grade, bool(flagged), note)


@dataclass(frozen=True, slots=True)
class DeskPair:
    """One pair to judge, and its state. `turn` is 1 where it is the hidden repeat of a pair."""

    key: int
    doc_id: str
    state: PairState
    turn: int = 0

    @property
    def slot(self) -> tuple[int, int]:
        """What no two places on the desk share."""
        return self.key, self.turn


class DeskPairs(Sequence[DeskPair]):
    """The pairs of one visit, in the order in which the judge meets them."""

    def __init__(
        self,
        keys: Sequence[int] = (),
        doc_ids: Sequence[str] = (),
        states: Mapping[int, PairState] | None = None,
        turn: int = 0,
        waiting: int = 0,
    ) -> None:
        """`keys` and `doc_ids` side by side; `states` by key, of those that are not untouched.

        `waiting`: how many more belong to the visit and are not to be met yet.
        States of other pairs are left out: a judge may have done more than is on the desk.
        """
        self._keys = keys
        self._doc_ids = doc_ids
        self._states = {key: states[key] for key in keys if key in states} if states else {}
        self._turn = turn
        self.waiting = waiting
        self._decided = sum(state.decision is not None for state in self._states.values())

    @property
    def decided(self) -> int:
        """How many have a decision."""
        return self._decided

    def __len__(self) -> int:
        return len(self._keys)

    @overload
    def __getitem__(self, index: int) -> DeskPair: ...

    @overload
    def __getitem__(self, index: slice) -> list[DeskPair]: ...

    def __getitem__(self, index: int | slice) -> DeskPair | list[DeskPair]:
        if isinstance(index, slice):
            return [self[one] for one in range(*index.indices(len(self)))]
        key = self._keys[index]
        return DeskPair(key, self._doc_ids[index], self._state(key), self._turn)

    def place_of(self, key: int) -> int | None:
        """Where the pair of that key is, None where it is not among them."""
        return next((index for index, known in enumerate(self._keys) if known == key), None)

    def put(self, index: int, state: PairState) -> DeskPair:
        """Give the pair at `index` another state; returns it with that."""
        key = self._keys[index]
        before = self._state(key)
        self._decided += (state.decision is not None) - (before.decision is not None)
        self._states[key] = state
        return self[index]

    def next_undecided(self, after: int) -> int | None:
        """The first pair without a decision behind `after`, then from the start up to it."""
        if self._decided == len(self):
            return None
        around = (*range(after + 1, len(self)), *range(max(0, after)))
        return next((i for i in around if self._state(self._keys[i]).decision is None), None)

    def _state(self, key: int) -> PairState:
        return self._states.get(key, UNTOUCHED)


@dataclass(frozen=True, slots=True)
class SetAside:
    """A pair to come back to, and the query that it belongs to."""

    query_id: str
    pair: DeskPair


def pairs_set_aside(desk: Desk) -> list[SetAside]:
    """The judge's pairs to come back to, over the whole desk: those flagged in the order in which
    they were flagged, then the others that were skipped, those that cannot be judged, and those
    with a comment.

    A pair that was set aside twice, the second time as a hidden repeat, is there once: two lines
    with one id would give the repeat away.
    """
    judge = desk.judge.key
    with desk.campaign.reading():
        marked = {
            (pair, turn, action): event
            for pair, turn, action, event in desk.campaign.rows(
                "SELECT e.pair, e.turn, e.action, max(e.id) FROM judgments AS j JOIN events AS e"
                " ON e.judge = j.judge AND e.pair = j.pair AND e.turn = j.turn"
                " WHERE j.judge = ? AND (j.flagged = 1 OR j.note <> '')"
                " AND e.action IN ('flag', 'comment') GROUP BY e.pair, e.turn, e.action",
                (judge,),
            )
        }
        rows = desk.campaign.rows(
            "SELECT j.event, q.query_id, j.pair, d.doc_id, j.turn, j.decision, j.grade, j.flagged,"
            " j.note FROM judgments AS j JOIN pool AS p ON p.id = j.pair"
            " JOIN queries AS q ON q.id = p.query JOIN documents AS d ON d.id = p.document"
            " WHERE j.judge = ?"
            " AND (j.flagged = 1 OR j.note <> '' OR j.decision IN ('skip', 'cannot'))",
            (judge,),
        )
    found = []
    for event, query_id, pair, doc_id, turn, decision, grade, flagged, note in rows:
        state = _state(decision, grade, flagged, note)
        if flagged:
            reason, since = 0, marked[pair, turn, "flag"]
        elif decision in ("skip", "cannot"):
            reason, since = 1 + (decision == "cannot"), event
        else:
            reason, since = 3, marked[pair, turn, "comment"]
        found.append((reason, since, SetAside(query_id, DeskPair(pair, doc_id, state, turn))))
    once: dict[int, tuple[int, SetAside]] = {}
    for reason, _, aside in sorted(found, key=lambda one: one[:2]):
        before, _ = once.get(aside.pair.key, (reason, None))
        # Of two looks that were set aside for one reason, the later one.
        if before == reason:
            once.pop(aside.pair.key, None)
            once[aside.pair.key] = reason, aside
    return [aside for _, aside in once.values()]
