"""The campaign as a collection of BEIR's: its queries, its documents and its final grades."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from judge_tui.campaign.export import Exported, export_qrels
from judge_tui.campaign.file import Campaign
from judge_tui.campaign.metadata import read_metadata
from judge_tui.campaign.queries import all_queries
from judge_tui.errors import InputError, UsageError
from judge_tui.formats.beir_files import beir_corpus, beir_queries
from judge_tui.formats.row_files import write_lines
from judge_tui.model import Document

__all__ = ["LEFT_OUT", "ExportedCollection", "export_beir"]

LEFT_OUT = "runs, whose grades these were, notes, times, guidelines, labels of the scale"

_FILES = {"corpus.jsonl", "queries.jsonl", "qrels"}


@dataclass(frozen=True, slots=True)
class ExportedCollection:
    """How many queries and documents were written, how many of these without a text, and the
    qrels."""

    queries: int
    documents: int
    without_text: int
    qrels: Exported
    qrels_path: str


def export_beir(
    campaign: Campaign,
    path: str | os.PathLike[str],
    *,
    split: str = "test",
    policy: str = "majority",
    unresolved: str = "refuse",
    include_models: bool = False,
) -> ExportedCollection:
    """Write corpus.jsonl, queries.jsonl and qrels/SPLIT.tsv into a folder, which is made if new;
    beside the qrels where they came from.

    The qrels are those of `export_qrels`, and come first: what they are refused for, nothing is
    written for. Raises `InputError` for a folder that holds anything else, and `UsageError` for a
    name that is no split's.
    """
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]*", split):
        raise UsageError(
            f"{split!r:.70} names no split", "use letters and digits, as in test or dev"
        )
    folder = Path(path)
    made = _make(folder)
    qrels = folder / "qrels" / f"{split}.tsv"
    try:
        exported = export_qrels(
            campaign,
            qrels,
            policy=policy,
            unresolved=unresolved,
            include_models=include_models,
            format="beir",
        )
        with campaign.reading():
            queries = all_queries(campaign)
            write_lines(folder / "queries.jsonl", beir_queries(queries))
            write_lines(folder / "corpus.jsonl", beir_corpus(_documents(campaign)))
            ((documents, without_text),) = campaign.rows(
                "SELECT count(*), count(*) - count(text) FROM documents"
            )
    except BaseException:
        for one in made:
            _remove_if_empty(one)
        raise
    return ExportedCollection(len(queries), documents, without_text, exported, os.fspath(qrels))


def _documents(campaign: Campaign) -> Iterator[Document]:
    for doc_id, title, text, url, kind, meta in campaign.connection.execute(
        "SELECT doc_id, title, coalesce(text, ''), url, kind, meta FROM documents ORDER BY doc_id"
    ):
        yield Document(doc_id, title, text, url, kind, read_metadata(campaign.path, meta))


def _make(folder: Path) -> list[Path]:
    """Make the folders that are not there; those that were made, innermost first."""
    made: list[Path] = []
    try:
        if folder.exists():
            others = sorted({one.name for one in folder.iterdir()} - _FILES)
            if others:
                raise InputError(
                    folder,
                    None,
                    f"the folder holds something else: {others[0]!r:.70}",
                    "give one that is new",
                )
        for one in (folder, folder / "qrels"):
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
