"""How the judges agree, and what each makes of the order of the systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from judge_tui.agreement.alpha import krippendorff_alpha
from judge_tui.agreement.decide import Judgments, grade_counts
from judge_tui.agreement.estimates import Estimate
from judge_tui.agreement.ratings import NOT_GRADED, Ratings, patterns_of_counts
from judge_tui.arrays import Bools, Ints, sorted_unique
from judge_tui.campaign.overview.grading import (
    decide_judgments,
    first_grades,
    grades_beside,
    judges_who_count,
    refuse_judge,
)
from judge_tui.campaign.overview.standing import (
    baseline_of,
    places_by_key,
    run_lists,
)
from judge_tui.campaign.store.arrays import gold_arrays, grades_in_order, pool_pairs
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.judges import name_here
from judge_tui.campaign.store.queries import query_names
from judge_tui.campaign.store.runs import all_runs
from judge_tui.campaign.store.settings import Settings
from judge_tui.scoring import Measure

if TYPE_CHECKING:
    from judge_tui.analysis.judge_influence import SystemOrders


@dataclass(frozen=True, slots=True)
class AgreementNow:
    """`alpha`: Krippendorff's, ordinal; None where fewer than two judges have graded. `shared`: how
    many pairs have two grades or more."""

    alpha: Estimate | None
    shared: int


def agreement_on(judgments: Judgments, settings: Settings) -> AgreementNow:
    """The agreement on these grades: the same as `judge-tui agreement` finds."""
    if len(judgments) < 2:
        return AgreementNow(None, 0)
    scale = settings.scale.grades
    _, counts = grade_counts(judgments, scale)
    alpha = krippendorff_alpha(
        patterns_of_counts(counts), scale, metrics=["ordinal"], seed=settings.seed
    )
    return AgreementNow(alpha["ordinal"], int((counts.sum(axis=1) > 1).sum()))


def read_ratings(campaign: Campaign, *, include_models: bool | None = None) -> Ratings:
    """The grades of this moment, judges by name, pairs by their keys.

    Judges without a grade are left out, and those of kind `model`, too, unless asked for.
    """
    with campaign.reading():
        key_of = {one.name: one.key for one in judges_who_count(campaign, include_models)}
        rows = grades_in_order(campaign)
        gold_pairs, gold_as = gold_arrays(campaign)
        pool = pool_pairs(campaign)
        queries = query_names(campaign)
    scale = campaign.settings.scale.grades
    in_order = sorted(queries, key=lambda key: queries[key].query_id)
    query_keys = np.array(in_order, dtype=np.int64)

    is_first = rows[:, 1] % 2 == 0
    graded = {*rows[is_first, 0].tolist()}
    names = tuple(name for name, key in key_of.items() if key in graded)
    keys = np.array([key_of[name] for name in names], dtype=np.int64)
    of_judges = np.isin(rows[:, 0], keys)
    pairs = sorted_unique(rows[of_judges & is_first, 1] // 2)
    there = of_judges & np.isin(rows[:, 1] // 2, pairs)
    rows, is_first, came = rows[there], is_first[there], np.flatnonzero(there)
    row, column = places_by_key(keys)[rows[:, 0]], np.searchsorted(pairs, rows[:, 1] // 2)
    grades = np.searchsorted(scale, rows[:, 2])

    def laid_out(values: Ints, which: Bools, dtype: type[np.generic], none: int = 0) -> Any:
        array = np.full((len(names), len(pairs)), none, dtype=dtype)
        array[row[which], column[which]] = values[which]
        return array

    first = laid_out(grades, is_first, np.int8, NOT_GRADED)
    repeats = laid_out(grades, ~is_first, np.int8, NOT_GRADED)
    repeats[first == NOT_GRADED] = NOT_GRADED
    gold = np.full(len(pairs), NOT_GRADED, dtype=np.int8)
    known = np.isin(gold_pairs, pairs)
    gold[np.searchsorted(pairs, gold_pairs[known])] = np.searchsorted(scale, gold_as[known])

    query_of_pair = pool.queries[pool.places_of(pairs)]
    return Ratings(
        judges=names,
        scale=tuple(scale),
        grades=first,
        came=laid_out(came, is_first, np.int32),
        repeats=repeats,
        gold=gold,
        queries=places_by_key(query_keys)[query_of_pair].astype(np.int32),
        query_ids=tuple(queries[key].query_id for key in in_order),
        classes=tuple(queries[key].query_class for key in in_order),
    )


def orders_now(
    campaign: Campaign,
    measure: Measure,
    baseline: str | None = None,
    judges: Sequence[str] | None = None,
    *,
    include_models: bool | None = None,
) -> SystemOrders:
    """What each judge does to the order of the systems, as of one moment; see `system_orders`.

    `judges`: those named, in that order (None: all who graded, by name). The policy is `majority`.
    Without runs, or where they are not kept as deep as the measure looks, there is a `why` instead.
    Raises `UsageError` for a judge without a grade that counts, a baseline that is not a run, and a
    measure of which more is not better.
    """
    # Home reads the agreement from here, and opens without what compares systems.
    from judge_tui.analysis.judge_influence import SystemOrders, system_orders  # noqa: PLC0415
    from judge_tui.comparison.compare import measures_needed  # noqa: PLC0415

    measures_needed([measure])
    with campaign.reading():
        judgments = first_grades(campaign, include_models=include_models)
        named = [name_here(campaign, name) for name in judges or ()]
        for name in named:
            if name not in judgments:
                refuse_judge(campaign, name, include_models=include_models)
        chosen = list(judgments) if judges is None else list(dict.fromkeys(named))
        if not all_runs(campaign):
            return SystemOrders(measure.name, None, why="the campaign has no runs")
        loaded = run_lists(campaign)
        if deep := loaded.kept_runs.cannot_tell(measure):
            why = f"{measure} looks {deep}; load that run again with a greater --depth"
            return SystemOrders(measure.name, None, why=why)
        baseline = baseline_of(campaign, loaded.lists.tags, baseline)
        pool, final = pool_pairs(campaign), decide_judgments(campaign, judgments)
    greatest = max(campaign.settings.scale.grades)
    return system_orders(
        loaded.judged(pool, final, greatest),
        {name: grades_beside(pool, judgments[name]) for name in chosen},
        measure,
        baseline=baseline,
    )
