"""What a reader must know, kind by kind."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binomtest

from judge_tui import compare
from judge_tui.agreement.alt_test import alt_test
from judge_tui.agreement.ratings import ratings_of
from judge_tui.agreement.study import agree, study
from judge_tui.analysis.basis import Basis, GradesUsed, Question
from judge_tui.analysis.leaderboard import verdicts
from judge_tui.analysis.model_judge import ModelStudy, NextPairs
from judge_tui.analysis.model_order import ModelOrder
from judge_tui.analysis.model_probes import CLAIM, probe_results
from judge_tui.analysis.warnings import (
    warn_of_agreement,
    warn_of_comparisons,
    warn_of_model,
    warn_of_query,
    warn_of_results,
    warn_of_scores,
)
from judge_tui.comparison.compare import compare_scores, measures_needed
from judge_tui.comparison.comparison import UnbiasedDifference
from judge_tui.comparison.settings import ComparisonSettings
from judge_tui.model import Run
from judge_tui.scoring import parse_measures
from tests.analysis.small import judged_runs_of
from tests.scored import score_runs

QUERIES = [f"q{place:02}" for place in range(40)]
QRELS = {query: {"right": 1} for query in QUERIES}


def run(tag, queries, rank=1):
    return Run(tag, {q: {"x": 9.0, "right": 10.0 if rank == 1 else 1.0} for q in queries})


def kinds(warnings):
    """What tells each warning from the others."""
    told = {"queries in common": "few", "means are over": "few"}
    told |= {"Judged@": "unjudged", "differences and verdicts": "unlike"}
    return [kind for one in warnings for begin, kind in told.items() if one.startswith(begin)]


def test_scores_say_which_queries_are_missing_or_not_judged():
    scores = score_runs(QRELS, [run("a", QUERIES), run("b", [*QUERIES[4:], "other"])], ["RR"])
    assert list(warn_of_scores(scores)) == [
        "queries of the qrels without results are left out of a run's means (--complete"
        " counts them as 0): b 4",
        "queries of a run that are not in the qrels are left out: b 1",
    ]
    complete = score_runs(QRELS, [run("a", QUERIES[4:])], ["RR"], complete=True)
    assert list(warn_of_scores(complete)) == [
        "queries of the qrels without results count as 0: a 4"
    ]


@pytest.mark.parametrize(("judged", "warned"), [(8, False), (7, True)])
def test_of_few_judged_results_a_warning_says_so(judged, warned):
    qrels = {"q": {f"d{place}": 1 for place in range(judged)}}
    runs = [Run("r", {"q": {f"d{place}": -float(place) for place in range(10)}})]
    measures = ["nDCG@10", "Judged@10"]
    found = warn_of_scores(score_runs(qrels, runs, measures))
    assert kinds(found) == ["unjudged"] * warned
    condensed = warn_of_scores(score_runs(qrels, runs, measures, judged_only=True))
    assert ["is taken out of the lists" in one for one in condensed] == [True] * warned


@pytest.mark.parametrize(("count", "warned"), [(40, []), (30, []), (29, ["few"]), (5, ["few"])])
def test_few_paired_queries_are_warned_of(count, warned):
    scores = score_runs(
        {q: QRELS[q] for q in QUERIES[:count]},
        [run("old", QUERIES[:count], 2), run("new", QUERIES[:count])],
        measures_needed(parse_measures(["RR"])),
    )
    found = warn_of_comparisons(
        compare_scores(scores.only(parse_measures(["RR"])), ComparisonSettings())
    )
    assert kinds(found) == warned


@pytest.mark.parametrize(("ends", "warned"), [((-1.0, -0.1), False), ((-0.4, 0.2), True)])
def test_a_difference_that_the_sample_contradicts_is_warned_of(ends, warned):
    scores = score_runs(QRELS, [run("a", QUERIES), run("b", QUERIES, rank=2)], ["RR"])
    (one,) = found = compare_scores(scores, ComparisonSettings())
    its = UnbiasedDifference(sum(ends) / 2, ends, 40, 80)
    assert one.delta == -0.5
    bent = replace(found, comparisons=(replace(one, unbiased=its),), any_unbiased=True)
    lines = [line for line in warn_of_comparisons(bent) if "random sample" in line]
    assert len(lines) == warned
    for line in lines:
        assert line.endswith(": b -0.500 by RR, by the sample -0.100 (-0.400 to +0.200)")


def test_means_of_another_kind_are_unlike_measures():
    # 34 queries win a little, 6 lose everything.
    old = Run("old", {q: _ranked(1 if at < 6 else 5) for at, q in enumerate(QUERIES)})
    new = Run("new", {q: _ranked(9 if at < 6 else 4) for at, q in enumerate(QUERIES)})
    found = warn_of_comparisons(compare(QRELS, [old, new], ["RR", "GMAP"]))
    assert kinds(found) == ["unjudged", "unlike"]


def _ranked(rank):
    return {"right": 0.5, **{f"x{place}": 1.0 for place in range(rank - 1)}}


def basis_of(unresolved=0, models_alone=0, of_people=(0, 0)):
    return Basis(
        question=Question(k=10),
        campaign="small",
        seed=1,
        measures=parse_measures(["RR"]),
        shares=(),
        baseline="x",
        scale=(0, 1, 2, 3),
        grades=GradesUsed(
            "majority", 3, unresolved, 0, bool(models_alone), models_alone, *of_people
        ),
    )


def test_results_of_a_campaign():
    judged = judged_runs_of(
        {"x": {"q1": "ab"}, "y": {"q1": "bz", "q2": "c", "q4": "z"}},
        {"q1": "a1 b0", "q2": "c2", "q3": "d1"},
        {"x": ["q1", "q2", "q3", "q4"]},
    )
    basis = basis_of(unresolved=2, models_alone=2, of_people=(1, 4))
    assert list(warn_of_results(judged, basis)) == [
        "means are over 2 queries: with fewer than 30, other queries may give another picture",
        "queries of the campaign's grades without results are left out of a run's means (score"
        " --complete counts them as 0): y 1",
        "queries of the campaign's grades without results count as 0: x 2",
        "queries of a run that are not in the campaign's grades are left out: x 1, y 1",
        "Judged@10 is below 80 %: x 33 %, y 75 %; so little is judged of 3 of 3 queries; what"
        " nobody judged counts as not relevant",
        "2 of 3 final grades rest on models alone",
        "models changed 1 final grade of people, and left 4 of theirs unresolved",
        "unresolved pairs, judged but not decided by policy majority, count as unjudged: 2",
    ]
    of_one = warn_of_results(judged, basis_of(), ["x"], among={"q1"})
    assert kinds(of_one) == ["few"]
    assert kinds(warn_of_query(judged, basis_of(), "q1", ["x", "y"])) == ["unjudged"]
    compared = verdicts(judged, parse_measures(["RR"]), "x").comparisons
    assert "y and x 2" in warn_of_results(judged, basis_of(), comparisons=compared)[0]


@pytest.mark.parametrize(
    ("pairs", "named"),
    [(0, "all judges 0, a and b 0"), (29, "all judges 29, a and b 29"), (30, "")],
)
def test_few_pairs_of_two_judges_are_warned_of(pairs, named):
    graded = {name: {pair: pair % 4 for pair in range(pairs)} for name in "ab"}
    graded["a"][99] = 1
    found = study(ratings_of(graded, range(4)), resamples=20)
    assert found.agreement == agree(graded, range(4), resamples=20)
    assert [one.partition(": ")[2] for one in warn_of_agreement(found)] == (
        [named] if named else []
    )


def a_model(**changes):
    """A model of which nothing is warned but for these changes."""
    fields = {"judge": "m", "policy": "majority", "shared": 20, "undecided": 0}
    fields |= dict.fromkeys(("beside", "two_people", "slices", "next"), ())
    alone = alt_test(np.zeros(20, dtype=np.int8), {}, (0, 1, 2))
    return ModelStudy(**fields | {"alt_test": alone, "order": ModelOrder("nDCG@10")} | changes)


def test_a_model_is_warned_of_where_answers_are_no_grade():
    assert warn_of_model(a_model()) == ()
    [warning] = warn_of_model(a_model(failed={"no final score": 3, "empty": 1}))
    assert warning.startswith("4 answers are no grade (no final score 3, empty 1)")


@pytest.mark.parametrize(("people", "is_warned"), [(2, True), (3, False)])
def test_a_model_is_warned_of_beside_few_people(people, is_warned):
    model, *others = np.random.default_rng(1).integers(0, 3, (people + 1, 120)).astype(np.int8)
    found = alt_test(model, dict(zip("abc", others, strict=False)), (0, 1, 2))
    assert len(warn_of_model(a_model(alt_test=found))) == is_warned


@pytest.mark.parametrize(
    ("judged", "is_warned"),
    [((15, 30), False), ((14, 30), True), ((0, 30), True), ((0, 0), False), ((60, 60), False)],
)
def test_a_model_is_warned_of_where_people_judged_one_grade_twice_as_often(judged, is_warned):
    grades = [NextPairs(grade, done, 60 - done, 0) for grade, done in enumerate(judged)]
    found = warn_of_model(a_model(next=(*grades, NextPairs(2, 29, 0, 0))))
    assert len(found) == is_warned
    if judged[0] == 14:
        assert found[0].startswith("people judged 23 % of what m grades 0, and 50 % of what it")


@pytest.mark.parametrize(
    ("fooled", "is_warned"),
    # By SciPy, Wilson's interval of 4 of 20 begins at .081, and that of 5 at .112.
    [(0, False), (4, False), (5, True), (20, True)],
)
def test_a_model_that_is_surely_fooled_is_warned_of(fooled, is_warned):
    low = binomtest(fooled, 20).proportion_ci(method="wilson").low
    assert (low > 0.1) == is_warned
    grades = [(0, 2)] * fooled + [(0, 0)] * (20 - fooled)
    found = warn_of_model(a_model(probes=probe_results({CLAIM: grades})))
    assert len(found) == is_warned
    assert all("m for" in one and "20 documents" in one for one in found)
