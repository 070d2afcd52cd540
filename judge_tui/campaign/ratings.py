"""Everything that was graded, as arrays: what `agreement.study` works on."""

from __future__ import annotations

from typing import Any

import numpy as np

from judge_tui.agreement.ratings import NOT_GRADED, Ratings
from judge_tui.arrays import Bools, Ints
from judge_tui.campaign.file import Campaign
from judge_tui.campaign.held import grades_in_order, numbers
from judge_tui.campaign.judges import all_judges
from judge_tui.campaign.whose_grades import models_count

__all__ = ["read_ratings"]


def read_ratings(campaign: Campaign, *, include_models: bool | None = None) -> Ratings:
    """The grades of this moment, judges by name, pairs by their keys.

    Judges without a grade are left out, and those of kind `model`, too, unless asked for.
    """
    with campaign.reading():
        models = models_count(campaign, include_models)
        judges = {one.name: one for one in all_judges(campaign) if models or one.kind == "human"}
        key_of = {name: judges[name].key for name in sorted(judges)}
        rows = grades_in_order(campaign)
        known = numbers(campaign, "SELECT pair, grade FROM gold ORDER BY pair").reshape(-1, 2)
        pool = numbers(campaign, "SELECT id, query FROM pool ORDER BY id").reshape(-1, 2)
        queries = campaign.rows("SELECT id, query_id, class FROM queries ORDER BY query_id")
        planned = [
            sum(count for key, count in campaign.rows(sql) if key in key_of.values())
            for sql in (
                "SELECT judge, count(*) FROM assignments WHERE turn = 1 GROUP BY judge",
                "SELECT judge, count(*) FROM gold JOIN assignments USING (pair) WHERE turn = 0"
                " GROUP BY judge",
            )
        ]
        scale = campaign.settings.scale.grades

    is_first = rows[:, 1] % 2 == 0
    graded = {*rows[is_first, 0].tolist()}
    names = tuple(name for name, key in key_of.items() if key in graded)
    keys = np.array([key_of[name] for name in names], dtype=np.int64)
    of_judges = np.isin(rows[:, 0], keys)
    pairs = np.unique(rows[of_judges & is_first, 1] // 2)
    there = of_judges & np.isin(rows[:, 1] // 2, pairs)
    rows, is_first, came = rows[there], is_first[there], np.flatnonzero(there)
    row, column = _places_among(keys, rows[:, 0]), np.searchsorted(pairs, rows[:, 1] // 2)
    grades = np.searchsorted(scale, rows[:, 2])

    def laid_out(values: Ints, which: Bools, dtype: type[np.generic], none: int = 0) -> Any:
        array = np.full((len(names), len(pairs)), none, dtype=dtype)
        array[row[which], column[which]] = values[which]
        return array

    first = laid_out(grades, is_first, np.int8, NOT_GRADED)
    repeats = laid_out(grades, ~is_first, np.int8, NOT_GRADED)
    repeats[first == NOT_GRADED] = NOT_GRADED
    painted = laid_out(rows[:, 3], is_first, np.bool_)
    gold = np.full(len(pairs), NOT_GRADED, dtype=np.int8)
    known = known[np.isin(known[:, 0], pairs)]
    gold[np.searchsorted(pairs, known[:, 0])] = np.searchsorted(scale, known[:, 1])

    given = first != NOT_GRADED
    shared = given & (given.sum(axis=0) >= 2)
    # Where nothing is shared there are no halves, and everything is asked.
    asked = np.where(shared.any(axis=1, keepdims=True), shared, given)
    query_keys = np.array([key for key, _, _ in queries], dtype=np.int64)
    query_of_pair = pool[np.searchsorted(pool[:, 0], pairs), 1]
    return Ratings(
        judges=names,
        scale=tuple(scale),
        grades=first,
        came=laid_out(came, is_first, np.int32),
        repeats=repeats,
        gold=gold,
        queries=_places_among(query_keys, query_of_pair).astype(np.int32),
        query_ids=tuple(query_id for _, query_id, _ in queries),
        classes=tuple(name for _, _, name in queries),
        from_file=2 * (asked & painted).sum(axis=1) <= asked.sum(axis=1),
        repeats_planned=planned[0],
        gold_planned=planned[1],
    )


def _places_among(keys: Ints, wanted: Ints) -> Ints:
    """Where each of the wanted stands among the keys, which are in any order."""
    order = np.argsort(keys)
    found: Ints = order[np.searchsorted(keys[order], wanted)]
    return found
