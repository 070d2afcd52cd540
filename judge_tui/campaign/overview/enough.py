"""Whether enough is judged, as of one moment: what was retrieved, what was drawn of it at random,
and what is known of both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from judge_tui.agreement.decide import Decisions
from judge_tui.analysis.enough import Answer, Enough, is_enough
from judge_tui.analysis.unbiased import JudgedUnion, Missed, missed_relevant
from judge_tui.arrays import Bools, Ints, sorted_unique
from judge_tui.campaign.overview.grading import (
    Grading,
    decide_judgments,
    first_grades,
    grades_beside,
    judges_who_count,
)
from judge_tui.campaign.overview.standing import (
    RunLists,
    baseline_of,
    places_by_key,
    run_lists,
)
from judge_tui.campaign.store.arrays import (
    LATEST,
    JudgmentArrays,
    PoolPairs,
    judgment_arrays,
    pool_pairs,
    pool_rounds,
    populations,
    settled_grades,
)
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.judges import Judge
from judge_tui.campaign.store.pool import (
    RoundQuestion,
    latest_population,
    latest_question,
)
from judge_tui.campaign.store.runs import all_runs
from judge_tui.errors import check_known
from judge_tui.pooling.pool import USUAL_MEASURE
from judge_tui.pooling.retrieved import RetrievedPairs
from judge_tui.scoring import UNJUDGED, parse_measure


class AsOf(NamedTuple):
    """The last round that is judged, where a later one is not: estimates leave the later one out.
    `judged`: how many pairs are decided of this round and those before."""

    round: int
    judged: int


class EnoughNow(NamedTuple):
    """An answer for each pair of runs, and how many relevant documents nobody has seen yet, None
    where no random sample tells. `as_of`: None where that is now. `sampled`: whether pairs were
    drawn at random, also where they tell nothing."""

    answers: tuple[Enough, ...] = ()
    missed: Missed | None = None
    as_of: AsOf | None = None
    sampled: bool = False

    @property
    def settled(self) -> bool:
        """Whether no more judgments are worth having: each pair is told apart, surely or likely, or
        never will be."""
        return bool(self.answers) and all(one.answer is not Answer.OPEN for one in self.answers)


def enough_now(
    campaign: Campaign,
    *,
    measure: str | None = None,
    baseline: str | None = None,
    between: tuple[str, str] | None = None,
    policy: str = "majority",
    include_models: bool | None = None,
    work: Mapping[Judge, JudgmentArrays] | None = None,
) -> EnoughNow:
    """Answer for each run beside the baseline, or `between` two runs, by a measure. Where none of
    them is named: what the latest round asks, as far as what is kept of the runs can tell it.

    Empty where nothing is judged, and where there are fewer than two runs or the campaign's
    baseline is not among them. `work`: of all judges, where it was read already. Raises
    `UsageError` for a run or a measure that is not there, and for a measure that looks deeper than
    the runs are kept.
    """
    scale = tuple(sorted(campaign.settings.scale.grades))
    with campaign.reading():
        question = RoundQuestion(measure, *(between or ()))
        if not (measure or baseline or between):
            question = latest_question(campaign)
        between = question.between
        asked = parse_measure(question.measure or USUAL_MEASURE, max_rel=scale[-1])
        runs = all_runs(campaign)
        tags = [run.tag for run in runs]
        question.refuse_other_runs(tags)
        if baseline:
            check_known("run", baseline, tags)
        if len(tags) < 2 or not (between or baseline or campaign.settings.baseline in ("", *tags)):
            return EnoughNow()
        judgments = first_grades(campaign, include_models=include_models, work=work)
        decided = decide_judgments(campaign, judgments, policy)
        if not len(decided.pairs):
            return EnoughNow()
        deepest = min(asked.depth, max(run.depth for run in runs))
        drawn = latest_population(campaign).depth
        lists = run_lists(campaign, depth=max(deepest, drawn))
        if measure is not None:
            lists.kept_runs.refuse_too_deep([asked])
        elif lists.kept_runs.too_deep(asked) is not None:
            return EnoughNow()
        done = decided_pairs(campaign, include_models=include_models, work=work)
        now = judged_union(campaign, lists, pool_pairs(campaign), decided, done)
        before = between[0] if between else baseline_of(campaign, tags, baseline)
    others = between[1:] if between else [tag for tag in tags if tag != before]
    pairs = [(tags.index(before), tags.index(tag)) for tag in others]
    union = now.union
    missed = missed_relevant(union, asked.rel) if union.depth else None
    answers = is_enough(union, asked, scale, pairs, known=now.known)
    return EnoughNow(answers, missed, now.as_of if union.depth else None, drawn > 0)


def sampled_union(campaign: Campaign, grading: Grading) -> JudgedUnion | None:
    """All runs of the campaign with what was drawn of them at random, for unbiased differences;
    None where nothing was drawn. Its depth is 0 where runs have changed since."""
    with campaign.reading():
        depth = latest_population(campaign).depth
        if not depth:
            return None
        return judged_union(
            campaign,
            run_lists(campaign, depth=depth),
            grading.pool,
            grading.decided,
            decided_pairs(campaign, include_models=grading.models),
        ).union


class UnionNow(NamedTuple):
    """The `union` as of the last round that is judged; `known`: with all grades of now."""

    union: JudgedUnion
    known: JudgedUnion
    as_of: AsOf | None


def judged_union(
    campaign: Campaign, loaded: RunLists, pool: PoolPairs, final: Decisions, decided: Ints
) -> UnionNow:
    """Put together what the runs retrieved, the pool, its final grades, what was drawn, and which
    pairs (keys) somebody has decided. Put it inside `campaign.reading()`."""
    lists, rounds, population = loaded.lists, pool_rounds(campaign), latest_population(campaign)
    waiting = ~np.isin(pool.pairs, decided, assume_unique=True)
    as_of = _last_judged(populations(campaign), rounds.came, waiting)
    last = as_of.round if as_of else LATEST
    there = rounds.came <= last
    by_choice = rounds.chosen <= last
    by_chance = there & ~by_choice & rounds.drawn
    pairs = RetrievedPairs.of(lists.documents)
    query = places_by_key(loaded.queries)[pool.queries]
    place = pairs.places_of(query, pool.documents)
    inside = place >= 0
    grade = grades_beside(pool, (final.pairs, final.grades))
    known = np.full(len(pairs), UNJUDGED, dtype=np.int64)
    known[place[inside]] = grade[inside]
    chosen, drawn = np.zeros((2, len(pairs)), dtype=np.bool_)
    chosen[place[inside & by_choice]] = drawn[place[inside & by_chance]] = True
    undecided = np.zeros(pairs.queries, dtype=np.bool_)
    undecided[query[waiting & there]] = True
    why = ""
    if not population.depth and chosen.all():
        why = "judge the rest of the pool"
    elif not population.depth:
        why = "draw a random sample (pool --strategy settle --budget N)"
    elif int(pairs.within(population.depth).sum()) != population.retrieved:
        why = "runs have changed since pairs were drawn: pool again"
    now = JudgedUnion(
        tags=lists.tags,
        pairs=pairs,
        grades=known,
        chosen=chosen,
        drawn=drawn,
        depth=0 if why else population.depth,
        counted=lists.counted,
        undecided=undecided,
        other_query=query[~inside],
        other_grade=grade[~inside],
        unsampled=why,
    )
    union = replace(
        now,
        grades=np.where(chosen | drawn, known, UNJUDGED),
        other_grade=np.where(there, grade, UNJUDGED)[~inside],
    )
    return UnionNow(union, now, as_of)


def _last_judged(rounds: Ints, came: Ints, waiting: Bools) -> AsOf | None:
    """Return the last round up to which all pairs are decided; None where that is the latest. None,
    too, where a later round draws from other results: then estimates are as of now, without the
    queries that wait for a judge. `rounds`: as `populations`; of pairs, the round with which each
    `came`, and whether it is `waiting`."""
    first = came[waiting & (came > 0)].min(initial=came.max(initial=0) + 1)
    judged = rounds[rounds[:, 0] < first]
    if len(judged) in (0, len(rounds)) or (judged[-1, 1:] != rounds[-1, 1:]).any():
        return None
    last = int(judged[-1, 0])
    return AsOf(last, int((~waiting & (came <= last)).sum()))


def decided_pairs(
    campaign: Campaign,
    *,
    include_models: bool | None = None,
    work: Mapping[Judge, JudgmentArrays] | None = None,
) -> Ints:
    """int64[n]: the pairs (keys, ascending) that somebody who counts, or the lead, has graded,
    skipped or found that they cannot be judged."""
    with campaign.reading():
        judges = judges_who_count(campaign, include_models)
        work = work or {judge: judgment_arrays(campaign, judge.key) for judge in judges}
        settled, _ = settled_grades(campaign)
    slots = (work[judge].decided for judge in judges)
    return sorted_unique(settled, *(its[its % 2 == 0] // 2 for its in slots))
