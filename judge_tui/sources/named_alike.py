"""Qrels and runs under the names of queries, where any of them names these by texts."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, islice
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, TypeVar

from judge_tui.errors import InputError
from judge_tui.formats.graded_queries import under_queries
from judge_tui.formats.ids import decode_id, text_field
from judge_tui.formats.named_queries import NamedQueries
from judge_tui.formats.queries_and_documents import has_queries_by_text
from judge_tui.formats.source import STDIN
from judge_tui.model import Qrels, Query, Run
from judge_tui.sources.loading import run_from
from judge_tui.sources.naming import NamedFile, named_sources
from judge_tui.sources.shapes import RunSource, RunsSource

__all__ = [
    "NamedAlike",
    "OneRun",
    "named_alike",
    "named_by_text",
    "names_texts",
    "sources_named_alike",
]

OneRun: TypeAlias = str | NamedFile | Run
"""A file that is not read yet, or a run that was."""

_Meant: TypeAlias = Callable[[str], Sequence[str]]
"""What the queries are called that a name in a file stands for; itself where it is none of them."""

_Its = TypeVar("_Its")

_LOOKED_AT = 20_000
"""Rows of a run, to tell whether it has texts: few files have names of both sorts."""


class NamedAlike(NamedTuple):
    """`qrels`, `runs` and `queries` under the same names. `others`: who has ids of queries that are
    to be those of the file, in words; "" for nobody."""

    qrels: Qrels
    runs: list[OneRun]
    queries: list[Query]
    others: str


def named_alike(
    qrels: Qrels,
    runs: Sequence[OneRun],
    queries: Sequence[Query],
    *,
    path: str,
    asked: str,
    by_text: bool,
    format: str | None = None,
) -> NamedAlike:
    """The qrels of the file `path`, the runs, and the queries of the file `asked`, under the same
    names: the ids of these; or their texts, where nobody has ids and no two have one text.

    What names queries by texts is about all that have them; such runs are read, as files of
    `format` if that is given. `by_text`: the form of the qrels has no ids. What is in memory has
    for `path` and `asked` what it is called. Raises `InputError` where qrels by texts have none of
    these queries, and for a query that has two names in one file, unless all its grades go
    together.
    """
    named = NamedQueries(queries)
    graded_by_text = by_text or names_texts(qrels, named)
    run_by_text = [_calls_by_text(run, named, format) for run in runs]
    if not (graded_by_text or any(run_by_text)):
        return NamedAlike(qrels, [*runs], [*queries], f"{path} calls")
    nobody = graded_by_text and all(run_by_text)
    called = _by_texts(queries) if nobody else [*queries]
    names = {one.query_id: its.query_id for one, its in zip(queries, called, strict=True)}

    def meant(name: str) -> list[str]:
        return [names[one.query_id] for one in named.named(name, by_text=True)] or [name]

    if graded_by_text:
        _refuse_others(qrels, path, named, asked)
        qrels = under_queries(path, qrels, meant)
    others = "" if nobody else "the runs call" if graded_by_text else f"{path} calls"
    under = [
        _called(run, meant, path, format) if its else run
        for run, its in zip(runs, run_by_text, strict=True)
    ]
    return NamedAlike(qrels, under, called, others)


def named_by_text(
    runs: Sequence[OneRun], queries: Sequence[Query], format: str | None = None
) -> list[bool]:
    """Of each run whether it names queries by their texts."""
    named = NamedQueries(queries)
    return [_calls_by_text(run, named, format) for run in runs]


def sources_named_alike(
    qrels: Qrels, runs: RunsSource, queries: Sequence[Query], *, graded: Any, asked: Any
) -> NamedAlike:
    """The same of whatever the library takes as runs; `graded` and `asked` are what was given as
    qrels and as queries, files or anything else."""
    is_file = isinstance(graded, str | os.PathLike)
    return named_alike(
        qrels,
        [_one_run(tag, source) for tag, source in named_sources(runs)],
        queries,
        path=os.fspath(graded) if is_file else "the qrels",
        asked=os.fspath(asked) if isinstance(asked, str | os.PathLike) else "the queries",
        by_text=is_file and has_queries_by_text(graded, "qrels"),
    )


def _one_run(tag: str | None, source: RunSource) -> OneRun:
    if not isinstance(source, str | os.PathLike):
        return run_from(tag, source)
    return NamedFile(tag, source) if tag else os.fspath(source)


def _by_texts(queries: Sequence[Query]) -> list[Query]:
    """The queries under their texts, unless one has an id or two have one text. One without a text
    keeps its name."""
    called = [
        replace(one, query_id=text_field(one.text) or one.query_id, own_id=True) for one in queries
    ]
    alike = len({one.query_id for one in called}) < len(called)
    return [*queries] if alike or any(one.own_id for one in queries) else called


def names_texts(names: Iterable[str], named: NamedQueries) -> bool:
    """Whether qrels with these `names` of queries name any of them by its text."""
    return any(_is_text(name, named) for name in names)


def _is_text(name: str, named: NamedQueries) -> bool:
    """Whether a name is the text of a query, and no id."""
    return bool(name) and not named.of_field(name) and bool(named.of_text(decode_id(name)))


def _calls_by_text(run: OneRun, named: NamedQueries, format: str | None) -> bool:
    """Whether a run calls queries by their texts: as its form has no ids, or as any of its rows
    does, of a file any of the first ones (`_LOOKED_AT`)."""
    if isinstance(run, Run):
        return any(_is_text(name, named) for name in run.scores)
    from judge_tui.formats import iter_run  # noqa: PLC0415 - most are told by their form

    path = _path(run)
    if has_queries_by_text(path, "run", format=format):
        return True
    if path == STDIN or not Path(path).is_file():  # a pipe can be read but once
        return False
    try:
        rows = islice(iter_run(path, format=format), _LOOKED_AT)
        return any(_is_text(name, named) for name, _ in groupby(row.query_id for row in rows))
    except InputError:  # it is told of when the run is read, behind all that needs no run
        return False


def _path(run: str | NamedFile) -> str:
    return os.fspath(run.path) if isinstance(run, NamedFile) else run


def _refuse_others(qrels: Qrels, there: str, named: NamedQueries, asked: str) -> None:
    if qrels and not any(named.named(name, by_text=True) for name in qrels):
        raise InputError(
            asked,
            None,
            f"none of its queries is in {there}, such as {next(iter(named)).text!r:.70} here and"
            f" {decode_id(next(iter(qrels)))!r:.70} there",
            "look at the texts",
        )


def _called(source: OneRun, meant: _Meant, there: str, format: str | None) -> Run:
    """The run under what its names mean; `there`: where it is from, if it was read already."""
    if isinstance(source, Run):
        path, run = there, source
    else:
        from judge_tui.formats import read_run  # noqa: PLC0415 - as above

        path = _path(source)
        tag = source.tag if isinstance(source, NamedFile) else None
        run = read_run(path, tag=tag, format=format)
    names = _one_name_each(path, [*run.scores, *sorted(run.asked - run.scores.keys())], meant)

    def under(its: Mapping[str, _Its]) -> dict[str, _Its]:
        return {query_id: its[name] for query_id, name in names.items() if name in its}

    def among(its: frozenset[str]) -> frozenset[str]:
        return frozenset(query_id for query_id, name in names.items() if name in its)

    return Run(run.tag, under(run.scores), among(run.asked), among(run.in_vain), under(run.natives))


def _one_name_each(path: str, names: Sequence[str], meant: _Meant) -> dict[str, str]:
    """query_id -> the name that stands for it. Raises `InputError` for one that has two, whose
    results cannot be put into one order."""
    found: dict[str, str] = {}
    for name in names:
        for query_id in meant(name):
            other = found.setdefault(query_id, name)
            if other != name:
                raise InputError(
                    path,
                    None,
                    f"there are results for {decode_id(other)!r:.70} and for"
                    f" {decode_id(name)!r:.70}, which are one query",
                    "call it by one of the two, or leave one of them out",
                )
    return found
