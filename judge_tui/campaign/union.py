"""What was staged from one file, joined to the campaign: the short part of merging, which holds it.

Everything is a union by text ids. A query that asks something else here is no such value: its file
is refused, or it is left out. Where both have a value and the two differ, ours stays and the
difference is told; an unknown value (a document without text, a pair that a bundle says nothing of)
gives way to a known one.

Assignments are the lead's, who takes back with `assign` what nobody has touched. A file that was
made before knows nothing of it: where there are assignments, only those come that were touched
there. Where there are none, all come.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any

from judge_tui.campaign.columns import DOCUMENT_FIELDS, EVENT_FIELDS, QUERY_FIELDS
from judge_tui.campaign.events import DECISIONS
from judge_tui.campaign.incoming import altered_event
from judge_tui.campaign.other_queries import leave_out, other_queries, refuse_other_queries
from judge_tui.campaign.run_union import join_runs
from judge_tui.campaign.tallies import counted_at_once
from judge_tui.errors import CampaignError

__all__ = ["Came", "Conflict", "DecidedOtherwise", "SettledOtherwise", "join"]

_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Conflict:
    """One value that differs: `field` of the judge, query, … (`of`) `name`; `here` stays."""

    file: str
    of: str
    name: str
    field: str
    here: str
    there: str


@dataclass(frozen=True, slots=True)
class DecidedOtherwise:
    """A pair that one judge decided here and there otherwise, neither knowing of the other: `here`
    and `there` are what held of it, `holds` what does now, each a grade, "skip" or "cannot".

    `holds` is that of the events together: a skip, say, that a file had replaced on one side.
    """

    file: str
    judge: str
    query_id: str
    doc_id: str
    repeat: bool
    here: int | str
    there: int | str
    holds: int | str


@dataclass(frozen=True, slots=True)
class SettledOtherwise:
    """A pair that was settled here and there with another grade, neither knowing of the other; the
    later settling holds, as it does in one file. `holds`: "here" or "there"."""

    file: str
    query_id: str
    doc_id: str
    lead_here: str
    grade_here: int
    lead_there: str
    grade_there: int
    holds: str


@dataclass(frozen=True, slots=True)
class Came:
    """What one file brought. Counts are of what was not here before.

    `texts` are those of documents that had none, `runs` those that are new or reach deeper.
    `pairs_only_here` counts the pooled pairs that the file does not have; those that only the file
    had are its `pairs`. `events` is by judge; `events_there` counts all that the file holds.
    `placed_otherwise`: assignments that have another place on the judge's desk there.
    `near_names`: by new judge, those here whose names are nearly the same. `told`: that
    new ones have texts which are here under other ids, in sentences.
    `decided_otherwise`: ascending by judge, query and document; `settled_otherwise`: by query and
    document. `other_queries`: ids of queries that are
    other ones here, ascending; of theirs, `pairs_left_out` new ones and `events_left_out`.
    """

    file: str
    judges: int = 0
    queries: int = 0
    documents: int = 0
    texts: int = 0
    pairs: int = 0
    gold: int = 0
    assignments: int = 0
    runs: int = 0
    events: dict[str, int] = field(default_factory=dict)
    events_there: int = 0
    pairs_only_here: int = 0
    placed_otherwise: int = 0
    near_names: dict[str, tuple[str, ...]] = field(default_factory=dict)
    told: tuple[str, ...] = ()
    decided_otherwise: tuple[DecidedOtherwise, ...] = ()
    settled_otherwise: tuple[SettledOtherwise, ...] = ()
    other_queries: tuple[str, ...] = ()
    pairs_left_out: int = 0
    events_left_out: int = 0
    itself: bool = False


def join(
    connection: sqlite3.Connection,
    source: int,
    file: str,
    events_there: int,
    *,
    assigned: bool,
    skip_other_queries: bool,
) -> tuple[Came, list[Conflict]]:
    """Add what was staged under the number `source`, inside the caller's transaction.

    `assigned`: whether the campaign had assignments before the first of the files was joined.
    Raises `CampaignError` for an event that is here with another content, and for a query that is
    another one here, unless all of such queries is to be left out.
    """
    run = _Statements(connection, source)
    conflicts = [Conflict(file, *told) for told in _differences(run)]
    others = other_queries(connection, source)
    if not skip_other_queries:
        refuse_other_queries(connection, source, file, others)
    pairs_left_out, events_left_out = leave_out(connection, source, others)
    judges = run.changes(_JUDGES)
    run.changes(_JUDGES_HERE)
    queries = run.changes(_QUERIES)
    texts = run.changes(_TEXTS)
    documents = run.changes(_DOCUMENTS)
    shared = run.number("SELECT count(here) FROM temp.incoming_pairs WHERE source = :source")
    pairs_only_here = run.number("SELECT count(*) FROM pool") - shared
    pairs = run.changes(_PAIRS)
    run.changes(_PAIRS_HERE)
    run.changes(_STRATA)
    conflicts += [Conflict(file, *told) for told in _gold_differences(run)]
    gold = run.changes(_GOLD)
    assignments = run.changes(_ASSIGNMENTS.format(" AND t.touched" if assigned else ""))
    run.changes(_PURPOSES)
    runs, run_differences = join_runs(connection, source)
    conflicts += [Conflict(file, "run", *told) for told in run_differences]
    altered = altered_event(connection, source)
    if altered is not None:
        raise CampaignError(
            file,
            f"event {altered} is in this campaign with another content",
            "one of the two files was changed by another program: ask for another copy",
        )
    by_judge = list(run.rows(_EVENTS_BY_JUDGE))
    decided_otherwise = list(run.rows(_DECIDED_OTHERWISE))
    came = Came(
        file=file,
        judges=judges,
        queries=queries,
        documents=documents,
        texts=texts,
        pairs=pairs,
        gold=gold,
        assignments=assignments,
        runs=runs,
        events={name: count for name, count, _ in by_judge},
        events_there=events_there,
        pairs_only_here=pairs_only_here,
        placed_otherwise=run.number(_PLACED_OTHERWISE),
        settled_otherwise=tuple(
            SettledOtherwise(file, *told) for told in run.rows(_SETTLED_OTHERWISE)
        ),
        other_queries=tuple(others),
        pairs_left_out=pairs_left_out,
        events_left_out=events_left_out,
    )
    keys = [key for _, _, key in by_judge]
    with counted_at_once(connection, keys, sum(came.events.values())):
        run.changes(_EVENTS)
    # What holds of them is known by now.
    decided = tuple(
        DecidedOtherwise(file, name, query_id, doc_id, bool(turn), here, there, holds)
        for judge, pair, turn, name, query_id, doc_id, here, there in decided_otherwise
        for (holds,) in connection.execute(_DECIDED, (judge, pair, turn))
    )
    return replace(came, decided_otherwise=decided), conflicts


class _Statements:
    """Statements about one source."""

    def __init__(self, connection: sqlite3.Connection, source: int) -> None:
        self.connection = connection
        self.source = {"source": source}

    def rows(self, sql: str) -> Iterator[tuple[Any, ...]]:
        return iter(self.connection.execute(sql, self.source))

    def number(self, sql: str) -> int:
        return int(self.connection.execute(sql, self.source).fetchone()[0])

    def changes(self, sql: str) -> int:
        return self.connection.execute(sql, self.source).rowcount


def _differences(run: _Statements) -> Iterator[tuple[str, str, str, str, str]]:
    for of, table, name, fields, where in (
        ("judge", "judges", "name", ("role", "kind"), ""),
        ("query", "queries", "query_id", QUERY_FIELDS, ""),
        (
            "document",
            "documents",
            "doc_id",
            DOCUMENT_FIELDS,
            " AND o.text IS NOT NULL AND t.text IS NOT NULL",
        ),
    ):
        for column in fields:
            for found, here, there in run.rows(
                f"SELECT o.{name}, o.{column}, t.{column} FROM temp.incoming_{table} AS t"  # noqa: S608
                f" JOIN main.{table} AS o ON o.{name} = t.{name}"
                f" WHERE t.source = :source AND o.{column} IS NOT t.{column}{where} ORDER BY 1"
            ):
                yield of, found, column, shortened(here), shortened(there)


def _gold_differences(run: _Statements) -> Iterator[tuple[str, str, str, str, str]]:
    for query_id, doc_id, here, there in run.rows(_GOLD_DIFFERENCES):
        yield "gold", f"{query_id} {doc_id}", "grade", str(here), str(there)


def shortened(value: str) -> str:
    """A value as it is told: a long one by its length and the start of its SHA-256."""
    if len(value) <= _SHOWN:
        return value
    digest = sha256(value.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{len(value):,} characters, sha256 {digest[:12]}"


def _list(table: str, names: Sequence[str]) -> str:
    return ", ".join(f"{table}{name}" for name in names)


_JUDGES = (
    "INSERT INTO judges (name, role, kind) SELECT name, role, kind FROM temp.incoming_judges"
    " WHERE source = :source AND name NOT IN (SELECT name FROM main.judges) ORDER BY name"
)
_JUDGES_HERE = (
    "UPDATE temp.incoming_judges AS t SET here ="
    " (SELECT o.id FROM main.judges AS o WHERE o.name = t.name) WHERE t.source = :source"
)
_QUERIES = (
    f"INSERT INTO queries (query_id, {_list('', QUERY_FIELDS)})"  # noqa: S608
    f" SELECT query_id, {_list('', QUERY_FIELDS)} FROM temp.incoming_queries"
    " WHERE source = :source AND query_id NOT IN (SELECT query_id FROM main.queries) ORDER BY key"
)
_TEXTS = (
    "UPDATE main.documents AS o SET "  # noqa: S608
    + ", ".join(f"{name} = t.{name}" for name in DOCUMENT_FIELDS)
    + " FROM temp.incoming_documents AS t WHERE t.source = :source AND o.doc_id = t.doc_id"
    " AND o.text IS NULL AND t.text IS NOT NULL"
)
_DOCUMENTS = (
    f"INSERT INTO documents (doc_id, {_list('', DOCUMENT_FIELDS)})"  # noqa: S608
    f" SELECT t.doc_id, {_list('t.', DOCUMENT_FIELDS)} FROM temp.incoming_documents AS t"
    " WHERE t.source = :source"
    " AND NOT EXISTS (SELECT 1 FROM main.documents AS o WHERE o.doc_id = t.doc_id) ORDER BY t.key"
)
_PAIRS = (
    "INSERT INTO pool (query, document, priority, stratum)"
    " SELECT q.id, d.id, t.priority, t.stratum FROM temp.incoming_pairs AS t"
    " JOIN main.queries AS q ON q.query_id = t.query_id"
    " JOIN main.documents AS d ON d.doc_id = t.doc_id"
    " WHERE t.source = :source AND t.here IS NULL ORDER BY t.key"
    " ON CONFLICT (query, document) DO NOTHING"
)
_PAIRS_HERE = (
    "UPDATE temp.incoming_pairs AS t SET here = (SELECT o.id FROM main.pool AS o"
    " WHERE o.query = (SELECT id FROM main.queries AS q WHERE q.query_id = t.query_id)"
    " AND o.document = (SELECT id FROM main.documents AS d WHERE d.doc_id = t.doc_id))"
    " WHERE t.source = :source AND t.here IS NULL"
)
_STRATA = (
    "UPDATE main.pool AS o SET priority = t.priority, stratum = t.stratum"
    " FROM temp.incoming_pairs AS t"
    " WHERE t.source = :source AND t.stratum <> '' AND o.id = t.here AND o.stratum = ''"
)
_GOLD = (
    "INSERT INTO gold (pair, grade) SELECT p.here, t.grade FROM temp.incoming_gold AS t"
    " JOIN temp.incoming_pairs AS p ON (p.source, p.key) = (t.source, t.key)"
    " WHERE t.source = :source ORDER BY 1 ON CONFLICT (pair) DO NOTHING"
)
_GOLD_DIFFERENCES = (
    "SELECT q.query_id, d.doc_id, o.grade, t.grade FROM temp.incoming_gold AS t"
    " JOIN temp.incoming_pairs AS i ON (i.source, i.key) = (t.source, t.key)"
    " JOIN main.gold AS o ON o.pair = i.here JOIN main.pool AS p ON p.id = i.here"
    " JOIN main.queries AS q ON q.id = p.query JOIN main.documents AS d ON d.id = p.document"
    " WHERE t.source = :source AND o.grade <> t.grade ORDER BY 1, 2"
)

_ASSIGNED = (
    " FROM temp.incoming_assignments AS t"
    " JOIN temp.incoming_judges AS j ON (j.source, j.key) = (t.source, t.judge)"
    " JOIN temp.incoming_pairs AS p ON (p.source, p.key) = (t.source, t.key)"
)
# All pairs of one visit to a query have one position: where there is such a visit, it stays.
_ASSIGNMENTS = (
    "INSERT INTO assignments (judge, pair, turn, position, purpose)"  # noqa: S608
    " SELECT j.here, p.here, t.turn, coalesce((SELECT position FROM main.tallies AS v"
    "  WHERE (v.judge, v.query, v.turn) = (j.here, o.query, t.turn) AND v.assigned > 0),"
    f" t.position), t.purpose{_ASSIGNED} JOIN main.pool AS o ON o.id = p.here"
    " WHERE t.source = :source{} ORDER BY 1, 2, 3 ON CONFLICT (judge, pair, turn) DO NOTHING"
)
# A bundle calls every first look normal; where another copy knows better, that is taken.
_PURPOSES = (
    "UPDATE main.assignments AS o SET purpose = n.purpose"  # noqa: S608
    " FROM (SELECT j.here AS judge, p.here AS pair, t.turn AS turn, t.purpose AS purpose"
    f"{_ASSIGNED} WHERE t.source = :source AND t.purpose IN ('overlap', 'gold')) AS n"
    " WHERE (o.judge, o.pair, o.turn) = (n.judge, n.pair, n.turn)"
    " AND (o.purpose = 'normal' OR (o.purpose = 'overlap' AND n.purpose = 'gold'))"
)
_PLACED_OTHERWISE = (
    f"SELECT count(*){_ASSIGNED} JOIN main.assignments AS o"
    " ON (o.judge, o.pair, o.turn) = (j.here, p.here, t.turn)"
    " WHERE t.source = :source AND o.position <> t.position"
)

_NEW = "t.source = :source AND NOT EXISTS (SELECT 1 FROM main.events AS o WHERE o.id = t.id)"
_EVENT = (
    " FROM temp.incoming_events AS t"
    " JOIN temp.incoming_judges AS j ON (j.source, j.key) = (t.source, t.judge)"
    " JOIN temp.incoming_pairs AS p ON (p.source, p.key) = (t.source, t.pair)"
    f" WHERE {_NEW}"
)
_EVENTS = (
    f"INSERT INTO events (id, judge, pair, {_list('', EVENT_FIELDS)})"
    f" SELECT t.id, j.here, p.here, {_list('t.', EVENT_FIELDS)}{_EVENT} ORDER BY t.id"
)
_EVENTS_BY_JUDGE = (
    "SELECT j.name, n.events, j.here FROM (SELECT t.judge AS judge, count(*) AS events"  # noqa: S608
    f" FROM temp.incoming_events AS t WHERE {_NEW} GROUP BY t.judge) AS n"
    " JOIN temp.incoming_judges AS j ON (j.source, j.key) = (:source, n.judge) ORDER BY j.name"
)
# The + keeps SQLite at the pair, which has few events.
_LAST_DECISION = (
    "(SELECT max(e.id) FROM main.live_events AS e WHERE (e.judge, e.pair, e.turn) = ({})"  # noqa: S608
    f" AND +e.action IN {DECISIONS})"
)
_DECIDED = (
    "SELECT coalesce(o.grade, o.action) FROM main.events AS o"  # noqa: S608
    f" WHERE o.id = {_LAST_DECISION.format('?, ?, ?')}"
)
# Who has decided again what was known to be decided has changed it: that is no difference.
_DECIDED_OTHERWISE = (
    "SELECT j.here, p.here, t.turn, j.name, q.query_id, d.doc_id, coalesce(o.grade, o.action),"  # noqa: S608
    " coalesce(t.grade, t.action) FROM temp.incoming_decided AS t"
    " JOIN temp.incoming_judges AS j ON (j.source, j.key) = (t.source, t.judge)"
    " JOIN temp.incoming_pairs AS p ON (p.source, p.key) = (t.source, t.pair)"
    f" JOIN main.events AS o ON o.id = {_LAST_DECISION.format('j.here, p.here, t.turn')}"
    " JOIN main.pool AS m ON m.id = p.here"
    " JOIN main.queries AS q ON q.id = m.query JOIN main.documents AS d ON d.id = m.document"
    " WHERE t.source = :source AND (t.action, t.grade) IS NOT (o.action, o.grade)"
    " AND NOT EXISTS (SELECT 1 FROM main.events AS e WHERE e.id = t.id)"
    " AND NOT EXISTS"
    "  (SELECT 1 FROM temp.incoming_known AS k WHERE (k.source, k.id) = (:source, o.id))"
    " AND NOT EXISTS"
    "  (SELECT 1 FROM temp.incoming_events AS i WHERE (i.source, i.id) = (:source, o.id))"
    " ORDER BY j.name, q.query_id, d.doc_id, t.turn"
)
# Who has settled again what was known to be settled has changed it: that is no difference.
_SETTLED_OTHERWISE = (
    "SELECT q.query_id, d.doc_id, oj.name, o.grade, j.name, t.grade,"
    " CASE WHEN t.id > o.id THEN 'there' ELSE 'here' END FROM temp.incoming_settled AS t"
    " JOIN temp.incoming_pairs AS i ON (i.source, i.key) = (t.source, t.pair)"
    " JOIN temp.incoming_judges AS j ON (j.source, j.key) = (t.source, t.judge)"
    " JOIN main.adjudications AS o ON o.pair = i.here JOIN main.judges AS oj ON oj.id = o.judge"
    " JOIN main.pool AS p ON p.id = i.here"
    " JOIN main.queries AS q ON q.id = p.query JOIN main.documents AS d ON d.id = p.document"
    " WHERE t.source = :source AND t.holds AND t.grade <> o.grade"
    " AND NOT EXISTS (SELECT 1 FROM main.events AS e WHERE e.id = t.id)"
    " AND NOT EXISTS"
    "  (SELECT 1 FROM temp.incoming_settled AS k WHERE (k.source, k.id) = (:source, o.id))"
    " ORDER BY 1, 2"
)
