"""Which queries answers are about: by their ids, else by exactly their texts; and what a queries
file and answers say together."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from judge_tui.errors import InputError, UsageError
from judge_tui.formats.answers.demands import of_queries
from judge_tui.formats.answers.reading import Answered
from judge_tui.formats.problems import quoted
from judge_tui.formats.query_names import QueryNames, folded_text
from judge_tui.model import Query

__all__ = ["Together", "called_as", "together", "unasked_called", "whose"]

_SAID = ("prefer", "authority", "subset")


@dataclass(frozen=True, slots=True)
class Together:
    """What a queries file and answers say. `queries`: those of the file that have answers, with
    what either says of them; `answers`: query_id -> its answer, with all that the query demands;
    `others`: queries of the file without an answer; `unasked`: answers to none of its queries.
    `called`: all answers in their order, under the ids that the queries file has."""

    queries: tuple[Query, ...]
    answers: Mapping[str, Answered]
    others: tuple[Query, ...]
    unasked: tuple[Answered, ...]
    called: tuple[Answered, ...]


def whose(
    answers: Sequence[Answered],
    queries: Sequence[Query],
    path: str | os.PathLike[str],
    where: Callable[[Query], str],
) -> Iterator[tuple[Answered, list[Query]]]:
    """Each answer of the file `path` with the query that it is about: that of its id, where the
    file gives it one, else that of exactly its text; none where there is none.

    Raises `InputError` for an id of a query with another text, a text of two queries, and two
    answers to one query. `where`: what the place is called in which a query is known.
    """
    of_id = {query.query_id: query for query in queries}
    names = QueryNames.of(queries)
    found: dict[str, Answered] = {}
    for answer in answers:
        query_id = answer.query_id
        if not answer.own_id:
            try:
                query_id = names.of_text(answer.query) or ""
            except UsageError as error:
                raise InputError(path, answer.line, error.what, error.mend) from error
        query = of_id.get(query_id)
        if query is None:
            yield answer, []
            continue
        if answer.query and folded_text(answer.query) != folded_text(query.text):
            raise InputError(
                path,
                answer.line,
                f"query {quoted(query_id)} is {quoted(answer.query)} here, and"
                f" {quoted(query.text)} in {where(query)}",
                "mend the id or the text; an answer with an id needs no text",
            )
        before = found.setdefault(query_id, answer)
        if before is not answer:
            what = f"query {quoted(query_id)} has answers in line {before.line} already"
            raise InputError(path, answer.line, what, "put them together")
        yield answer, [query]


def called_as(answer: Answered, meant: Sequence[Query]) -> Answered:
    """The answer under the id of the query that it is about; its own where that is none."""
    return replace(answer, query_id=meant[0].query_id) if meant else answer


def together(
    answers: Sequence[Answered],
    path: str | os.PathLike[str],
    read: Sequence[tuple[int, Query]],
    queries: str | os.PathLike[str],
) -> Together:
    """What the file `queries`, `read` with its lines, and the answers of `path` say together.

    Raises `InputError` as `whose` does, where the two say different things of a query, for a
    demand that cannot be used, and where no answer is about any of the queries.
    """
    known = [query for _, query in read]
    place = {query.query_id: f"{os.fspath(queries)}:{line}" for line, query in read}
    pairs = list(whose(answers, known, path, lambda query: place[query.query_id]))
    found = {query.query_id: answer for answer, meant in pairs for query in meant}
    if not found:
        raise InputError(
            queries, None, f"none of its queries is in {os.fspath(path)}", "look at ids and texts"
        )
    asked = [
        _joined(query, place[query.query_id], found[query.query_id], path)
        for query in known
        if query.query_id in found
    ]
    demanded = of_queries(asked, queries)
    return Together(
        tuple(asked),
        {
            query_id: replace(answer, demands=demanded.get(query_id, {}))
            for query_id, answer in found.items()
        },
        tuple(query for query in known if query.query_id not in found),
        tuple(answer for answer, meant in pairs if not meant),
        tuple(called_as(answer, meant) for answer, meant in pairs),
    )


def _joined(query: Query, place: str, answer: Answered, path: str | os.PathLike[str]) -> Query:
    """The query with what its answer says of it. Raises `InputError` where the two say different
    things."""
    theirs = answer.as_query()
    said: dict[str, tuple[Any, Any]] = {"class": (query.query_class, theirs.query_class)}
    said |= {name: (query.meta.get(name), theirs.meta.get(name)) for name in _SAID}
    for name, (one, other) in said.items():
        if one and other and one != other:
            what = f"query {quoted(query.query_id)} has {name} {other!r:.70} here, and {one!r:.70}"
            raise InputError(path, answer.line, f"{what} in {place}", "say it in one place")
    return replace(
        query,
        query_class=query.query_class or theirs.query_class,
        meta={**query.meta, **theirs.meta},
    )


def unasked_called(answers: Sequence[Answered]) -> list[str]:
    """What answers are called whose queries are not known: their ids, or else their texts."""
    return [one.query_id if one.own_id else quoted(one.query) for one in answers]
