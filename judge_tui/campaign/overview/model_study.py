"""Is a model any good as a judge? What the campaign's people say, as of one moment."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from judge_tui.agreement.alt_test import EPSILON, alt_test
from judge_tui.agreement.decide import Decisions, Judgments
from judge_tui.agreement.policies import JUDGE
from judge_tui.agreement.ratings import NOT_GRADED
from judge_tui.analysis.judged_runs import JudgedRuns
from judge_tui.analysis.model_judge import (
    TOP,
    ModelPairs,
    ModelStudy,
    beside_people,
    beside_two_people,
    best_systems,
    next_pairs,
    slices_of_grades,
)
from judge_tui.analysis.model_order import ModelOrder, model_order
from judge_tui.analysis.model_probes import ProbeResult, probe_results
from judge_tui.analysis.slices import spelt_alike
from judge_tui.arrays import Bools, Ints
from judge_tui.campaign.overview.facts import document_facts
from judge_tui.campaign.overview.grading import (
    decide_judgments,
    first_grades,
    grades_beside,
    grades_of_judge,
)
from judge_tui.campaign.overview.model_grades import all_models, find_model
from judge_tui.campaign.overview.standing import places_by_key, run_lists
from judge_tui.campaign.store.arrays import PoolPairs, pool_pairs
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.model_answers import asked_models, failed_answers, probed_grades
from judge_tui.campaign.store.queries import query_names
from judge_tui.campaign.store.runs import all_runs
from judge_tui.comparison.compare import measures_needed
from judge_tui.errors import UsageError, check_known
from judge_tui.scoring import UNJUDGED, Measure


def model_study(
    campaign: Campaign,
    name: str,
    measure: Measure,
    *,
    kin: Sequence[str] = (),
    epsilon: float = EPSILON,
    policy: str = "majority",
) -> ModelStudy:
    """Compare the grades of a model with those of people, whose final grades are by `policy`.

    `measure`: what orders the systems; `kin`: the tags of those of the model's own kind; `epsilon`:
    of the Alt-Test. Grades of other models never count. Raises `UsageError` for a judge who is not
    there, is a person or has graded nothing, a run or policy that is not there, and a measure of
    which more is not better.
    """
    measures_needed([measure])
    with campaign.reading():
        judge = find_model(campaign, name)
        tags = [run.tag for run in all_runs(campaign)]
        for tag in kin:
            check_known("run", tag, tags)
        pool, people = pool_pairs(campaign), first_grades(campaign, include_models=False)
        final = decide_judgments(campaign, people, policy)
        graded = grades_beside(pool, grades_of_judge(campaign, judge))
        if not (graded >= 0).any():
            raise UsageError(
                f"model {judge.name!r} has graded nothing yet",
                "load its grades with load qrels FILE --judge NAME --kind model",
            )
        top, order = _of_runs(campaign, pool, graded, final, measure, kin)
        pairs = _model_pairs(campaign, pool, graded, people, final, top)
        seed, failed = campaign.settings.seed, failed_answers(campaign, judge.key)
        probes, why_unprobed = _probes(campaign, judge.key)
    return ModelStudy(
        judge=judge.name,
        policy=policy,
        shared=int(pairs.shared.sum()),
        undecided=int((graded[pool.places_of(final.unresolved)] >= 0).sum()),
        beside=beside_people(pairs, seed=seed),
        two_people=beside_two_people(pairs),
        slices=slices_of_grades(pairs, seed=seed),
        alt_test=alt_test(pairs.model, pairs.people, pairs.scale, epsilon=epsilon),
        order=order,
        next=next_pairs(pairs.model, pairs.judged, pairs.scale),
        failed=failed,
        probes=probes,
        why_unprobed=why_unprobed,
    )


def studied_models(campaign: Campaign, measure: Measure, policy: str) -> tuple[ModelStudy, ...]:
    """The study of each model that has pairs in common with people, by name. A policy that takes
    the grades of a model gives way to `majority`."""
    models = sorted(all_models(campaign), key=lambda one: one.name)
    if policy in (f"{JUDGE}:{one.name}" for one in models):
        policy = "majority"
    graded = (one.name for one in models if len(grades_of_judge(campaign, one)[0]))
    studies = (model_study(campaign, name, measure, policy=policy) for name in graded)
    return tuple(one for one in studies if one.shared)


def _probes(campaign: Campaign, judge: int) -> tuple[tuple[ProbeResult, ...], str]:
    """What probes do to the grades of a judge (a key), and why there are none, where there could
    be: it is a model that was asked, not one whose grades were loaded."""
    found = probe_results(probed_grades(campaign, judge))
    called = (one.called for one in asked_models(campaign) if one.key == judge and not found)
    return found, next((f"not asked yet: model judge {name} asks them" for name in called), "")


def _of_runs(
    campaign: Campaign,
    pool: PoolPairs,
    model: Ints,
    final: Decisions,
    measure: Measure,
    kin: Sequence[str],
) -> tuple[Bools | None, ModelOrder]:
    """Which pairs of the pool the best systems have in their top, and the order of all systems."""
    if not all_runs(campaign):
        return None, ModelOrder(measure.name, why={"order": "the campaign has no runs"})
    loaded = run_lists(campaign)
    if deep := loaded.kept_runs.cannot_tell(measure):
        why = f"{measure} looks {deep}; load that run again with a greater --depth"
        return None, ModelOrder(measure.name, why={"order": why})
    judged = loaded.judged(pool, final, max(campaign.settings.scale.grades))
    order = model_order(judged, model, judged.grades, measure, kin)
    return _top_pairs(judged, measure), order


def _top_pairs(judged: JudgedRuns, measure: Measure) -> Bools:
    places = judged.pair_by_rank[best_systems(judged.means(measure)), :, :TOP]
    top = np.zeros(len(judged.grades), dtype=np.bool_)
    top[places[places >= 0]] = True
    return top


def _model_pairs(
    campaign: Campaign,
    pool: PoolPairs,
    model: Ints,
    people: Judgments,
    final: Decisions,
    top: Bools | None,
) -> ModelPairs:
    scale = campaign.settings.scale.grades
    by_model = model >= 0

    def placed(grades: Ints) -> NDArray[np.int8]:
        grades = grades[by_model]
        places = np.searchsorted(scale, grades)
        return np.where(grades == UNJUDGED, NOT_GRADED, places).astype(np.int8)

    queries, facts = query_names(campaign), document_facts(campaign, pool.documents[by_model])
    at = places_by_key(facts.documents)[pool.documents[by_model]]
    kinds = spelt_alike(facts.kinds)
    return ModelPairs(
        scale=tuple(scale),
        model=placed(model),
        people={one: placed(grades_beside(pool, graded)) for one, graded in people.items()},
        final=placed(grades_beside(pool, (final.pairs, final.grades))),
        words={
            "class": [queries[key].query_class for key in pool.queries[by_model].tolist()],
            "kind": [kinds[place] for place in at.tolist()],
        },
        lengths=facts.lengths[at],
        top=None if top is None else top[by_model],
    )
