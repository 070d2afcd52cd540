"""Every format there is. A new one is a module with its `FORMAT`, and its name here."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from judge_tui.errors import UsageError
from judge_tui.formats.format import CALLED, Format, Kind

__all__ = ["FOLDER", "all_formats", "format_named", "formats_of", "names_of"]

# Modules by kind, the most usual first: where a file looks as much like one format as like
# another, the first is taken. They are imported on demand, since reading a run needs one of them.
_MODULES: dict[Kind, tuple[str, ...]] = {
    "run": ("trec_run",),
    "qrels": ("trec_qrels",),
    "queries": ("queries_tsv", "queries_jsonl", "queries_trec"),
    "documents": ("documents_jsonl", "documents_tsv", "documents_trec"),
}

FOLDER = "folder"
"""The one format of documents that is no file: a folder of text files."""


def formats_of(kind: Kind) -> list[Format[Any]]:
    """The formats of one kind of file, the most usual first."""
    return [import_module(f"judge_tui.formats.{module}").FORMAT for module in _MODULES[kind]]


def all_formats() -> list[Format[Any]]:
    """The formats of all kinds of files."""
    return [known for kind in _MODULES for known in formats_of(kind)]


def names_of(kind: Kind) -> list[str]:
    """What `format=` may be for this kind."""
    return [known.name for known in formats_of(kind)] + ([FOLDER] if kind == "documents" else [])


def format_named(kind: Kind, name: str) -> Format[Any]:
    """The format of a kind of file that has this name. Raises `UsageError` where none has."""
    for known in formats_of(kind):
        if known.name == name:
            return known
    raise UsageError(
        f"{name!r:.70} is no format of {CALLED[kind]}", f"use {' or '.join(names_of(kind))}"
    )
