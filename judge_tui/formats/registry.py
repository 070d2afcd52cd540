"""Every format there is. A new one is a module with its `FORMAT`, and its name here."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from judge_tui.errors import UsageError
from judge_tui.formats.format import CALLED, Format, Kind

__all__ = ["ANSWERS", "FOLDER", "all_formats", "file_formats", "format_named", "names_of"]

ANSWERS = "answers"
"""The format of queries that hold what is right for them, too: more than a queries file."""

# The modules by kind and name, the most usual first: where a file looks as much like one format as
# like another, the first is taken. They are imported on demand, since reading a run needs one.
_MODULES: dict[Kind, dict[str, str]] = {
    "run": {
        "trec": "trec_run",
        "csv": "csv_run",
        "results": "results_run",
        "json": "json_run",
        "quepid": "quepid_run",
        "msmarco": "msmarco_run",
        "msmarco-top1000": "msmarco_candidate_run",
    },
    "qrels": {
        "trec": "trec_qrels",
        "beir": "beir_qrels",
        "csv": "csv_qrels",
        "results": "results_qrels",
        "quepid": "quepid_qrels",
        "quepid-json": "quepid_json",
        "quepid-ltr": "quepid_ltr",
        "letor": "letor",
        "rre": "rre_qrels",
        "opensearch": "opensearch_qrels",
        "rank-eval": "rank_eval_qrels",
        "benchmark": "benchmark_qrels",
        "json": "json_qrels",
    },
    "judgments": {
        "judge-tui": "own_judgments",
        "quepid-book": "quepid_book",
        "quepid-book-json": "quepid_book_json",
        "hical": "hical_judgments",
        "umbrela": "umbrela_judgments",
        "label-studio": "label_studio_judgments",
        "doccano": "doccano_judgments",
    },
    "queries": {
        "tsv": "queries_tsv",
        ANSWERS: "answers_queries",
        "csv": "queries_table",
        "benchmark": "benchmark_queries",
        "jsonl": "queries_jsonl",
        "trec": "queries_trec",
        "msmarco-top1000": "msmarco_candidate_queries",
        "quepid": "quepid_queries",
        "quepid-json": "quepid_json_queries",
        "quepid-book-json": "quepid_book_queries",
        "rre": "rre_queries",
        "opensearch": "opensearch_queries",
        "rank-eval": "rank_eval_queries",
    },
    "documents": {
        "benchmark": "benchmark_documents",
        "jsonl": "documents_jsonl",
        "csv": "documents_table",
        "tsv": "documents_tsv",
        "trec": "documents_trec",
        "msmarco-docs": "msmarco_documents",
        "quepid-book-json": "quepid_book_documents",
        "msmarco-top1000": "msmarco_candidate_documents",
    },
}

FOLDER = "folder"
"""The one format of documents that is no file: a folder of text files."""


def file_formats(kind: Kind | None = None, name: str | None = None) -> list[tuple[Kind, str]]:
    """The kind and name of each format of files, of that kind or name where one is given."""
    return [
        (its_kind, its_name)
        for its_kind, modules in _MODULES.items()
        for its_name in modules
        if kind in (None, its_kind) and name in (None, its_name)
    ]


def all_formats() -> list[Format[Any]]:
    """The formats of all kinds of files."""
    return [format_named(kind, name) for kind, name in file_formats()]


def names_of(kind: Kind) -> list[str]:
    """What `format=` may be for this kind."""
    return [*_MODULES[kind], *([FOLDER] if kind == "documents" else [])]


def format_named(kind: Kind, name: str) -> Format[Any]:
    """The format of a kind of file that has this name, with or without its kind: `csv`, `run:csv`.

    Raises `UsageError` where none has.
    """
    module = _MODULES[kind].get(name.removeprefix(f"{kind}:"))
    if module is None:
        raise UsageError(
            f"{name!r:.70} is no format of {CALLED[kind]}", f"use {' or '.join(names_of(kind))}"
        )
    found: Format[Any] = import_module(f"judge_tui.formats.{module}").FORMAT
    return found
