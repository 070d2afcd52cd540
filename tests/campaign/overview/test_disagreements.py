"""Open disagreements, counted for Home: as the rows say it, and as whole scorings say it."""

from __future__ import annotations

import random
from itertools import combinations

import numpy as np
import pytest

from judge_tui.agreement.study import agree
from judge_tui.campaign import Campaign
from judge_tui.campaign.overview.agreement import agreement_on
from judge_tui.campaign.overview.cases import cases
from judge_tui.campaign.overview.disagreements import (
    SWAPS_BY,
    Disputes,
    disputed_pairs,
    disputes_of,
)
from judge_tui.campaign.overview.grading import first_grades, grades_by_judge
from judge_tui.campaign.overview.qrels_and_runs import qrels_and_runs
from judge_tui.campaign.overview.standing import runs_now
from judge_tui.campaign.store.arrays import NOT_DECIDED
from judge_tui.campaign.store.events import append_event
from judge_tui.campaign.store.judges import add_judge
from judge_tui.comparison.paired_tests import on_grid
from judge_tui.errors import UsageError
from tests.campaign.copies import majority
from tests.graded import adjudications
from tests.loading_runs import load_run
from tests.scored import score_runs


def found(campaign: Campaign) -> Disputes:
    return disputes_of(disputed_pairs(campaign, first_grades(campaign), open_only=True))


def by_whole_scorings(campaign: Campaign) -> Disputes:
    """The same from dicts: every pair set to each grade it was given, and as it
    stands, every run scored anew."""
    grades, settled = grades_by_judge(campaign), adjudications(campaign)
    given: dict[tuple[str, str], set[int]] = {}
    for of_judge in grades.values():
        for pair, grade in of_judge.items():
            given.setdefault(pair, set()).add(grade)
    disputed = {pair: some for pair, some in given.items() if len(some) > 1 and pair not in settled}
    final: dict[str, dict[str, int]] = {}
    for (query_id, doc_id), grade in majority(grades, settled).items():
        if grade is not None:
            final.setdefault(query_id, {})[doc_id] = grade
    runs = qrels_and_runs(campaign).runs
    swapping = 0
    for pair, some in disputed.items():
        orders = set()
        query_id, doc_id = pair
        settings = [
            {**final, query_id: {**final.get(query_id, {}), doc_id: grade}} for grade in some
        ]
        for qrels in [*settings, *([final] if query_id in final else [])]:
            scores = score_runs(qrels, runs, [SWAPS_BY])
            means = [run.mean(SWAPS_BY) for run in scores.runs]
            differences = np.array([[a - b] for a, b in combinations(means, 2)])
            orders.add(tuple(np.sign(on_grid(differences)).ravel().tolist()))
        swapping += len(orders) > 1
    return Disputes(len(disputed), swapping)


GAMMA = "q1 Q0 csv.writer 1 2.0 gamma\nq1 Q0 json.load 2 1.0 gamma\nq2 Q0 list.sort 1 1.0 gamma\n"


SEEDS = range(6)


def disagree_at_random(campaign: Campaign, seed: int) -> None:
    """Three judges grade most pairs, and a lead settles one."""
    draw = random.Random(seed)
    pairs = [pair for (pair,) in campaign.rows("SELECT id FROM pool ORDER BY id")]
    for name in ("ann", "bob", "cleo"):
        judge = add_judge(campaign, name).key
        for pair in pairs:
            if draw.random() < 0.8:
                grade = draw.randrange(4)
                append_event(campaign, judge=judge, pair=pair, action="grade", grade=grade)
    lead = add_judge(campaign, "lead", role="lead").key
    append_event(campaign, judge=lead, pair=draw.choice(pairs), action="adjudicate", grade=2)


@pytest.mark.parametrize("seed", SEEDS)
def test_counts_are_those_of_whole_scorings_and_of_the_review_queue(campaign, files, seed):
    (files / "gamma.run").write_text(GAMMA)
    load_run(campaign, files / "gamma.run")
    disagree_at_random(campaign, seed)
    compared = first_grades(campaign)
    assert found(campaign) == by_whole_scorings(campaign)
    queue = cases(campaign)
    open_now = queue.disputed & (queue.settled == NOT_DECIDED)
    assert found(campaign).open == int(open_now.sum())
    alone = agree(
        grades_by_judge(campaign), campaign.settings.scale.grades, seed=campaign.settings.seed
    )
    now = agreement_on(compared, campaign.settings)
    assert (now.alpha, now.shared) == (alone.alpha["ordinal"], alone.pairs_shared)


def test_what_is_settled_counts_wherever_the_judges_were(campaign):
    ann, bob = add_judge(campaign, "ann").key, add_judge(campaign, "bob").key
    lead = add_judge(campaign, "lead", role="lead").key
    *graded, alone = [pair for (pair,) in campaign.rows("SELECT id FROM pool ORDER BY id")]
    for place, pair in enumerate(graded):
        append_event(campaign, judge=ann, pair=pair, action="grade", grade=place % 4)
        append_event(campaign, judge=bob, pair=pair, action="grade", grade=place % 3)
    for pair, grade in ((alone, 3), (graded[3], 1)):
        append_event(campaign, judge=lead, pair=pair, action="adjudicate", grade=grade)
    queue = cases(campaign)
    assert alone not in queue.pairs
    found = disputed_pairs(campaign, queue.judgments, SWAPS_BY)
    assert found.pairs.tolist() == queue.pairs[queue.disputed].tolist()
    assert graded[3] in found.pairs
    assert found.judged is not None
    now = runs_now(campaign).judged
    assert found.judged.grade_counts.tolist() == now.grade_counts.tolist()
    assert found.judged.means(SWAPS_BY).tolist() == now.means(SWAPS_BY).tolist()


def test_without_two_systems_there_is_no_order(campaign):
    disagree_at_random(campaign, 1)
    assert found(campaign).swapping is not None
    with campaign.writing():
        campaign.execute("DELETE FROM results WHERE run = 1")
        campaign.execute("DELETE FROM runs WHERE id = 1")
    assert found(campaign).open
    assert found(campaign).swapping is None


def test_a_grade_off_the_scale_is_refused_in_words(campaign):
    ann = add_judge(campaign, "ann").key
    append_event(campaign, judge=ann, pair=1, action="grade", grade=7)
    with pytest.raises(UsageError, match="grade 7 of judge 'ann' is not on the scale"):
        first_grades(campaign)
