"""The campaign as arrays scores as the exported files do, to the last digit."""

import numpy as np
import pytest

from judge_tui.agreement.policies import POLICIES
from judge_tui.campaign import create_campaign
from judge_tui.campaign.loading.queries import load_queries
from judge_tui.campaign.overview.grading import final_grades
from judge_tui.campaign.overview.qrels_and_runs import qrels_and_runs
from judge_tui.campaign.overview.standing import run_lists, runs_now
from judge_tui.campaign.store.events import append_event
from judge_tui.campaign.store.judges import add_judge
from judge_tui.model import DEFAULT_SCALE
from judge_tui.scoring import parse_measures
from tests.grades_by_file import grade_by_file
from tests.loading_runs import load_run
from tests.scored import score_runs

NAMES = "nDCG@10 nDCG@3 RR@10 P@5 AP@20 R@20 Success@5 Judged@10 ERR@20 Bpref Rprec"


@pytest.fixture
def judged(tmp_path):
    """Three judges and a lead over 12 queries and 3 runs, one of which leaves queries out."""
    draw = np.random.default_rng(5)
    queries = [f"q{n} a" for n in range(12)]
    lines = "".join(f"{query}\ttext {query}\n" for query in queries)
    (tmp_path / "queries.tsv").write_text(lines)
    campaign = create_campaign(tmp_path / "c.db", name="c", scale=DEFAULT_SCALE, seed=1)
    load_queries(campaign, tmp_path / "queries.tsv")
    for tag in ("b", "a", "c"):
        rows = [
            f"{query.replace(' ', '%20')} Q0 d{doc} 1 {float(draw.integers(0, 6))} {tag}\n"
            for place, query in enumerate(queries)
            for doc in draw.permutation(40)[: 20 if tag != "c" else 7].tolist()
            if tag != "a" or place % 5
        ]
        (tmp_path / f"{tag}.run").write_text("".join(rows))
        load_run(campaign, tmp_path / f"{tag}.run")
    for judge in ("x", "y", "z"):
        rows = [
            f"{query.replace(' ', '%20')} 0 d{doc} {draw.integers(0, 4)}\n"
            for query in queries[:-2]
            for doc in draw.permutation(45)[:12].tolist()
        ]
        grade_by_file(campaign, judge, "".join(rows))
    lead = add_judge(campaign, "lead", role="lead")
    for pair in (3, 50, 77):
        append_event(campaign, judge=lead.key, pair=pair, action="adjudicate", grade=3)
    yield campaign
    campaign.close()


@pytest.mark.parametrize("policy", [*POLICIES, "judge:y"])
def test_scores_are_those_of_the_files(judged, policy):
    measures = parse_measures(NAMES.split())
    whole = qrels_and_runs(judged, policy=policy)
    expected = score_runs(whole.qrels, whole.runs, measures)
    now = runs_now(judged, policy=policy)
    scores = now.judged.scores(measures)
    assert list(scores) == list(expected) == ["b", "a", "c"]
    for tag, run in expected.items():
        found = scores[tag]
        assert found.values == run.values
        assert len(found.missing_run) == len(run.missing_run)
        assert len(found.missing_qrels) == len(run.missing_qrels)
        assert [q.replace(" ", "%20") for q in found.query_ids] == list(run.query_ids)
    for measure in measures:
        assert now.judged.means(measure).tolist() == [r.mean(measure) for r in expected.runs]
    final = final_grades(judged, policy=policy)
    assert now.grading.decided.rules == final.rules
    assert now.grading.used == whole.grades
    assert whole.grades.unresolved == len(final.unresolved)
    assert now.kept == whole.kept


def test_some_runs_cut(judged):
    kept = run_lists(judged, ["c", "b"], depth=5)
    assert kept.lists.tags == ("c", "b")
    assert kept.lists.documents.shape == (2, 12, 5)
    assert [run.cut for run in kept.runs] == [True, True]
    assert [run.cut for run in run_lists(judged).runs] == [False, False, False]
