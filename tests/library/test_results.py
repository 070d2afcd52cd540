"""What `score` and `compare` give back, read as a mapping and as a sequence."""

from __future__ import annotations

import ir_measures
import pytest

import judge_tui
from judge_tui.errors import UsageError

QRELS = {"q1": {"a": 2, "b": 1}, "q2": {"a": 1}}
OLD = {"q1": {"b": 2.0, "a": 1.0}, "q2": {"x": 2.0, "a": 1.0}}
NEW = {"q1": {"a": 2.0, "b": 1.0}}
RUNS = {"old": OLD, "new": NEW}


def test_scores_are_a_mapping_of_runs_by_tag():
    scores = judge_tui.score(QRELS, RUNS, "RR")
    assert list(scores) == list(scores.keys()) == ["old", "new"]
    assert len(scores) == 2
    assert "old" in scores
    assert "q1" not in scores
    assert list(scores.values()) == list(scores.runs)
    assert {tag: run.mean("RR") for tag, run in scores.items()} == {"old": 0.75, "new": 1.0}
    assert scores.get("older") is None
    assert scores == judge_tui.score(QRELS, RUNS, "RR")


@pytest.mark.parametrize("kind", [UsageError, KeyError])
def test_a_tag_that_no_run_has(kind):
    scores = judge_tui.score(QRELS, RUNS, "RR")
    with pytest.raises(kind) as error:
        _ = scores["odl"]
    assert str(error.value) == "no run 'odl'; did you mean 'old'?"


def test_means_are_had_by_every_name_of_a_measure():
    run = judge_tui.score(QRELS, RUNS, "RR", rel=2)["old"]
    named = ("RR(rel=2)", "MRR( rel = 2 )", judge_tui.parse_measure("RR", rel=2))
    # q1 has its grade of 2 at rank 2, q2 has none.
    assert [run.mean(name) for name in (*named, ir_measures.RR(rel=2))] == [0.25] * 4


def test_a_run_that_answers_no_query_of_a_slice_has_no_mean_there():
    scores = judge_tui.score(QRELS, RUNS, "RR", slices={"q1": "easy", "q2": "hard"})
    hard = scores.slices.slices[1]
    assert (hard.name, [run.query_ids for run in hard.runs]) == ("hard", [("q2",), ()])
    with pytest.raises(UsageError, match="run 'new' answers none of these queries and has no mean"):
        hard.runs[1].mean("RR")


MEASURES = [
    ir_measures.nDCG @ 10,
    ir_measures.AP(rel=2),
    ir_measures.RR,
    ir_measures.IPrec @ 0.1,
    ir_measures.SetP(relative=True),
]


def test_measures_of_ir_measures_are_read_by_their_names():
    expected = judge_tui.score(QRELS, OLD, list(map(str, MEASURES)))
    assert judge_tui.score(QRELS, OLD, MEASURES) == expected
    assert judge_tui.score(QRELS, OLD, iter([*MEASURES, "RR", "AP(rel=2)"])) == expected
    assert judge_tui.score(QRELS, OLD, MEASURES[0]) == judge_tui.score(QRELS, OLD, "nDCG@10")
    with_exponents = judge_tui.parse_measure(ir_measures.nDCG(dcg="exp-log2") @ 5)
    assert with_exponents == judge_tui.parse_measure("nDCG(dcg='exp-log2')@5")
    # ir_measures itself is the oracle of the values.
    values = ir_measures.calc_aggregate(MEASURES, QRELS, OLD)
    for measure in MEASURES:
        assert expected["run"].mean(measure) == pytest.approx(values[measure])
    compared = judge_tui.compare(QRELS, [OLD, NEW], ir_measures.RR)
    assert [one.measure for one in compared] == ["RR"]
    with pytest.raises(UsageError, match="no measure 'alpha_nDCG'"):
        judge_tui.score(QRELS, OLD, [ir_measures.alpha_nDCG @ 10])


def test_comparisons_are_iterated_over_counted_and_indexed():
    result = judge_tui.compare(QRELS, RUNS, ["RR", "P@1"])
    assert list(result) == list(result.comparisons)
    assert (len(result), result[0], result[-1]) == (2, *result.comparisons)
