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

from judge_tui.campaign.file import Campaign
from judge_tui.campaign.loaded import Loaded
from judge_tui.campaign.look_alikes import last_document, told_of_new
from judge_tui.errors import InputError
from judge_tui.model import Document

__all__ = ["StagedDocuments", "staging"]

_INCOMING = (
    "CREATE TEMP TABLE incoming (source INTEGER, line INTEGER, doc_id TEXT, title TEXT,"
    " text TEXT, url TEXT, kind TEXT, meta TEXT, UNIQUE (source, doc_id))"
)
_BOTH = "incoming AS i JOIN documents AS d USING (doc_id) WHERE i.source = ?"
_SAME = "(d.title, d.text, d.url, d.kind, d.meta) IS (i.title, i.text, i.url, i.kind, i.meta)"
_SAME_TEXT = "d.text IS i.text"


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
        meta = json.dumps(document.meta, ensure_ascii=False) if document.meta else "{}"
        row = (
            *(place, line, doc_id, document.title, document.text),
            *(document.url, document.kind, meta),
        )
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

        `outcome` with the counts of documents that were added, replaced and known already. Raises
        `InputError` where a document differs from what the campaign has, unless `replace`: in
        any field, or `only_text`, where the other fields are brought up to date.
        """
        same = _SAME_TEXT if only_text else _SAME
        last = last_document(self._campaign)
        changed = f"FROM {_BOTH} AND d.text IS NOT NULL AND NOT ({same})"
        if not replace:
            self._refuse_changes(place, path, changed)
        replaced = self._count(place, changed)
        unchanged = self._count(place, f"FROM {_BOTH} AND {same}")
        staged = self._count(place, "FROM incoming WHERE source = ?")
        self._connection.execute(
            "UPDATE documents AS d SET title = i.title, text = i.text, url = i.url, kind = i.kind,"  # noqa: S608
            " meta = i.meta FROM incoming AS i"
            f" WHERE i.source = ? AND i.doc_id = d.doc_id AND NOT {_SAME}",
            (place,),
        )
        self._connection.execute(
            "INSERT INTO documents (doc_id, title, text, url, kind, meta)"
            " SELECT doc_id, title, text, url, kind, meta FROM incoming AS i WHERE source = ?"
            " AND NOT EXISTS (SELECT 1 FROM documents AS d WHERE d.doc_id = i.doc_id)"
            " ORDER BY line",
            (place,),
        )
        return changed_in(
            outcome,
            added=staged - replaced - unchanged,
            replaced=replaced,
            unchanged=outcome.unchanged + unchanged,
            notes=(*told_of_new(self._campaign, last), *outcome.notes),
        )

    def _refuse_changes(self, place: int, path: str | os.PathLike[str], changed: str) -> None:
        other = self._connection.execute(
            f"SELECT i.line, i.doc_id {changed} ORDER BY i.line LIMIT 1", (place,)
        ).fetchone()
        if other is not None:
            raise InputError(
                path,
                other[0],
                f"document {other[1]!r} is in the campaign with another text",
                "judges may have seen that one; change it with --replace",
            )

    def _count(self, place: int, what: str) -> int:
        return int(self._connection.execute(f"SELECT count(*) {what}", (place,)).fetchone()[0])
