"""Qrels and runs wherever they come from: files, or mappings in the shape of pytrec_eval."""

from __future__ import annotations

import math
import operator
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from judge_tui.errors import UsageError, unknown
from judge_tui.model import Qrels, Query, Run

__all__ = [
    "QrelsSource",
    "QueriesSource",
    "RunSource",
    "RunsSource",
    "Tags",
    "named_sources",
    "origin_of",
    "qrels_from",
    "run_from",
    "runs_from",
    "slices_from",
]

FilePath: TypeAlias = str | os.PathLike[str]

QrelsSource: TypeAlias = FilePath | Qrels
"""A TREC qrels file, or query_id -> doc_id -> grade."""

RunSource: TypeAlias = FilePath | Run | Mapping[str, Mapping[str, float]]
"""A TREC run file, a `Run`, or query_id -> doc_id -> score."""

RunsSource: TypeAlias = RunSource | Sequence[RunSource] | Mapping[str, RunSource]
"""One run, several, or several by tag."""

QueriesSource: TypeAlias = FilePath | Iterable[Query]
"""A queries file (TSV, JSONL, TREC topics), or the queries themselves."""


def qrels_from(source: QrelsSource) -> Qrels:
    """Read the file, or check the mapping: grades are whole numbers."""
    if isinstance(source, str | os.PathLike):
        from judge_tui.formats import read_qrels  # noqa: PLC0415 - mappings need no readers

        return read_qrels(source)
    return {
        query_id: {
            doc_id: _grade(query_id, doc_id, grade)
            for doc_id, grade in _mapping(grades, f"the qrels of query {query_id!r}").items()
        }
        for query_id, grades in _mapping(source, "the qrels").items()
    }


def runs_from(sources: RunsSource) -> list[Run]:
    """Read each file and check each mapping: scores are finite numbers.

    A mapping is one run if it maps query_id -> doc_id -> score; once one of its values is a run
    itself (a file, a `Run`, a mapping of mappings), every key is a tag and every value a run. One
    without a tag is called `run`, or by its place `run1`, `run2`. Raises `UsageError` for a mapping
    that mixes both and where two runs have one tag, naming both, and `InputError` for a file that
    is no run.
    """
    tags = Tags()
    runs: list[Run] = []
    for tag, source in named_sources(sources):
        runs.append(run_from(tag, source))
        tags.take(runs[-1].tag, origin_of(tag, source))
    return runs


class Tags:
    """The tags of several runs, each of which is to be its own."""

    def __init__(self) -> None:
        self._origins: dict[str, str] = {}

    def take(self, tag: str, origin: str) -> None:
        """Note a tag. Raises `UsageError` where another run has it, naming both."""
        if tag in self._origins:
            raise UsageError(
                f"{self._origins[tag]} and {origin} have the same tag {tag!r}",
                "give each run its own tag",
            )
        self._origins[tag] = origin


def slices_from(queries: QueriesSource, field: str) -> dict[str, str]:
    """The slice of each query by one of its fields: query_id -> value, "" where it has none.

    `field` is `class`, or the name of anything else that the queries file holds beside the text
    (numbers and truth values are written as JSON writes them). Raises `UsageError` where no query
    has the field, naming those there are.
    """
    if isinstance(queries, str | os.PathLike):
        from judge_tui.formats import read_queries  # noqa: PLC0415 - as in `qrels_from`

        queries = read_queries(queries)
    slices: dict[str, str] = {}
    fields: dict[str, None] = {}
    for query in queries:
        values = {**query.meta, "class": query.query_class}
        fields.update(dict.fromkeys(name for name, value in values.items() if _told(value)))
        slices[query.query_id] = _told(values.get(field, ""))
    if not any(slices.values()):
        raise unknown("field of the queries", field, fields)
    return slices


def _told(value: object) -> str:
    if isinstance(value, str):
        return value.strip()
    if value is None:
        return ""
    import json  # noqa: PLC0415 - rarely needed, and start-up is counted

    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def named_sources(sources: RunsSource) -> Iterable[tuple[str | None, RunSource]]:
    """Each run with the tag it is given, None where it has its own: `runs_from` has the rules."""
    if isinstance(sources, str | os.PathLike | Run):
        return [(None, sources)]
    if not isinstance(sources, Mapping):
        return [
            (f"run{place}" if isinstance(source, Mapping) else None, source)
            for place, source in enumerate(sources, start=1)
        ]
    by_tag = [key for key, value in sources.items() if _is_run(value)]
    if not by_tag:
        return [("run", sources)]  # type: ignore[list-item]  # nothing in it is a run: it is one
    for key, value in sources.items():
        # An empty mapping can be either: a run without results, or a query without any.
        if isinstance(value, Mapping) and value and not _is_run(value):
            raise UsageError(
                f"{by_tag[0]!r} holds a run and {key!r} the scores of one query",
                "give either query_id -> doc_id -> score, or each run by its tag",
            )
    return list(sources.items())  # type: ignore[arg-type]  # by tag, as seen above


def _is_run(value: object) -> bool:
    if isinstance(value, Mapping):
        return any(isinstance(inner, Mapping) for inner in value.values())
    return isinstance(value, str | os.PathLike | Run)


def run_from(tag: str | None, source: RunSource) -> Run:
    """One run, read or checked."""
    if isinstance(source, str | os.PathLike):
        from judge_tui.formats import read_run  # noqa: PLC0415 - mappings need no readers

        return read_run(source, tag=tag)
    name = origin_of(tag, source)
    if isinstance(source, Run):
        tag, source = tag or source.tag, source.scores
    scores = {
        query_id: {
            doc_id: _score(query_id, doc_id, score)
            for doc_id, score in _mapping(results, f"query {query_id!r} of {name}").items()
        }
        for query_id, results in _mapping(source, name).items()
    }
    return Run(tag or "run", scores)


def origin_of(tag: str | None, source: RunSource) -> str:
    """What a run is called in a message: its file, or its tag."""
    if isinstance(source, str | os.PathLike):
        return os.fspath(source)
    own = source.tag if isinstance(source, Run) else "run"
    return f"run {tag or own!r}"


def _mapping(value: object, what: str) -> Mapping[str, Any]:
    if isinstance(value, Mapping):
        return value
    raise UsageError(
        f"{what}: a mapping is wanted, here {type(value).__name__}",
        "give a file, or query_id -> doc_id -> number",
    )


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
