"""The order of systems by each judge: by hand, and against scoring and comparing files."""

from __future__ import annotations

import json
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import kendalltau

from judge_tui.analysis.judge_orders import system_orders
from judge_tui.analysis.judged_runs import NO_DOCUMENT, JudgedRuns, RankedLists
from judge_tui.comparison.compare import compare_scores, measures_needed
from judge_tui.comparison.family import Settings
from judge_tui.errors import UsageError
from judge_tui.model import Run
from judge_tui.scoring import UNJUDGED, parse_measure
from tests.scored import score_runs


def orders(lists, judged, measure, *, final=None, baseline=None):
    """`lists`: tag -> query -> documents; `judged`: judge -> (query, document) -> grade."""
    queries = 1 + max(query for run in lists.values() for query in run)
    depth = max(len(one) for run in lists.values() for one in run.values())
    documents = np.full((len(lists), queries, depth), NO_DOCUMENT, dtype=np.int64)
    for place, run in enumerate(lists.values()):
        for query, one in run.items():
            documents[place, query, : len(one)] = one
    final = final or {}
    pairs = sorted({pair for grades in (*judged.values(), final) for pair in grades})

    def beside_pairs(grades):
        return np.array([grades.get(pair, UNJUDGED) for pair in pairs], dtype=np.int64)

    of_query, of_document = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    ranked = RankedLists(tuple(lists), tuple(f"q{n}" for n in range(queries)), documents)
    return system_orders(
        JudgedRuns(ranked, of_query, of_document, beside_pairs(final), greatest=3),
        {judge: beside_pairs(grades) for judge, grades in judged.items()},
        parse_measure(measure),
        baseline=baseline,
    )


LISTS = {"x": {0: [0, 1]}, "y": {0: [1, 0]}, "z": {0: [2]}}


def test_by_hand():
    ann = {(0, 0): 1, (0, 1): 0, (0, 2): 0, (0, 7): 3}
    bob = {(0, 0): 0, (0, 1): 1, (0, 2): 0}
    found = orders(LISTS, {"ann": ann, "bob": bob}, "RR@10", final=ann)
    (two,) = found.between
    # The pair that only ann graded is not among those that are compared.
    assert (two.judges, two.pairs, two.queries) == (("ann", "bob"), 3, 1)
    # ann: x 1, y 1/2, z 0; bob: x 1/2, y 1, z 0. One of three pairs swaps: (2 - 1) / 3.
    assert two.swaps == (("x", "y"),)
    assert two.tau == pytest.approx(1 / 3)
    # Both ways: the second has nothing right above it, the third both: 2/2 * (0 + 1) - 1.
    assert two.tau_ap == pytest.approx(0)
    # One query is too few for any verdict, by whichever judge.
    assert two.verdicts_changed == ()
    assert found.baseline == "x"
    assert found.winner == ("x",)
    # With bob's grades where bob gave any, ann's else.
    assert [(one.judge, one.tags, one.changed) for one in found.winners] == [
        ("ann", ("x",), False),
        ("bob", ("y",), True),
    ]
    document = found.to_dict()
    assert json.loads(json.dumps(document)) == document
    assert document["between"][0]["swaps"] == [["x", "y"]]


EQUAL = "by the grades of one of the two all systems are equal"


@pytest.mark.parametrize(
    ("lists", "ann", "bob", "pairs", "why"),
    [
        (LISTS, {(0, 0): 1}, {(0, 1): 1}, 0, "no pair was graded by both"),
        (LISTS, {(0, 0): 0}, {(0, 0): 1}, 1, EQUAL),
        (LISTS, {(0, 0): 0}, {(0, 0): 0}, 1, EQUAL),
        (
            {"x": {0: [0]}, "y": {0: [1], 1: [5]}},
            {(1, 5): 1},
            {(1, 5): 0},
            1,
            "fewer than two systems answer the queries of the pairs that both graded",
        ),
    ],
)
def test_what_is_undefined_is_none_with_its_reason(lists, ann, bob, pairs, why):
    (two,) = orders(lists, {"ann": ann, "bob": bob}, "RR@10").between
    assert (two.pairs, two.tau, two.tau_ap, two.swaps, two.why) == (pairs, None, None, (), why)
    assert two.to_dict()["why"] == {"tau": why, "tau_ap": why}


def test_an_order_needs_two_systems_and_two_judges():
    one_run = orders({"x": {0: [0]}}, {"ann": {(0, 0): 1}, "bob": {(0, 0): 1}}, "RR@10")
    assert one_run.why == "an order needs two systems; there is one run only"
    one_judge = orders(LISTS, {"ann": {(0, 0): 1}}, "RR@10")
    assert one_judge.between == ()
    assert one_judge.why == "an order by each of two judges needs two judges"
    assert [one.tags for one in one_judge.winners] == [("x",)]


def test_equal_winners_and_no_final_grades():
    found = orders(LISTS, {"ann": {(0, 0): 1, (0, 2): 1}, "bob": {(0, 9): 0}}, "RR@10")
    assert found.winner == ()
    assert [(one.tags, one.changed) for one in found.winners] == [
        (("x", "z"), False),
        (("x", "y", "z"), False),
    ]


def test_a_baseline_that_is_none():
    with pytest.raises(UsageError, match="no run 'q'"):
        orders(LISTS, {"ann": {(0, 0): 1}}, "RR@10", baseline="q")


def random_campaign(seed):
    draw = np.random.default_rng(seed)
    lists = {
        tag: {
            query: draw.permutation(12)[: draw.integers(1, 9)].tolist()
            for query in range(40)
            if tag != "c" or query % 3
        }
        for tag in "abcd"
    }
    # Grades that prefer low documents, as run a does, so that there is something to be shown.
    for query in lists["a"]:
        lists["a"][query].sort()
    judged = {
        judge: {
            (query, document): int(min(3, max(0, draw.normal(3 - document / lean, 1))))
            for query in range(40)
            for document in range(12)
            if draw.random() < 0.7
        }
        for judge, lean in (("ann", 4), ("bob", 9), ("cyd", 2))
    }
    return lists, judged


@pytest.mark.parametrize("name", ["nDCG@5", "AP", "ERR@5", "GMAP", "P(rel=2)@3", "infAP"])
@pytest.mark.parametrize("baseline", [None, "d"])
def test_as_the_files_would_be_scored_and_compared(name, baseline):
    lists, judged = random_campaign(3)
    measure = parse_measure(name)
    found = orders(lists, judged, name, baseline=baseline)
    changes = 0
    for two, names in zip(found.between, combinations(judged, 2), strict=True):
        assert two.judges == names
        shared = judged[names[0]].keys() & judged[names[1]].keys()
        assert two.pairs == len(shared)
        assert two.queries == len({query for query, _ in shared})
        means, verdicts = [], []
        for judge in names:
            qrels = {}
            for query, document in shared:
                grade = judged[judge][query, document]
                qrels.setdefault(f"q{query:02}", {})[f"d{document:02}"] = grade
            runs = [
                Run(
                    tag,
                    {
                        f"q{query:02}": {f"d{doc:02}": -float(at) for at, doc in enumerate(one)}
                        for query, one in run.items()
                    },
                )
                for tag, run in lists.items()
            ]
            scores = score_runs(qrels, runs, measures_needed([measure]))
            # In steps of 1e-9: two means that are one number to a reader may differ as floats.
            means.append([round(scores[tag].mean(measure), 9) for tag in lists])
            compared = compare_scores(
                scores.only([measure]), Settings(baseline=baseline, tests=("wilcoxon",))
            )
            verdicts.append({one.tag: one.verdict for one in compared})
        assert two.tau == pytest.approx(kendalltau(*means).statistic, abs=1e-12)
        assert two.swaps == tuple(
            (one, other)
            for (p, one), (q, other) in combinations(enumerate(lists), 2)
            if (means[0][p] - means[0][q]) * (means[1][p] - means[1][q]) < 0
        )
        changed = {one.tag: one.verdicts for one in two.verdicts_changed}
        assert changed == {
            tag: (verdicts[0][tag], verdicts[1][tag])
            for tag in verdicts[0]
            if verdicts[0][tag] is not verdicts[1][tag]
        }
        changes += len(changed)
    # The case would show nothing if no verdict ever changed.
    assert changes or name not in ("nDCG@5", "AP")


def test_judges_are_called_otherwise_in_all_that_is_told():
    judged = {"anneliese": {(0, 0): 1, (0, 1): 0}, "bertram": {(0, 0): 0, (0, 1): 0}}
    found = orders({name: LISTS[name] for name in "xy"}, judged, "RR@10")
    told = found.called({"anneliese": "B", "bertram": "A"})
    (two,) = told.between
    assert (two.judges, two.why) == (("B", "A"), EQUAL)
    assert [(one.judge, one.tags) for one in told.winners] == [("B", ("x",)), ("A", ("x", "y"))]
    assert not any(name in repr(told) for name in judged)
    assert told.called({"A": "bertram", "B": "anneliese"}) == found
