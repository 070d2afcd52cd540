"""Whether runs were asked, and qrels graded, what a file has under the same ids: places in a file,
and numbers that are filled in anew, are those of other queries as soon as a row comes or goes."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeAlias

from judge_tui.errors import InputError
from judge_tui.formats.asked_beside import Results, texts_beside
from judge_tui.formats.changed_texts import MovedTexts, most_changed
from judge_tui.formats.ids import plain_field
from judge_tui.formats.mended_texts import may_be_its
from judge_tui.formats.named_queries import known_by_place, may_be_by_place, words_of
from judge_tui.formats.problems import quoted
from judge_tui.formats.provenance import is_provenance, texts_graded
from judge_tui.formats.source import open_source
from judge_tui.model import Query

__all__ = ["Asked", "HeldToAsked", "asked_as_graded", "asked_of", "held_to_asked", "held_to_graded"]

Texts: TypeAlias = tuple[Path, Mapping[str, str]]
"""A file, and the texts that it has by native ids of queries."""

Asked: TypeAlias = Sequence[Texts | None]
"""Of each run the `texts_beside`."""

_ASK_ANEW = "ask anew, or give the file that it was asked"
_ANEW = ": the file is numbered anew"
_PLACE = ", by its place,"


class HeldToAsked(NamedTuple):
    """What is to be told of queries that runs were asked otherwise: that ids are places, where
    nothing says what was asked (`notes`); and that texts are newer than results (`warnings`)."""

    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def asked_of(runs: Sequence[str]) -> Asked:
    """What each of the run files was asked. Raises `InputError` for one that is not of the answers
    beside it."""
    beside = [texts_beside(run, partial(_results_of, run)) for run in runs]
    return [asked and asked[:2] for asked in beside]


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
    with any other text, which is to be mended as `mend` says; of an exported run by the ids that
    are kept with its texts. `others` and `write_ids`: see `known_by_place`.
    """
    told = _Told(mend, _ASK_ANEW, takes_ids=True)
    by_place = (
        []
        if runs and None not in runs
        else known_by_place((query for _, query in rows), path, others, write_ids)
    )
    return HeldToAsked(tuple(by_place), _held(path, rows, filter(None, runs), told))


def held_to_graded(
    path: str | os.PathLike[str],
    rows: Sequence[tuple[int | None, Query]],
    qrels: str | os.PathLike[str],
) -> tuple[str, ...] | None:
    """The same for the queries that these `qrels` have grades of (`texts_graded`): what is to be
    told of texts that were reworded since; None where the qrels do not say what was graded.

    Qrels that have texts themselves are of the file's queries: there an id of its own, too, is
    refused with any text that is not its own mended.
    """
    graded = texts_graded(qrels)
    if graded is not None:
        return _held(path, rows, [graded], _GRADED._replace(takes_ids=True))
    if os.fspath(path) == os.fspath(qrels):
        return None
    from judge_tui.formats.queries_and_documents import texts_beside_ids  # noqa: PLC0415

    texts = texts_beside_ids(qrels)
    return _held(path, rows, [(Path(qrels), texts)], _GRADED_THERE) if texts else None


def asked_as_graded(qrels: str | os.PathLike[str], runs: Sequence[str]) -> tuple[str, ...]:
    """The same for what these runs were asked, and these qrels have grades of: nothing is known
    where either does not say it.

    Raises `InputError`, too, where another text was asked by an id that may be a place, unless that
    may be the same one mended: campaigns know queries of files without ids by their texts.
    """
    graded = texts_graded(qrels)
    if graded is None:
        return ()
    beside, texts = graded
    rows = [
        (None, Query(plain_field(query_id), text, own_id=not may_be_by_place(query_id)))
        for query_id, text in texts.items()
    ]
    mend = (
        "write the ids that it has for the texts into the queries, as query_id, and ask anew; or"
        " load the run into the campaign, which goes by what was asked (load run), and score that"
        " (--db) or what export run writes of it; if the grades are others by now, remove this file"
    )
    told = _Told(mend, mend, place="", anew="", mended=True)
    return _held(beside, rows, filter(None, asked_of(runs)), told)


class _Told(NamedTuple):
    """How texts that differ are told of: how they are mended for ids by place, and for a file's
    own; what was `done` with the other texts, and what `numbers` are of; how such ids are called.
    `mended`: whether the one may be the other mended, though it stands for a place. `takes_ids`:
    where the texts are those of a campaign, its ids are to be written into the file. `own_too`:
    whether an id of the file's own, too, has to have its text."""

    mend: str = ""
    mend_own: str = ""
    done: str = "asked"
    numbers: str = "results are of what was asked"
    place: str = _PLACE
    anew: str = _ANEW
    mended: bool = False
    takes_ids: bool = False
    own_too: bool = False

    def how_to_mend(self, beside: Path, *, own_id: bool) -> str:
        if self.takes_ids and is_provenance(beside):
            return f"write the ids that {beside} has for the texts into it, as query_id"
        return self.mend_own if own_id else self.mend


_GRADED = _Told(done="graded", numbers="grades are of what was judged")
_GRADED_THERE = _GRADED._replace(
    mend="write the ids into it, as query_id",
    mend_own="mend the id or the text",
    place="",
    anew="",
    mended=True,
    own_too=True,
)


def _held(
    path: str | os.PathLike[str],
    rows: Sequence[tuple[int | None, Query]],
    others: Iterable[Texts],
    how: _Told,
) -> tuple[str, ...]:
    """Refuse others, and tell of texts that are newer."""
    here = {query.query_id: words_of(query.text) for _, query in rows if query.text.strip()}
    newer: dict[str, list[str]] = {}
    for beside, texts in others:
        asked = {
            plain_field(query_id): words_of(text)
            for query_id, text in texts.items()
            if text.strip()
        }
        _refuse_others(path, rows, here, asked, beside, how)
        both = [query_id for query_id in here if query_id in asked]
        reworded = {one: (asked[one], here[one]) for one in both if asked[one] != here[one]}
        if reworded:
            told = (
                f"{len(reworded):,} of {len(both):,} queries were {how.done} with other texts than"
                f" {os.fspath(path)} has now (such as {most_changed(reworded)}); {how.numbers}"
            )
            newer.setdefault(told, []).append(beside.name)
    return tuple(f"{', '.join(names)}: {told}" for told, names in newer.items())


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
    asked: Mapping[str, str],
    beside: Path,
    how: _Told,
) -> None:
    texts_of = MovedTexts(asked, here)
    its_words = frozenset(here.values())
    for line, query in rows:
        query_id, words = query.query_id, here.get(query.query_id)
        if words is None or query_id in texts_of.in_place:
            continue
        text = asked.get(query_id)
        moved = texts_of.is_moved(query_id)
        other = text is not None and not (how.mended and may_be_its(text, words, its_words))
        if moved or (other and (how.own_too or not query.own_id)):
            there = f"query {texts_of.was[words]!r}" if text is None else quoted(text)
            place, anew = ("", how.anew) if query.own_id else (how.place, "")
            raise InputError(
                path,
                line,
                f"query {query_id!r} is {quoted(words)} here{place} and {there} in {beside}{anew}",
                how.how_to_mend(beside, own_id=query.own_id),
            )
