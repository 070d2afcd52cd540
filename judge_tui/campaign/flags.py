"""What a judge may want to come back to: flagged, skipped, said to be not judgeable, commented."""

from __future__ import annotations

from dataclasses import dataclass, replace

from judge_tui.campaign.desk import Desk, DeskPair, PairState
from judge_tui.campaign.events import DECISIONS

__all__ = ["SetAside", "pairs_set_aside"]

# An action, and those of which it must be the last one that holds. A comment can be taken off. The
# texts of a tuple read as a list in SQL only where there are two.
_REASONS = (
    ("flag", ("flag", "unflag")),
    ("skip", DECISIONS),
    ("cannot", DECISIONS),
    ("comment", ("comment", "comment")),
)


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
    found: dict[int, SetAside] = {}
    for action, those in _REASONS:
        rows = desk.campaign.rows(
            "SELECT max(f.id), f.pair, f.turn, q.query_id, d.doc_id FROM ("  # noqa: S608 - constants
            "  SELECT max(id) AS id, pair, turn, action, note FROM live_events"
            f"  WHERE judge = ? AND action IN {those} GROUP BY pair, turn"
            ") AS f JOIN pool AS p ON p.id = f.pair JOIN queries AS q ON q.id = p.query"
            " JOIN documents AS d ON d.id = p.document"
            " WHERE f.action = ? AND (f.action <> 'comment' OR f.note <> '')"
            " GROUP BY f.pair ORDER BY 1",
            (desk.judge.key, action),
        )
        for _id, pair, turn, query_id, doc_id in rows:
            if pair not in found:
                found[pair] = SetAside(query_id, _pair(desk, pair, doc_id, turn))
    return list(found.values())


def _pair(desk: Desk, key: int, doc_id: str, turn: int) -> DeskPair:
    pair = DeskPair(key, doc_id, PairState(), turn)
    return replace(pair, state=desk.state(pair))
