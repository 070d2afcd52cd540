"""Documents into a campaign: the texts of those that a run retrieved or a grade names.

Files are read into a temporary table without holding the campaign: judges go on working while a
corpus is read, and wait only for the moment in which its texts are taken over.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace as changed_in
from operator import index
from pathlib import Path
from typing import SupportsIndex

from judge_tui.campaign.loading.identify import added
from judge_tui.campaign.loading.loaded import Loaded, OnRows, silent
from judge_tui.campaign.store.columns import read_metadata
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.documents import document_key
from judge_tui.errors import InputError
from judge_tui.formats.checkout import read_checkout
from judge_tui.formats.collected import SETTINGS
from judge_tui.formats.excerpt import KEY, Excerpt
from judge_tui.formats.problems import quoted
from judge_tui.formats.rows import iter_documents
from judge_tui.formats.sieve import Sieve
from judge_tui.formats.source import AsLayout
from judge_tui.model import Document

__all__ = ["StagedDocuments", "load_document_files", "sieve_of", "staging"]

PathLike = str | os.PathLike[str]

_REPORT_EVERY = 10_000


def load_document_files(
    campaign: Campaign,
    paths: Sequence[PathLike],
    *,
    root: PathLike | None = None,
    format: AsLayout = None,
    keep_all: bool = False,
    replace: bool = False,
    on_rows: OnRows = silent,
) -> list[Loaded]:
    """Give texts to the documents of the campaign, from files, folders and a checkout, or none.

    Of `paths`, documents that no run or grade names are left out unless `keep_all`. From `root`,
    ids of the form `path` or `path:start-end` that have no text yet, with `replace` all that
    `paths` give none, get theirs. One `Loaded` for each path, then one for the root; `lacking` are
    documents whose text could not be had, with the reason. The files are streamed.

    What a file does not say of a document that is there stays, and what it adds is added. Raises
    `InputError` at the first bad line, and where a file says something else of such a document:
    judges may have graded that one. `replace` lets what the file says hold all the same.
    """
    with staging(campaign) as staged:
        sieve = None if keep_all or not paths else sieve_of(campaign, on_rows)
        outcomes = [
            _stage_file(campaign, staged, place, path, format, sieve, on_rows)
            for place, path in enumerate(paths)
        ]
        if root is not None:
            outcomes.append(staged.add_checkout(len(paths), root, replace=replace, on_rows=on_rows))
        staged.complete()
        sources = [*paths, *([root] if root is not None else [])]
        with campaign.writing():
            return [
                staged.take_over(place, path, outcome, replace=replace or place == len(paths))
                for place, (path, outcome) in enumerate(zip(sources, outcomes, strict=True))
            ]


def _stage_file(
    campaign: Campaign,
    staged: StagedDocuments,
    place: int,
    path: PathLike,
    format: AsLayout,
    sieve: Sieve | None,
    on_rows: OnRows,
) -> Loaded:
    """Let the documents of a file wait; without a `sieve` all of them, else those it names."""
    if _is_empty_of_collect(path):
        return Loaded()
    left_out = 0
    lacking: list[str] = []
    before = sieve.left_out if sieve is not None else 0
    documents = iter_documents(
        path,
        format=format,
        skipped=lambda doc_id, why: lacking.append(f"{doc_id}: {why}"),
        sieve=sieve,
    )
    for count, (line, document) in enumerate(documents, start=1):
        if count % _REPORT_EVERY == 0:
            on_rows(count if sieve is None else count + sieve.left_out - before)
        if sieve is not None and document_key(campaign.connection, document.doc_id) is None:
            left_out += 1
        else:
            staged.add(place, line, document)
    if sieve is not None:
        left_out += sieve.left_out - before
    return Loaded(left_out=left_out, lacking=tuple(lacking))


def _is_empty_of_collect(path: PathLike) -> bool:
    """Whether `collect` wrote it, as it does beside runs of systems that return ids alone."""
    file = Path(path)
    return file.is_file() and file.stat().st_size == 0 and (file.parent / SETTINGS).is_file()


def sieve_of(campaign: Campaign, on_rows: OnRows, others: Collection[str] = ()) -> Sieve:
    """What tells the documents of the campaign, and some `others`, from the rest of a corpus."""
    count = campaign.connection.execute("SELECT count(*) FROM documents").fetchone()[0]
    rows = campaign.connection.execute("SELECT doc_id FROM documents")

    def ids() -> Iterable[str]:
        yield from (doc_id for (doc_id,) in rows)
        yield from others

    return Sieve(ids(), count=count + len(others), on_left_out=on_rows)


_INCOMING = (
    "source INTEGER, line INTEGER, doc_id TEXT, title TEXT, text TEXT, url TEXT, kind TEXT,"
    " meta TEXT, UNIQUE (source, doc_id)"
)
_KNOWN = (
    "incoming AS i JOIN documents AS d USING (doc_id) WHERE i.source = ? AND d.text IS NOT NULL"
)
_SAME = "(d.title, d.text, d.url, d.kind, d.meta) IS (i.title, i.text, i.url, i.kind, i.meta)"
# Whether a document has a text, in the campaign or in a file that waits; in such a file; a kind.
_TEXTS = """
    SELECT doc_id, max(text <> ''), max(waits AND text <> ''), max(kind <> '') FROM (
        SELECT doc_id, coalesce(text, '') AS text, kind, 0 AS waits FROM documents
        UNION ALL SELECT doc_id, text, kind, 1 FROM incoming
    ) GROUP BY doc_id ORDER BY doc_id
"""


@contextmanager
def staging(campaign: Campaign) -> Iterator[StagedDocuments]:
    """Where documents wait, and a transaction that writes to nothing else until it is committed.

    Reading what the campaign knows is part of it; the campaign's file is not locked.
    """
    with campaign.staging("incoming", _INCOMING) as connection:
        connection.execute("BEGIN")
        yield StagedDocuments(campaign)


class StagedDocuments:
    """Documents that wait, by the place of their source among those that are loaded together."""

    def __init__(self, campaign: Campaign) -> None:
        self._campaign = campaign
        self._connection = campaign.connection

    def add(self, place: int, line: SupportsIndex, document: Document) -> None:
        """Let a document wait; one of that id that waits there already stays."""
        self._connection.execute(
            "INSERT OR IGNORE INTO incoming VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (place, index(line), document.doc_id, *_values(document)),
        )

    def add_checkout(self, place: int, root: PathLike, *, replace: bool, on_rows: OnRows) -> Loaded:
        """Let the texts wait that a checkout has for documents without one, with `replace` for all
        but those that get theirs from a file that waits."""
        without_text = set[str]()
        with_kind = set[str]()
        wanted = []
        for doc_id, has_text, is_given, has_kind in self._connection.execute(_TEXTS):
            if not has_text:
                without_text.add(doc_id)
            if has_kind:
                with_kind.add(doc_id)
            if not has_text or (replace and not is_given):
                wanted.append(doc_id)
        lacking: list[str] = []
        shorter: list[str] = []

        def miss(doc_id: str, why: str) -> None:
            if doc_id in without_text:
                lacking.append(f"{doc_id}: {why}")

        def shorten(doc_id: str, why: str) -> None:
            shorter.append(f"{doc_id}: {why}; its text is what is there")

        read = read_checkout(wanted, root, miss, shorter=shorten)
        for count, document in enumerate(read, start=1):
            if count % _REPORT_EVERY == 0:
                on_rows(count)
            known_kind = document.doc_id in with_kind
            self.add(place, count, changed_in(document, kind="") if known_kind else document)
        return Loaded(left_out=len(lacking), lacking=(*shorter, *lacking))

    def complete(self) -> None:
        """End the transaction in which was staged: what comes next writes to the campaign."""
        self._connection.execute("COMMIT")

    def take_over(self, place: int, path: PathLike, outcome: Loaded, *, replace: bool) -> Loaded:
        """Write what waits from one source, as part of the caller's transaction: `outcome` with the
        counts of documents that were added, replaced and known already."""
        staged = self._count(place, "FROM incoming WHERE source = ?")
        known = self._count(place, f"FROM {_KNOWN}")
        changed = self._change(place, path, replace=replace)
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
        return changed_in(
            outcome, added=staged - known, replaced=changed, unchanged=known - changed
        )

    def _change(self, place: int, path: PathLike, *, replace: bool) -> int:
        """Let hold what is said of documents that have a text: how many are others now.

        Only those that differ are read, one at a time: texts may be long, and documents many.
        """
        changed = 0
        # Sorted before the first one comes, so that none is met again once it was changed.
        differing = self._connection.execute(
            f"SELECT i.rowid, d.id FROM {_KNOWN} AND NOT {_SAME} ORDER BY i.line",  # noqa: S608
            (place,),
        )
        for incoming, key in differing:
            line, new = self._read("SELECT line, {} FROM incoming WHERE rowid = ?", incoming)
            _, known = self._read("SELECT id, {} FROM documents WHERE id = ?", key)
            merged, unlike = added(known, new, replacing=replace)
            if unlike and not replace:
                raise InputError(
                    path,
                    line,
                    f"document {quoted(known.doc_id)} has another {unlike} in the campaign",
                    "judges may have seen that one; change it with --replace",
                )
            if merged.text != known.text and KEY not in new.meta and Excerpt.of(known.meta):
                # Where the lines of a checkout are is not said of another text.
                meta = {name: value for name, value in merged.meta.items() if name != KEY}
                merged = changed_in(merged, meta=meta)
            if merged != known:
                self._connection.execute(
                    "UPDATE documents SET title = ?, text = ?, url = ?, kind = ?, meta = ?"
                    " WHERE id = ?",
                    (*_values(merged), key),
                )
                changed += 1
        return changed

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
