"""The texts of the queries that the runs in a folder were asked, as `collect` wrote them there."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from judge_tui.errors import InputError
from judge_tui.formats.ids import id_in
from judge_tui.formats.problems import quoted
from judge_tui.formats.source import STDIN

__all__ = ["QUERIES", "SETTINGS", "refuse_other_texts", "texts_asked"]

QUERIES = "queries.jsonl"
"""The queries that were asked, `{"query_id", "text"}` a line, beside the runs."""

SETTINGS = "collect.json"
"""What says that `collect` wrote the folder."""


def texts_asked(run: str | os.PathLike[str]) -> dict[str, str]:
    """query_id -> text of the queries that a run was asked; empty where `collect` did not write its
    folder. Raises `InputError` for a bad line."""
    if os.fspath(run) == STDIN:
        return {}
    folder = Path(run).parent
    queries = folder / QUERIES
    if not queries.is_file() or not (folder / SETTINGS).is_file():
        return {}
    # Most runs have no such file, and start-up is counted.
    from judge_tui.formats.queries_and_documents import read_queries  # noqa: PLC0415

    read = read_queries(queries, format="jsonl")
    return {id_in(query.query_id): query.text for query in read}


def refuse_other_texts(run: str | os.PathLike[str], known: Mapping[str, str]) -> None:
    """Raise `InputError` where a query was asked with another text than it is `known` by, white
    space folded."""
    for query_id, asked in texts_asked(run).items():
        now = known.get(query_id)
        if now is not None and now.split() != asked.split():
            raise InputError(
                run,
                None,
                f"query {quoted(query_id)} was asked as {quoted(asked)}, and is {quoted(now)} now",
                "collect the run again, or give the queries that it was asked",
            )
