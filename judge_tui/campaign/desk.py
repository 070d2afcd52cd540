"""A judge's desk: what may be seen while judging, and nothing else.

Blind by construction: nothing here reads a run, a rank, a score, why a pair is in the pool, or what
another judge did; but for `ranks_of`, which a campaign has to be made for with `--show-ranks`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from judge_tui.campaign import events
from judge_tui.campaign.file import Campaign
from judge_tui.campaign.judges import Judge
from judge_tui.model import Document, Query
from judge_tui.pooling import judging_order

__all__ = ["Desk", "DeskPair", "DeskQuery", "PairState"]

PACE_WINDOW = 20


@dataclass(frozen=True, slots=True)
class DeskQuery:
    """A query on the desk: its pairs, and how many of them the judge has decided."""

    key: int
    query_id: str
    text: str
    pairs: int
    decided: int


@dataclass(frozen=True, slots=True)
class PairState:
    """What the judge's own events say of a pair. `decision` is grade, skip, cannot or None."""

    decision: str | None = None
    grade: int | None = None
    flagged: bool = False
    note: str = ""


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


class Desk:
    """What one judge sees of a campaign and does to it."""

    def __init__(self, campaign: Campaign, judge: Judge) -> None:
        self.campaign = campaign
        self.judge = judge

    def queries(self) -> list[DeskQuery]:
        """The queries that have pairs to judge, in the order in which they were loaded."""
        rows = self.campaign.rows(
            "WITH pooled AS (SELECT query, count(*) AS pairs FROM pool GROUP BY query),"
            " done AS (SELECT p.query, count(*) AS decided FROM"
            "  (SELECT DISTINCT pair FROM live_events WHERE judge = ?"
            "   AND action IN ('grade', 'skip', 'cannot')) AS d"
            "  JOIN pool AS p ON p.id = d.pair GROUP BY p.query)"
            " SELECT q.id, q.query_id, q.text, pooled.pairs, coalesce(done.decided, 0)"
            " FROM queries AS q JOIN pooled ON pooled.query = q.id"
            " LEFT JOIN done ON done.query = q.id ORDER BY q.id",
            (self.judge.key,),
        )
        return [DeskQuery(*row) for row in rows]

    def query(self, key: int) -> Query:
        """One query, whole."""
        rows = self.campaign.rows(
            "SELECT query_id, text, description, narrative, class, meta FROM queries WHERE id = ?",
            (key,),
        )
        query_id, text, description, narrative, query_class, meta = rows[0]
        return Query(query_id, text, description, narrative, query_class, json.loads(meta))

    def pairs(self, query: int) -> list[DeskPair]:
        """The pairs of one query, in this judge's own order."""
        rows = self.campaign.rows(
            "SELECT p.id, q.query_id, d.doc_id FROM pool AS p JOIN queries AS q ON q.id = p.query"
            " JOIN documents AS d ON d.id = p.document WHERE p.query = ?",
            (query,),
        )
        keys = {(query_id, doc_id): key for key, query_id, doc_id in rows}
        states = self._states("p.query = ?", query)
        order = judging_order(list(keys), self.campaign.settings.seed, self.judge.name)
        return [DeskPair(keys[pair], pair[1], states.get(keys[pair], _UNTOUCHED)) for pair in order]

    def state(self, pair: DeskPair) -> PairState:
        """The state of one pair, read afresh."""
        return self._states("p.id = ?", pair.key).get(pair.key, _UNTOUCHED)

    def query_of(self, pair: int) -> int:
        """The key of the query that a pair belongs to."""
        rows = self.campaign.rows("SELECT query FROM pool WHERE id = ?", (pair,))
        return int(rows[0][0])

    def document(self, pair: DeskPair) -> tuple[Document, bool]:
        """The document of a pair, and whether its text was ever loaded."""
        rows = self.campaign.rows(
            "SELECT d.doc_id, d.title, d.text, d.url, d.kind, d.meta FROM pool AS p"
            " JOIN documents AS d ON d.id = p.document WHERE p.id = ?",
            (pair.key,),
        )
        doc_id, title, text, url, kind, meta = rows[0]
        document = Document(doc_id, title, text or "", url, kind, json.loads(meta))
        return document, text is not None

    def version(self) -> int:
        """A number that changes when another program has written to the file."""
        return int(self.campaign.rows("PRAGMA data_version")[0][0])

    def last_pair(self) -> int | None:
        """The pair that the judge worked on last, None at the start."""
        rows = self.campaign.rows(
            "SELECT pair FROM events WHERE judge = ? ORDER BY id DESC LIMIT 1", (self.judge.key,)
        )
        return int(rows[0][0]) if rows else None

    def pace(self) -> list[float]:
        """Seconds looked at each of the last twenty documents decided, latest first."""
        rows = self.campaign.rows(
            "SELECT looked FROM events WHERE judge = ? AND looked IS NOT NULL"
            " AND action IN ('grade', 'skip', 'cannot') ORDER BY id DESC LIMIT ?",
            (self.judge.key, PACE_WINDOW),
        )
        return [looked for (looked,) in rows]

    def record(
        self,
        action: str,
        pair: DeskPair,
        *,
        grade: int | None = None,
        note: str = "",
        looked: float | None = None,
        painted_at: str | None = None,
    ) -> events.Event:
        """Write one event and commit it; see `append_event`."""
        return events.append_event(
            self.campaign,
            judge=self.judge.key,
            pair=pair.key,
            turn=pair.turn,
            action=action,
            grade=grade,
            note=note,
            looked=looked,
            painted_at=painted_at,
        )

    def undo(self) -> events.Event | None:
        """Undo this judge's latest event that holds."""
        return events.undo(self.campaign, self.judge.key)

    def redo(self) -> events.Event | None:
        """Redo what this judge undid last."""
        return events.redo(self.campaign, self.judge.key)

    def ranks_of(self, pair: DeskPair) -> list[tuple[str, int]]:
        """Where each run ranks the pair, best first; always empty in a blind campaign."""
        if not self.campaign.settings.show_ranks:
            return []
        rows = self.campaign.rows(
            "SELECT runs.tag, r.rank FROM pool AS p JOIN results AS r"
            " ON r.query = p.query AND r.document = p.document"
            " JOIN runs ON runs.id = r.run WHERE p.id = ? ORDER BY r.rank, runs.id",
            (pair.key,),
        )
        return [(tag, rank) for tag, rank in rows]

    def _states(self, condition: str, key: int) -> dict[int, PairState]:
        """The states of the touched pairs among those that `condition` selects."""
        rows = self.campaign.rows(
            "SELECT e.pair, e.action, e.grade, e.note FROM pool AS p"  # noqa: S608
            " JOIN live_events AS e ON e.pair = p.id"
            f" WHERE {condition} AND e.judge = ? ORDER BY e.id",
            (key, self.judge.key),
        )
        states: dict[int, PairState] = {}
        for pair, action, grade, note in rows:
            states[pair] = _after(states.get(pair, _UNTOUCHED), action, grade, note)
        return states


_UNTOUCHED = PairState()


def _after(state: PairState, action: str, grade: int | None, note: str) -> PairState:
    """The state once one more event, in the order of ids, is taken in."""
    if action in events.DECISIONS:
        return PairState(action, grade, state.flagged, state.note)
    if action in ("flag", "unflag"):
        return PairState(state.decision, state.grade, action == "flag", state.note)
    if action == "comment":
        return PairState(state.decision, state.grade, state.flagged, note)
    return state
