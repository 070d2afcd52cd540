"""Qrels and runs under the names of a file of queries, where any of them names these by texts."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

from judge_tui.cli.inputs import STDIN, Inputs
from judge_tui.errors import InputError
from judge_tui.model import Qrels, Query, Run

if TYPE_CHECKING:
    from judge_tui.formats.named_queries import NamedQueries
    from judge_tui.sources import NamedFile

__all__ = ["NamedAlike", "named_alike"]

_Meant: TypeAlias = Callable[[str], Sequence[str]]
"""What the queries are called that a name in a file stands for; itself where it is none of them."""

_Its = TypeVar("_Its")


class NamedAlike(NamedTuple):
    """`inputs` and `queries` under the same names. `others`: who has ids of queries that are to be
    those of the file, in words; "" for nobody."""

    inputs: Inputs
    queries: list[Query]
    others: str


def named_alike(
    inputs: Inputs, queries: Sequence[Query], path: str, format: str | None
) -> NamedAlike:
    """The inputs from files, and the queries of the file `path`, under the same names: the ids of
    these; or their texts, where nobody has ids and no two have one text.

    What names queries by texts is about all that have them; such runs are read, as files of
    `format` if that is given. Raises `InputError` where qrels by texts have none of these queries,
    and for a query that has two names in one file, unless all its grades go together.
    """
    from judge_tui.formats.named_queries import NamedQueries

    named = NamedQueries(queries)
    qrels = inputs.files[0]
    graded_by_text = inputs.by_text or _is_text(next(iter(inputs.qrels), ""), named)
    by_text = [
        graded_by_text if isinstance(run, Run) else _calls_by_text(_path(run), named, format)
        for run in inputs.runs
    ]
    if not (graded_by_text or any(by_text)):
        return NamedAlike(inputs, [*queries], f"{qrels} calls")
    nobody = graded_by_text and all(by_text)
    called = _by_texts(queries) if nobody else [*queries]
    names = {one.query_id: its.query_id for one, its in zip(queries, called, strict=True)}

    def meant(name: str) -> list[str]:
        return [names[one.query_id] for one in named.named(name, by_text=True)] or [name]

    if graded_by_text:
        _refuse_others(inputs.qrels, qrels, named, path)
        inputs = inputs._replace(qrels=_graded(qrels, inputs.qrels, meant))
    runs = [
        _called(run, meant, qrels, format) if its else run
        for run, its in zip(inputs.runs, by_text, strict=True)
    ]
    others = "" if nobody else "the runs call" if graded_by_text else f"{qrels} calls"
    return NamedAlike(inputs._replace(runs=runs), called, others)


def _path(run: str | NamedFile) -> str:
    return run if isinstance(run, str) else os.fspath(run.path)


def _by_texts(queries: Sequence[Query]) -> list[Query]:
    """The queries under their texts, unless one has an id or two have one text."""
    from judge_tui.formats.ids import text_field

    called = [replace(one, query_id=text_field(one.text), own_id=True) for one in queries]
    alike = len({one.query_id for one in called}) < len(called)
    return [*queries] if alike or any(one.own_id for one in queries) else called


def _is_text(name: str, named: NamedQueries) -> bool:
    """Whether a name is the text of a query, and no id."""
    from judge_tui.formats.ids import decode_id

    return bool(name) and not named.of_field(name) and bool(named.of_text(decode_id(name)))


def _calls_by_text(run: str, named: NamedQueries, format: str | None) -> bool:
    """Whether a run calls queries by their texts, as its form has no ids, or as its first row
    does."""
    from judge_tui.formats import iter_run
    from judge_tui.formats.queries_and_documents import has_queries_by_text

    if has_queries_by_text(run, "run", format=format):
        return True
    if run == STDIN or not Path(run).is_file():  # a pipe can be read but once
        return False
    try:
        row = next(iter_run(run, format=format), None)
    except InputError:  # it is told of when the run is read, behind all that needs no run
        return False
    return row is not None and _is_text(row.query_id, named)


def _refuse_others(qrels: Qrels, there: str, named: NamedQueries, path: str) -> None:
    from judge_tui.formats.ids import decode_id

    if qrels and not any(named.named(name, by_text=True) for name in qrels):
        raise InputError(
            path,
            None,
            f"none of its queries is in {there}, such as {next(iter(named)).text!r:.70} here and"
            f" {decode_id(next(iter(qrels)))!r:.70} there",
            "look at the texts",
        )


def _graded(path: str, qrels: Qrels, meant: _Meant) -> Qrels:
    from judge_tui.formats.graded_queries import under_queries

    return under_queries(path, qrels, meant)


def _called(source: str | NamedFile | Run, meant: _Meant, there: str, format: str | None) -> Run:
    """The run under what its names mean; `there`: where it is from, if it was read already."""
    from judge_tui.formats import read_run

    if isinstance(source, Run):
        path, run = there, source
    else:
        path = _path(source)
        tag = None if isinstance(source, str) else source.tag
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
    from judge_tui.formats.ids import decode_id

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
