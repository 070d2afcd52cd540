"""Queries of an earlier result that had no ids, but places in a file: known by their texts now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from judge_tui.baseline.saved import SavedRun, SavedScores
from judge_tui.formats.named_queries import NamedQueries, words_of
from judge_tui.model import Query

__all__ = ["about_places", "by_texts"]


def by_texts(earlier: SavedScores, queries: Sequence[Query]) -> SavedScores:
    """The earlier result under the ids that its queries have now, where it says what they were
    (`SavedScores.texts`) and the `queries` of now are known. One that is no more is called by its
    place and its text, so that it is none of these."""
    if not (earlier.texts and queries):
        return earlier
    own = {query_id for run in earlier.runs for query_id in run.query_ids} - earlier.texts.keys()
    names: dict[str, str] = {}
    places: dict[str, str] = {}
    found = NamedQueries(queries).of_each(earlier.texts.values())
    for (query_id, text), its in zip(earlier.texts.items(), found, strict=True):
        now = next((one.query_id for one in its if one.query_id not in own | places.keys()), None)
        names[query_id] = f"{query_id}, {words_of(text)}" if now is None else now
        if now is not None:
            places[now] = query_id
    runs = tuple(_called(run, names) for run in earlier.runs)
    return replace(earlier, runs=runs, places=places)


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
