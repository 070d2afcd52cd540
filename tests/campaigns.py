"""Campaigns as loads and judges leave them, without the command line or the app."""

from __future__ import annotations

import os
from typing import Any

from judge_tui.campaign import Campaign
from judge_tui.campaign.loading import LoadCounts
from judge_tui.campaign.loading.judgments import load_judgments
from judge_tui.campaign.loading.runs import load_runs
from judge_tui.campaign.store.arrays import settled_grades
from judge_tui.campaign.store.desk import Desk, DeskPair
from judge_tui.campaign.store.event import Event
from judge_tui.campaign.store.events import append_event, redo, undo
from judge_tui.campaign.store.judges import add_judge
from judge_tui.campaign.store.pool import pair_keys
from judge_tui.model import Pair

SEEN = "2026-01-05T10:00:00Z"
"""When a document was painted."""


def load_run(
    campaign: Campaign, path: str | os.PathLike[str], **options: Any
) -> tuple[str, LoadCounts]:
    """Load one run: its tag and the outcome; `options` as of `load_runs`."""
    loaded = load_runs(campaign, [path], **options)[0]
    return loaded.tag, loaded.counts


def grade_by_file(campaign: Campaign, judge: str, qrels: str, *, kind: str = "human") -> None:
    """Give the judge the grades of these lines, from a file beside the campaign."""
    path = campaign.path.with_name("given.qrels")
    path.write_text(qrels)
    load_judgments(campaign, path, judge=judge, kind=kind)


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


def adjudications(campaign: Campaign) -> dict[Pair, int]:
    """(query_id, doc_id) -> the lead's grade."""
    names = {key: pair for pair, key in pair_keys(campaign).items()}
    pairs, grades = settled_grades(campaign)
    return {names[pair]: grade for pair, grade in zip(pairs.tolist(), grades.tolist(), strict=True)}


def record(desk: Desk, action: str, pair: DeskPair, **fields: Any) -> Event:
    """What the judge of that desk does in the app, as `append_event` has it."""
    return append_event(
        desk.campaign,
        judge=desk.judge.key,
        pair=pair.key,
        turn=pair.turn,
        action=action,
        **fields,
    )


def undo_last(desk: Desk) -> Event | None:
    return undo(desk.campaign, desk.judge.key)


def redo_last(desk: Desk) -> Event | None:
    return redo(desk.campaign, desk.judge.key)
