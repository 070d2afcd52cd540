"""What a judge flagged to come back to."""

from __future__ import annotations

from dataclasses import dataclass, replace

from judge_tui.campaign.desk import Desk, DeskPair, PairState

__all__ = ["Flagged", "flagged_pairs"]


@dataclass(frozen=True, slots=True)
class Flagged:
    """A flagged pair, and the query that it belongs to."""

    query_id: str
    pair: DeskPair


def flagged_pairs(desk: Desk) -> list[Flagged]:
    """The judge's flagged pairs, over the whole desk, in the order in which they were flagged.

    A pair that was flagged twice, the second time as a hidden repeat, is there once: two lines with
    one id would give the repeat away.
    """
    rows = desk.campaign.rows(
        "SELECT max(f.id), f.pair, f.turn, q.query_id, d.doc_id FROM ("
        "  SELECT max(id) AS id, pair, turn, action FROM live_events"
        "  WHERE judge = ? AND action IN ('flag', 'unflag') GROUP BY pair, turn"
        ") AS f JOIN pool AS p ON p.id = f.pair JOIN queries AS q ON q.id = p.query"
        " JOIN documents AS d ON d.id = p.document"
        " WHERE f.action = 'flag' GROUP BY f.pair ORDER BY 1",
        (desk.judge.key,),
    )
    return [
        Flagged(query_id, _pair(desk, pair, doc_id, turn))
        for _id, pair, turn, query_id, doc_id in rows
    ]


def _pair(desk: Desk, key: int, doc_id: str, turn: int) -> DeskPair:
    pair = DeskPair(key, doc_id, PairState(), turn)
    return replace(pair, state=desk.state(pair))
