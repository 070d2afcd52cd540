"""Documents that are lines of files: their texts from a checkout, and whether that has changed."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace as changed_in
from functools import partial, reduce

from judge_tui.campaign.document_changes import with_said
from judge_tui.campaign.file import Campaign
from judge_tui.campaign.loaded import Loaded, OnRows
from judge_tui.campaign.metadata import read_metadata
from judge_tui.campaign.staged_documents import StagedDocuments
from judge_tui.errors import InputError
from judge_tui.formats import read_checkout
from judge_tui.formats.excerpt import Excerpt
from judge_tui.formats.said import together
from judge_tui.model import Document

__all__ = ["stage_checkout"]

_REPORT_EVERY = 1000

# Whether anything is told of a document, by the campaign or by files that wait: and by these; a
# text by either; a text by these; and lines of a checkout, perhaps.
_TOLD = """
    SELECT doc_id, max(text IS NOT NULL), max(waits), max(text != ''), max(waits AND text != ''),
        max(meta LIKE '%"checkout"%')
    FROM (
        SELECT doc_id, text, meta, 0 AS waits FROM documents
        UNION ALL SELECT doc_id, text, meta, 1 FROM incoming
    )
    GROUP BY doc_id ORDER BY doc_id
"""
_OF_CAMPAIGN = (
    "SELECT title, text, url, kind, meta FROM documents WHERE doc_id = ? AND text IS NOT NULL"
)
_OF_FILE = "SELECT title, text, url, kind, meta FROM incoming WHERE source = ? AND doc_id = ?"


def stage_checkout(
    campaign: Campaign,
    staged: StagedDocuments,
    place: int,
    root: str | os.PathLike[str],
    *,
    replace: bool,
    on_rows: OnRows,
) -> Loaded:
    """Stage what the checkout has for the documents that wait for a text, and that it had before;
    of another that has the same text, where its lines are.

    The text of a file stays where the checkout has another one, unless `replace`, and that of a
    file which waits to be loaded stays always; the notes tell of both. What changed in the checkout
    since is said in the notes, too; so is what is not there, and what ends behind its file, of
    which the lines that are there are the text. Raises `InputError` where lines are not what they
    were, unless `replace`.
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
        self._waiting = set[str]()
        self._given = set[str]()
        self._of_checkout = set[str]()
        self._path = campaign.path
        self._connection = campaign.connection
        self._staged = staged
        self._place = place
        self._root = root
        self._replace = replace
        self._missing: list[str] = []
        self._shorter: dict[str, str] = {}
        self._otherwise: list[str] = []
        self._gone = 0
        self._still_without = 0
        self._unchanged = 0
        self._placed = 0
        self._moved_on = Counter[str]()

    def wanted(self) -> Iterator[str]:
        """The ids to look for, those of a file together."""
        for doc_id, is_told, waits, has_text, is_given, is_placed in self._connection.execute(
            _TOLD
        ):
            if not is_told:
                self._without_text.add(doc_id)
            elif not has_text:
                # A file told of it, and had no text: a title, perhaps, or an address.
                self._told_without_text.add(doc_id)
            if waits:
                self._waiting.add(doc_id)
            if is_given:
                self._given.add(doc_id)
            if is_placed:
                self._of_checkout.add(doc_id)
            yield doc_id

    def miss(self, doc_id: str, why: str) -> None:
        if doc_id in self._without_text:
            self._missing.append(f"{doc_id}: {why}")
        elif doc_id in self._told_without_text:
            self._still_without += 1
        elif (self._replace and doc_id not in self._given) or self._was_there(doc_id):
            self._gone += 1

    def shorten(self, doc_id: str, why: str) -> None:
        self._shorter[doc_id] = f"{doc_id}: {why}; its text is what is there"

    def take(self, line: int, document: Document) -> None:
        """Stage a document, unless it is what the campaign has."""
        taken: Document | None = document
        if document.doc_id not in self._without_text:
            taken = self._changed(self._known(document.doc_id), document)
        if taken is not None:
            self._staged.add(self._place, line, taken.doc_id, taken)

    def _changed(self, known: Document, document: Document) -> Document | None:
        """What a document that is told of becomes by what the checkout has; None where nothing of
        it is taken."""
        doc_id = known.doc_id
        before, now = Excerpt.of(known.meta), Excerpt.of(document.meta)
        same = known.text == document.text
        is_of_file = doc_id in self._given or (before is None and not self._replace)
        if known.text and not same and is_of_file:
            self._shorter.pop(doc_id, None)
            self._otherwise.append(doc_id)
            return None
        meta = together(known.meta, document.meta, over=self._replace or before is not None)
        if same and (before == now or Excerpt.of(meta) is None):
            self._unchanged += 1
            return None
        if before is not None and now is not None:
            if now.end < before.end:
                # The file was longer when its lines were read: what judges saw stays.
                self._shorter.pop(doc_id, None)
                self._gone += 1
                return None
            if not same and not self._replace:
                raise InputError(
                    self._root,
                    None,
                    f"{now.path} changed since it was loaded, and with it document {doc_id!r}",
                    "judges may have seen its lines as they were; give that checkout, or change"
                    " them with --replace",
                )
            if same:
                self._moved_on[now.path] += 1
        elif same:
            self._placed += 1
        kind = known.kind or document.kind
        return changed_in(known, text=document.text, kind=kind, meta=meta)

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
        if self._placed:
            had = f"{_counted(self._placed, 'document')} had the text of the checkout already"
            notes.append(f"{had}; which lines of which file that is was added")
        if self._otherwise:
            notes.append(_told_otherwise(self._otherwise))
        return Loaded(
            unchanged=self._unchanged,
            left_out=len(self._missing),
            notes=(*notes, *self._shorter.values(), *self._missing),
        )

    def _known(self, doc_id: str) -> Document:
        """A document that is told of, with what the files that wait make of it."""
        told = [
            Document(doc_id, title, text, url, kind, read_metadata(self._path, meta))
            for title, text, url, kind, meta in self._told(doc_id)
        ]
        return reduce(partial(with_said, over=self._replace), told)

    def _was_there(self, doc_id: str) -> bool:
        """Whether the text of a document is of a checkout."""
        return doc_id in self._of_checkout and Excerpt.of(self._known(doc_id).meta) is not None

    def _told(self, doc_id: str) -> Iterator[tuple[str, str, str, str, str]]:
        """What is told of a document: by the campaign, and by each file that waits."""
        yield from self._connection.execute(_OF_CAMPAIGN, (doc_id,))
        for place in range(self._place) if doc_id in self._waiting else ():
            yield from self._connection.execute(_OF_FILE, (place, doc_id))


def _told_otherwise(doc_ids: Sequence[str]) -> str:
    """What to say of documents whose texts are of files, and stay."""
    first, alone = doc_ids[0], "--root alone, with --replace, takes"
    if len(doc_ids) == 1:
        return (
            f"document {first!r} has another text in the campaign than here, which stays: judges"
            f" may have seen it; {alone} the one here"
        )
    return (
        f"{len(doc_ids):,} documents, such as {first!r}, have other texts in the campaign than"
        f" here, which stay: judges may have seen them; {alone} those here"
    )


def _counted(number: int, noun: str) -> str:
    return f"1 {noun}" if number == 1 else f"{number:,} {noun}s"
