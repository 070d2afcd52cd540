"""Runs scored: which queries count, and the results as rows, as JSON and slice by slice."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.errors import UsageError
from judge_tui.model import Run
from judge_tui.scoring import parse_measures
from judge_tui.scoring.slices import slice_scores
from tests.scored import score_run, score_runs

QRELS = {"q1": {"a": 1}, "q2": {"b": 1}, "q10": {"c": 1}}


def test_queries_in_both_count_and_the_others_are_named():
    scores = score_run(
        QRELS, Run("r", {"q2": {"b": 1.0}, "q1": {"x": 1.0}, "q7": {"a": 1.0}}), "RR"
    )
    assert scores.query_ids == ("q1", "q2")
    assert scores.values == {"RR": (0.0, 1.0)}
    assert scores.missing_run == ("q10",)
    assert scores.missing_qrels == ("q7",)
    assert scores.mean("MRR") == 0.5


def test_a_query_without_results_or_judgments_is_missing():
    scores = score_run(
        {"q1": {}, "q2": {"b": 1}}, Run("r", {"q1": {"a": 1.0}, "q2": {"b": 1.0}, "q3": {}}), "RR"
    )
    assert scores.query_ids == ("q2",)
    assert (scores.missing_run, scores.missing_qrels) == ((), ("q1",))


@pytest.mark.parametrize("complete", [False, True])
def test_nothing_in_common_is_refused_with_an_id_of_each_side(complete):
    with pytest.raises(UsageError) as error:
        score_run(QRELS, Run("bm25", {"301": {"a": 1.0}}), ["RR"], complete=complete)
    assert str(error.value) == (
        "run 'bm25' and the qrels have no query in common: the run has '301', the qrels have 'q1'; "
        "use the same query ids in both files"
    )


def test_empty_qrels_and_empty_runs_are_said_to_be_empty():
    with pytest.raises(UsageError, match="the qrels hold no judgment"):
        score_run({}, Run("r", {"q": {"a": 1.0}}), "RR")
    with pytest.raises(UsageError, match="run 'r' holds no result"):
        score_run(QRELS, Run("r", {}), "RR")


def test_the_order_of_files_and_queries_does_not_change_the_last_digit():
    values = {f"q{i}": {f"d{j}": 1.0 / (j + 1) for j in range(i % 7 + 1)} for i in range(30)}
    qrels = {q: {f"d{i % 7}": 1} for i, q in enumerate(values)}
    forward = score_run(qrels, Run("r", values), ["nDCG"])
    backward = score_run(
        dict(reversed(qrels.items())), Run("r", dict(reversed(values.items()))), ["nDCG"]
    )
    assert forward == backward


def test_means_are_sums_from_left_to_right_as_trec_eval_adds():
    # math.fsum, and sum from Python 3.12 on, make ten tenths a whole 1.
    names = [f"q{i}" for i in range(10)]
    run = Run("r", {name: {f"d{at}": -float(at) for at in range(10)} for name in names})
    scores = score_run({name: {"d9": 1} for name in names}, run, "RR")
    assert scores.values["RR"] == (0.1,) * 10
    assert scores.mean("RR") == 0.09999999999999999


def test_runs_that_share_a_tag_are_refused():
    run = Run("r", {"q1": {"a": 1.0}})
    with pytest.raises(UsageError, match="run 'r' and run 'r' have the same tag 'r'"):
        score_runs(QRELS, [run, run], ["RR"])


def test_the_result_as_json_has_it():
    runs = [Run("b", {"q1": {"a": 1.0}, "zz": {"a": 1.0}}), Run("a", {"q2": {"x": 1.0, "b": 0.5}})]
    document = score_runs(QRELS, runs, ["RR", "P@1"]).to_dict(per_query=True)
    assert list(document) == ["schema_version", "measures", "settings", "runs", "warnings"]
    assert document["schema_version"] == 1
    assert document["measures"] == ["RR", "P@1"]
    assert document["settings"] == {"complete": False, "judged_only": False, "depth": None}
    assert document["runs"] == [
        {
            "tag": "b",
            "queries": 1,
            "missing": {"run": 2, "qrels": 1},
            "mean": {"RR": 1.0, "P@1": 1.0},
            "per_query": {"q1": {"RR": 1.0, "P@1": 1.0}},
        },
        {
            "tag": "a",
            "queries": 1,
            "missing": {"run": 2, "qrels": 0},
            "mean": {"RR": 0.5, "P@1": 0.0},
            "per_query": {"q2": {"RR": 0.5, "P@1": 0.0}},
        },
    ]
    assert "per_query" not in score_runs(QRELS, runs, ["RR"]).to_dict()["runs"][0]


@given(
    st.dictionaries(st.sampled_from("abcdefgh"), st.integers(0, 2), min_size=1),
    st.dictionaries(st.sampled_from("abcdefgh"), st.sampled_from(["x", "y", ""])),
    st.booleans(),
)
def test_a_slice_is_what_its_queries_alone_would_score(ranks, of_query, complete):
    qrels = {q: {"r": 1, "n": 0} for q in "abcdef"}
    lists = [{"r": 2.0, "n": 1.0}, {"n": 2.0, "r": 1.0}, {"n": 1.0}]
    run = Run("s", {q: lists[rank] for q, rank in ranks.items()})
    if not set(qrels) & set(run.scores):
        return
    measures = parse_measures(["RR", "nDCG@1", "NumRet", "GMAP"])
    scores = score_runs(qrels, [run], measures, complete=complete)
    for one in slice_scores(scores, "class", of_query).slices:
        inside = {q: g for q, g in qrels.items() if of_query.get(q, "") == one.name}
        answered = {q: s for q, s in run.scores.items() if of_query.get(q, "") == one.name}
        (part,) = one.runs
        if not set(inside) & set(answered):
            assert complete or not part.query_ids
            continue
        alone = score_run(inside, Run("s", answered), measures, complete=complete)
        assert part == alone
