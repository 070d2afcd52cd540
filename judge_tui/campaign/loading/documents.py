"""Documents into a campaign: the texts of those that a run retrieved or a grade names.

Files are read into a spill without holding the campaign: judges go on working while a corpus is
read, and wait only for the moment in which its texts are written.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace as changed_in
from itertools import chain, islice
from operator import index
from pathlib import Path
from typing import TypeAlias

from judge_tui.campaign.loading import LoadCounts, OnCount
from judge_tui.campaign.loading.queries import merge_record
from judge_tui.campaign.loading.spill import Spill, spilling
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.documents import (
    count_documents,
    document_ids,
    documents_by_id,
    is_document,
    kinds_and_texts,
    write_documents,
)
from judge_tui.errors import InputError
from judge_tui.formats.checkout import KEY, Excerpt, checkout_root, read_checkout
from judge_tui.formats.collected import SETTINGS
from judge_tui.formats.problems import quoted
from judge_tui.formats.rows import iter_documents
from judge_tui.formats.sieve import Sieve
from judge_tui.formats.source import AsLayout
from judge_tui.model import Document

PathLike = str | os.PathLike[str]

DocumentRow: TypeAlias = tuple[int, Document]
"""A document with its line."""

_REPORT_EVERY = 10_000
_AT_ONCE = 100
"""How many documents are in memory: their texts may be long."""


def load_document_files(
    campaign: Campaign,
    paths: Sequence[PathLike],
    *,
    root: PathLike | None = None,
    layout: AsLayout = None,
    keep_all: bool = False,
    replace: bool = False,
    on_rows: OnCount = lambda _rows: None,
) -> list[LoadCounts]:
    """Give texts to the documents of the campaign: from files and folders, all or none of them, and
    then from a checkout. One `LoadCounts` for each path, then one for the root.

    Of `paths`, documents that no run or grade names are left out unless `keep_all`. From `root`,
    ids of the form `path` or `path:start-end` that have no text yet get theirs; with `replace`, all
    of them. What a file does not say of a document stays; what it adds is added.

    Raises `InputError` at the first bad line of a path, for a root that is not a folder, and,
    unless `replace`, where a file says something else of a known document: judges may have graded
    it.
    """
    if root is not None:
        checkout_root(root)
    outcomes: list[LoadCounts] = []
    with spilling() as spill:
        sieve = None if keep_all or not paths else sieve_of(campaign, on_rows)
        read = [spill_documents(campaign, spill, path, layout, sieve, on_rows) for path in paths]
        waiting: Iterator[DocumentRow] = iter(spill)
        with campaign.writing():
            for path, (count, outcome) in zip(paths, read, strict=True):
                took = take_documents(campaign, path, islice(waiting, count), replace=replace)
                outcomes.append(
                    changed_in(took, left_out=outcome.left_out, lacking=outcome.lacking)
                )
    if root is not None:
        outcomes.append(_load_checkout(campaign, root, replace=replace, on_rows=on_rows))
    return outcomes


def sieve_of(campaign: Campaign, on_rows: OnCount, others: Collection[str] = ()) -> Sieve:
    """What tells the documents of the campaign, and some `others`, from the rest of a corpus."""
    with campaign.reading():
        ids = chain(document_ids(campaign), others)
        return Sieve(ids, count=count_documents(campaign)[0] + len(others), on_left_out=on_rows)


def spill_documents(
    campaign: Campaign,
    spill: Spill,
    path: PathLike,
    layout: AsLayout,
    sieve: Sieve | None,
    on_rows: OnCount,
    others: Collection[str] = (),
) -> tuple[int, LoadCounts]:
    """Let the documents of a file wait: how many do, and what was left out. With a `sieve`, those
    of the campaign and `others` alone."""
    if _is_empty_of_collect(path):
        return 0, LoadCounts()
    waiting = left_out = 0
    lacking: list[str] = []
    before = sieve.left_out if sieve is not None else 0
    documents = iter_documents(
        path,
        format=layout,
        skipped=lambda doc_id, why: lacking.append(f"{doc_id}: {why}"),
        sieve=sieve,
    )
    for line, document in documents:
        if sieve is None or document.doc_id in others or is_document(campaign, document.doc_id):
            spill.add((index(line), document))
            waiting += 1
        else:
            left_out += 1
        if (waiting + left_out) % _REPORT_EVERY == 0:
            on_rows(waiting + left_out + (sieve.left_out - before if sieve is not None else 0))
    if sieve is not None:
        left_out += sieve.left_out - before
    return waiting, LoadCounts(left_out=left_out, lacking=tuple(lacking))


def _is_empty_of_collect(path: PathLike) -> bool:
    """Whether `collect` wrote it, as it does beside runs of systems that return ids alone."""
    file = Path(path)
    return file.is_file() and file.stat().st_size == 0 and (file.parent / SETTINGS).is_file()


def _load_checkout(
    campaign: Campaign, root: PathLike, *, replace: bool, on_rows: OnCount
) -> LoadCounts:
    """Load the texts that a checkout has for documents without one, with `replace` for all."""
    kinds: dict[str, str] = {}
    without_text = set()
    with campaign.reading():
        for doc_id, kind, has_text in kinds_and_texts(campaign):
            if not has_text:
                without_text.add(doc_id)
            if replace or not has_text:
                kinds[doc_id] = kind
    lacking: list[str] = []
    shorter: list[str] = []

    def miss(doc_id: str, why: str) -> None:
        if doc_id in without_text:
            lacking.append(f"{doc_id}: {why}")

    def shorten(doc_id: str, why: str) -> None:
        shorter.append(f"{doc_id}: {why}; its text is what is there")

    with spilling() as spill:
        for count, document in enumerate(read_checkout(kinds, root, miss, shorter=shorten), 1):
            kind = kinds[document.doc_id] or document.kind
            spill.add((count, changed_in(document, kind=kind)))
            if count % _REPORT_EVERY == 0:
                on_rows(count)
        with campaign.writing():
            took = take_documents(campaign, root, spill, replace=True)
    return changed_in(took, left_out=len(lacking), lacking=(*shorter, *lacking))


def take_documents(
    campaign: Campaign, path: PathLike, rows: Iterable[DocumentRow], *, replace: bool
) -> LoadCounts:
    """Write the documents of a source, each of which comes once, as part of the caller's
    transaction."""
    new = replaced = unchanged = 0
    rows = iter(rows)
    while some := list(islice(rows, _AT_ONCE)):
        here = documents_by_id(campaign, [document.doc_id for _, document in some])
        changed = []
        for line, document in some:
            known, has_text = here.get(document.doc_id, (document, False))
            if not has_text:
                new += 1
                changed.append(document)
            elif (merged := _merged(path, line, known, document, replace=replace)) != known:
                replaced += 1
                changed.append(merged)
            else:
                unchanged += 1
        write_documents(campaign, changed)
    return LoadCounts(new, replaced, unchanged)


def _merged(
    path: PathLike, line: int, known: Document, new: Document, *, replace: bool
) -> Document:
    """A document of the campaign with what the file says of it."""
    if new == known:
        return known
    merged, unlike = merge_record(known, new, replacing=replace)
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
        return changed_in(merged, meta=meta)
    return merged
