"""What a judge set aside to come back to, blind as the desk itself."""

from __future__ import annotations

from dataclasses import dataclass

from judge_tui.campaign.store.desk import Desk, DeskPair, PairState


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
        state = PairState(decision, grade, bool(flagged), note)
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
