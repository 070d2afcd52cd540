"""The runs of a campaign: of each, the top of every ranked list is kept.

Files are read into a temporary table first, without holding the campaign: judges go on working
meanwhile, and wait only while one run is taken over.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from dataclasses import replace as replace_fields
from pathlib import Path
from typing import NamedTuple

from judge_tui.campaign.after_runs import told_after_runs
from judge_tui.campaign.asked_queries import (
    Beside,
    asked_beside,
    asked_in_file,
    asked_rows,
    write_asked,
)
from judge_tui.campaign.asked_texts import with_asked_texts
from judge_tui.campaign.coded_ids import CodedIds
from judge_tui.campaign.coming_queries import first_three
from judge_tui.campaign.file import Campaign, now
from judge_tui.campaign.found_queries import FoundQueries
from judge_tui.campaign.loaded import Loaded, OnBytes, fingerprint, roomy
from judge_tui.campaign.look_alikes import last_document, told_of_new
from judge_tui.campaign.queries import query_keys
from judge_tui.errors import InputError, UsageError
from judge_tui.formats.asked_beside import latency_beside
from judge_tui.formats.problems import quoted
from judge_tui.formats.recognition import format_for
from judge_tui.formats.runs_and_qrels import first_naming, run_in, snapshot_tags
from judge_tui.formats.source import open_source
from judge_tui.model import Run, rank

__all__ = ["RunRecord", "all_runs", "kept_rankings", "load_runs"]

DEFAULT_DEPTH = 100


@dataclass(frozen=True, slots=True)
class RunRecord:
    """What the campaign knows of a run: `depth` is how much of each list was kept."""

    tag: str
    source: str
    sha256: str
    depth: int
    queries: int


def load_runs(
    campaign: Campaign,
    paths: Sequence[str | os.PathLike[str]],
    *,
    depth: int | None,
    tag: str | None,
    format: str | None,
    replace: bool,
    skip_unknown: bool,
    on_bytes: OnBytes | None,
) -> list[tuple[str, Loaded]]:
    """Load run files, keeping the top `depth` of each query (None: 100); tags and outcomes.

    All files are read before the first run is written: with a fault in any of them, none is. Each
    run is written as a whole, in a transaction of its own, between two of which judges can write.

    `tag` names the run of a single file; without it, each has the tag that its file gives it, and
    of a file of several snapshots all are loaded, under their names.
    The same file under the same tag again is a no-op. It is read again only for a greater depth,
    where queries had been left out, or, with `replace`, where its ids mean other queries now; of a
    lesser one nothing comes but a note, as what is kept stays. What a system was asked comes from
    the run file where that says it, else from the one beside it (`asked_queries`); where only that
    is new or has changed, it is taken over. What is to be told of all of them is among the notes of
    the last.

    Raises `InputError` at the first bad line, for a query that the campaign does not have (left out
    with `skip_unknown`), where another file, or results of other queries, were loaded under the tag
    without `replace`.
    """
    with _staging(campaign) as connection, roomy(connection):
        tops: list[_Top] = []
        for path in paths:
            for its_tag in _tags_in(path, format) if tag is None else [tag]:
                options = (depth, its_tag, format, skip_unknown, on_bytes)
                tops.append(_read_top(campaign, len(tops), path, *options))
        _refuse_one_tag_twice(tops)
        for top in tops:
            _known(connection, top, replace=replace)
        outcomes, last_known = [], last_document(campaign)
        for top in tops:
            with campaign.writing():
                loaded = _write_top(connection, top, replace=replace)
                outcomes.append((top.tag, replace_fields(loaded, path=os.fspath(top.path))))
        told = told_after_runs(
            campaign,
            [tag for tag, loaded in outcomes if loaded.added or loaded.replaced],
            some_were_asked=any(top.beside.rows is not None for top in tops),
        )
        if outcomes:
            tag, last = outcomes[-1]
            told = (*told_of_new(campaign, last_known), *told)
            outcomes[-1] = tag, replace_fields(last, notes=(*last.notes, *told))
        return outcomes


def all_runs(campaign: Campaign) -> list[RunRecord]:
    """The runs in the order in which they were loaded."""
    rows = campaign.rows(
        "SELECT tag, source, sha256, depth,"
        " (SELECT count(DISTINCT query) FROM results WHERE run = runs.id)"
        " FROM runs ORDER BY loaded_at, id"
    )
    return [RunRecord(*row) for row in rows]


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


@dataclass(frozen=True, slots=True)
class _Top:
    """A run file of which the top is staged as `place`; `depth` is more than was `asked_for` (None:
    nothing in particular) where the campaign has more of the run already."""

    place: int
    path: str | os.PathLike[str]
    tag: str
    sha256: str
    depth: int
    asked_for: int | None
    left_out: int
    beside: Beside
    about_queries: Sequence[str]
    asked_as: Mapping[str, str]


@contextmanager
def _staging(campaign: Campaign) -> Iterator[sqlite3.Connection]:
    """A temporary table `incoming_tops`; the campaign's file is not touched by what goes there."""
    campaign.refuse_nesting("loading runs")
    connection = campaign.connection
    with campaign.in_words():
        try:
            connection.execute(
                "CREATE TEMP TABLE incoming_tops (place INTEGER, query INTEGER, rank INTEGER,"
                " doc_id TEXT, score REAL)"
            )
            yield connection
        finally:
            # After a full disk SQLite may have rolled back by itself, and the table with it.
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            connection.execute("DROP TABLE IF EXISTS temp.incoming_tops")


def _read_top(
    campaign: Campaign,
    place: int,
    path: str | os.PathLike[str],
    depth: int | None,
    tag: str | None,
    format: str | None,
    skip_unknown: bool,
    on_bytes: OnBytes | None,
) -> _Top:
    """Read and cut a run, and stage what is kept of it."""
    if depth is not None and depth < 1:
        raise UsageError(f"--depth {depth} keeps nothing", "give at least 1")
    queries, keys = FoundQueries(campaign, path), query_keys(campaign)
    digest = fingerprint(path)
    run, literal, by_text = _run_in(path, tag, format, on_bytes)
    # Never less of a run than was asked for before; under another tag it is another run.
    before = campaign.rows("SELECT depth FROM runs WHERE (sha256, tag) = (?, ?)", (digest, run.tag))
    least = before[0][0] if before else 0
    kept_down_to = max(least, DEFAULT_DEPTH if depth is None else depth)
    named = dict.fromkeys((*run.scores, *sorted(run.asked)))
    found = {raw: queries.matching(raw, by_text=by_text) for raw in named}
    _refuse_unknown(path, found, queries, format=format, by_text=by_text, skip_unknown=skip_unknown)
    known = {raw: keys[matching[0]] for raw, matching in found.items() if matching}
    beside = (
        asked_in_file(path, run, known)
        if run.asked
        else asked_beside(queries, path, keys, skip_unknown=skip_unknown)
    )
    kept = [(raw, key) for raw, key in known.items() if raw in run.scores]
    connection = campaign.connection
    coded = CodedIds(
        campaign,
        literal=literal,
        fields=(doc_id for raw, _ in kept for doc_id in run.scores[raw]),
    )
    connection.execute("BEGIN")
    connection.executemany(
        "INSERT INTO incoming_tops VALUES (?, ?, ?, ?, ?)",
        (
            (place, query, at, coded.native(doc_id), run.scores[raw][doc_id])
            for raw, query in kept
            for at, doc_id in enumerate(rank(run.scores[raw])[:kept_down_to], 1)
        ),
    )
    connection.execute("COMMIT")
    left_out = len(found) - len(known)
    counts = {key for _, key in kept} | (beside.rows or {}).keys()
    asked_as = {its: text for its, text in queries.asked_as().items() if keys[its] in counts}
    return _Top(
        place,
        path,
        run.tag,
        digest,
        kept_down_to,
        depth,
        left_out,
        beside,
        queries.notes(),
        asked_as,
    )


def _tags_in(path: str | os.PathLike[str], format: str | None) -> Sequence[str | None]:
    """The runs to read of a file: those of its snapshots, or the one that it is."""
    if not Path(path).is_file() or latency_beside(path) is not None:
        return [None]
    return snapshot_tags(path, format=format) or [None]


def _run_in(
    path: str | os.PathLike[str], tag: str | None, format: str | None, on_bytes: OnBytes | None
) -> tuple[Run, bool, bool]:
    """The run of a file, its ids `exact`; whether they stand for themselves in it, and whether it
    has texts of queries for ids."""
    with open_source(path, told=on_bytes) as source:
        chosen = format_for(source, "run", format)
        run = run_in(source, tag=tag, format=format)
        return run, True, chosen.by_text


def _refuse_one_tag_twice(tops: Sequence[_Top]) -> None:
    by_tag: dict[str, _Top] = {}
    for top in tops:
        first = by_tag.setdefault(top.tag, top)
        if first.sha256 != top.sha256:
            raise UsageError(
                f"{first.path} and {top.path} have the same tag {top.tag!r}",
                "load them singly and name one otherwise with --tag",
            )


class _Before(NamedTuple):
    """The run that has the tag: whether the file has `nothing_new` for it, and whether it is the
    same file at all, with its results for the same queries (`same_results`)."""

    key: int
    nothing_new: bool
    same_results: bool


def _known(connection: sqlite3.Connection, top: _Top, *, replace: bool) -> _Before | None:
    """What the campaign has under the tag; None where that is nothing. Raises `InputError` where it
    has other results, without `replace`."""
    known = connection.execute(
        "SELECT id, sha256, depth, settings FROM runs WHERE tag = ?", (top.tag,)
    ).fetchone()
    if known is None:
        return None
    key, sha256, depth, settings = known
    same_file = sha256 == top.sha256
    moved = _of_other_queries(connection, key, top) if same_file else []
    if (not same_file or moved) and not replace:
        what = f"run {top.tag!r} is in the campaign already, from another file"
        mend = "name this one otherwise with --tag, or put it in its place with --replace"
        if same_file:
            what = (
                f"run {top.tag!r} is in the campaign already, from the same file, but its ids of"
                " queries mean others now, so that other results, if any, would count for"
                f" {len(moved):,} of the campaign's ({first_three(moved)})"
            )
            mend = (
                "if NAME.answers.jsonl was beside it then, put it there again; or let its results"
                " count as they would now with --replace"
            )
        raise InputError(top.path, None, what, mend)
    same_queries = json.loads(settings).get("queries_left_out", 0) == top.left_out
    same = same_file and not moved
    return _Before(key, same and depth >= top.depth and same_queries, same)


def _of_other_queries(connection: sqlite3.Connection, run: int, top: _Top) -> list[str]:
    """The campaign's queries, as they are told, that have results in the run with that key which
    the same file does not have for them now."""
    rows = connection.execute(
        "SELECT query_id, text FROM queries WHERE id IN (SELECT query FROM ("
        "SELECT query, rank, doc_id FROM results JOIN documents ON documents.id = document"
        " WHERE run = ? AND rank <= ?"
        " EXCEPT SELECT query, rank, doc_id FROM incoming_tops WHERE place = ?)) ORDER BY id",
        (run, top.depth, top.place),
    )
    return [f"{query_id} {quoted(text)}" for query_id, text in rows]


def _write_top(connection: sqlite3.Connection, top: _Top, *, replace: bool) -> Loaded:
    """Take over what was staged of one file."""
    known = _known(connection, top, replace=replace)
    rows = top.beside.rows
    before = asked_rows(connection, known.key) if known is not None else {}
    notes = _notes(top, kept=bool(before) and known is not None and known.same_results)
    if known is not None:
        key = known.key
        if known.nothing_new:
            if rows is None or rows == before:
                return Loaded(unchanged=1, left_out=top.left_out, notes=notes)
            write_asked(connection, key, rows)
            return Loaded(replaced=1, left_out=top.left_out, notes=notes)
        if rows is None and known.same_results:
            rows = before
        connection.execute("DELETE FROM asked WHERE run = ?", (key,))
        connection.execute("DELETE FROM results WHERE run = ?", (key,))
        connection.execute("DELETE FROM runs WHERE id = ?", (key,))
    cursor = connection.execute(
        "INSERT INTO runs (tag, source, sha256, loaded_at, depth, settings)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        (
            top.tag,
            Path(top.path).name,
            top.sha256,
            now(),
            top.depth,
            json.dumps(with_asked_texts({"queries_left_out": top.left_out}, top.asked_as)),
        ),
    )
    run = cursor.lastrowid
    assert run is not None  # noqa: S101 - one row was just inserted
    write_asked(connection, run, rows or {})
    connection.execute(
        "INSERT OR IGNORE INTO documents (doc_id) SELECT doc_id FROM incoming_tops"
        " WHERE place = ? ORDER BY rowid",
        (top.place,),
    )
    connection.execute(
        "INSERT INTO results (run, query, rank, document, score)"
        " SELECT ?, query, rank, d.id, score FROM incoming_tops CROSS JOIN documents AS d"
        " USING (doc_id) WHERE place = ? ORDER BY incoming_tops.rowid",
        (run, top.place),
    )
    outcome = Loaded(added=0 if known else 1, replaced=1 if known else 0)
    return replace_fields(outcome, left_out=top.left_out, notes=notes)


def _notes(top: _Top, *, kept: bool) -> tuple[str, ...]:
    """What is to be told of a run; `kept`: what it was asked is known from before."""
    notes = [*top.about_queries]
    if top.asked_for is not None and top.depth > top.asked_for:
        notes.append(
            f"the campaign has the top {top.depth:,} of this run already, and keeps them, not"
            f" {top.asked_for:,} alone"
        )
    if top.beside.note and top.beside.rows is None:
        known = "what is known from before stays" if kept else "nobody knows it"
        notes.append(f"{top.beside.note}; of what the run was asked, {known}")
    elif top.beside.note:
        notes.append(top.beside.note)
    return tuple(notes)


def _refuse_unknown(
    path: str | os.PathLike[str],
    found: Mapping[str, Sequence[str]],
    queries: FoundQueries,
    *,
    format: str | None,
    by_text: bool,
    skip_unknown: bool,
) -> None:
    """Raise `InputError` for a query of the file that the campaign does not have, has several
    times, or that the file has under two names; `found` are the campaign's, by name."""
    first: dict[str, str] = {}
    again = {
        raw
        for raw, matching in found.items()
        if len(matching) == 1 and first.setdefault(matching[0], raw) != raw
    }
    bad = {raw for raw, matching in found.items() if len(matching) > 1 or raw in again}
    if not skip_unknown:
        bad.update(raw for raw, matching in found.items() if not matching)
    if not bad:
        return
    # Only a file with such a query is read again, for the line.
    row = first_naming(path, bad, format=format)
    query_id = queries.id_of(row, skip_unknown=False, by_text=by_text)
    raise InputError(
        path,
        row.line,
        f"query {row.query_id!r} is {query_id!r} of the campaign, as {first[query_id or '']!r} is",
        "write all results of a query under one name",
    )
