"""Queries of an earlier result under the ids that they have now: places in a file, and numbers that
are filled in anew, are those of other queries as soon as a row comes or goes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace

from judge_tui.baseline.fingerprint import grades_digest
from judge_tui.baseline.saved import SavedRun, SavedScores
from judge_tui.formats.changed_texts import MovedTexts, most_changed
from judge_tui.formats.mended_texts import may_be_mended, mended_ones
from judge_tui.formats.named_queries import NamedQueries, may_be_by_place, words_of
from judge_tui.formats.problems import quoted
from judge_tui.formats.which_queries import Unsure, which_queries
from judge_tui.model import Qrels, Query

__all__ = ["about_places", "by_texts"]


def by_texts(earlier: SavedScores, queries: Sequence[Query], qrels: Qrels) -> SavedScores:
    """The earlier result under the ids that its queries have now, where it says what they ask
    (`SavedScores.texts`) and the `queries` of now are known, by which the `qrels` call them.

    An id of a file's own stays, unless ids were given anew (`MovedTexts`). All other queries, and
    those whose ids look like places and have other texts now, are known by what they ask and, of
    one text, by their classes (`which_queries`), and else by a text that may be theirs mended:
    that of the same id, or else the only one that may be (`mended_ones`), if its grades are the
    same. One that is no more, or of which nothing says which it is, and whose id is another's is
    called by that id and its text, so that it is none of these. `remarks` tell which ids are
    others, which texts, and of which nothing says it.
    """
    if not (earlier.texts and queries):
        return earlier
    then = {one: words for one, text in earlier.texts.items() if (words := words_of(text))}
    now = {one.query_id: words for one in queries if (words := words_of(one.text))}
    own = {query.query_id for query in queries if query.own_id} - earlier.by_place
    kept = _kept(then, now, own)
    # Of these it is not known what they ask.
    kept |= {query_id for run in earlier.runs for query_id in run.query_ids} - then.keys()
    left = [
        Query(query_id, earlier.texts[query_id], query_class=earlier.classes.get(query_id, ""))
        for query_id in then
        if query_id not in kept
    ]
    known = now.keys() - kept
    which = which_queries(left, NamedQueries(one for one in queries if one.query_id in known))
    ids_then = {its.query_id: left[at].query_id for at, its in sorted(which.sure.items())}
    names = {query_id: its for its, query_id in ids_then.items()}
    unsure = {left[at].query_id for its in which.unsure for at in its.rows}
    free = known - ids_then.keys()
    free -= {one.query_id for its in which.unsure for one in its.queries}
    lost = [one.query_id for one in left if one.query_id not in names]
    for query_id in lost:
        if query_id in free - unsure and may_be_mended(then[query_id], now[query_id]):
            names[query_id] = ids_then[query_id] = query_id
    moved = [one for one in lost if one not in names and one not in unsure]
    new = sorted(free - ids_then.keys())
    mended = mended_ones([then[one] for one in moved], [now[one] for one in new])
    for was, at in mended.items():
        before = earlier.grades.get(moved[was])
        if before in (None, grades_digest(qrels.get(new[at], {}))):
            names[moved[was]] = new[at]
            ids_then[new[at]] = moved[was]
    for query_id in [one for one in lost if one not in names]:
        if query_id in now or query_id in earlier.by_place:
            names[query_id] = f"{query_id}, {then[query_id]}"
        else:
            names[query_id] = query_id
    called = {one: one if one in kept else names[one] for one in then}
    reworded = {
        called[one]: (words, now[called[one]])
        for one, words in then.items()
        if now.get(called[one], words) != words
    }
    others = [one for one, was in ids_then.items() if was != one and was not in earlier.by_place]
    return replace(
        earlier,
        runs=tuple(_called(run, names) for run in earlier.runs),
        classes={names.get(one, one): name for one, name in earlier.classes.items()},
        grades={names.get(one, one): digest for one, digest in earlier.grades.items()},
        ids_then=ids_then,
        remarks=(
            *_told_of_ids(others, ids_then, now),
            *_told_of_texts(reworded, len(now)),
            *_told_of_unsure(left, which.unsure),
        ),
    )


def about_places(earlier: SavedScores, queries: Sequence[Query]) -> tuple[str, ...]:
    """What is to be told where grades are others, queries have no ids but places in a file, and
    the earlier result does not say what stood there."""
    if earlier.texts or all(query.own_id for query in queries):
        return ()
    return (
        "queries are called by their places in a file that has no query_id, and the earlier result"
        " does not say which these were: if rows came, went or moved since, values of different"
        " queries stand beside each other; save it again with the file that it was made with",
    )


def _kept(then: Mapping[str, str], now: Mapping[str, str], own: Set[str]) -> set[str]:
    """Those of a file's `own` ids that are of the same queries still."""
    both = own & then.keys()
    texts = MovedTexts(then, now)
    if any(map(texts.is_moved, both)):
        return both & texts.in_place
    return {one for one in both if not may_be_by_place(one) or one in texts.in_place}


def _told_of_ids(
    others: Sequence[str], ids_then: Mapping[str, str], now: Mapping[str, str]
) -> list[str]:
    if not others:
        return []
    first = others[0]
    return [
        f"{len(others):,} of {len(now):,} queries had other ids in the earlier result, such as"
        f" {first!r}, {quoted(now[first])}, which was {ids_then[first]!r}: they are paired by what"
        " they ask"
    ]


def _told_of_texts(reworded: Mapping[str, tuple[str, str]], queries: int) -> list[str]:
    if not reworded:
        return []
    return [
        f"{len(reworded):,} of {queries:,} queries have other texts than in the earlier result"
        f" (such as {most_changed(reworded)}); if these are other queries, give them ids of their"
        " own"
    ]


def _told_of_unsure(then: Sequence[Query], unsure: Sequence[Unsure]) -> list[str]:
    if not unsure:
        return []
    first = unsure[0]
    before = ", ".join(then[at].query_id for at in first.rows)
    now = ", ".join(one.query_id for one in first.queries)
    texts = "1 text" if len(unsure) == 1 else f"{len(unsure):,} texts"
    return [
        f"{texts} that several queries have, and not as many as in the earlier result (such as"
        f" {quoted(first.queries[0].text)}: {before} then, {now} now): nothing says which is which,"
        " so that they are paired with none; ids of their own or classes tell them apart"
    ]


def _called(run: SavedRun, names: Mapping[str, str]) -> SavedRun:
    called = sorted(
        (names.get(query_id, query_id), at) for at, query_id in enumerate(run.query_ids)
    )
    return replace(
        run,
        query_ids=tuple(query_id for query_id, _ in called),
        values={name: tuple(values[at] for _, at in called) for name, values in run.values.items()},
        without_results=tuple(names.get(query_id, query_id) for query_id in run.without_results),
    )
