"""Documents that are lines of files: their texts from a checkout, and whether that has changed."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace as changed_in

from judge_tui.campaign.file import Campaign
from judge_tui.campaign.loaded import Loaded, OnRows
from judge_tui.campaign.metadata import read_metadata
from judge_tui.campaign.staged_documents import StagedDocuments
from judge_tui.errors import InputError
from judge_tui.formats import read_checkout
from judge_tui.formats.excerpt import Excerpt
from judge_tui.model import Document

__all__ = ["stage_checkout"]

_REPORT_EVERY = 1000

_WANTED = (
    "SELECT doc_id, text IS NULL, text = '', meta FROM documents"
    " WHERE doc_id NOT IN (SELECT doc_id FROM incoming)"
)
_READ_BEFORE = " AND (text IS NULL OR text = '' OR meta LIKE '%\"checkout\"%')"


def stage_checkout(
    campaign: Campaign,
    staged: StagedDocuments,
    place: int,
    root: str | os.PathLike[str],
    *,
    replace: bool,
    on_rows: OnRows,
) -> Loaded:
    """Stage what the checkout has for the documents that wait for a text, and that it had before.

    With `replace` for all documents. What changed in it since is said in the notes; so is what is
    not there, and what ends behind its file, of which the lines that are there are the text. Raises
    `InputError` where lines are not what they were, unless `replace`.
    """
    load = _Load(campaign, staged, place, root, replace=replace)
    ids = list(load.wanted())
    read = read_checkout(ids, root, missing=load.miss, shorter=load.shorten)
    for count, document in enumerate(read, start=1):
        if count % _REPORT_EVERY == 0:
            on_rows(count)
        load.take(count, document)
    return load.outcome()


class _Load:
    """One load from a checkout, document by document."""

    def __init__(
        self,
        campaign: Campaign,
        staged: StagedDocuments,
        place: int,
        root: str | os.PathLike[str],
        *,
        replace: bool,
    ) -> None:
        self._without_text = set[str]()
        self._told_without_text = set[str]()
        self._path = campaign.path
        self._connection = campaign.connection
        self._staged = staged
        self._place = place
        self._root = root
        self._replace = replace
        self._missing: list[str] = []
        self._shorter: list[str] = []
        self._gone = 0
        self._still_without = 0
        self._unchanged = 0
        self._moved_on = Counter[str]()

    def wanted(self) -> Iterator[str]:
        """The ids to look for, those of a file together."""
        rows = self._connection.execute(
            _WANTED + ("" if self._replace else _READ_BEFORE) + " ORDER BY doc_id"
        )
        for doc_id, is_unknown, is_empty, meta in rows:
            if is_unknown:
                self._without_text.add(doc_id)
            elif not self._replace and Excerpt.of(read_metadata(self._path, meta)) is None:
                if not is_empty:
                    continue
                # A file told of it, and had no text: a title, perhaps, or an address.
                self._told_without_text.add(doc_id)
            yield doc_id

    def miss(self, doc_id: str, why: str) -> None:
        if doc_id in self._without_text:
            self._missing.append(f"{doc_id}: {why}")
        elif doc_id in self._told_without_text:
            self._still_without += 1
        else:
            self._gone += 1

    def shorten(self, doc_id: str, why: str) -> None:
        self._shorter.append(f"{doc_id}: {why}; its text is what is there")

    def take(self, line: int, document: Document) -> None:
        """Stage a document, unless it is what the campaign has."""
        if document.doc_id not in self._without_text:
            known = self._known(document.doc_id)
            before, now = Excerpt.of(known.meta), Excerpt.of(document.meta)
            if before is not None and before == now and known.text == document.text:
                self._unchanged += 1
                return
            if before is not None and now is not None:
                if now.end < before.end:
                    # The file was longer when its lines were read: what judges saw stays.
                    self._shorter.pop()
                    self._gone += 1
                    return
                if known.text != document.text and not self._replace:
                    raise InputError(
                        self._root,
                        None,
                        f"{now.path} changed since it was loaded, and with it document"
                        f" {document.doc_id!r}",
                        "judges may have seen its lines as they were; give that checkout, or change"
                        " them with --replace",
                    )
                if known.text == document.text:
                    self._moved_on[now.path] += 1
            document = changed_in(
                known,
                text=document.text,
                kind=known.kind or document.kind,
                meta={**known.meta, **document.meta},
            )
        self._staged.add(self._place, line, document.doc_id, document)

    def outcome(self) -> Loaded:
        notes = [
            f"{path} changed since it was loaded; the lines of"
            f" {_counted(count, 'document')} are the same"
            for path, count in sorted(self._moved_on.items())
        ]
        if self._gone:
            has, stays = (
                ("has", "the text stays") if self._gone == 1 else ("have", "the texts stay")
            )
            notes.append(
                f"{_counted(self._gone, 'document')} that {has} a text cannot be read here; {stays}"
            )
        if self._still_without:
            are = "is" if self._still_without == 1 else "are"
            notes.append(
                f"{_counted(self._still_without, 'document')} of which a file had all but a text"
                f" {are} not there, either"
            )
        return Loaded(
            unchanged=self._unchanged,
            left_out=len(self._missing),
            notes=(*notes, *self._shorter, *self._missing),
        )

    def _known(self, doc_id: str) -> Document:
        title, text, url, kind, meta = self._connection.execute(
            "SELECT title, text, url, kind, meta FROM documents WHERE doc_id = ?", (doc_id,)
        ).fetchone()
        return Document(doc_id, title, text, url, kind, read_metadata(self._path, meta))


def _counted(number: int, noun: str) -> str:
    return f"1 {noun}" if number == 1 else f"{number:,} {noun}s"
