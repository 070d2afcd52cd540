"""Every value equals trec_eval's, as pytrec-eval-terrier and ir-measures give it.

pytrec-eval-terrier reads scores as 32-bit floats; the scores here are multiples of 1/4, so that
both see the same ties. It writes past its tables where a grade is negative (its process hangs or
dies), so it is given the qrels without those; trec_eval itself (form_res_rels.c) takes a document
with a negative grade for one that nobody judged.
"""

import ir_measures
import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

from judge_tui.model import Run, rank
from judge_tui.scoring import Known, score_run, see

DOC_IDS = [f"d{i}" for i in range(10)] + ["D1", "d-1", "ä", "ｚ", "𝔸", "%20"]
QUERY_IDS = ["1", "10", "2", "q", "é"]

grades = st.dictionaries(st.sampled_from(DOC_IDS), st.integers(-2, 4), min_size=1, max_size=16)
qrels_of_some = st.dictionaries(st.sampled_from(QUERY_IDS), grades, min_size=1)
scores = st.dictionaries(
    st.sampled_from(DOC_IDS),
    st.integers(-6, 6).map(lambda n: n / 4),  # few values: many ties, negative ones too
    min_size=1,
    max_size=16,
)
runs_of_some = st.dictionaries(st.sampled_from(QUERY_IDS), scores, min_size=1)

TREC_EVAL = {
    "nDCG": "ndcg",
    "nDCG@1": "ndcg_cut_1",
    "nDCG@5": "ndcg_cut_5",
    "nDCG@100": "ndcg_cut_100",
    "RR": "recip_rank",
    "P@1": "P_1",
    "P@5": "P_5",
    "P@100": "P_100",
    "R@1": "recall_1",
    "R@5": "recall_5",
    "R@100": "recall_100",
    "AP": "map",
    "AP@3": "map_cut_3",
    "AP@100": "map_cut_100",
    "Success@1": "success_1",
    "Success@5": "success_5",
}
ASKED = {
    "ndcg",
    "ndcg_cut.1,5,100",
    "recip_rank",
    "P.1,5,100",
    "recall.1,5,100",
    "map",
    "map_cut.3,100",
    "success.1,5",
}


def without_negative_grades(qrels):
    return {
        query_id: {d: g for d, g in judged.items() if g >= 0} or {"not retrieved": 0}
        for query_id, judged in qrels.items()
    }


def with_rel(name, rel):
    head, at, cutoff = name.partition("@")
    return name if head == "nDCG" or rel == 1 else f"{head}(rel={rel}){at}{cutoff}"


@settings(max_examples=150, deadline=None)
@given(qrels_of_some, runs_of_some, st.sampled_from([1, 2, 3]), st.booleans())
def test_equal_to_trec_eval(qrels, run, rel, judged_only):
    common = sorted(set(qrels) & set(run))
    if not common:
        return
    oracle = pytrec_eval.RelevanceEvaluator(
        without_negative_grades(qrels),
        ASKED,
        relevance_level=rel,
        judged_docs_only_flag=int(judged_only),
    ).evaluate(run)
    ours = score_run(
        qrels,
        Run("r", run),
        [with_rel(name, rel) for name in TREC_EVAL],
        judged_only=judged_only,
    )
    assert list(ours.query_ids) == common == sorted(oracle)
    for name, theirs in TREC_EVAL.items():
        expected = [oracle[query_id][theirs] for query_id in common]
        assert ours.values[with_rel(name, rel)] == pytest.approx(expected, abs=1e-12), name


@settings(max_examples=60, deadline=None)
@given(qrels_of_some, runs_of_some)
def test_exponential_gain_is_linear_gain_of_transformed_grades(qrels, run):
    if not set(qrels) & set(run):
        return
    transformed = {
        query_id: {d: 2**g - 1 for d, g in judged.items()}
        for query_id, judged in without_negative_grades(qrels).items()
    }
    oracle = pytrec_eval.RelevanceEvaluator(transformed, {"ndcg", "ndcg_cut.5"}).evaluate(run)
    names = {"nDCG(dcg='exp-log2')": "ndcg", "nDCG(dcg='exp-log2')@5": "ndcg_cut_5"}
    ours = score_run(qrels, Run("r", run), names)
    for name, theirs in names.items():
        expected = [oracle[query_id][theirs] for query_id in ours.query_ids]
        assert ours.values[name] == pytest.approx(expected, abs=1e-12)


@settings(max_examples=60, deadline=None)
@given(st.permutations(DOC_IDS), st.dictionaries(st.sampled_from(DOC_IDS), st.integers(0, 3)))
def test_equal_to_ir_measures_where_nothing_is_tied(ranked, judged):
    # Its RR@k and Judged@k break ties by ascending doc_id, unlike all its other measures.
    ranked = ranked[:12]
    judged = judged or {"nothing": 0}
    run = {"q": {doc_id: float(-place) for place, doc_id in enumerate(ranked)}}
    names = ["RR@3", "RR(rel=2)@10", "Judged@3", "Judged@100", "AP(rel=2)@5", "nDCG@10", "R@10"]
    measures = [ir_measures.parse_measure(name) for name in names]
    theirs = ir_measures.calc_aggregate(measures, {"q": judged}, run)
    ours = score_run({"q": judged}, Run("r", run), names)
    for name, measure in zip(names, measures, strict=True):
        assert ours.mean(name) == pytest.approx(theirs[measure], abs=1e-12), name


@settings(max_examples=60, deadline=None)
@given(qrels_of_some, runs_of_some)
def test_complete_averages_over_all_queries_of_the_qrels(qrels, run):
    if not set(qrels) & set(run):
        return
    # ir_measures averages over all queries of the qrels, as trec_eval -c does.
    names = ["nDCG@5", "AP", "P@5", "R@5", "Success@1"]
    measures = [ir_measures.parse_measure(name) for name in names]
    theirs = ir_measures.calc_aggregate(measures, without_negative_grades(qrels), run)
    ours = score_run(qrels, Run("r", run), names, complete=True)
    assert list(ours.query_ids) == sorted(qrels)
    for name, measure in zip(names, measures, strict=True):
        assert ours.mean(name) == pytest.approx(theirs[measure], abs=1e-12)


@settings(max_examples=150, deadline=None)
@given(grades, scores)
def test_ranks_are_those_of_a_full_sort(judged, results):
    place = {doc_id: at for at, doc_id in enumerate(rank(results), start=1)}
    in_order = sorted((place[d], g) for d, g in judged.items() if d in place)
    seen = see(Known(judged), results)
    assert list(zip(seen.ranks, seen.grades, strict=True)) == [h for h in in_order if h[1] >= 0]
    assert seen.pooled == [rank for rank, grade in in_order if grade < 0]
    assert seen.retrieved == len(results)


def test_thousands_of_documents_with_huge_ids():
    docs = [f"{'x' * 500}{i}" for i in range(3000)]
    run = {"q": {doc_id: float(i * 7919 % 1000) for i, doc_id in enumerate(docs)}}
    qrels = {"q": {doc_id: i % 4 for i, doc_id in enumerate(docs) if i % 9 == 0}}
    oracle = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg", "map"}).evaluate(run)["q"]
    ours = score_run(qrels, Run("r", run), ["nDCG", "AP"])
    assert ours.mean("nDCG") == pytest.approx(oracle["ndcg"], abs=1e-12)
    assert ours.mean("AP") == pytest.approx(oracle["map"], abs=1e-12)


def test_ties_are_those_of_64_bits():
    # 32 bits cannot tell these scores apart, and would put b first.
    run = Run("r", {"q": {"a": 1.00000001, "b": 1.0}})
    assert score_run({"q": {"a": 1}}, run, ["RR"]).mean("RR") == 1.0
