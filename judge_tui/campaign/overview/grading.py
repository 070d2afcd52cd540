"""The one grade of each pair that counts, by a policy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NoReturn

import numpy as np

from judge_tui.agreement.decide import (
    NOTHING_DECIDED,
    Decisions,
    GradedPairs,
    Judgments,
    decide,
)
from judge_tui.agreement.policies import checked_policy
from judge_tui.agreement.ratings import COUNT_MODELS, off_scale
from judge_tui.analysis.basis import GradesUsed
from judge_tui.arrays import Ints, sorted_unique
from judge_tui.campaign.shell_command import shell_command
from judge_tui.campaign.store.arrays import (
    JudgmentArrays,
    PoolPairs,
    judgment_arrays,
    pool_pairs,
    settled_grades,
)
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.documents import doc_ids_by_key
from judge_tui.campaign.store.judges import (
    Judge,
    all_judges,
    find_judge,
    name_here,
)
from judge_tui.campaign.store.judgments import pairs_graded
from judge_tui.campaign.store.pool import first_step
from judge_tui.campaign.store.queries import query_keys
from judge_tui.counts import counted
from judge_tui.errors import UsageError, unknown
from judge_tui.model import Pair
from judge_tui.scoring import UNJUDGED


class NothingGradedError(UsageError):
    """No grade counts yet."""


def models_count(campaign: Campaign, include_models: bool | None) -> bool:
    """Whether grades of judges of kind model count; None: as the campaign's setting has it."""
    return campaign.settings.include_models if include_models is None else include_models


def judges_who_count(campaign: Campaign, include_models: bool | None) -> list[Judge]:
    """Those whose grades count, by name."""
    models = models_count(campaign, include_models)
    judges = (one for one in all_judges(campaign) if models or one.kind == "human")
    return sorted(judges, key=lambda one: one.name)


@dataclass(frozen=True, slots=True)
class Grading:
    """The final grades of the `pool` under a `policy`, and what they are made of.

    `judgments`: the grades of each judge who counts, by name. `models`: grades of models count;
    `of_people`: what the grades of people alone, judges and leads, come to. Pairs are keys.
    """

    policy: str
    judgments: Judgments
    pool: PoolPairs
    decided: Decisions
    models: bool
    of_people: Decisions

    @property
    def used(self) -> GradesUsed:
        """The grades in numbers."""
        final, of_people = self.decided, self.of_people
        by_people = np.concatenate([of_people.pairs, of_people.unresolved])
        _, at, before = np.intersect1d(
            final.pairs, of_people.pairs, assume_unique=True, return_indices=True
        )
        pairs, unresolved = len(final.pairs), len(final.unresolved)
        return GradesUsed(
            self.policy,
            pairs,
            unresolved,
            unjudged=len(self.pool.pairs) - pairs - unresolved,
            models=self.models,
            models_alone=int((~np.isin(final.pairs, by_people)).sum()),
            models_changed=int((final.grades[at] != of_people.grades[before]).sum()),
            models_unresolved=int(np.isin(of_people.pairs, final.unresolved).sum()),
        )


def first_grades(
    campaign: Campaign,
    *,
    include_models: bool | None = None,
    work: Mapping[Judge, JudgmentArrays] | None = None,
) -> Judgments:
    """Judge -> pairs (keys, ascending) and grades: those of first looks that hold, judges by name.

    Judges without a grade are left out, and those of kind `model`, too, unless asked for. `work`:
    of all judges, where it was read already. Raises `UsageError` for a grade off the scale.
    """
    with campaign.reading():
        judges = judges_who_count(campaign, include_models)
        work = work or {judge: judgment_arrays(campaign, judge.key) for judge in judges}
    graded = {judge.name: grades_of_judge(campaign, judge, work[judge]) for judge in judges}
    return {name: its for name, its in graded.items() if len(its[0])}


def grades_of_judge(
    campaign: Campaign, judge: Judge, work: JudgmentArrays | None = None
) -> GradedPairs:
    """Pairs (keys, ascending) and grades: those of first looks that hold. `work`: of the judge,
    where it was read already. Raises `UsageError` for a grade off the scale."""
    pairs, grades = (work or judgment_arrays(campaign, judge.key)).first_grades
    scale = campaign.settings.scale.grades
    if (off := ~np.isin(grades, scale)).any():
        raise off_scale(grades[off][0], judge.name, scale)
    return pairs, grades


def grades_beside(pool: PoolPairs, graded_pairs: GradedPairs) -> Ints:
    """int64[pairs of the pool]: the grade of each, `UNJUDGED` where it has none."""
    pairs, their_grades = graded_pairs
    grades = np.full(len(pool.pairs), UNJUDGED, dtype=np.int64)
    grades[pool.places_of(pairs)] = their_grades
    return grades


def decide_judgments(
    campaign: Campaign,
    judgments: Judgments,
    policy: str = "majority",
    *,
    undisputed_only: bool = False,
) -> Decisions:
    """The final grades of these `judgments` and of what the lead has settled, however little."""
    scale, settled = campaign.settings.scale.grades, settled_grades(campaign)
    return decide(judgments, policy, scale, settled=settled, undisputed_only=undisputed_only)


def decide_grades(
    campaign: Campaign,
    *,
    policy: str = "majority",
    undisputed_only: bool = False,
    include_models: bool | None = None,
) -> Grading:
    """The final grades as of one moment; see `agreement.decide`.

    Raises `UsageError` for an unknown policy or judge, and where nobody whose grades count has
    judged yet.
    """
    with campaign.reading():
        policy = _policy_here(campaign, checked_policy(policy))
        judgments = first_grades(campaign, include_models=include_models)
        judge = policy.partition(":")[2]
        if judge and judge not in judgments:
            refuse_judge(campaign, judge, include_models=include_models)
        decided = decide_judgments(campaign, judgments, policy, undisputed_only=undisputed_only)
        if not len(decided.pairs) and not len(decided.unresolved):
            refuse_unjudged(campaign)
        models = models_count(campaign, include_models)
        people = {one.name for one in judges_who_count(campaign, include_models=False)}
        of_people = decided
        if models and judge:
            of_people = decided if judge in people else NOTHING_DECIDED
        elif models:
            theirs = {name: its for name, its in judgments.items() if name in people}
            of_people = decide_judgments(campaign, theirs, policy, undisputed_only=undisputed_only)
        pool = pool_pairs(campaign)
        return Grading(policy, judgments, pool, decided, models, of_people)


@dataclass(frozen=True, slots=True)
class FinalGrades:
    """`Decisions` under the ids of pairs. `qrels`: query_id -> doc_id -> grade, and the
    `unresolved` pairs, ascending; `used`: the grades in numbers."""

    qrels: dict[str, dict[str, int]]
    rules: dict[str, int]
    unresolved: tuple[Pair, ...]
    used: GradesUsed


def final_grades(
    campaign: Campaign,
    *,
    policy: str = "majority",
    undisputed_only: bool = False,
    include_models: bool | None = None,
) -> FinalGrades:
    """The grades of `decide_grades` under the ids that exported files have. Raises as it does."""
    with campaign.reading():
        grading = decide_grades(
            campaign, policy=policy, undisputed_only=undisputed_only, include_models=include_models
        )
        return name_grades(campaign, grading)


def name_grades(campaign: Campaign, grading: Grading) -> FinalGrades:
    """Put ids in the place of keys."""
    decided, pool = grading.decided, grading.pool
    grades = dict(
        zip(ids_of_pairs(campaign, pool, decided.pairs), decided.grades.tolist(), strict=True)
    )
    qrels: dict[str, dict[str, int]] = {}
    for query_id, doc_id in sorted(grades):
        qrels.setdefault(query_id, {})[doc_id] = grades[query_id, doc_id]
    unresolved = sorted(ids_of_pairs(campaign, pool, decided.unresolved))
    return FinalGrades(qrels, decided.rules, tuple(unresolved), grading.used)


def grades_by_judge(
    campaign: Campaign, *, include_models: bool | None = None
) -> dict[str, dict[Pair, int]]:
    """`first_grades` under the ids of pairs: judge -> (query_id, doc_id) -> grade."""
    with campaign.reading():
        judgments = first_grades(campaign, include_models=include_models)
        pool = pool_pairs(campaign)
        return {
            name: dict(zip(ids_of_pairs(campaign, pool, pairs), grades.tolist(), strict=True))
            for name, (pairs, grades) in judgments.items()
        }


def ids_of_pairs(campaign: Campaign, pool: PoolPairs, pairs: Ints) -> list[Pair]:
    """The ids of pairs (keys) of the pool, in their order."""
    places = pool.places_of(pairs)
    queries = {key: query_id for query_id, key in query_keys(campaign).items()}
    # One string for each document, however many pairs it is in.
    documents = doc_ids_by_key(campaign, sorted_unique(pool.documents[places]).tolist())
    return [
        (queries[query], documents[document])
        for query, document in zip(
            pool.queries[places].tolist(), pool.documents[places].tolist(), strict=True
        )
    ]


def refuse_unresolved(campaign: Campaign, final: FinalGrades, policy: str) -> None:
    """Raise `UsageError` where pairs were judged and the policy does not decide them."""
    if not final.unresolved:
        return
    query_id, doc_id = final.unresolved[0]
    count = counted(len(final.unresolved), "pair is", "pairs are")
    review = shell_command(campaign.path, "settle", "--lead NAME")
    raise UsageError(
        f"{count} unresolved, judged but not decided by policy {policy!r}, the first"
        f" {query_id} {doc_id}",
        f"the lead settles them with {review}; or choose another --policy, or"
        " leave them out with --unresolved skip",
    )


def refuse_unjudged(campaign: Campaign) -> NoReturn:
    """Raise `NothingGradedError`: there is no grade that counts."""
    graded = pairs_graded(campaign)
    models = any(one.kind == "model" and one.key in graded for one in all_judges(campaign))
    raise NothingGradedError(
        "no person has graded yet" if models else "nobody has judged yet",
        COUNT_MODELS if models else f"first: {first_step(campaign)}",
    )


def refuse_judge(campaign: Campaign, name: str, *, include_models: bool | None) -> NoReturn:
    """Raise `UsageError`: no grade of the judge of that name counts."""
    judge = find_judge(campaign, name)
    known = [judge.name for judge in all_judges(campaign)]
    if judge is None and known:
        raise unknown("judge", name, known)
    if judge is None:
        what = "nobody has judged yet"
    elif judge.kind == "model" and not models_count(campaign, include_models):
        raise UsageError(f"judge {name!r} is a model", COUNT_MODELS)
    else:
        what = f"judge {name!r} has graded nothing yet"
    raise UsageError(what, f"first: {first_step(campaign, name)}")


def _policy_here(campaign: Campaign, policy: str) -> str:
    """The policy, with the judge whom it names, if it does, called as in the campaign."""
    kind, colon, name = policy.partition(":")
    return f"{kind}:{name_here(campaign, name)}" if colon else policy
