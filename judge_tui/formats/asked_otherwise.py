"""Whether runs were asked what a file has under the same ids: places in a file, and numbers that
are filled in anew, are those of other queries as soon as a row comes or goes."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeAlias

from judge_tui.errors import InputError
from judge_tui.formats.asked_beside import Results, texts_beside
from judge_tui.formats.ids import plain_field
from judge_tui.formats.named_queries import known_by_place, words_of
from judge_tui.formats.problems import quoted
from judge_tui.formats.source import open_source
from judge_tui.model import Query

__all__ = ["Asked", "HeldToAsked", "asked_of", "held_to_asked"]

Asked: TypeAlias = Sequence[tuple[Path, dict[str, str]] | None]
"""Of each run the `texts_beside`."""

_ASK_ANEW = "ask anew, or give the file that it was asked"
_PLACE = ", by its place,"


class HeldToAsked(NamedTuple):
    """What is to be told of queries that runs were asked otherwise: that ids are places, where
    nothing says what was asked (`notes`); and that texts are newer than results (`warnings`)."""

    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def asked_of(runs: Sequence[str]) -> Asked:
    """What each of the run files was asked. Raises `InputError` for one that is not of the answers
    beside it."""
    return [texts_beside(run, partial(_results_of, run)) for run in runs]


def held_to_asked(
    path: str | os.PathLike[str],
    rows: Sequence[tuple[int | None, Query]],
    runs: Asked,
    *,
    others: str = "the runs call",
    mend: str = _ASK_ANEW,
    write_ids: str = "write the ids into it",
) -> HeldToAsked:
    """Hold the queries of the file `path`, `rows` with their lines under the ids that runs have,
    against what these were asked (`asked_of`).

    An id of the file's own with a newer text, which no other query has, is the same query still.
    Raises `InputError` where an id was that of another one, and for one that stands for a place
    with any other text, which is to be mended as `mend` says. `others` and `write_ids`: see
    `known_by_place`.
    """
    here = {query.query_id: words_of(query.text) for _, query in rows if query.text.strip()}
    newer: dict[str, list[str]] = {}
    for beside, texts in filter(None, runs):
        asked = {plain_field(query_id): text for query_id, text in texts.items() if text.strip()}
        _refuse_others(path, rows, here, asked, os.fspath(beside), mend)
        both = [query_id for query_id in here if query_id in asked]
        reworded = [one for one in both if words_of(asked[one]) != here[one]]
        if reworded:
            first = reworded[0]
            told = (
                f"{len(reworded):,} of {len(both):,} queries were asked with other texts than"
                f" {os.fspath(path)} has now, such as {first!r}: {quoted(words_of(asked[first]))},"
                f" now {quoted(here[first])}; results are of what was asked"
            )
            newer.setdefault(told, []).append(beside.name)
    by_place = (
        []
        if runs and None not in runs
        else known_by_place((query for _, query in rows), path, others, write_ids)
    )
    return HeldToAsked(
        tuple(by_place), tuple(f"{', '.join(names)}: {told}" for told, names in newer.items())
    )


def _results_of(run: str) -> Results | None:
    """Those of a run that names queries by ids; None where it names them by texts."""
    from judge_tui.formats.queries_and_documents import has_queries_by_text  # noqa: PLC0415
    from judge_tui.formats.runs_and_qrels import run_in  # noqa: PLC0415 - few runs are read for it

    if has_queries_by_text(run, "run"):
        return None
    with open_source(run, twice=True) as source:
        return run_in(source, tag=run, exact=True).scores


def _refuse_others(
    path: str | os.PathLike[str],
    rows: Sequence[tuple[int | None, Query]],
    here: Mapping[str, str],
    texts: Mapping[str, str],
    beside: str,
    mend: str,
) -> None:
    asked = {query_id: words_of(text) for query_id, text in texts.items()}
    # A text that several queries have says nothing where one of them is the one that was asked.
    in_place = {query_id for query_id, words in here.items() if asked.get(query_id) == words}
    asked_as = {words: query_id for query_id, words in asked.items() if query_id not in in_place}
    is_here = {words for query_id, words in here.items() if query_id not in in_place}
    for line, query in rows:
        query_id, words = query.query_id, here.get(query.query_id)
        if words is None or query_id in in_place:
            continue
        text = asked.get(query_id)
        moved = words in asked_as or text in is_here
        if moved if query.own_id and text is not None else not query.own_id and (text or moved):
            there = f"query {asked_as[words]!r}" if text is None else quoted(text)
            place, anew = ("", ": the file is numbered anew") if query.own_id else (_PLACE, "")
            raise InputError(
                path,
                line,
                f"query {query_id!r} is {quoted(words)} here{place} and {there} in {beside}{anew}",
                _ASK_ANEW if query.own_id else mend,
            )
