"""Every value equals trec_eval's, as pytrec-eval-terrier and ir-measures give it.

pytrec-eval-terrier reads scores as 32-bit floats; the scores here are multiples of 1/4, so that
both see the same ties. It writes past its tables where a grade is negative (its process hangs or
dies), so it is given the qrels without those; trec_eval itself (form_res_rels.c) takes a document
with a negative grade for one that nobody judged.
"""

import math

import ir_measures
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.model import Run, rank
from judge_tui.scoring import parse_measure
from judge_tui.scoring.names import TREC_NAMES
from judge_tui.scoring.trec_eval import trec_plan
from tests.scored import score_run
from tests.scoring.lists import list_of

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

TREC_EVAL = sorted(pytrec_eval.supported_measures & {*TREC_NAMES} - {"runid"})


def without_negative_grades(qrels):
    return {
        query_id: {d: g for d, g in judged.items() if g >= 0} or {"not retrieved": 0}
        for query_id, judged in qrels.items()
    }


def trec_eval_values(measure, values, trec_name):
    """Ours as pytrec-eval gives them: the logarithm for what is averaged geometrically."""
    if trec_name.startswith("gm_"):
        return [math.log(max(value, 0.00001)) for value in values]
    assert all(value.is_integer() for value in values) or not measure.definition.whole
    return values


@given(qrels_of_some, runs_of_some, st.sampled_from([1, 2, 3]), st.booleans())
def test_equal_to_trec_eval(qrels, run, rel, judged_only):
    common = sorted(set(qrels) & set(run))
    if not common:
        return
    oracle = pytrec_eval.RelevanceEvaluator(
        without_negative_grades(qrels),
        TREC_EVAL,
        relevance_level=rel,
        judged_docs_only_flag=int(judged_only),
    ).evaluate(run)
    plan = trec_plan(TREC_EVAL, rel=rel, version=9)
    ours = score_run(qrels, Run("r", run), plan.measures, judged_only=judged_only)
    assert list(ours.query_ids) == common == sorted(oracle)
    assert {line.name for line in plan.lines} == set(oracle[common[0]])
    for line in plan.lines:
        if line.name == "infAP" and any(g < 0 for q in common for g in qrels[q].values()):
            continue  # the one measure to which a negative grade says something
        values = trec_eval_values(line.measure, ours.values[str(line.measure)], line.name)
        for query_id, value in zip(common, values, strict=True):
            expected = oracle[query_id][line.name]
            if math.isnan(expected):
                # An empty list: trec_eval divides 0 by 0 where nothing was found.
                assert line.name.startswith(("iprec", "11pt"))
                expected = 0.0
            assert value == pytest.approx(expected, abs=1e-12), line.name


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


IR_MEASURES = [
    "nDCG",
    "nDCG@10",
    "nDCG(gains={1:3,2:1})",
    "nDCG(gains={0:1,2:5})@3",
    "RR",
    "RR(rel=2)",
    "P@5",
    "P(rel=2)@3",
    "R@10",
    "AP",
    "AP(rel=2)@5",
    "Success(rel=3)@2",
    "Rprec",
    "Rprec(rel=2)",
    "Bpref",
    "Bpref(rel=2)",
    "infAP",
    "SetP",
    "SetP(relative=True)",
    "SetRelP(rel=2)",
    "SetR",
    "SetR(rel=3)",
    "SetF",
    "SetF(beta=2.0)",
    "SetF(rel=2,beta=0.5)",
    "SetAP",
    "IPrec@0.0",
    "IPrec@0.1",
    "IPrec(rel=2)@0.75",
    "IPrec@1.0",
    "NumRet",
    "NumRet(rel=2)",
    "NumRelRet",
    "NumRel",
    "NumQ",
]


@given(qrels_of_some, runs_of_some)
def test_equal_to_ir_measures_over_all_queries_of_the_qrels(qrels, run):
    # ir_measures averages over all queries of the qrels, as trec_eval -c does, but for its counts,
    # where it does not know the documents of a query without results.
    if not set(qrels) & set(run):
        return
    qrels = without_negative_grades(qrels)
    names = [
        name for name in IR_MEASURES if name not in ("NumRel", "NumQ") or set(qrels) <= set(run)
    ]
    measures = [ir_measures.parse_measure(name) for name in names]
    # Asked for together, it mixes nDCG up with nDCG(gains=...), depending on the hash seed.
    theirs = ir_measures.calc_aggregate(
        [m for m in measures if "gains" not in m.params], qrels, run
    )
    for measure in measures:
        if "gains" in measure.params:
            theirs |= ir_measures.calc_aggregate([measure], qrels, run)
    ours = score_run(qrels, Run("r", run), names, complete=True)
    assert list(ours.query_ids) == sorted(qrels)
    for name, measure in zip(names, measures, strict=True):
        assert ours.mean(str(parse_measure(name))) == pytest.approx(theirs[measure], abs=1e-12), (
            name
        )


@given(grades, scores)
def test_ranks_are_those_of_a_full_sort(judged, results):
    place = {doc_id: at for at, doc_id in enumerate(rank(results), start=1)}
    in_order = sorted((place[d], g) for d, g in judged.items() if d in place)
    lists = list_of(judged, results)
    hits = list(zip(lists.rank.tolist(), lists.grade.tolist(), strict=True))
    assert hits == [hit for hit in in_order if hit[1] >= 0]
    assert lists.pooled_rank.tolist() == [rank for rank, grade in in_order if grade < 0]
    assert lists.retrieved.tolist() == [len(results)]


def test_thousands_of_documents_with_huge_ids_to_the_last_bit():
    # So sums go in trec_eval's order, by the logarithms that the C library has.
    docs = [f"{'x' * 500}{i}" for i in range(3000)]
    run = {"q": {doc_id: float(i * 7919 % 1000) for i, doc_id in enumerate(docs)}}
    qrels = {"q": {doc_id: i * i % 5 for i, doc_id in enumerate(docs) if i % 9 == 1}}
    oracle = pytrec_eval.RelevanceEvaluator(qrels, TREC_EVAL).evaluate(run)["q"]
    plan = trec_plan(TREC_EVAL, version=9)
    ours = score_run(qrels, Run("r", run), plan.measures)
    for line in plan.lines:
        [value] = trec_eval_values(line.measure, ours.values[str(line.measure)], line.name)
        assert value == oracle[line.name], line.name


def test_ties_are_those_of_64_bits():
    # 32 bits cannot tell these scores apart, and would put b first.
    run = Run("r", {"q": {"a": 1.00000001, "b": 1.0}})
    assert score_run({"q": {"a": 1}}, run, ["RR"]).mean("RR") == 1.0
