"""What a model makes more exact, by hand and where it is refused."""

from __future__ import annotations

import numpy as np
import pytest

from judge_tui.analysis.filled_runs import ModelGrades
from judge_tui.analysis.judged_runs import JudgedRuns, RankedLists
from judge_tui.analysis.with_model import judged_alike, model_estimates, runs_by_model
from judge_tui.comparison.prediction_powered import prediction_powered
from judge_tui.errors import UsageError
from judge_tui.scoring import parse_measure
from tests.analysis.small import judged_runs_of

P, GEOMETRIC = parse_measure("P@2"), parse_measure("GMAP")
# People judged q0 to q7; y has no list for q1, and the model did not judge q2.
QUERIES = [f"q{number}" for number in range(12)]
LISTS = {"x": dict.fromkeys(QUERIES, "ab"), "y": {q: "ca" for q in QUERIES if q != "q1"}}
PEOPLE = ["a1 b1 c0", "a1 b0 c0", "a1 b1 c1", "a0 b1 c1", "a0 b0 c1", "a0 b0 c0", "a1 b1 c0"]
PEOPLE += ["a0 b0 c0"]
MODEL = ["110", "110", "---", "011", "001", "000", "111", "100", "111", "001", "010", "000"]


def campaign(people=PEOPLE, model=MODEL):
    grades = dict(zip(QUERIES, [*people, *["a-1 b-1 c-1"] * 12][:12], strict=True))
    judged = judged_runs_of(LISTS, grades)
    table = [-1 if one == "-" else int(one) for one in "".join(model)]
    return judged, ModelGrades("m", np.array(table), (0, 1))


def both(judged, grades):
    return judged, runs_by_model(judged, grades, [P])


def values(model, documents, queries):
    """P@2 by the grades of the model of these documents, a to c."""
    return np.array([sum(int(model[q]["abc".index(d)]) for d in documents) / 2 for q in queries])


def test_means_and_differences_are_those_of_what_both_judged():
    found = {(one.tag, one.of): one for one in model_estimates(*both(*campaign()), [P], "x")}
    assert found.keys() == {("x", "mean"), ("y", "mean"), ("y", "delta")}
    assert any(one.powered for one in found.values())
    known = [text[1::3] for text in PEOPLE]
    for (tag, of), queries in (
        (("x", "mean"), [0, 1, 3, 4, 5, 6, 7]),
        (("y", "mean"), [0, 3, 4, 5, 6, 7]),
        (("y", "delta"), [0, 3, 4, 5, 6, 7]),
    ):

        def worth(model, which, tag=tag, of=of):
            its = values(model, {"x": "ab", "y": "ca"}[tag], which)
            return its if of == "mean" else its - values(model, "ab", which)

        people = worth(known, queries)
        expected = prediction_powered(people, worth(MODEL, queries), worth(MODEL, range(8, 12)))
        one = found[tag, of]
        assert one.people == pytest.approx(people.mean())
        assert (one.why or one.powered) == expected


@pytest.mark.parametrize("depth", ["P@2", "AP"])
def test_a_query_of_which_people_judged_a_sample_is_none_of_theirs(depth):
    """Of q8 to q11, which count as 0 else, one of three documents is in a sample."""
    measure, sampled = parse_measure(depth), [*PEOPLE, *["a-1 b0 c-1"] * 4]
    whole, part = (both(*campaign(people)) for people in (PEOPLE, sampled))
    assert part[0].graded_queries.sum() == len(QUERIES)
    # The model did not judge q2.
    assert judged_alike(*part, measure).sum() == len(PEOPLE) - 1
    assert model_estimates(*part, [measure], "x") == model_estimates(*whole, [measure], "x")


def test_a_mean_that_is_not_arithmetic_has_none():
    [one] = model_estimates(*both(*campaign()), [GEOMETRIC], "x", ["x"])
    assert one.powered is None
    assert one.why


@pytest.mark.parametrize(
    ("people", "model"),
    [
        (PEOPLE[:5], MODEL),
        ([*PEOPLE[:5], *["a-1 b0 c-1"] * 7], MODEL),
        (PEOPLE, [*MODEL[:8], *["---"] * 4]),
    ],
)
def test_too_few_data_are_refused(people, model):
    with pytest.raises(UsageError):
        runs_by_model(*campaign(people, model), [P])


def generated(seed, people=15, queries=75, depth=5):
    """A campaign of two runs without a document in common, and a lenient model that judged all
    queries; the true mean of P@5 is 0.5 for x and 0.3 for y."""
    draw = np.random.default_rng(seed)
    easy = draw.random((queries, 1))
    chances = np.hstack([np.repeat(easy, depth, axis=1), np.repeat(0.6 * easy, depth, axis=1)])
    relevant = draw.random(chances.shape) < chances
    model = np.where(draw.random(chances.shape) < 0.2, 1, relevant).astype(np.int64)
    numbers = np.arange(2 * queries * depth).reshape(queries, 2 * depth)
    lists = RankedLists(
        ("x", "y"),
        tuple(f"q{number:02}" for number in range(queries)),
        np.stack([numbers[:, :depth], numbers[:, depth:]]),
    )
    query = np.repeat(np.arange(queries), 2 * depth)
    grades = np.where(query < people, relevant.reshape(-1).astype(np.int64), -1)
    judged = JudgedRuns(lists, query, numbers.reshape(-1), grades, 1)
    return judged, ModelGrades("m", model.reshape(-1), (0, 1))


def test_intervals_of_campaigns_hold_the_truth():
    truths = {("x", "mean"): 0.5, ("y", "mean"): 0.3, ("y", "delta"): -0.2}
    held, worth = {which: [] for which in truths}, []
    measure = parse_measure("P@5")
    for seed in range(1_000):
        for one in model_estimates(*both(*generated(seed)), [measure], "x"):
            if one.powered is not None:
                low, high = one.powered.ci95
                held[one.tag, one.of].append(low <= truths[one.tag, one.of] <= high)
                worth.append(one.powered.worth)
    assert all(0.93 <= np.mean(its) <= 0.97 for its in held.values())
    assert np.median(worth) > 1.5 * 15
