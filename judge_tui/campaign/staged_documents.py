"""Where documents wait, read but not yet written: a temporary table beside the campaign's file.

Files are read into it without holding the campaign: judges go on working while a corpus is read,
and wait only for the moment in which its texts are taken over.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace as changed_in

from judge_tui.campaign.document_changes import DocumentChanges, with_said
from judge_tui.campaign.file import Campaign
from judge_tui.campaign.loaded import Loaded
from judge_tui.campaign.look_alikes import last_document, told_of_new
from judge_tui.campaign.metadata import read_metadata
from judge_tui.errors import InputError
from judge_tui.model import Document

__all__ = ["StagedDocuments", "staging"]

_INCOMING = (
    "CREATE TEMP TABLE incoming (source INTEGER, line INTEGER, doc_id TEXT, title TEXT,"
    " text TEXT, url TEXT, kind TEXT, meta TEXT, UNIQUE (source, doc_id))"
)
_KNOWN = (
    "incoming AS i JOIN documents AS d USING (doc_id) WHERE i.source = ? AND d.text IS NOT NULL"
)
_SAME = "(d.title, d.text, d.url, d.kind, d.meta) IS (i.title, i.text, i.url, i.kind, i.meta)"


@contextmanager
def staging(campaign: Campaign) -> Iterator[StagedDocuments]:
    """The waiting room, and a transaction that writes to nothing else until it is committed.

    Reading what the campaign knows is part of it; the campaign's file is not locked.
    """
    campaign.refuse_nesting("loading documents")
    connection = campaign.connection
    with campaign.in_words():
        try:
            connection.execute(_INCOMING)
            connection.execute("BEGIN")
            yield StagedDocuments(campaign)
        finally:
            # After a full disk SQLite may have rolled back by itself, and the table with it.
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            connection.execute("DROP TABLE IF EXISTS temp.incoming")


class StagedDocuments:
    """Documents by the place of their source among those that are loaded together."""

    def __init__(self, campaign: Campaign) -> None:
        self._campaign = campaign
        self._connection = campaign.connection

    def add(self, place: int, line: int, doc_id: str, document: Document) -> bool:
        """Let a document wait; False where one of that id waits there already."""
        row = (place, line, doc_id, *_values(document))
        cursor = self._connection.execute(
            "INSERT OR IGNORE INTO incoming VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row
        )
        return cursor.rowcount == 1

    def add_once(
        self, path: str | os.PathLike[str], place: int, line: int, doc_id: str, document: Document
    ) -> None:
        """The same; raises `InputError` where one of that id waits there already."""
        if not self.add(place, line, doc_id, document):
            raise InputError(
                path,
                line,
                f"document {document.doc_id!r} is one with an earlier line: white space in an id"
                " may be written as %20",
                "keep one of the two, or write a real %20 as %2520",
            )

    def complete(self) -> None:
        """End the transaction in which was staged: what comes next writes to the campaign."""
        self._connection.execute("COMMIT")

    def take_over(
        self,
        place: int,
        path: str | os.PathLike[str],
        outcome: Loaded,
        *,
        replace: bool,
        only_text: bool = False,
    ) -> Loaded:
        """Write what waits from one source, as part of the caller's transaction.

        `outcome` with the counts of documents that were added, replaced and known already. What a
        source does not say of a known document stays, and what it adds is added. Raises
        `InputError` where it says something else than the campaign does, unless `replace`, with
        which that holds: of any field, or `only_text`, where the others are brought up to date.
        """
        last = last_document(self._campaign)
        staged = self._count(place, "FROM incoming WHERE source = ?")
        known = self._count(place, f"FROM {_KNOWN}")
        changes = self._change(place, replace=replace, only_text=only_text)
        if changes.first is not None and not replace:
            raise InputError(
                path,
                changes.first[0],
                changes.differing(),
                "judges may have seen that one; change it with --replace",
            )
        self._connection.execute(
            "UPDATE documents AS d SET title = i.title, text = i.text, url = i.url, kind = i.kind,"
            " meta = i.meta FROM incoming AS i"
            " WHERE i.source = ? AND i.doc_id = d.doc_id AND d.text IS NULL",
            (place,),
        )
        self._connection.execute(
            "INSERT INTO documents (doc_id, title, text, url, kind, meta)"
            " SELECT doc_id, title, text, url, kind, meta FROM incoming AS i WHERE source = ?"
            " AND NOT EXISTS (SELECT 1 FROM documents AS d WHERE d.doc_id = i.doc_id)"
            " ORDER BY line",
            (place,),
        )
        told = [] if only_text else changes.notes(replaced=replace)
        return changed_in(
            outcome,
            added=staged - known,
            replaced=changes.replaced,
            unchanged=outcome.unchanged + known - changes.replaced,
            notes=(*told_of_new(self._campaign, last), *told, *outcome.notes),
        )

    def _change(self, place: int, *, replace: bool, only_text: bool) -> DocumentChanges:
        """Let hold what is said of documents that have a text, and tell what that was.

        Only those that differ are read, one at a time: texts may be long, and documents many.
        """
        changes = DocumentChanges()
        # Sorted before the first one comes, so that none is met again once it was changed.
        differing = self._connection.execute(
            f"SELECT i.rowid, d.id FROM {_KNOWN} AND NOT {_SAME} ORDER BY i.line",  # noqa: S608
            (place,),
        )
        for incoming, key in differing:
            line, document = self._read("SELECT line, {} FROM incoming WHERE rowid = ?", incoming)
            _, known = self._read("SELECT id, {} FROM documents WHERE id = ?", key)
            if only_text:
                changed = document
                changes.note_text(line, known, document)
            else:
                changed = with_said(known, document, over=replace)
                changes.note(line, known, document, changed)
            if changed != known:
                self._connection.execute(
                    "UPDATE documents SET title = ?, text = ?, url = ?, kind = ?, meta = ?"
                    " WHERE id = ?",
                    (*_values(changed), key),
                )
        return changes

    def _read(self, statement: str, key: int) -> tuple[int, Document]:
        """The first column of one row, and its document."""
        first, doc_id, title, text, url, kind, meta = self._connection.execute(
            statement.format("doc_id, title, text, url, kind, meta"), (key,)
        ).fetchone()
        known = read_metadata(self._campaign.path, meta)
        return first, Document(doc_id, title, text, url, kind, known)

    def _count(self, place: int, what: str) -> int:
        return int(self._connection.execute(f"SELECT count(*) {what}", (place,)).fetchone()[0])


def _values(document: Document) -> tuple[str, str, str, str, str]:
    """Its columns but for the id."""
    meta = json.dumps(document.meta, ensure_ascii=False) if document.meta else "{}"
    return document.title, document.text, document.url, document.kind, meta
