"""The leaderboard: means as `score` has them, intervals, verdicts as `compare` has them, and what
unjudged documents leave open."""

from __future__ import annotations

import numpy as np
import pytest

from judge_tui.analysis.leaderboard import intervals, mean_bounds, rank_runs, verdicts
from judge_tui.comparison.compare import compare_scores, measures_needed
from judge_tui.comparison.resampling import bootstrap_intervals
from judge_tui.comparison.settings import ComparisonSettings
from judge_tui.errors import UsageError
from judge_tui.scoring import parse_measure, parse_measures
from judge_tui.scoring.bounds import unbounded
from tests.analysis.small import judged_runs_of, qrels_of, runs_of
from tests.scored import score_runs

# a is relevant to both queries; c is judged for q2 alone, and q3 was judged by nobody.
LISTS = {
    "x": {"q1": "ab", "q2": "ca", "q3": "a"},
    "y": {"q1": "ba", "q2": "ac"},
    "z": {"q1": "ad"},
    "none": {"q3": "abc"},
}
GRADES = {"q1": "a2 b0", "q2": "a1 c0"}
RR, JUDGED = parse_measures(["RR@2", "Judged@2"])


def test_by_hand():
    scores = judged_runs_of(LISTS, GRADES).scores([RR, JUDGED])
    x, y, z, none = rank_runs(scores, RR, None).runs
    # x has a first for q1, and second for q2.
    assert x.run.means == {"RR@2": (1 + 1 / 2) / 2, "Judged@2": 1.0}
    assert (x.queries, x.run.missing_run, x.run.missing_qrels) == (2, (), ("q3",))
    assert y.run.means == {"RR@2": (1 / 2 + 1) / 2, "Judged@2": 1.0}
    # z answers one of two judged queries; d was judged by nobody.
    assert z.run.means == {"RR@2": 1.0, "Judged@2": 0.5}
    assert (z.queries, z.run.missing_run, z.run.missing_qrels) == (1, ("q2",), ())
    assert none.run.means == {"RR@2": None, "Judged@2": None}
    assert (none.queries, none.run.missing_run, none.run.missing_qrels) == (
        0,
        ("q1", "q2"),
        ("q3",),
    )
    assert [one.tag for one in rank_runs(scores, RR, RR).runs] == ["z", "x", "y", "none"]


def test_intervals_are_each_runs_own():
    judged = judged_runs_of(LISTS, GRADES)
    found = intervals(judged.scores(parse_measures(["RR@2", "P@2", "GMAP"])), seed=5)
    for name in ("RR@2", "P@2"):
        values = judged.values(parse_measure(name))
        for place, tag in ((0, "x"), (1, "y")):
            own = values[place][~np.isnan(values[place])]
            assert found.of[name][tag] == bootstrap_intervals(np.array([own]), 5)[0]
    assert found.of["RR@2"]["z"] is None
    assert found.why["RR@2"] == {
        "z": "an interval needs at least 2 queries, here 1",
        "none": "the run answers no judged query",
    }
    assert found.why["GMAP"]["x"] == "GMAP is no arithmetic mean over queries"
    assert found.why["P@2"]["x"] == (
        "the value is the same for all 2 queries, and so in every resample"
    )


def test_verdicts_are_those_of_compare():
    draw = np.random.default_rng(8)
    queries = [f"q{n:02}" for n in range(30)]
    lists = {
        tag: {q: "".join(draw.permutation(list("abcdefgh"))) for q in queries} for tag in "xyz"
    }
    # w has the relevant document first nearly always.
    lists["w"] = {q: "a" + "".join(draw.permutation(list("bcdefgh"))) for q in queries}
    grades = dict.fromkeys(queries, "a3 b1")
    judged = judged_runs_of(lists, grades)
    measures = parse_measures(["nDCG@5", "P@1"])
    found = verdicts(judged, [*measures, JUDGED], "y")
    scores = score_runs(qrels_of(grades), runs_of(lists), measures_needed(measures))
    expected = compare_scores(scores.only(measures), ComparisonSettings(baseline="y"))
    assert found.comparisons is not None
    for here, one in zip(found.comparisons, expected, strict=True):
        assert (here.tag, here.measure) == (one.tag, one.measure)
        assert (here.delta, here.ci95, here.verdict) == (one.delta, one.ci95, one.verdict)
        assert here.p_adjusted["wilcoxon"] == one.p_adjusted["wilcoxon"]
        assert here.tests["wilcoxon"] == one.tests["wilcoxon"]
    ranking = rank_runs(judged.scores(measures), measures[1], measures[0], verdicts=found)
    assert (ranking.runs[0].tag, ranking.verdict(ranking.runs[0])) == ("w", "better")


def test_runs_that_cannot_be_compared_say_why():
    judged = judged_runs_of(LISTS, GRADES)
    found = verdicts(judged, [RR], "x")
    ranking = rank_runs(judged.scores([RR]), RR, None, verdicts=found)
    assert [one.common for one in ranking.runs] == [None, None, 1, None]
    assert [ranking.verdict(one) for one in ranking.runs] == [
        "baseline",
        *["too few queries"] * 2,
        None,
    ]
    assert found.why == {"none": "it shares no judged query with the baseline"}
    found = verdicts(judged, [RR], "none")
    assert found.comparisons is None
    assert found.why["x"] == "the baseline 'none' answers no judged query"
    assert verdicts(judged, [JUDGED], "x").comparisons is None
    with pytest.raises(UsageError, match="no run 'w'"):
        verdicts(judged, [RR], "w")


def test_runs_that_are_equal_but_for_the_last_digit_stay_in_their_order():
    # P@10 of 3, 2 and 1 relevant documents of ten, and of 1, 2 and 3: added up from left to right,
    # .3 + .2 + .1 and .1 + .2 + .3 differ in the last digit.
    lists = {
        "a": {"q1": "xyz", "q2": "xy", "q3": "x"},
        "b": {"q1": "x", "q2": "xy", "q3": "xyz"},
    }
    grades = dict.fromkeys(("q1", "q2", "q3"), "x1 y1 z1")
    (measure,) = parse_measures(["P@10"])
    first, second = rank_runs(
        judged_runs_of(lists, grades).scores([measure]), measure, measure
    ).runs
    assert (first.tag, second.tag) == ("a", "b")
    assert first.mean is not None is not second.mean
    assert first.mean < second.mean


def test_measures_without_bounds_say_why():
    judged = judged_runs_of({"r": {"q": "ab"}}, {"q": "a1"})
    names = ["Judged@2", "nDCG@2", "ERR(max_rel=1)@2"]
    found = mean_bounds(judged, parse_measures(names), (0, 1, 2))
    assert list(found.of) == ["nDCG@2"]
    assert found.why["Judged@2"] == unbounded(parse_measure("Judged@2"))
    assert "grade 2, above the greatest" in found.why["ERR(max_rel=1)@2"]
