"""Runs and qrels whose form has no ids of queries, under those of known queries."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from judge_tui.errors import InputError
from judge_tui.formats.query_names import KnownQueries, QueryText
from judge_tui.formats.recognition import format_for
from judge_tui.formats.source import STDIN, AsLayout, open_source
from judge_tui.model import Qrels, Run
from judge_tui.sources.naming import NamedFile, named_sources, origin_of, run_from
from judge_tui.sources.shapes import FilePath, RunSource, RunsSource

__all__ = ["grades_under_ids", "runs_under_ids"]


def grades_under_ids(
    qrels: Qrels, source: object, known: KnownQueries, layout: AsLayout = None
) -> Qrels:
    """The grades that were read from a source, a file of this `layout`, by the ids of the queries.
    Raises `InputError` for a text that no query has, or several have."""
    if not _has_texts(qrels):
        return qrels
    if not isinstance(source, str | os.PathLike):
        return {known.get(None, text).query_id: by_doc for text, by_doc in qrels.items()}
    from judge_tui.formats.rows import iter_qrels  # noqa: PLC0415 - few forms have no ids

    found: dict[str, dict[str, int]] = {}
    here = known.at(source)
    for row in iter_qrels(source, format=layout):
        query_id = here.get(row.line, row.query_id).query_id
        found.setdefault(query_id, {})[row.doc_id] = row.grade
    return found


def runs_under_ids(runs: RunsSource, known: KnownQueries) -> list[str | NamedFile | Run]:
    """The same of whatever the library takes as runs; files that have ids are not read yet."""
    return [_under_ids(tag, source, known) for tag, source in named_sources(runs)]


def _under_ids(tag: str | None, source: RunSource, known: KnownQueries) -> str | NamedFile | Run:
    if not isinstance(source, str | os.PathLike):
        run = run_from(tag, source)
        if not _has_texts(run.scores):
            return run
        here = known.at(origin_of(tag, source))
        ids = {text: here.get(None, text).query_id for text in (*run.scores, *run.asked)}
    elif _is_by_text(source):
        from judge_tui.formats.whole_files import queries_of_run  # noqa: PLC0415 - as above

        run = run_from(tag, source)
        ids = {
            text: query.query_id
            for text, query in queries_of_run(source, run, known.at(source)).items()
            if query is not None
        }
    else:
        return NamedFile(tag, source) if tag else os.fspath(source)
    return replace(
        run,
        scores={ids[text]: its for text, its in run.scores.items()},
        asked=frozenset(ids[text] for text in run.asked),
    )


def _has_texts(names: Iterable[str]) -> bool:
    return any(isinstance(name, QueryText) for name in names)


def _is_by_text(run: FilePath) -> bool:
    """Whether a run has texts in place of ids; what cannot be looked into beforehand has not."""
    if run == STDIN or not Path(run).is_file():
        return False
    try:
        with open_source(run) as source:
            return format_for(source, "run").by_text
    except InputError:
        return False
