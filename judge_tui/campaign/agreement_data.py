"""Everything that was graded, as arrays: what `agreement.study` works on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from judge_tui.agreement import NOT_GRADED, AgreementData
from judge_tui.campaign.file import Campaign
from judge_tui.campaign.held import grades_in_order, numbers
from judge_tui.campaign.judges import all_judges
from judge_tui.campaign.whose_grades import models_count

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from judge_tui.arrays import Ints


__all__ = ["agreement_data"]


def agreement_data(campaign: Campaign, *, include_models: bool | None = None) -> AgreementData:
    """The grades of this moment, judges by name, pairs by their keys.

    Judges without a grade are left out, and those of kind `model`, too, unless asked for.
    """
    with campaign.reading():
        judges = [
            judge
            for judge in sorted(all_judges(campaign), key=lambda one: one.name)
            if judge.kind == "human" or models_count(campaign, include_models)
        ]
        rows = grades_in_order(campaign)
        gold = numbers(campaign, "SELECT pair, grade FROM gold ORDER BY pair").reshape(-1, 2)
        pool = numbers(campaign, "SELECT id, query FROM pool ORDER BY id").reshape(-1, 2)
        queries = campaign.rows("SELECT id, query_id, class FROM queries ORDER BY query_id")
        again = campaign.rows(
            "SELECT judge, count(*) FROM assignments WHERE turn = 1 GROUP BY judge"
        )
        gold_given = campaign.rows(
            "SELECT judge, count(*) FROM gold JOIN assignments USING (pair) WHERE turn = 0"
            " GROUP BY judge"
        )
        scale = campaign.settings.scale.grades

    of_judge = _Grades.of_each(rows, [judge.key for judge in judges])
    judged = [(judge, one) for judge, one in zip(judges, of_judge, strict=True) if len(one.pairs)]
    pairs = np.unique(np.concatenate([np.empty(0, np.int64), *(one.pairs for _, one in judged)]))
    places = np.full((len(judged), len(pairs)), NOT_GRADED, dtype=np.int8)
    came = np.zeros(places.shape, dtype=np.int32)
    painted = np.zeros(places.shape, dtype=np.bool_)
    for row, (_, one) in enumerate(judged):
        at = np.searchsorted(pairs, one.pairs)
        places[row, at] = np.searchsorted(scale, one.grades)
        came[row, at] = one.came
        painted[row, at] = one.painted
    given = places != NOT_GRADED
    shared = given & (given.sum(axis=0) >= 2)
    name_of = {judge.key: judge.name for judge in judges}
    keys = np.array([key for key, _, _ in queries], dtype=np.int64)
    by_key = np.argsort(keys)
    query_of_pair = pool[np.searchsorted(pool[:, 0], pairs), 1]
    repeats = {judge.name: _confusion(one, *one.again, scale) for judge, one in judged}
    known = {judge.name: _confusion(one, gold[:, 0], gold[:, 1], scale) for judge, one in judged}
    return AgreementData(
        judges=tuple(judge.name for judge, _ in judged),
        scale=tuple(scale),
        places=places,
        came=came,
        queries=by_key[np.searchsorted(keys[by_key], query_of_pair)].astype(np.int32),
        query_ids=tuple(query_id for _, query_id, _ in queries),
        classes=tuple(name for _, _, name in queries),
        repeats={name: cells for name, cells in repeats.items() if any(map(any, cells))},
        gold={name: cells for name, cells in known.items() if any(map(any, cells))},
        repeats_planned={name_of[key]: n for key, n in again if key in name_of and n},
        gold_planned={name_of[key]: n for key, n in gold_given if key in name_of},
        from_file=frozenset(
            judge.name
            for row, (judge, _) in enumerate(judged)
            # Where nothing is shared there are no halves, and everything is asked.
            if _mostly_unpainted(painted[row][shared[row] if shared[row].any() else given[row]])
        ),
    )


def _mostly_unpainted(painted: NDArray[np.bool_]) -> bool:
    return 2 * int(painted.sum()) <= len(painted)


class _Grades:
    """What one judge graded: pairs (keys, ascending), their grades, when the first grade of each
    came, and whether that one was `painted`, on a screen and not in a file; `again` are the pairs
    and grades of hidden repeats."""

    def __init__(self, rows: Ints, came: Ints) -> None:
        """`rows`: the judge's of `grades_in_order`; `came`: their places among those of all
        judges."""
        order = np.argsort(rows[:, 1], kind="stable")
        slots, grades = rows[order, 1], rows[order, 2]
        first = slots % 2 == 0
        self.pairs = slots[first] // 2
        self.grades = grades[first]
        self.came = came[order][first]
        self.painted = rows[order, 3][first] > 0
        self.again = slots[~first] // 2, grades[~first]

    @classmethod
    def of_each(cls, rows: Ints, judges: Sequence[int]) -> list[_Grades]:
        """Of each of the judges, by their keys."""
        order = np.argsort(rows[:, 0], kind="stable")
        sorted_keys = rows[order, 0]
        found = []
        for key in judges:
            begin, end = np.searchsorted(sorted_keys, [key, key + 1])
            own = order[begin:end]
            found.append(cls(rows[own], own))
        return found


def _confusion(
    judge: _Grades, pairs: Ints, grades: Ints, scale: Sequence[int]
) -> tuple[tuple[int, ...], ...]:
    """The judge's grades in the rows, other grades of the same pairs in the columns."""
    _, own, other = np.intersect1d(judge.pairs, pairs, assume_unique=True, return_indices=True)
    size = len(scale)
    cells = np.searchsorted(scale, judge.grades[own]) * size + np.searchsorted(scale, grades[other])
    counts = np.bincount(cells, minlength=size * size).reshape(size, size).tolist()
    return tuple(tuple(row) for row in counts)
