"""The runs of a campaign: of each, the top of every ranked list is kept."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from judge_tui.campaign.documents import document_keys
from judge_tui.campaign.file import Campaign, now
from judge_tui.campaign.loaded import Loaded, fingerprint
from judge_tui.campaign.queries import query_keys
from judge_tui.errors import InputError, UsageError
from judge_tui.formats import decode_id, iter_run, read_run
from judge_tui.model import Run, rank

__all__ = ["RunRecord", "all_runs", "kept_rankings", "load_run", "load_runs"]

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
    """Load one run file; see `load_runs`."""
    return load_runs(
        campaign,
        [path],
        depth=depth,
        tag=tag,
        format=format,
        replace=replace,
        skip_unknown=skip_unknown,
    )[0]


def load_runs(
    campaign: Campaign,
    paths: Sequence[str | os.PathLike[str]],
    *,
    depth: int = DEFAULT_DEPTH,
    tag: str | None = None,
    format: str | None = None,
    replace: bool = False,
    skip_unknown: bool = False,
) -> list[tuple[str, Loaded]]:
    """Load run files, all or none, keeping the top `depth` of each query; tags and outcomes.

    `tag` names the run of a single file; without it, each has the tag that its file gives it.
    The same file under the same tag again is a no-op (it is read again only for a greater depth,
    or where queries had been left out). Raises `InputError` at the first bad line, for a query that
    the campaign does not have (left out with `skip_unknown`), and where another file was loaded
    under the tag without `replace`.
    """
    tops = [_read_top(campaign, path, depth, tag, format, skip_unknown) for path in paths]
    _refuse_one_tag_twice(tops)
    with campaign.writing() as connection:
        return [(top.tag, _write_top(campaign, connection, top, replace=replace)) for top in tops]


def all_runs(campaign: Campaign) -> list[RunRecord]:
    """The runs in the order in which they were loaded."""
    rows = campaign.rows(
        "SELECT tag, source, sha256, depth,"
        " (SELECT count(DISTINCT query) FROM results WHERE run = runs.id) FROM runs ORDER BY id"
    )
    return [RunRecord(*row) for row in rows]


def kept_rankings(campaign: Campaign) -> dict[str, dict[str, list[str]]]:
    """The kept lists: tag -> query_id -> doc_ids, best first."""
    rankings: dict[str, dict[str, list[str]]] = {record.tag: {} for record in all_runs(campaign)}
    rows = campaign.rows(
        "SELECT tag, query_id, doc_id FROM results AS r JOIN runs ON runs.id = r.run"
        " JOIN queries ON queries.id = r.query JOIN documents ON documents.id = r.document"
        " ORDER BY r.run, r.query, r.rank"
    )
    for tag, query_id, doc_id in rows:
        rankings[tag].setdefault(query_id, []).append(doc_id)
    return rankings


@dataclass(frozen=True, slots=True)
class _Top:
    """What will be kept of a run file: query_id -> (doc_id, score), best first."""

    path: str | os.PathLike[str]
    tag: str
    sha256: str
    depth: int
    results: dict[str, list[tuple[str, float]]]
    left_out: int


def _read_top(
    campaign: Campaign,
    path: str | os.PathLike[str],
    depth: int,
    tag: str | None,
    format: str | None,
    skip_unknown: bool,
) -> _Top:
    """Read and cut a run before the campaign is held: a slow file keeps no judge waiting."""
    if depth < 1:
        raise UsageError(f"--depth {depth} keeps nothing", "give at least 1")
    queries = query_keys(campaign)
    if not queries:
        raise UsageError("the campaign has no queries yet", "first: judge-tui load queries FILE")
    digest = fingerprint(path)
    # Never less of a file than was asked for before.
    known = campaign.rows("SELECT max(depth) FROM runs WHERE sha256 = ?", (digest,))[0][0]
    depth = max(depth, known or 0)
    run = read_run(path, tag=tag, format=format)
    if not skip_unknown:
        _refuse_unknown(path, run, queries, format=format)
    results = {
        query_id: [(decode_id(doc_id), scores[doc_id]) for doc_id in rank(scores)[:depth]]
        for raw, scores in run.scores.items()
        if (query_id := decode_id(raw)) in queries
    }
    return _Top(path, run.tag, digest, depth, results, len(run.scores) - len(results))


def _refuse_one_tag_twice(tops: Sequence[_Top]) -> None:
    by_tag: dict[str, _Top] = {}
    for top in tops:
        first = by_tag.setdefault(top.tag, top)
        if first.sha256 != top.sha256:
            raise UsageError(
                f"{first.path} and {top.path} have the same tag {top.tag!r}",
                "load them singly and name one otherwise with --tag",
            )


def _write_top(
    campaign: Campaign, connection: sqlite3.Connection, top: _Top, *, replace: bool
) -> Loaded:
    known = connection.execute(
        "SELECT id, sha256, depth, settings FROM runs WHERE tag = ?", (top.tag,)
    ).fetchone()
    if known is not None:
        key, sha256, depth, settings = known
        if sha256 != top.sha256 and not replace:
            raise InputError(
                top.path,
                None,
                f"run {top.tag!r} is in the campaign already, from another file",
                "name this one otherwise with --tag, or put it in its place with --replace",
            )
        same_queries = json.loads(settings).get("queries_left_out", 0) == top.left_out
        if sha256 == top.sha256 and depth >= top.depth and same_queries:
            return Loaded(unchanged=1, left_out=top.left_out)
        connection.execute("DELETE FROM results WHERE run = ?", (key,))
        connection.execute("DELETE FROM runs WHERE id = ?", (key,))
    queries = query_keys(campaign)
    documents = document_keys(
        connection, (doc_id for rows in top.results.values() for doc_id, _ in rows)
    )
    cursor = connection.execute(
        "INSERT INTO runs (tag, source, sha256, loaded_at, depth, settings)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        (
            top.tag,
            Path(top.path).name,
            top.sha256,
            now(),
            top.depth,
            json.dumps({"queries_left_out": top.left_out}),
        ),
    )
    connection.executemany(
        "INSERT INTO results (run, query, rank, document, score) VALUES (?, ?, ?, ?, ?)",
        (
            (cursor.lastrowid, queries[query_id], at, documents[doc_id], score)
            for query_id, rows in top.results.items()
            for at, (doc_id, score) in enumerate(rows, 1)
        ),
    )
    return Loaded(added=0 if known else 1, replaced=1 if known else 0, left_out=top.left_out)


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
