"""Which queries answers are about, by their ids or their texts, whatever reads them; and what a
queries file and answers say together."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from judge_tui.errors import InputError
from judge_tui.formats.answers.both import said_by_both
from judge_tui.formats.answers.demands import of_queries
from judge_tui.formats.answers.entry import Answered
from judge_tui.formats.ids import encode_id
from judge_tui.formats.named_queries import NamedQueries, clash, words_of
from judge_tui.formats.problems import quoted
from judge_tui.formats.said_of_queries import said_otherwise
from judge_tui.formats.which_queries import which_queries
from judge_tui.model import Query

__all__ = ["Together", "called_as", "together", "unasked_called", "whose"]


@dataclass(frozen=True, slots=True)
class Together:
    """What a queries file and answers say. `queries`: those of the file that have answers, with
    what either says of them; `answers`: query_id -> its answer, with all that the query demands;
    `others`: queries of the file without an answer; `unasked`: answers to none of its queries.
    `called`: all answers in their order, under the ids that the queries file has (`called_as`)."""

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
    *,
    of_all: bool = False,
) -> Iterator[tuple[Answered, list[Query]]]:
    """Each answer of the file `path` with the queries that it is about.

    That is the one query of its id, where the file gives it one; else the one of its text that its
    row is (`which_queries`), of one with an id among those that have none; several where nothing
    says which. `of_all`: an answer whose text no other one has is about all of its text but those
    of which it says otherwise. Raises `InputError` for an id of a query with another text, and for
    two answers to one query. `where`: what the place is called in which a query is known.
    """
    named = NamedQueries(queries)
    of_id = [
        named.of_field(encode_id(answer.query_id)) if answer.own_id else None for answer in answers
    ]
    ids = {query.query_id for query in of_id if query}
    others = NamedQueries(query for query in queries if query.query_id not in ids)
    nameless = NamedQueries(query for query in queries if not query.own_id)
    by_text, of_nameless = (
        iter(_by_text([one for one in answers if one.own_id == own_id], its, of_all=of_all))
        for own_id, its in ((False, others), (True, nameless))
    )
    found: dict[str, Answered] = {}
    for answer, own in zip(answers, of_id, strict=True):
        if answer.own_id:
            its_text = next(of_nameless)
            if own:
                _refuse_other_text(own, answer, path, where)
            meant = [own] if own else its_text
        else:  # one more than there are queries is about none of its own
            meant = next(by_text) or named.of_text(answer.query)
        for query in meant:
            before = found.setdefault(query.query_id, answer)
            if before is not answer:
                raise InputError(
                    path,
                    answer.line,
                    f"query {query.query_id!r} has answers in line {before.line} already",
                    "put them together",
                )
        yield answer, meant


def called_as(answer: Answered, meant: Sequence[Query]) -> Answered:
    """The answer under the id of the query that it is about, by which it is told of; its own where
    that is none, or nobody knows which."""
    return replace(answer, query_id=meant[0].query_id) if len(meant) == 1 else answer


def _by_text(
    answers: Sequence[Answered], named: NamedQueries, *, of_all: bool
) -> list[list[Query]]:
    rows = [answer.as_query() for answer in answers]
    found = which_queries(rows, named).of_each(len(rows))
    times = Counter(words_of(row.text) for row in rows)
    for at, row in enumerate(rows if of_all else ()):
        if times[words_of(row.text)] == 1:
            its = named.of_text(row.text)
            found[at] = [one for one in its if not said_otherwise(one, row)] or its
    return found


def _refuse_other_text(
    own: Query, answer: Answered, path: str | os.PathLike[str], where: Callable[[Query], str]
) -> None:
    if answer.query and words_of(answer.query) != words_of(own.text):
        raise clash(
            path,
            answer.line,
            own,
            Query(answer.query_id, answer.query),
            "mend the id or the text; an answer with an id needs no text",
            where(own),
        )


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
    found: dict[str, Answered] = {}
    unasked = []
    called = []
    for answer, meant in whose(
        answers, known, path, lambda query: place[query.query_id], of_all=True
    ):
        found.update((query.query_id, answer) for query in meant)
        called.append(called_as(answer, meant))
        if not meant:
            unasked.append(answer)
    if not found:
        raise InputError(
            queries, None, f"none of its queries is in {os.fspath(path)}", "look at ids and texts"
        )
    its_own = [query for query in known if query.query_id in found]
    of_queries(its_own, queries)  # bad ones are refused before they stand beside the answers'
    asked = []
    for query in its_own:
        answer = found[query.query_id]
        its = replace(answer.as_query(), query_id=query.query_id)
        both = said_by_both(query, place[query.query_id], its, path, answer.line)
        meta = {**query.meta, **both.meta}
        asked.append(replace(query, query_class=both.query_class, meta=meta))
    demanded = of_queries(asked, queries)
    return Together(
        tuple(asked),
        {
            query_id: replace(answer, demands=demanded.get(query_id, {}))
            for query_id, answer in found.items()
        },
        tuple(query for query in known if query.query_id not in found),
        tuple(unasked),
        tuple(called),
    )


def unasked_called(answers: Sequence[Answered]) -> list[str]:
    """What answers are called whose queries are not known: their ids, or else their texts."""
    return [one.query_id if one.own_id else quoted(one.query) for one in answers]
