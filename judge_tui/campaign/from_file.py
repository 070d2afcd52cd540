"""A judge's grades that came from a file and that nobody has changed since in the app: what is to
become of them when the file comes again as another one."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field

from judge_tui.agreement.decide import Pair
from judge_tui.campaign.event_id import next_event_id
from judge_tui.campaign.events import FROM_FILE, refresh
from judge_tui.campaign.file import Campaign, now
from judge_tui.campaign.grades import otherwise, some
from judge_tui.campaign.judges import find_judge, proper_name
from judge_tui.campaign.pool import pair_keys
from judge_tui.formats import QrelsRow

__all__ = ["Earlier", "earlier_grades"]


@dataclass(frozen=True, slots=True)
class Earlier:
    """What a judge (a key; None for a new one) has from files, beside what a file gives now for
    some queries: `changed` are pairs that it gives another grade, told as such; `gone` those of
    its queries that it does not give any more, with their grades; and how many pairs are of other
    queries (`elsewhere`)."""

    judge: int | None = None
    changed: Mapping[Pair, str] = field(default_factory=dict)
    gone: Mapping[Pair, int] = field(default_factory=dict)
    elsewhere: int = 0

    def take_back(self, campaign: Campaign) -> None:
        """Undo what is gone: what the judge decided in the app before holds again."""
        if self.judge is not None and self.gone:
            keys = pair_keys(campaign)
            with campaign.writing() as connection:
                _undo(connection, self.judge, [keys[pair] for pair in self.gone])

    def notes(self, *, replaced: bool) -> list[str]:
        """What is to be told of answers that were loaded."""
        changed = list(self.changed.values())
        gone = [f"{query_id} {doc_id}: {grade}" for (query_id, doc_id), grade in self.gone.items()]
        told = []
        if replaced:
            if gone:
                told.append(f"taken back, as no answer gives them any more: {some(gone)}")
            if self.elsewhere:
                told.append(f"stay for queries that this one does not have: {self.elsewhere:,}")
            return [f"grades of an earlier file {one}" for one in told]
        if changed:
            told.append(f"given otherwise by this one: {some(changed)}")
        if gone:
            told.append(f"given by no answer any more: {some(gone)}")
        if not told:
            return []
        mend = "load it with --replace to let it hold instead"
        return [f"grades of an earlier file stay, {', '.join(told)}; {mend}"]


def earlier_grades(
    campaign: Campaign, judge: str, rows: Sequence[QrelsRow], queries: Set[str]
) -> Earlier:
    """What the judge of that name has from files, beside these rows, which are all that there is
    for these queries (ids)."""
    known = find_judge(campaign, proper_name(judge))
    if known is None:
        return Earlier()
    given = {(row.query_id, row.doc_id): row for row in rows}
    changed: dict[Pair, str] = {}
    gone: dict[Pair, int] = {}
    elsewhere = 0
    for query_id, doc_id, grade in campaign.rows(_FROM_FILES, (known.key,)):
        row = given.get((query_id, doc_id))
        if query_id not in queries:
            elsewhere += 1
        elif row is None:
            gone[query_id, doc_id] = grade
        elif row.grade != grade:
            changed[query_id, doc_id] = otherwise(row, grade)
    return Earlier(known.key, changed, gone, elsewhere)


_FROM_FILES = (
    "SELECT q.query_id, d.doc_id, x.grade FROM decisions AS x"
    " JOIN pool AS p ON p.id = x.pair JOIN queries AS q ON q.id = p.query"
    " JOIN documents AS d ON d.id = p.document"
    " WHERE x.judge = ? AND x.action = 'grade' AND x.from_file ORDER BY p.id"
)


def _undo(connection: sqlite3.Connection, judge: int, pairs: Sequence[int]) -> None:
    """Undo all grades of these pairs (keys) that files gave: behind the last one there may be
    another."""
    loaded: dict[int, list[str]] = {pair: [] for pair in pairs}
    for pair, event in connection.execute(
        "SELECT pair, id FROM events AS e WHERE judge = ? AND action = 'grade' AND turn = 0"  # noqa: S608
        f" AND {FROM_FILE} AND id NOT IN (SELECT target FROM events WHERE judge = e.judge"
        " AND target IS NOT NULL) ORDER BY id",
        (judge,),
    ):
        if pair in loaded:
            loaded[pair].append(event)
    undone = [(pair, event) for pair, events in loaded.items() for event in events]
    when = now()

    def undos() -> Iterator[tuple[object, ...]]:
        last = connection.execute("SELECT max(id) FROM events").fetchone()[0]
        for pair, event in undone:
            last = next_event_id(last)
            yield last, judge, pair, event, when

    connection.executemany(
        "INSERT INTO events (id, judge, pair, action, note, target, written_at)"
        " VALUES (?, ?, ?, 'undo', '', ?, ?)",
        undos(),
    )
    refresh(connection, ((judge, pair, 0) for pair in pairs))
