"""The campaign as a collection that other tools take: queries, documents and final grades."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from itertools import chain
from pathlib import Path

from judge_tui.campaign.exporting import Exported
from judge_tui.campaign.exporting.qrels import export_qrels
from judge_tui.campaign.store.columns import read_metadata
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.queries import all_queries
from judge_tui.errors import InputError, UsageError
from judge_tui.formats.run_paths import PROVENANCE
from judge_tui.formats.tsv_files import in_a_field
from judge_tui.formats.writers import COLLECTIONS, CollectionForm
from judge_tui.formats.writing import write_lines
from judge_tui.model import Document

__all__ = ["export_collection"]


def export_collection(
    campaign: Campaign,
    path: str | os.PathLike[str],
    form: str,
    *,
    split: str = "test",
    policy: str = "majority",
    unresolved: str = "refuse",
    include_models: bool | None = None,
) -> Exported:
    """Write the files of one of `COLLECTIONS` into a folder, which is made if new; beside the qrels
    where they came from.

    The qrels are those of `export_qrels`, and come first: what they are refused for, nothing is
    written for. Raises `InputError` for a folder that holds anything else, and `UsageError` for a
    name that is no split's.
    """
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]*", split):
        raise UsageError(
            f"{split!r:.70} names no split", "use letters and digits, as in test or dev"
        )
    how = COLLECTIONS[form]
    folder = Path(path)
    queries_file = how.queries.format(split=split)
    qrels = folder / how.qrels.format(split=split)
    made = _make(folder, qrels.parent, how)
    try:
        exported = export_qrels(
            campaign,
            qrels,
            policy=policy,
            unresolved=unresolved,
            include_models=include_models,
            form=form,
        )
        with campaign.reading():
            queries = all_queries(campaign)
            write_lines(folder / queries_file, how.queries_writer.lines(queries))
            documents = _documents(campaign, bare=not how.in_fields)
            write_lines(folder / how.corpus, how.documents_writer.lines(documents))
            ((every, with_text),) = campaign.rows("SELECT count(*), count(text) FROM documents")
            texts = (one.text for one in _documents(campaign, bare=False)) if how.in_fields else ()
            asked = (query.text for query in queries if how.in_fields)
            changed = sum(in_a_field(text) != text for text in chain(asked, texts))
    except BaseException:
        for one in made:
            _remove_if_empty(one)
        raise
    return Exported(
        {
            "queries": len(queries),
            "documents": with_text if how.in_fields else every,
            "grades": exported["pairs"],
            "left out: unresolved": exported["left out: unresolved"],
            "left out: not judged": exported["left out: not judged"],
            f"{'left out' if how.in_fields else 'there'}: documents without a text": every
            - with_text,
            "texts with tabs or line ends, which are blanks there": changed,
        }
    )


def _documents(campaign: Campaign, *, bare: bool) -> Iterator[Document]:
    for doc_id, title, text, url, kind, meta in campaign.connection.execute(
        "SELECT doc_id, title, coalesce(text, ''), url, kind, meta FROM documents"
        " WHERE ? OR text IS NOT NULL ORDER BY doc_id",
        (bare,),
    ):
        yield Document(doc_id, title, text, url, kind, read_metadata(campaign.path, meta))


def _make(folder: Path, inside: Path, how: CollectionForm) -> list[Path]:
    """Make the folders that are not there; those that were made, innermost first."""
    own = [
        name.partition("/")[0].format(split="*") for name in (how.corpus, how.queries, how.qrels)
    ]
    own.append(f"{own[-1]}{PROVENANCE}")
    made: list[Path] = []
    try:
        if folder.exists():
            others = sorted(
                one.name
                for one in folder.iterdir()
                if not any(fnmatchcase(one.name, name) for name in own)
            )
            if others:
                raise InputError(
                    folder,
                    None,
                    f"the folder holds something else: {others[0]!r:.70}",
                    "give one that is new",
                )
        for one in dict.fromkeys((folder, inside)):
            if not one.is_dir():
                one.mkdir()
                made.insert(0, one)
    except OSError as error:
        raise InputError(
            folder,
            None,
            f"cannot be a folder to write to: {error.strerror or error}",
            "check the path and its permissions",
        ) from error
    return made


def _remove_if_empty(folder: Path) -> None:
    if not any(folder.iterdir()):
        folder.rmdir()
