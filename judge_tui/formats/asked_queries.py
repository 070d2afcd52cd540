"""The texts of the queries that the runs in a folder were asked, as `collect` wrote them there."""

from __future__ import annotations

import os
from pathlib import Path

from judge_tui.formats.query_names import KnownQueries
from judge_tui.formats.source import STDIN

__all__ = ["QUERIES", "SETTINGS", "refuse_other_texts"]

QUERIES = "queries.jsonl"
"""The queries that were asked, `{"query_id", "text"}` a line, beside the runs."""

SETTINGS = "collect.json"
"""What says that `collect` wrote the folder."""


def refuse_other_texts(run: str | os.PathLike[str], known: KnownQueries) -> None:
    """Raise `InputError` where `collect` asked a query of a run with another text than it is known
    by, and for a bad line of the file that says so."""
    if os.fspath(run) == STDIN:
        return
    folder = Path(run).parent
    asked = folder / QUERIES
    if not asked.is_file() or not (folder / SETTINGS).is_file():
        return
    # Most runs have no such file, and start-up is counted.
    from judge_tui.formats.queries_and_documents import iter_queries  # noqa: PLC0415

    here = known.at(asked)
    for line, query in iter_queries(asked, format="jsonl"):
        here.find(line, query.query_id, query.text)
