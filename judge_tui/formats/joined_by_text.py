"""Grades of queries by their texts, joined to queries that have ids."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from judge_tui.formats.graded_queries import under_queries
from judge_tui.formats.ids import decode_id, text_field
from judge_tui.formats.named_queries import NamedQueries
from judge_tui.formats.source import STDIN
from judge_tui.model import Query

__all__ = ["joined_by_text"]


def joined_by_text(
    path: str | os.PathLike[str],
    qrels: Mapping[str, Mapping[str, int]],
    queries: Sequence[Query],
    runs: Iterable[str | os.PathLike[str] | Iterable[str]],
) -> tuple[Mapping[str, Mapping[str, int]], Sequence[Query]]:
    """The qrels of a file that names queries by their texts, and the queries, under the same ids:
    those by which the runs call them, or the texts where all runs do so, too. Each run is a file or
    has its query ids. Raises `InputError` where one query has two grades of a document."""
    named = NamedQueries(queries)
    if all(_calls_by_text(run, named) for run in runs):
        texts = [replace(one, query_id=text_field(one.text), own_id=True) for one in queries]
        return qrels, list({one.query_id: one for one in texts}.values())

    def meant_by(text: str) -> list[str]:
        return [query.query_id for query in named.named(text, by_text=True)] or [text]

    return under_queries(path, qrels, meant_by), queries


def _calls_by_text(run: str | os.PathLike[str] | Iterable[str], named: NamedQueries) -> bool:
    """Whether a run calls queries by their texts, as its form has no ids, or as its first row
    does."""
    if isinstance(run, str | os.PathLike):
        from judge_tui.formats import iter_run  # noqa: PLC0415 - imports this room
        from judge_tui.formats.queries_and_documents import has_queries_by_text  # noqa: PLC0415

        if has_queries_by_text(run, "run"):
            return True
        rows = iter(()) if os.fspath(run) == STDIN else iter_run(run)
        first = next((row.query_id for row in rows), None)
    else:
        first = next(iter(run), None)
    return first is not None and not named.of_field(first) and bool(named.of_text(decode_id(first)))
