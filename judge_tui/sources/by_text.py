"""Runs and qrels whose form has no ids of queries, under those of a file of queries."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

from judge_tui.formats.queries_and_documents import has_queries_by_text
from judge_tui.formats.query_names import QueryNames
from judge_tui.model import Qrels, Run
from judge_tui.sources.naming import NamedFile, named_sources, run_from
from judge_tui.sources.shapes import RunSource, RunsSource

__all__ = ["OneRun", "grades_under_ids", "runs_under_ids", "sources_under_ids"]

OneRun: TypeAlias = str | NamedFile | Run
"""A file that is not read yet, or a run that was."""


def grades_under_ids(qrels: Qrels, path: object, names: QueryNames) -> Qrels:
    """The grades of the file `path` by the ids of the queries; as they are where its form has ids.
    Raises `InputError` for a text that no query has, or several have."""
    if not isinstance(path, str | os.PathLike) or not has_queries_by_text(path, "qrels"):
        return qrels
    from judge_tui.formats import read_qrels  # noqa: PLC0415 - few forms have no ids

    return read_qrels(path, names=names)


def runs_under_ids(
    runs: Sequence[OneRun], names: QueryNames, format: str | None = None
) -> list[OneRun]:
    """The same of runs, files of `format` if that is given."""
    return [_under_ids(run, names, format) for run in runs]


def sources_under_ids(runs: RunsSource, names: QueryNames) -> list[OneRun]:
    """The same of whatever the library takes as runs."""
    return runs_under_ids([_one_run(tag, source) for tag, source in named_sources(runs)], names)


def _one_run(tag: str | None, source: RunSource) -> OneRun:
    if not isinstance(source, str | os.PathLike):
        return run_from(tag, source)
    return NamedFile(tag, source) if tag else os.fspath(source)


def _under_ids(run: OneRun, names: QueryNames, format: str | None) -> OneRun:
    if isinstance(run, Run):
        return run if any(one in names.texts for one in run.scores) else _by_id(run, names)
    tag, path = (run.tag, run.path) if isinstance(run, NamedFile) else (None, run)
    if not has_queries_by_text(path, "run", format=format):
        return run
    from judge_tui.formats import read_run  # noqa: PLC0415 - as above

    return read_run(path, tag=tag, format=format, names=names)


def _by_id(run: Run, names: QueryNames) -> Run:
    """A run that was read already, by texts: as it is where it is of other ids."""
    of_text = {name: names.of_text(name) for name in {*run.scores, *run.asked}}
    if None in of_text.values():
        return run
    found = {name: query_id for name, query_id in of_text.items() if query_id is not None}
    scores = {found[name]: its for name, its in run.scores.items()}
    return replace(run, scores=scores, asked=frozenset(found[name] for name in run.asked))
