"""What one judge needs on another machine, as a campaign file of its own.

It is the same campaign, cut down to one judge: the pairs that were assigned (the whole pool where
nothing is assigned to anybody), their queries and documents, the judge's own events. It is as blind
as the Judge screen, to whoever opens the file: no run, no other judge, no gold grade, nothing of
why a pair is in the pool or was assigned, and no integer key that follows the order of a run.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from judge_tui.campaign.shell_command import shell_command
from judge_tui.campaign.store.assignments import Dealt, how_dealt
from judge_tui.campaign.store.backend import Tables, insertion
from judge_tui.campaign.store.campaign_file import new_file
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.documents import DOCUMENT_FIELDS
from judge_tui.campaign.store.event import EVENT_FIELDS
from judge_tui.campaign.store.events import rebuild
from judge_tui.campaign.store.judges import Judge, find_judge, known_judge, proper_name
from judge_tui.campaign.store.pool import refuse_empty_pool
from judge_tui.campaign.store.queries import QUERY_FIELDS
from judge_tui.errors import UsageError

_NEW = 0
"""The key of nobody, for a judge who is not in the campaign yet."""

_JUDGE = 1
"""The key of the one judge in a bundle."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """What a bundle holds: counts of pairs, of those that are decided, and of documents.

    `new`: the judge is not in the campaign yet. `size` is the file's, in bytes.
    """

    judge: str
    pairs: int
    decided: int
    queries: int
    documents: int
    without_text: int
    size: int
    new: bool


def export_bundle(campaign: Campaign, path: str | os.PathLike[str], *, judge: str) -> Bundle:
    """Write the bundle of one judge to `path`, whole or not at all.

    A judge who is not in the campaign yet can have one where nothing is assigned. Raises
    `UsageError` for a model and for a judge who has nothing to judge, and `CampaignError` where the
    path exists or cannot be written.
    """
    name = proper_name(judge)
    campaign.tend()
    settings = replace(campaign.settings, baseline="")
    with campaign.reading(), new_file(path, settings) as bundle:
        if how_dealt(campaign) is Dealt.ASSIGNED:
            known = known_judge(campaign, name)
        else:
            known = find_judge(campaign, name) or Judge(_NEW, name, "judge", "human")
        if known.kind == "model":
            raise UsageError(
                f"judge {known.name!r} is a model, and a bundle is one person's part",
                "let it judge in this campaign, or in a copy of the whole file",
            )
        pairs = _write(campaign, bundle, known)
        if not pairs:
            refuse_empty_pool(campaign)
            raise UsageError(
                f"nothing is assigned to {known.name!r}",
                f"first: {shell_command(campaign.path, 'assign', '--judges NAMES')}",
            )
        [(decided, queries, documents, without_text)] = bundle.each(
            "SELECT (SELECT count(decision) FROM judgments WHERE turn = 0), (SELECT count(*) FROM"
            " queries), (SELECT count(*) FROM documents),"
            " (SELECT count(*) FROM documents WHERE text IS NULL)"
        )
    return Bundle(
        judge=known.name,
        pairs=pairs,
        decided=decided,
        queries=queries,
        documents=documents,
        without_text=without_text,
        size=Path(path).stat().st_size,
        new=known.key == _NEW,
    )


# Of a pair `p`. One that was taken from the judge stays, if the judge did something with it.
_MINE = (
    "(NOT EXISTS (SELECT 1 FROM assignments) OR p.id IN"
    " (SELECT pair FROM assignments WHERE judge = ? UNION SELECT pair FROM events WHERE judge = ?))"
)


def _write(campaign: Campaign, bundle: Tables, judge: Judge) -> int:
    """Fill the bundle; how many pairs it has."""
    who = [(_JUDGE, judge.name, judge.role, judge.kind, judge.formerly)]
    bundle.execute_many(insertion("judges", "id", "name", "role", "kind", "formerly"), who)
    queries = _copy(campaign, bundle, judge, "queries")
    documents = _copy(campaign, bundle, judge, "documents")
    keys: dict[int, int] = {}

    def pool() -> Iterator[tuple[Any, ...]]:
        sql = (
            "SELECT p.id, p.query, p.document FROM pool AS p JOIN documents AS d"
            f" ON d.id = p.document WHERE {_MINE} ORDER BY p.query, d.doc_id"
        )
        for key, query, document in campaign.each(sql, (judge.key, judge.key)):
            keys[key] = len(keys) + 1
            yield keys[key], queries[query], documents[document], ""

    bundle.execute_many(insertion("pool", "id", "query", "document", "stratum"), pool())
    assignments = (
        (_JUDGE, keys[pair], turn, position, "repeat" if turn else "normal")
        for pair, turn, position in campaign.each(
            "SELECT pair, turn, position FROM assignments WHERE judge = ?", (judge.key,)
        )
    )
    bundle.execute_many(
        insertion("assignments", "judge", "pair", "turn", "position", "purpose"), assignments
    )
    events = (
        (event_id, _JUDGE, keys[pair], *rest)
        for event_id, pair, *rest in campaign.each(
            f"SELECT id, pair, {', '.join(EVENT_FIELDS)} FROM events WHERE judge = ? ORDER BY id",
            (judge.key,),
        )
    )
    bundle.execute_many(insertion("events", "id", "judge", "pair", *EVENT_FIELDS), events)
    rebuild(bundle)
    return len(keys)


# By table, its column in the pool, what is copied, and in which order. Queries keep theirs, which
# the judge meets them in; that of documents and pairs would tell which run had brought them.
_TABLES = {
    "queries": ("query", ("query_id", *QUERY_FIELDS), "id"),
    "documents": ("document", ("doc_id", *DOCUMENT_FIELDS), "doc_id"),
}


def _copy(campaign: Campaign, bundle: Tables, judge: Judge, table: str) -> dict[int, int]:
    """Copy what the judge's pairs are of, numbered from 1 on; the new keys by the old."""
    of_pair, fields, order = _TABLES[table]
    new: dict[int, int] = {}

    def rows() -> Iterator[tuple[Any, ...]]:
        sql = (
            f"SELECT id, {', '.join(fields)} FROM {table} WHERE id IN"
            f" (SELECT p.{of_pair} FROM pool AS p WHERE {_MINE}) ORDER BY {order}"
        )
        for key, *rest in campaign.each(sql, (judge.key, judge.key)):
            new[key] = len(new) + 1
            yield new[key], *rest

    bundle.execute_many(insertion(table, "id", *fields), rows())
    return new
