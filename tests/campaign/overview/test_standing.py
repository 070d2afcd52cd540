"""The campaign as arrays scores as its exported files do; what the results rest on."""

from __future__ import annotations

import json

import numpy as np
import pytest

from judge_tui.analysis.basis import GradesUsed, Question
from judge_tui.analysis.slices import NO_TEXT
from judge_tui.campaign import create_campaign
from judge_tui.campaign.loading.documents import load_document_files
from judge_tui.campaign.loading.queries import load_queries
from judge_tui.campaign.overview.facts import document_facts
from judge_tui.campaign.overview.standing import results_now
from judge_tui.campaign.store.events import append_event
from judge_tui.campaign.store.judges import add_judge
from judge_tui.errors import UsageError
from judge_tui.model import DEFAULT_SCALE
from tests.campaigns import grade_by_file, load_run


@pytest.fixture
def judged(campaign):
    """ann and bob differ on csv.writer; bot is a model; list.sort was judged by nobody."""
    grade_by_file(campaign, "ann", "q1 0 csv.reader 3\nq1 0 csv.writer 1\nq2 0 sorted 2\n")
    grade_by_file(campaign, "bob", "q1 0 csv.reader 3\nq1 0 csv.writer 0\n")
    bots = "q1 0 json.load 1\nq1 0 csv.writer 0\nq2 0 json.load 0\n"
    grade_by_file(campaign, "bot", bots, kind="model")
    return campaign


def test_the_basis_counts_what_the_numbers_rest_on(judged):
    basis = results_now(judged).basis
    # csv.reader and sorted have grades; csv.writer is disputed; two of six pairs are the model's.
    assert basis.grades == GradesUsed("majority", 2, 1, 3)
    assert (basis.campaign, basis.seed, basis.baseline) == ("small", 7, "alpha")
    assert basis.scale == (0, 1, 2, 3)
    basis = results_now(judged, Question(include_models=True, baseline="beta")).basis
    assert basis.grades == GradesUsed("majority", 5, 0, 1, models=True, models_alone=2)
    assert basis.baseline == "beta"


def test_grades_that_rest_on_models_alone_are_counted_by_pair(campaign):
    def alone(policy="majority", include_models=True):
        asked = Question(policy=policy, include_models=include_models)
        grades = results_now(campaign, asked).basis.grades
        return grades.models_alone, grades.pairs

    grade_by_file(
        campaign, "bot", "q1 0 csv.reader 3\nq1 0 json.load 0\nq2 0 sorted 2\n", kind="model"
    )
    assert alone() == (3, 3)
    lead = add_judge(campaign, "lead", role="lead")
    append_event(campaign, judge=lead.key, pair=1, action="adjudicate", grade=3)
    assert alone() == (2, 3)
    grade_by_file(campaign, "ann", "q2 0 sorted 2\n")
    assert alone() == (1, 3)
    # A policy that takes one judge's grades as they stand asks nobody else.
    assert alone("judge:bot") == (3, 3)
    assert alone("judge:ann") == (0, 1)
    assert alone(include_models=False) == (0, 2)


def test_a_model_that_graded_too_little_to_stand_in_must_grade_more(judged):
    with pytest.raises(UsageError, match="let it judge more"):
        results_now(judged, Question(unjudged="bot"))


def test_what_models_make_of_peoples_grades_is_counted(campaign):
    """One model ties ann on csv.reader, two outvote her on csv.writer; sorted is theirs alone."""
    grade_by_file(campaign, "ann", "q1 0 csv.reader 3\nq1 0 csv.writer 1\n")
    for bot in ("bot", "another"):
        grade_by_file(campaign, bot, "q1 0 csv.writer 0\nq2 0 sorted 2\n", kind="model")
    grade_by_file(campaign, "third", "q1 0 csv.reader 0\n", kind="model")

    def used(policy):
        return results_now(campaign, Question(policy=policy, include_models=True)).basis.grades

    assert used("majority") == GradesUsed("majority", 2, 1, 3, True, 1, 1, 1)
    assert used("max") == GradesUsed("max", 3, 0, 3, True, 1, 0, 0)
    assert used("min") == GradesUsed("min", 3, 0, 3, True, 1, 2, 0)


def test_the_baseline_joins_the_runs(judged):
    found = results_now(judged, Question(tags=("beta",), baseline="alpha"))
    assert found.now.judged.lists.tags == ("beta", "alpha")
    assert found.basis.baseline == "alpha"
    found = results_now(judged, Question(tags=("beta",)))
    assert (found.now.judged.lists.tags, found.basis.baseline) == (("beta",), "beta")


@pytest.fixture
def cut(tmp_path):
    """Of "long" three of five results are kept for q1, and "short" has two and no more."""
    campaign = create_campaign(tmp_path / "c.db", name="c", scale=DEFAULT_SCALE, seed=1)
    (tmp_path / "q.tsv").write_text("q1\tone\nq2\ttwo\n")
    load_queries(campaign, tmp_path / "q.tsv")
    rows = {"long": [("q1", 5), ("q2", 1)], "short": [("q1", 2), ("q2", 5)]}
    for tag, lists in rows.items():
        lines = [f"{q} Q0 d{n} 1 {9 - n} {tag}\n" for q, depth in lists for n in range(depth)]
        (tmp_path / tag).write_text("".join(lines))
        load_run(campaign, tmp_path / tag, depth=3)
    # q2, for which "short" was cut, is judged by nobody.
    grade_by_file(campaign, "ann", "q1 0 d0 1\n")
    yield campaign
    campaign.close()


def test_usual_measures_that_cannot_be_answered_are_left_out_and_told(cut):
    # "short" was cut for a query that nobody judged.
    assert results_now(cut, Question(measures=("P@3",))).basis.kept_runs.cut == {"long": 3}
    # Of three results none of the usual measures can be had; of twelve some can.
    with pytest.raises(UsageError, match="nDCG@10 looks deeper than the 3 results"):
        results_now(cut)
    folder = cut.path.parent
    (folder / "wide").write_text("".join(f"q1 Q0 d{n} 1 {99 - n} wide\n" for n in range(20)))
    load_run(cut, folder / "wide", depth=12)
    basis = results_now(cut, Question(tags=("wide",))).basis
    assert [one.name for one in basis.measures] == ["nDCG@10", "RR@10", "P@5"]
    assert [*basis.left_out] == ["R@100", "AP"]


def keys(campaign):
    return dict(campaign.rows("SELECT doc_id, id FROM documents"))


def test_facts_of_documents(campaign, files):
    text = "aü😀\n"
    row = {"doc_id": "json.load", "text": text, "kind": " function "}
    (files / "more.jsonl").write_text(json.dumps(row) + "\n")
    load_document_files(campaign, [files / "more.jsonl"], replace=True)
    (files / "gamma.run").write_text("q1 Q0 no.text 1 1.0 gamma\n")
    load_run(campaign, files / "gamma.run")
    known = keys(campaign)
    wanted = np.array([known[one] for one in ("no.text", "json.load", "csv.reader", "json.load")])
    found = document_facts(campaign, wanted)
    facts = dict(
        zip(found.documents.tolist(), zip(found.kinds, found.lengths, strict=True), strict=True)
    )
    assert found.documents.tolist() == sorted(set(wanted.tolist()))
    # Characters, as Python counts them.
    assert facts[known["json.load"]] == ("function", len(text))
    assert facts[known["csv.reader"]] == ("class", len("Reads a CSV file."))
    assert facts[known["no.text"]] == ("", NO_TEXT)
