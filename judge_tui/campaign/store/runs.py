"""The runs of a campaign: the kept top of every ranked list, and what each was asked."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.typed import typed
from judge_tui.errors import UsageError, unknown
from judge_tui.formats.latency_csv import latency_of

if TYPE_CHECKING:
    from judge_tui.analysis.basis import KeptRun

__all__ = [
    "LONGEST",
    "AskedRows",
    "AskedRun",
    "ChosenRun",
    "RunRecord",
    "all_runs",
    "asked_rows",
    "asked_runs",
    "chosen_runs",
    "kept_rankings",
    "nothing_found",
    "run_keys",
    "scores_kept",
    "write_asked",
]


@dataclass(frozen=True, slots=True)
class RunRecord:
    """What the campaign knows of a run: `depth` is how much of each list was kept."""

    tag: str
    source: str
    sha256: str
    depth: int
    queries: int


def all_runs(campaign: Campaign) -> list[RunRecord]:
    """The runs in the order in which they were loaded."""
    rows = campaign.rows(
        "SELECT tag, source, sha256, depth,"
        " (SELECT count(DISTINCT query) FROM results WHERE run = runs.id)"
        " FROM runs ORDER BY loaded_at, id"
    )
    return [RunRecord(*row) for row in rows]


def run_keys(campaign: Campaign) -> dict[str, int]:
    """Tag -> key of each run, in the order in which they were loaded."""
    return dict(campaign.rows("SELECT tag, id FROM runs ORDER BY loaded_at, id"))


def kept_rankings(campaign: Campaign, depth: int | None = None) -> dict[str, dict[str, list[str]]]:
    """The kept lists, down to `depth`: tag -> query_id -> doc_ids, best first."""
    queries = dict(campaign.rows("SELECT id, query_id FROM queries"))
    # One string for each document, however many lists it is in.
    documents = dict(
        campaign.rows("SELECT id, doc_id FROM documents WHERE id IN (SELECT document FROM results)")
    )
    rankings: dict[str, dict[str, list[str]]] = {}
    for key, tag in campaign.rows("SELECT id, tag FROM runs ORDER BY loaded_at, id"):
        lists = rankings[tag] = {}
        with campaign.in_words():
            for query, document in campaign.connection.execute(
                "SELECT query, document FROM results WHERE run = ? AND rank <= coalesce(?, rank)"
                " ORDER BY query, rank",
                (key, depth),
            ):
                lists.setdefault(queries[query], []).append(documents[document])
    return rankings


LONGEST = f"coalesce(json_extract(settings, '$.longest'), {sys.maxsize})"
"""Of a row of runs: how long the longest list of its file is."""


@dataclass(frozen=True, slots=True)
class ChosenRun:
    """A run by its `key` and `tag`, the file `source` that it is from, and how much of each list is
    kept: the first `depth`. The longest list of the file has `longest` results; where that is not
    known, as in campaigns of before, more than any."""

    key: int
    tag: str
    source: str
    depth: int
    longest: int

    def kept(self, depth: int | None = None) -> KeptRun:
        """Return how much of it there is to look at: what is kept, cut at `depth`."""
        from judge_tui.analysis.basis import KeptRun  # noqa: PLC0415 - the pool scores nothing

        at_most = self.depth if depth is None else min(self.depth, depth)
        return KeptRun(self.tag, self.source, at_most, self.longest)


def chosen_runs(campaign: Campaign, tags: Sequence[str] = ()) -> list[ChosenRun]:
    """The runs of those tags, each once, in that order (default: all, as they were loaded).

    Raises `UsageError` for a tag that is not there and for a campaign without runs.
    """
    runs = {
        row[1]: ChosenRun(*row)
        for row in campaign.rows(
            f"SELECT id, tag, source, depth, {LONGEST} FROM runs ORDER BY loaded_at, id"
        )
    }
    if not runs:
        raise UsageError(
            "the campaign has no runs yet", f"first: {typed(campaign.path, 'load run', 'FILE...')}"
        )
    for tag in tags:
        if tag not in runs:
            raise unknown("run", tag, runs)
    return [runs[tag] for tag in dict.fromkeys(tags or runs)]


def scores_kept(campaign: Campaign, run: int) -> dict[str, dict[str, float]]:
    """query_id -> doc_id -> score of what is kept of a run, by its key: queries as they were
    loaded, documents by rank."""
    rows = campaign.rows(
        "SELECT query_id, doc_id, score FROM results AS r"
        " JOIN queries ON queries.id = r.query JOIN documents ON documents.id = r.document"
        " WHERE r.run = ? ORDER BY r.query, r.rank",
        (run,),
    )
    scores: dict[str, dict[str, float]] = {}
    for query_id, doc_id, score in rows:
        scores.setdefault(query_id, {})[doc_id] = score
    return scores


AskedRows: TypeAlias = Mapping[int, tuple[float | None, str]]
"""Key of a query -> its seconds, None where nobody knows them, and why it failed, "" where it did
not."""


@dataclass(frozen=True, slots=True)
class AskedRun:
    """What is known of a run: it was asked so many `queries`, of which `nothing_found` have no
    result; at `failed` of these the system failed. `median_s` and `p95_s` (the nearest rank): the
    seconds of the others as far as they are known, None where none are."""

    queries: int
    nothing_found: int
    failed: int
    median_s: float | None
    p95_s: float | None


def asked_rows(connection: sqlite3.Connection, run: int) -> AskedRows:
    """What is kept of the run with that key; nothing where nothing is known of it."""
    return {
        query: (seconds, failure)
        for query, seconds, failure in connection.execute(
            "SELECT query, seconds, failure FROM asked WHERE run = ? ORDER BY query", (run,)
        )
    }


def write_asked(connection: sqlite3.Connection, run: int, rows: AskedRows) -> None:
    """Put them in the place of what was known of the run."""
    connection.execute("DELETE FROM asked WHERE run = ?", (run,))
    connection.executemany(
        "INSERT INTO asked (run, query, seconds, failure) VALUES (?, ?, ?, ?)",
        ((run, query, *known) for query, known in sorted(rows.items())),
    )


def nothing_found(campaign: Campaign, run: int) -> list[str]:
    """The queries that the run with that key was asked and has no result for, ascending."""
    rows = campaign.rows(
        "SELECT query_id FROM asked AS a JOIN queries AS q ON q.id = a.query WHERE a.run = ?"
        " AND NOT EXISTS (SELECT 1 FROM results AS r WHERE (r.run, r.query) = (a.run, a.query))"
        " ORDER BY query_id",
        (run,),
    )
    return [query_id for (query_id,) in rows]


def asked_runs(campaign: Campaign) -> dict[str, AskedRun]:
    """tag -> what is known, for the runs of which anything is."""
    rows = campaign.rows(
        "SELECT r.tag, a.seconds, a.failure <> '', EXISTS (SELECT 1 FROM results AS o"
        " WHERE o.run = a.run AND o.query = a.query)"
        " FROM asked AS a JOIN runs AS r ON r.id = a.run ORDER BY r.loaded_at, r.id, a.seconds"
    )
    by_tag: dict[str, list[tuple[float | None, bool, bool]]] = {}
    for tag, seconds, failed, found in rows:
        by_tag.setdefault(tag, []).append((seconds, bool(failed), bool(found)))
    return {tag: _summed_up(queries) for tag, queries in by_tag.items()}


def _summed_up(queries: Sequence[tuple[float | None, bool, bool]]) -> AskedRun:
    """`queries`: seconds, ascending; whether it failed; whether anything was found."""
    latency = latency_of([one for one, failed, _ in queries if one is not None and not failed])
    return AskedRun(
        queries=len(queries),
        nothing_found=sum(not found for _, _, found in queries),
        failed=sum(failed for _, failed, _ in queries),
        median_s=latency.median,
        p95_s=latency.p95,
    )
