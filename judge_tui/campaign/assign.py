"""Who judges what: planned from what everybody has and has done, and written as a difference."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from judge_tui.analysis.model_judge import NEXT, NextPairs, draw_next_pairs, next_pairs
from judge_tui.arrays import sorted_unique
from judge_tui.campaign.loading.judgments import load_gold
from judge_tui.campaign.overview.grading import first_grades, grades_of_judge
from judge_tui.campaign.overview.model_grades import find_model
from judge_tui.campaign.store.arrays import settled_grades
from judge_tui.campaign.store.assignments import (
    Assignment,
    add_assignments,
    assigned_judges,
    assignment_state,
    decisions_by_judge,
    hand_of,
    pairs_by_query,
    take_back,
)
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.event import Slot
from judge_tui.campaign.store.judges import add_judge, proper_name
from judge_tui.campaign.store.pool import gold_pairs, is_part, refuse_empty_pool
from judge_tui.errors import UsageError
from judge_tui.formats.rows import iter_qrels
from judge_tui.pooling.assignment import (
    Hand,
    Plan,
    QueryPairs,
    check_judges,
    first_visit_position,
    plan_assignments,
    shared_pairs,
)


@dataclass(frozen=True, slots=True)
class JudgeShare:
    """What one judge has: pairs by purpose, `repeat` being hidden repeats, and all of them.

    `shared` of the `pairs`, gold ones and repeats aside, somebody else has as well: it is their
    overlap for the one, and may be the normal work of the other. `judged` are decided, be it that
    they were skipped; `queries` is how many are visited.
    """

    judge: str
    queries: int
    normal: int
    overlap: int
    gold: int
    repeat: int
    pairs: int
    shared: int
    judged: int


@dataclass(frozen=True, slots=True)
class Sample:
    """`pairs` (keys) that a `model` graded and no person has, drawn as `by_grade` shares them."""

    model: str
    by_grade: tuple[NextPairs, ...]
    pairs: frozenset[int]


@dataclass(frozen=True, slots=True)
class AssignOutcome:
    """Who has what in the end, and what changed to reach it; the `sample` that was dealt, if any.

    `shared`: how many pairs, gold ones aside, every two judges have in common. `added` and
    `removed` count the rows that came and went, a hidden repeat being one.
    """

    pairs: int
    gold: int
    added: int
    removed: int
    judges: tuple[JudgeShare, ...]
    shared: dict[tuple[str, str], int]
    sample: Sample | None = None


def assign(
    campaign: Campaign,
    judges: Sequence[str],
    *,
    overlap: float | None = None,
    repeat: float | None = None,
    gold: str | os.PathLike[str] | None = None,
    rebalance: bool = False,
    by_model: str | None = None,
    limit: int = NEXT,
) -> AssignOutcome:
    """Deal what nobody has to `judges`, who are made if new; see `plan_assignments`.

    `gold`: a qrels file of pairs of known grade, which join the pool and go to every judge. Judges
    and gold pairs are entered first; then the plan is made while others judge, and written in one
    transaction. Nothing that has an event is taken from anybody. `by_model`: deal a sample of what
    this model graded and no person has, of at most `limit` pairs by `draw_next_pairs`, in place of
    all that is open. Raises `UsageError` for an empty pool, for what makes no sense, and for a
    model that is not there or whose pairs people have all judged; `InputError` for the file. Then
    nothing is written.
    """
    names = [proper_name(name) for name in judges]
    check_judges(names, overlap)
    sample = None if by_model is None else _sample(campaign, by_model, limit)
    named = _enter(campaign, names, gold)
    while True:
        with campaign.reading():
            state = assignment_state(campaign)
            keys = named | {judge.name: judge.key for judge in assigned_judges(campaign)}
            queries = pairs_by_query(campaign)
            gold_now = gold_pairs(campaign)
            hands = {name: hand_of(campaign, key) for name, key in keys.items()}
        plan = plan_assignments(
            queries,
            [*named],
            hands,
            overlap=overlap,
            repeat=repeat,
            gold=gold_now,
            sample=None if sample is None else sample.pairs,
            seed=campaign.settings.seed,
            rebalance=rebalance,
        )
        with campaign.writing():
            # What the plan was made of may have changed meanwhile: then again.
            if assignment_state(campaign) == state:
                added, removed = _write(campaign, queries, keys, hands, plan)
                break
    # Who is not named any more and has done nothing has nothing.
    purposes = {name: pairs for name, pairs in plan.purposes.items() if pairs or name in named}
    return AssignOutcome(
        pairs=sum(len(query.pairs) for query in queries),
        gold=len(gold_now),
        added=added,
        removed=removed,
        judges=tuple(_shares(queries, decisions_by_judge(campaign), purposes, plan.repeats)),
        shared=shared_pairs(purposes, gold_now),
        sample=sample,
    )


def _sample(campaign: Campaign, model: str, limit: int) -> Sample:
    with campaign.reading():
        judge = find_model(campaign, model)
        keys, grades = grades_of_judge(campaign, judge)
        people = first_grades(campaign, include_models=False)
        judged = sorted_unique(
            settled_grades(campaign)[0], *(pairs for pairs, _ in people.values())
        )
    scale = campaign.settings.scale.grades
    places = np.searchsorted(scale, grades).astype(np.int8)
    is_judged = np.isin(keys, judged)
    if is_judged.all():
        what = "people judged all that it graded" if len(keys) else "it has graded nothing yet"
        raise UsageError(
            f"model {judge.name!r} has no pair for people to judge: {what}",
            "let it judge more, or leave --by-model out",
        )
    by_grade = next_pairs(places, is_judged, scale, limit)
    drawn = draw_next_pairs(by_grade, keys, grades, is_judged, seed=campaign.settings.seed)
    return Sample(judge.name, by_grade, drawn)


def _enter(
    campaign: Campaign, names: Sequence[str], gold: str | os.PathLike[str] | None
) -> dict[str, int]:
    """Enter the judges and the gold pairs; returns the keys of the judges by name."""
    # Read before the campaign is held: a slow file keeps no judge waiting.
    rows = list(iter_qrels(gold)) if gold is not None else []
    with campaign.writing():
        if is_part(campaign):
            raise UsageError(
                "this file is one judge's part of a campaign", "assign where the campaign is"
            )
        refuse_empty_pool(campaign)
        if gold is not None:
            load_gold(campaign, gold, rows)
        return {judge.name: judge.key for judge in (add_judge(campaign, one) for one in names)}


def _write(
    campaign: Campaign,
    queries: Sequence[QueryPairs],
    keys: Mapping[str, int],
    hands: Mapping[str, Hand],
    plan: Plan,
) -> tuple[int, int]:
    """Make of what everybody has the plan, inside a transaction; returns how many rows came and
    went. What somebody has touched since the plan was made stays theirs."""
    query_of = {pair: query.query for query in queries for pair in query.pairs}
    rows: list[Assignment] = []
    slots: list[Slot] = []
    added = 0
    for name, key in keys.items():
        before, purposes, repeats = hands[name], plan.purposes[name], plan.repeats[name]
        for pair, purpose in purposes.items():
            if before.purposes.get(pair) != purpose:
                rows.append((key, pair, 0, first_visit_position(query_of[pair]), purpose))
                added += pair not in before.purposes
        for pair in repeats.keys() - before.repeats.keys():
            rows.append((key, pair, 1, repeats[pair], "repeat"))
            added += 1
        slots += ((key, pair, 0) for pair in before.purposes.keys() - purposes.keys())
        slots += ((key, pair, 1) for pair in before.repeats.keys() - repeats.keys())
    removed = take_back(campaign, slots)
    add_assignments(campaign, rows)
    return added, removed


def _shares(
    queries: Sequence[QueryPairs],
    judged: Mapping[str, int],
    purposes: Mapping[str, Mapping[int, str]],
    repeats: Mapping[str, Mapping[int, int]],
) -> Iterator[JudgeShare]:
    query_of = {pair: query.query for query in queries for pair in query.pairs}
    holders = Counter(chain.from_iterable(purposes.values()))
    for name, pairs in purposes.items():
        by = Counter(pairs.values())
        yield JudgeShare(
            judge=name,
            queries=len({query_of[pair] for pair in pairs}),
            normal=by["normal"],
            overlap=by["overlap"],
            gold=by["gold"],
            repeat=len(repeats[name]),
            pairs=len(pairs) + len(repeats[name]),
            shared=sum(holders[pair] > 1 for pair, what in pairs.items() if what != "gold"),
            judged=judged.get(name, 0),
        )
