"""The runs of a campaign: the kept top of every ranked list, and what each was asked."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from judge_tui.campaign.store.columns import read_metadata
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.documents import add_document_ids
from judge_tui.campaign.store.event import now
from judge_tui.campaign.typed import typed
from judge_tui.errors import UsageError, unknown
from judge_tui.formats.latency_csv import latency_of

if TYPE_CHECKING:
    from judge_tui.analysis.basis import KeptRun

__all__ = [
    "AskedRows",
    "AskedRun",
    "ChosenRun",
    "RankedList",
    "RunFile",
    "RunRecord",
    "all_runs",
    "asked_rows",
    "asked_runs",
    "chosen_runs",
    "has_runs",
    "kept_rankings",
    "nothing_found",
    "retrieved_or_pooled",
    "run_file",
    "run_keys",
    "scores_kept",
    "write_run",
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


def has_runs(campaign: Campaign) -> bool:
    """Whether any run is loaded."""
    return bool(campaign.rows("SELECT 1 FROM runs LIMIT 1"))


@dataclass(frozen=True, slots=True)
class RunFile:
    """A run by its `tag`, the file that it is from, down to which `depth` its lists are kept, and
    how many queries of the file are not. The longest of the other lists has `longest` results;
    None where that is not known, as in campaigns of before."""

    tag: str
    source: str
    sha256: str
    depth: int
    queries_left_out: int
    longest: int | None


RankedList: TypeAlias = tuple[int, Sequence[str], Sequence[float]]
"""A query (its key), and the documents and the scores of its list, best first."""


def run_file(campaign: Campaign, tag: str) -> tuple[int, RunFile] | None:
    """The run of that tag, by its key; None where there is none."""
    rows = campaign.rows(
        "SELECT id, source, sha256, depth, settings FROM runs WHERE tag = ?", (tag,)
    )
    for key, source, sha256, depth, text in rows:
        settings = read_metadata(campaign.path, text)
        left_out = settings.get("queries_left_out", 0)
        return key, RunFile(tag, source, sha256, depth, left_out, settings.get("longest"))
    return None


def write_run(
    campaign: Campaign, run: RunFile, lists: Sequence[RankedList], asked: AskedRows
) -> None:
    """Write a run whole, in the place of the one that has its tag, if any; documents that are new
    to the campaign join it."""
    settings = {"queries_left_out": run.queries_left_out, "longest": run.longest}
    with campaign.writing():
        (key,) = campaign.row(
            "INSERT INTO runs (tag, source, sha256, loaded_at, depth, settings)"
            " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (tag) DO UPDATE SET source = excluded.source,"
            " sha256 = excluded.sha256, loaded_at = excluded.loaded_at, depth = excluded.depth,"
            " settings = excluded.settings RETURNING id",
            (run.tag, run.source, run.sha256, now(), run.depth, json.dumps(settings)),
        )
        for table in ("results", "asked"):
            campaign.execute(f"DELETE FROM {table} WHERE run = ?", (key,))
        add_document_ids(campaign, (doc_id for _, docs, _ in lists for doc_id in docs))
        campaign.execute_many(
            "INSERT INTO results (run, query, rank, score, document)"
            " SELECT ?, ?, ?, ?, id FROM documents WHERE doc_id = ?",
            (
                (key, query, rank, score, doc_id)
                for query, docs, scores in lists
                for rank, (doc_id, score) in enumerate(zip(docs, scores, strict=True), 1)
            ),
        )
        campaign.execute_many(
            "INSERT INTO asked (run, query, seconds, failure) VALUES (?, ?, ?, ?)",
            ((key, query, *known) for query, known in sorted(asked.items())),
        )


def retrieved_or_pooled(campaign: Campaign, query_id: str) -> list[str]:
    """The doc_ids that a run retrieved for the query, or the pool holds of it, as they came."""
    (query,) = campaign.row("SELECT id FROM queries WHERE query_id = ?", (query_id,))
    rows = campaign.rows(
        "SELECT doc_id FROM documents WHERE id IN (SELECT document FROM results WHERE query = ?"
        " UNION SELECT document FROM pool WHERE query = ?) ORDER BY id",
        (query, query),
    )
    return [doc_id for (doc_id,) in rows]


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
        for query, document in campaign.each(
            "SELECT query, document FROM results WHERE run = ? AND rank <= coalesce(?, rank)"
            " ORDER BY query, rank",
            (key, depth),
        ):
            lists.setdefault(queries[query], []).append(documents[document])
    return rankings


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
        tag: ChosenRun(key, tag, source, depth, _longest(campaign, settings))
        for key, tag, source, depth, settings in campaign.rows(
            "SELECT id, tag, source, depth, settings FROM runs ORDER BY loaded_at, id"
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


def _longest(campaign: Campaign, settings: str) -> int:
    longest = read_metadata(campaign.path, settings).get("longest")
    return longest if isinstance(longest, int) else sys.maxsize


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


def asked_rows(campaign: Campaign, run: int) -> dict[int, tuple[float | None, str]]:
    """What is kept of the run with that key, as `AskedRows`; nothing where nothing is known."""
    rows = campaign.rows("SELECT query, seconds, failure FROM asked WHERE run = ?", (run,))
    return {query: (seconds, failure) for query, seconds, failure in rows}


def nothing_found(campaign: Campaign, run: int) -> list[str]:
    """The queries that the run with that key was asked and has no result for, ascending."""
    rows = campaign.rows(
        "SELECT query_id FROM asked AS a JOIN queries AS q ON q.id = a.query WHERE a.run = ?"
        " AND NOT EXISTS (SELECT 1 FROM results AS r WHERE r.run = a.run AND r.query = a.query)"
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
