"""The runs of a campaign: of each, the top of every ranked list is kept."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

from judge_tui.campaign.documents import document_keys
from judge_tui.campaign.file import Campaign, now
from judge_tui.campaign.loaded import Loaded, fingerprint
from judge_tui.campaign.queries import query_keys
from judge_tui.errors import InputError, UsageError
from judge_tui.formats import decode_id, iter_run, read_run
from judge_tui.model import Run, rank

__all__ = ["RunRecord", "all_runs", "kept_rankings", "load_run"]

DEFAULT_DEPTH = 100


@dataclass(frozen=True, slots=True)
class RunRecord:
    """What the campaign knows of a run: `depth` is how much of each list was kept."""

    tag: str
    source: str
    sha256: str
    depth: int
    queries: int


def load_run(
    campaign: Campaign,
    path: str | os.PathLike[str],
    *,
    depth: int = DEFAULT_DEPTH,
    tag: str | None = None,
    format: str | None = None,
    replace: bool = False,
    skip_unknown: bool = False,
) -> tuple[str, Loaded]:
    """Load one run file, keeping the top `depth` of each query; returns its tag and the outcome.

    The same file under the same tag again is a no-op (it is read again only for a greater depth).
    Raises `InputError` at the first bad line, for a query that the campaign does not have (left
    out with `skip_unknown`), and where another file was loaded under the tag without `replace`.
    """
    if depth < 1:
        raise UsageError(f"--depth {depth} keeps nothing", "give at least 1")
    digest = fingerprint(path)
    run = read_run(path, tag=tag, format=format)
    with campaign.writing() as connection:
        known = connection.execute(
            "SELECT id, sha256, depth FROM runs WHERE tag = ?", (run.tag,)
        ).fetchone()
        if known is not None:
            if known[1] == digest and known[2] >= depth:
                return run.tag, Loaded(unchanged=1)
            if known[1] != digest and not replace:
                raise InputError(
                    path,
                    None,
                    f"run {run.tag!r} is in the campaign already, from another file",
                    "name this one otherwise with --tag, or put it in its place with --replace",
                )
            connection.execute("DELETE FROM results WHERE run = ?", (known[0],))
            connection.execute("DELETE FROM runs WHERE id = ?", (known[0],))
        queries = query_keys(campaign)
        if not queries:
            raise UsageError(
                "the campaign has no queries yet", "first: judge-tui load queries FILE"
            )
        if not skip_unknown:
            _refuse_unknown(path, run, queries, format=format)
        kept = {
            query_id: [(doc_id, scores[doc_id]) for doc_id in rank(scores)[:depth]]
            for raw, scores in run.scores.items()
            if (query_id := decode_id(raw)) in queries
        }
        documents = document_keys(
            connection, (decode_id(doc_id) for rows in kept.values() for doc_id, _ in rows)
        )
        cursor = connection.execute(
            "INSERT INTO runs (tag, source, sha256, loaded_at, depth, settings)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            (run.tag, Path(path).name, digest, now(), depth, json.dumps({})),
        )
        connection.executemany(
            "INSERT INTO results (run, query, rank, document, score) VALUES (?, ?, ?, ?, ?)",
            (
                (cursor.lastrowid, queries[query_id], at, documents[decode_id(doc_id)], score)
                for query_id, rows in kept.items()
                for at, (doc_id, score) in enumerate(rows, 1)
            ),
        )
    left_out = len(run.scores) - len(kept)
    return run.tag, Loaded(added=0 if known else 1, replaced=1 if known else 0, left_out=left_out)


def all_runs(campaign: Campaign) -> list[RunRecord]:
    """The runs in the order in which they were loaded."""
    rows = campaign.connection.execute(
        "SELECT tag, source, sha256, depth,"
        " (SELECT count(DISTINCT query) FROM results WHERE run = runs.id) FROM runs ORDER BY id"
    )
    return [RunRecord(*row) for row in rows]


def kept_rankings(campaign: Campaign) -> dict[str, dict[str, list[str]]]:
    """The kept lists: tag -> query_id -> doc_ids, best first."""
    rankings: dict[str, dict[str, list[str]]] = {record.tag: {} for record in all_runs(campaign)}
    rows = campaign.connection.execute(
        "SELECT tag, query_id, doc_id FROM results AS r JOIN runs ON runs.id = r.run"
        " JOIN queries ON queries.id = r.query JOIN documents ON documents.id = r.document"
        " ORDER BY r.run, r.query, r.rank"
    )
    for tag, query_id, doc_id in rows:
        rankings[tag].setdefault(query_id, []).append(doc_id)
    return rankings


def _refuse_unknown(
    path: str | os.PathLike[str], run: Run, queries: dict[str, int], *, format: str | None
) -> None:
    unknown = {raw for raw in run.scores if decode_id(raw) not in queries}
    if not unknown:
        return
    # Only a file with such a query is read again, for the line.
    row = next(row for row in iter_run(path, format=format) if row.query_id in unknown)
    raise InputError(
        path,
        row.line,
        f"query {row.query_id!r} is not in the campaign",
        "load its queries first, or leave such queries out with --skip-unknown",
    )
