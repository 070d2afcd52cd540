"""Qrels and runs wherever they come from: files, or mappings in the shape of pytrec_eval."""

from __future__ import annotations

import math
import operator
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from judge_tui.errors import UsageError
from judge_tui.model import Qrels, Run

__all__ = ["QrelsSource", "RunSource", "RunsSource", "qrels_from", "runs_from"]

FilePath: TypeAlias = str | os.PathLike[str]

QrelsSource: TypeAlias = FilePath | Qrels
"""A TREC qrels file, or query_id -> doc_id -> grade."""

RunSource: TypeAlias = FilePath | Run | Mapping[str, Mapping[str, float]]
"""A TREC run file, a `Run`, or query_id -> doc_id -> score."""

RunsSource: TypeAlias = RunSource | Sequence[RunSource] | Mapping[str, RunSource]
"""One run, several, or several by tag."""


def qrels_from(source: QrelsSource) -> Qrels:
    """Read the file, or check the mapping: grades are whole numbers."""
    if isinstance(source, str | os.PathLike):
        from judge_tui.formats import read_qrels  # noqa: PLC0415 - mappings need no readers

        return read_qrels(source)
    return {
        query_id: {doc_id: _grade(query_id, doc_id, grade) for doc_id, grade in grades.items()}
        for query_id, grades in source.items()
    }


def runs_from(sources: RunsSource) -> list[Run]:
    """Read each file and check each mapping: scores are finite numbers.

    A mapping without a tag is called `run`, or by its place `run1`, `run2`. Raises `UsageError`
    where two have one tag, naming both, and `InputError` for a file that is no run.
    """
    runs: list[Run] = []
    origins: dict[str, str] = {}
    for tag, source in _named(sources):
        run, origin = _run(tag, source)
        if run.tag in origins:
            raise UsageError(
                f"{origins[run.tag]} and {origin} have the same tag {run.tag!r}",
                "give each run its own tag",
            )
        origins[run.tag] = origin
        runs.append(run)
    return runs


def _named(sources: RunsSource) -> Iterable[tuple[str | None, RunSource]]:
    if isinstance(sources, str | os.PathLike | Run):
        return [(None, sources)]
    if not isinstance(sources, Mapping):
        return [
            (f"run{place}" if isinstance(source, Mapping) else None, source)
            for place, source in enumerate(sources, start=1)
        ]
    # query_id -> doc_id -> score is a run; tag -> anything deeper, or a file, is several.
    by_tag: dict[str | None, RunSource] = {}
    for tag, source in sources.items():
        if isinstance(source, Mapping) and not any(
            isinstance(inner, Mapping) for inner in source.values()
        ):
            continue
        by_tag[tag] = source  # type: ignore[assignment]  # not a mapping to numbers, so a source
    if by_tag:
        return by_tag.items()
    return [("run", sources)]  # type: ignore[list-item]  # all of it maps to numbers: one run


def _run(tag: str | None, source: RunSource) -> tuple[Run, str]:
    if isinstance(source, str | os.PathLike):
        from judge_tui.formats import read_run  # noqa: PLC0415 - mappings need no readers

        return read_run(source, tag=tag), os.fspath(source)
    if isinstance(source, Run):
        tag, source = tag or source.tag, source.scores
    scores = {
        query_id: {doc_id: _score(query_id, doc_id, score) for doc_id, score in results.items()}
        for query_id, results in source.items()
    }
    name = tag or "run"
    return Run(name, scores), f"run {name!r}"


def _grade(query_id: str, doc_id: str, grade: object) -> int:
    try:
        whole = operator.index(grade)  # type: ignore[arg-type]  # what it refuses is refused here
    except TypeError:
        whole = None
    if whole is None or not -(2**31) <= whole < 2**31:
        raise UsageError(
            f"the grade of {doc_id!r} for query {query_id!r} is {grade!r}",
            "grades are whole numbers of 32 bits",
        )
    return whole


def _score(query_id: str, doc_id: str, score: object) -> float:
    try:
        number = float(score)  # type: ignore[arg-type]  # what it refuses is refused here
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise UsageError(
            f"the score of {doc_id!r} for query {query_id!r} is {score!r}",
            "scores are finite numbers",
        )
    return number
