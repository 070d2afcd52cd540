"""Qrels and runs wherever they come from: files, mappings in the shape of pytrec_eval, data frames,
arrays, rows. What is in memory is held to the rules of files, and its errors name the row.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from judge_tui.sources.naming import (
    NamedFile,
    distinct_tags,
    named_sources,
    origin_of,
    qrels_from,
    run_from,
)

if TYPE_CHECKING:
    from judge_tui.sources.matrices import from_matrices
    from judge_tui.sources.shapes import (
        QrelsSource,
        QueriesSource,
        RunSource,
        RunsSource,
        SlicesSource,
    )
    from judge_tui.sources.slices import queries_from, slices_from, slices_of

__all__ = [
    "NamedFile",
    "QrelsSource",
    "QueriesSource",
    "RunSource",
    "RunsSource",
    "SlicesSource",
    "distinct_tags",
    "from_matrices",
    "named_sources",
    "origin_of",
    "qrels_from",
    "queries_from",
    "run_from",
    "slices_from",
    "slices_of",
]

# name -> the module that has it: scoring files at the command line needs none of these.
_FROM = {
    "QrelsSource": "shapes",
    "QueriesSource": "shapes",
    "RunSource": "shapes",
    "RunsSource": "shapes",
    "SlicesSource": "shapes",
    "from_matrices": "matrices",
    "queries_from": "slices",
    "slices_from": "slices",
    "slices_of": "slices",
}


def __getattr__(name: str) -> Any:
    if name in _FROM:
        return getattr(import_module(f"{__name__}.{_FROM[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
