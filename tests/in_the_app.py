"""What judges have done in the app, without opening it."""

from __future__ import annotations

from judge_tui.campaign import Campaign
from judge_tui.campaign.store.events import append_event
from judge_tui.campaign.store.judges import add_judge

SEEN = "2026-01-05T10:00:00Z"
"""When a document was painted."""


def grade_in_the_app(campaign: Campaign, judge: str, qrels: str) -> None:
    """Grade what the lines say, in their order; the judge is made if new."""
    key = add_judge(campaign, judge).key
    for line in qrels.splitlines():
        query_id, _, doc_id, grade = line.split()
        [(pair,)] = campaign.rows(
            "SELECT p.id FROM pool AS p JOIN queries AS q ON q.id = p.query"
            " JOIN documents AS d ON d.id = p.document WHERE query_id = ? AND doc_id = ?",
            (query_id, doc_id),
        )
        append_event(
            campaign, judge=key, pair=pair, action="grade", grade=int(grade), painted_at=SEEN
        )
