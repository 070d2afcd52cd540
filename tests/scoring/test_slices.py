"""Scores by slice: each is what its queries alone would score."""

from hypothesis import given
from hypothesis import strategies as st

from judge_tui.model import Run
from judge_tui.scoring import parse_measures
from judge_tui.scoring.slices import slice_scores
from tests.scored import score_run, score_runs


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
