"""The orders of a campaign's systems: whose grades are taken, and what is said instead."""

from __future__ import annotations

import pytest

from judge_tui.campaign import create_campaign
from judge_tui.campaign.loading.queries import load_queries
from judge_tui.campaign.overview.agreement import orders_now
from judge_tui.campaign.store.adjudication import settle
from judge_tui.campaign.store.judges import add_judge
from judge_tui.errors import UsageError
from judge_tui.model import DEFAULT_SCALE
from judge_tui.scoring import parse_measure
from tests.grades_by_file import grade_by_file
from tests.loading_runs import load_run

RR = parse_measure("RR@2")

# alpha has csv.reader, csv.writer; list.sort, sorted. beta has json.load, csv.reader; sorted,
# json.load.
ANN = "q1 0 csv.reader 3\nq1 0 json.load 0\nq2 0 list.sort 2\nq2 0 sorted 0\n"
BOB = "q1 0 csv.reader 0\nq1 0 json.load 2\nq2 0 list.sort 0\n"
BOT = "q1 0 csv.reader 1\nq1 0 json.load 0\n"


@pytest.fixture
def judged(campaign):
    for name, text, kind in (("ann", ANN, "human"), ("bob", BOB, "human"), ("bot", BOT, "model")):
        grade_by_file(campaign, name, text, kind=kind)
    return campaign


def test_by_hand(judged):
    found = orders_now(judged, RR)
    (two,) = found.between
    assert (two.judges, two.pairs, two.queries) == (("ann", "bob"), 3, 2)
    # ann: alpha 1 and 1, beta 1/2 and 0. bob: alpha 0 and 0, beta 1 and 0.
    assert two.swaps == (("alpha", "beta"),)
    assert (two.tau, two.tau_ap) == (-1, -1)
    # Decided by all: sorted 0 by ann alone, the rest open. ann's grades make alpha the best, bob's
    # beta.
    assert [(one.judge, one.tags, one.changed) for one in found.winners] == [
        ("ann", ("alpha",), True),
        ("bob", ("beta",), True),
    ]
    assert found.winner == ("alpha", "beta")


def test_the_leads_grades_are_the_final_ones(judged):
    lead = add_judge(judged, "lead", role="lead")
    key = "SELECT p.id FROM pool AS p JOIN documents AS d ON d.id = p.document WHERE doc_id = ?"
    for doc_id, grade in (("csv.reader", 0), ("list.sort", 0)):
        settle(judged, lead, judged.rows(key, (doc_id,))[0][0], grade)
    settle(judged, lead, judged.rows(f"{key} AND p.query = 1", ("json.load",))[0][0], 3)
    found = orders_now(judged, RR)
    assert found.winner == ("beta",)
    assert [one.changed for one in found.winners] == [True, False]
    # What two judges do to the order is not changed by what the lead settled.
    assert found.between[0].swaps == (("alpha", "beta"),)


def test_models_only_where_asked_for(judged):
    assert [two.judges for two in orders_now(judged, RR, include_models=True).between] == [
        ("ann", "bob"),
        ("ann", "bot"),
        ("bob", "bot"),
    ]
    with pytest.raises(UsageError, match="'bot' is a model"):
        orders_now(judged, RR, judges=["ann", "bot"])


def test_judges_who_are_asked_for_in_their_order(judged):
    found = orders_now(judged, RR, "beta", ["bob", "ann"])
    assert found.baseline == "beta"
    assert found.between[0].judges == ("bob", "ann")
    with pytest.raises(UsageError, match="no judge 'zoe'"):
        orders_now(judged, RR, judges=["ann", "zoe"])
    with pytest.raises(UsageError, match="no run 'gamma'"):
        orders_now(judged, RR, "gamma")


def test_a_measure_that_says_nothing_of_quality(judged):
    with pytest.raises(UsageError, match="more of Judged@10 does not make a run better"):
        orders_now(judged, parse_measure("Judged@10"))


def test_what_is_said_instead(campaign, files, tmp_path):
    assert orders_now(campaign, RR).why == "an order by each of two judges needs two judges"
    empty = create_campaign(tmp_path / "e.db", name="e", scale=DEFAULT_SCALE, seed=1)
    with empty:
        load_queries(empty, files / "queries.jsonl")
        assert orders_now(empty, RR).why == "the campaign has no runs"
        run = tmp_path / "alpha.run"
        run.write_text("".join(f"q1 Q0 d{n} {n} {-n} alpha\n" for n in (1, 2, 3)))
        load_run(empty, run, depth=2)
        deep = orders_now(empty, parse_measure("nDCG@10"))
        assert deep.why == (
            "nDCG@10 looks deeper than the 2 results a query kept of run 'alpha'; load that run"
            " again with a greater --depth"
        )
        assert orders_now(empty, RR).why == "an order needs two systems; there is one run only"
