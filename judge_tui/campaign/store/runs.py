"""The runs of a campaign: the kept top of every ranked list, and what each was asked."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from judge_tui.campaign.shell_command import shell_command
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.documents import add_document_ids
from judge_tui.campaign.store.event import now
from judge_tui.campaign.store.metadata import metadata_text, read_metadata
from judge_tui.errors import UsageError, check_known

if TYPE_CHECKING:
    from judge_tui.analysis.basis import KeptRun


@dataclass(frozen=True, slots=True)
class RunRecord:
    """What the campaign knows of a run. Its lists are kept down to `depth`.

    `source` is the file that it is from, `queries_left_out` counts the queries there that have no
    list here, and `longest` the results of the longest other list there: `sys.maxsize` where an
    earlier version loaded it and nobody knows. `key`: the row's, 0 before it is written.
    """

    tag: str
    source: str
    sha256: str
    depth: int
    queries_left_out: int
    longest: int
    key: int = 0

    def kept_run(self, depth: int | None = None) -> KeptRun:
        """Return how much of it there is to look at: what is kept, cut at `depth`."""
        from judge_tui.analysis.basis import KeptRun  # noqa: PLC0415 - the pool scores nothing

        at_most = self.depth if depth is None else min(self.depth, depth)
        return KeptRun(self.tag, self.source, at_most, self.longest)


def all_runs(campaign: Campaign) -> list[RunRecord]:
    """The runs in the order in which they were loaded."""
    rows = campaign.rows(f"{_RUNS} ORDER BY loaded_at, id")
    return [_run(campaign, row) for row in rows]


def run_of_tag(campaign: Campaign, tag: str) -> RunRecord | None:
    """The run of that tag, None where there is none."""
    rows = campaign.rows(f"{_RUNS} WHERE tag = ?", (tag,))
    return _run(campaign, rows[0]) if rows else None


_RUNS = "SELECT id, tag, source, sha256, depth, settings FROM runs"


def _run(campaign: Campaign, row: tuple[int, str, str, str, int, str]) -> RunRecord:
    key, tag, source, sha256, depth, text = row
    settings = read_metadata(campaign.path, text)
    left_out, longest = settings.get("queries_left_out", 0), settings.get("longest", sys.maxsize)
    return RunRecord(tag, source, sha256, depth, left_out, longest, key)


def chosen_runs(campaign: Campaign, tags: Sequence[str] = ()) -> list[RunRecord]:
    """The runs of those tags, each once, in that order (default: all, as they were loaded).

    Raises `UsageError` for a tag that is not there and for a campaign without runs.
    """
    runs = {run.tag: run for run in all_runs(campaign)}
    if not runs:
        loading = shell_command(campaign.path, "load run", "FILE...")
        raise UsageError("the campaign has no runs yet", f"first: {loading}")
    for tag in tags:
        check_known("run", tag, runs)
    return [runs[tag] for tag in dict.fromkeys(tags or runs)]


AskedRows: TypeAlias = Mapping[int, tuple[float | None, str]]
"""Key of a query -> its seconds, None where nobody knows them, and why it failed, "" where it did
not."""

RankedList: TypeAlias = tuple[int, Sequence[str], Sequence[float]]
"""A query (its key), and the documents and the scores of its list, best first."""


def write_run(
    campaign: Campaign, run: RunRecord, lists: Sequence[RankedList], asked: AskedRows
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
            (run.tag, run.source, run.sha256, now(), run.depth, metadata_text(settings)),
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


def kept_lists(
    campaign: Campaign, runs: Iterable[RunRecord], depth: int | None = None
) -> Iterator[tuple[str, dict[str, dict[str, float]]]]:
    """Of each run its tag, and what is kept of it, down to `depth`: query_id -> doc_id -> score,
    queries as they were loaded, documents by rank. Read inside `reading`."""
    queries = dict(campaign.rows("SELECT id, query_id FROM queries"))
    # One string for each document, however many lists it is in.
    documents = dict(campaign.rows("SELECT id, doc_id FROM documents"))
    for run in runs:
        lists: dict[str, dict[str, float]] = {}
        for query, document, score in campaign.each(
            "SELECT query, document, score FROM results"
            " WHERE run = ? AND rank <= coalesce(?, rank) ORDER BY query, rank",
            (run.key, depth),
        ):
            lists.setdefault(queries[query], {})[documents[document]] = score
        yield run.tag, lists


def asked_rows(campaign: Campaign, run: int) -> AskedRows:
    """What the run with that key was asked; nothing where nothing is known."""
    rows = campaign.rows("SELECT query, seconds, failure FROM asked WHERE run = ?", (run,))
    return {query: (seconds, failure) for query, seconds, failure in rows}


def queries_answered(campaign: Campaign, run: int) -> set[int]:
    """The queries (keys) for which the run with that key has results."""
    rows = campaign.rows("SELECT DISTINCT query FROM results WHERE run = ?", (run,))
    return {query for (query,) in rows}
