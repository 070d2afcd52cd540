"""The documents of a campaign: those that a run retrieved or a grade names, with their texts."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path

from judge_tui.campaign.checked_out import stage_checkout
from judge_tui.campaign.coded_ids import CodedIds
from judge_tui.campaign.file import Campaign
from judge_tui.campaign.loaded import Loaded, OnRows, silent
from judge_tui.campaign.look_alikes import LookAlike, last_document, of_id, told_of_left_out
from judge_tui.campaign.staged_documents import StagedDocuments, staging
from judge_tui.formats import Sieve, decode_id, iter_documents
from judge_tui.formats.asked_beside import LATENCY
from judge_tui.formats.places import DOCUMENTS_FILE
from judge_tui.model import Document

__all__ = ["document_keys", "load_document_files", "load_documents", "missing_documents"]

PathLike = str | os.PathLike[str]

_REPORT_EVERY = 10_000


def load_documents(
    campaign: Campaign,
    path: PathLike,
    *,
    format: str | None = None,
    keep_all: bool = False,
    replace: bool = False,
) -> Loaded:
    """Load one file or folder of documents; see `load_document_files`."""
    return load_document_files(campaign, [path], format=format, keep_all=keep_all, replace=replace)[
        0
    ]


def load_document_files(
    campaign: Campaign,
    paths: Sequence[PathLike],
    *,
    root: PathLike | None = None,
    format: str | None = None,
    keep_all: bool = False,
    replace: bool = False,
    on_rows: OnRows = silent,
) -> list[Loaded]:
    """Give texts to the documents of the campaign, from files, folders and a checkout, or none.

    Of `paths`, documents that no run or grade names are left out unless `keep_all`. From `root`,
    ids of the form `path` or `path:start-end` that have no text yet (all that `paths` give none,
    with `replace`) get theirs; what is not found there is said in the notes, and so are what
    changed there since it was loaded from, and what a file gave another text. One `Loaded` for each
    path, then one for the root.

    What a file does not say of a document that is there stays, and what it adds is added; the notes
    tell of it. Raises `InputError` at the first bad line, and where a file says something else of
    such a document: judges may have graded that one. `replace` lets what the file says hold all the
    same. The files are streamed.
    """
    with staging(campaign) as staged:
        sieve = None if keep_all or not paths else _sieve(campaign, on_rows)
        outcomes = [
            _stage_file(campaign, staged, place, path, format, sieve, on_rows)
            for place, path in enumerate(paths)
        ]
        if root is not None:
            outcomes.append(
                stage_checkout(campaign, staged, len(paths), root, replace=replace, on_rows=on_rows)
            )
        staged.complete()
        sources = [*paths, *([root] if root is not None else [])]
        with campaign.writing():
            return [
                staged.take_over(
                    place, path, outcome, replace=replace, only_text=place == len(paths)
                )
                for place, (path, outcome) in enumerate(zip(sources, outcomes, strict=True))
            ]


def missing_documents(campaign: Campaign) -> list[str]:
    """The doc_ids of pooled documents without a text, in byte order."""
    # The + keeps SQLite from looking up all pooled documents where few have no text.
    rows = campaign.rows(
        "SELECT doc_id FROM documents WHERE text IS NULL"
        " AND +id IN (SELECT document FROM pool) ORDER BY doc_id"
    )
    return [doc_id for (doc_id,) in rows]


def document_keys(connection: sqlite3.Connection, doc_ids: Iterable[str]) -> dict[str, int]:
    """The integer keys of these doc_ids; ids new to the campaign join it, without a text."""
    connection.execute("DROP TABLE IF EXISTS temp.wanted")
    connection.execute("CREATE TEMP TABLE wanted (doc_id TEXT PRIMARY KEY) WITHOUT ROWID")
    connection.executemany(
        "INSERT OR IGNORE INTO wanted VALUES (?)", ((doc_id,) for doc_id in doc_ids)
    )
    connection.execute("INSERT OR IGNORE INTO documents (doc_id) SELECT doc_id FROM wanted")
    keys = dict(
        connection.execute("SELECT d.doc_id, d.id FROM wanted JOIN documents AS d USING (doc_id)")
    )
    connection.execute("DROP TABLE temp.wanted")
    return keys


def document_key(connection: sqlite3.Connection, doc_id: str) -> int | None:
    """The integer key of one document, None where it is not in the campaign."""
    row = connection.execute("SELECT id FROM documents WHERE doc_id = ?", (doc_id,)).fetchone()
    return None if row is None else int(row[0])


def _stage_file(
    campaign: Campaign,
    staged: StagedDocuments,
    place: int,
    path: PathLike,
    format: str | None,
    sieve: Sieve | None,
    on_rows: OnRows,
) -> Loaded:
    """Let the documents of a file wait; without a `sieve` all of them, else those it names."""
    if _is_empty_of_collect(path):
        return Loaded(notes=(f"{os.fspath(path)}: no system returned a text: nothing to load",))
    left_out = 0
    skipped: list[str] = []
    alike: list[LookAlike] = []
    last = last_document(campaign)

    def leave_out(doc_id: str) -> None:
        nonlocal left_out
        left_out += 1
        if (its := of_id(campaign, doc_id, last)) is not None:
            alike.append(its)

    def skip(doc_id: str, why: str) -> None:
        skipped.append(f"{doc_id}: {why}")

    before = sieve.left_out if sieve is not None else 0
    coded = CodedIds(campaign, literal=True)
    own: set[str] = set()
    # Those that the campaign knows otherwise: so they are meant, unless that one is here as well.
    otherwise: list[tuple[int, Document]] = []
    documents = iter_documents(path, format=format, skipped=skip, sieve=sieve)
    for count, (line, document) in enumerate(documents, start=1):
        if count % _REPORT_EVERY == 0:
            on_rows(count if sieve is None else count + sieve.left_out - before)
        doc_id = decode_id(document.doc_id)
        if doc_id != document.doc_id and coded.native(document.doc_id) != doc_id:
            otherwise.append((line, document))
            continue
        if not doc_id.isalnum():
            own.add(doc_id)
        if sieve is not None and document_key(campaign.connection, doc_id) is None:
            leave_out(doc_id)
        else:
            staged.add_once(path, place, line, doc_id, document)
    for line, document in otherwise:
        doc_id = coded.native(document.doc_id)
        if doc_id in own:
            doc_id = decode_id(document.doc_id)
        if sieve is not None and document_key(campaign.connection, doc_id) is None:
            leave_out(doc_id)
        else:
            staged.add_once(path, place, line, doc_id, document)
    if sieve is not None:
        left_out += sieve.left_out - before
    return Loaded(left_out=left_out, notes=(*told_of_left_out(alike), *skipped))


def _is_empty_of_collect(path: PathLike) -> bool:
    """Whether `collect` wrote it, as it does beside runs of systems that return ids alone."""
    file = Path(path)
    return (
        file.name == DOCUMENTS_FILE
        and file.is_file()
        and file.stat().st_size == 0
        and any(file.parent.glob(f"*{LATENCY}"))
    )


def _sieve(campaign: Campaign, on_rows: OnRows) -> Sieve:
    """What tells the documents of the campaign from the others of a corpus."""
    count = campaign.connection.execute("SELECT count(*) FROM documents").fetchone()[0]
    ids = campaign.connection.execute("SELECT doc_id FROM documents")
    return Sieve((doc_id for (doc_id,) in ids), count=count, told=on_rows)
