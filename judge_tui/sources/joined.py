"""Sources that call queries otherwise than the queries do, brought under the same ids."""

from __future__ import annotations

import os
from collections.abc import Sequence

from judge_tui.formats.joined_by_text import joined_by_text
from judge_tui.formats.queries_and_documents import has_queries_by_text
from judge_tui.model import Qrels, Query, Run
from judge_tui.sources.loading import run_from
from judge_tui.sources.naming import NamedFile, named_sources
from judge_tui.sources.shapes import RunsSource

__all__ = ["under_same_ids"]


def under_same_ids(
    path: str | os.PathLike[str], qrels: Qrels, queries: Sequence[Query], runs: RunsSource
) -> tuple[Qrels, Sequence[Query], RunsSource]:
    """The qrels of a file, the queries and the runs, with the same query ids where the file names
    queries by their texts (`joined_by_text`); as they are where it does not."""
    if not has_queries_by_text(path, "qrels"):
        return qrels, queries, runs
    sources = [
        (NamedFile(tag, source) if tag else source)
        if isinstance(source, str | os.PathLike)
        else run_from(tag, source)
        for tag, source in named_sources(runs)
    ]
    called = [
        one.path if isinstance(one, NamedFile) else one.scores if isinstance(one, Run) else one
        for one in sources
    ]
    return *joined_by_text(path, qrels, queries, called), sources
