"""Rounds of the pool in a real file."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge_tui.campaign import open_campaign
from judge_tui.campaign.assign import assign
from judge_tui.campaign.extend_pool import extend_pool
from judge_tui.campaign.store.pool import (
    RoundQuestion,
    add_round,
    latest_population,
    pair_keys,
    pool_of_now,
    pool_size,
)
from judge_tui.campaign.store.runs import chosen_runs, kept_lists
from judge_tui.pooling.pool import NO_POPULATION, build_pool
from judge_tui.pooling.strategies import STRATEGIES
from judge_tui.pooling.strategy import Choice, PooledQuery, Strategy, query_by_query
from tests.campaign.copies import graded
from tests.campaigns import grade_by_file, load_run


def long_run(files: Path) -> Path:
    run = files / "long.run"
    run.write_text("".join(f"q1 Q0 d{i} {i} {-i} long\n" for i in range(1, 31)))
    return run


def test_each_pool_that_changes_something_is_a_round(campaign, files):
    assert pool_size(campaign).by_round == {1: 6}
    assert latest_population(campaign) == NO_POPULATION
    load_run(campaign, long_run(files))
    options = {"strategy": "rrf", "depth": 30, "budget": 20, "audit": 4}
    assert extend_pool(campaign, **options).added == 14
    assert extend_pool(campaign, **options).added == 0
    before = latest_population(campaign)
    assert (before.depth, before.wanted) == (30, 4)
    (files / "gold.qrels").write_text("q2 0 never.pooled 1\n")
    assign(campaign, ["ann"], gold=files / "gold.qrels")
    # All of the top 12 is chosen, with those drawn there: others are drawn in their place, of q1
    # alone, as nothing is left of q2.
    extend_pool(campaign, depth=12)
    assert latest_population(campaign) == before
    left = (
        before.retrieved
        - campaign.row("SELECT count(*) FROM pool WHERE stratum IN ('depth', 'rrf')")[0]
    )
    assert campaign.rows(
        "SELECT stratum, probability, count(*) FROM pool"
        " WHERE stratum IN ('audit', 'gold') GROUP BY 1, 2"
    ) == [("audit", 4 / left, 4), ("gold", None, 1)]
    assert campaign.rows("SELECT round, strategy, depth FROM rounds") == [
        (1, "depth", 10),
        (2, "rrf", 30),
        (3, "depth", 12),
    ]


def test_a_pair_that_was_drawn_and_is_chosen_stays_in_its_round_and_keeps_that_it_was_drawn(
    campaign, files
):
    load_run(campaign, long_run(files))
    extend_pool(campaign, depth=30, budget=20, audit=10)
    drawn = {key for (key,) in campaign.rows("SELECT id FROM pool WHERE stratum = 'audit'")}
    assert len(drawn) == 10
    before = latest_population(campaign).retrieved - 10
    extend_pool(campaign, strategy="mm", depth=30, budget=30, audit=10)
    now = {
        key: its
        for key, *its in campaign.rows("SELECT id, stratum, round, chosen, probability FROM pool")
    }
    left = latest_population(campaign).retrieved - sum(its[0] != "audit" for its in now.values())
    chosen = {key for key in drawn if now[key][0] != "audit"}
    assert all(now[key][:3] == ["mm", 2, 3] for key in chosen)
    assert all(now[key][3] >= 10 / before for key in chosen)
    assert all(now[key] == ["audit", 2, None, 10 / left] for key in drawn - chosen)
    assert 0 < len(chosen) < 10
    others = [its for key, its in now.items() if its[0] == "audit" and key not in drawn]
    assert others == [["audit", 3, None, 10 / left]] * len(chosen)


def test_the_file_keeps_the_pool_that_comes_after_a_round(campaign, files):
    load_run(campaign, long_run(files))
    rounds = [("depth", 30, 20, 10), ("mm", 30, 30, 10), ("depth", 4, 35, 12), ("rrf", 25, None, 0)]
    for strategy, depth, budget, audit in rounds:
        pool, runs = pool_of_now(campaign), kept_lists(campaign, chosen_runs(campaign))
        lists = {tag: {q: [*its[q]] for q in its} for tag, its in runs}
        options = {"strategy": strategy, "depth": depth, "budget": budget, "audit": audit}
        added = build_pool(lists, pool, **options)
        add_round(campaign, strategy, depth, RoundQuestion(), added)
        assert pool_of_now(campaign) == pool.after(added) != pool


def test_a_strategy_that_uses_judgments_gets_the_final_grades_of_those_who_count(
    campaign, files, monkeypatch
):
    seen = []

    def choose(query: PooledQuery) -> list[Choice]:
        seen.append(query.grades)
        return [Choice("d9")]

    load_run(campaign, long_run(files))
    strategy = Strategy(query_by_query(choose), "", "", uses_judgments=True)
    monkeypatch.setitem(STRATEGIES, "mine", strategy)
    extend_pool(campaign, strategy="mine", depth=10, budget=6)
    assert seen == [{}, {}]
    grade_by_file(campaign, "ann", "q1 0 json.load 3\n")
    grade_by_file(campaign, "gpt", "q1 0 json.load 0\n", kind="model")
    extend_pool(campaign, strategy="mine", depth=10, budget=7)
    assert seen[2:] == [{"json.load": 3}, {}]
    assert pool_size(campaign).by_stratum == {"depth": 6, "mine": 1}


def test_judges_write_while_a_pool_is_chosen(campaign, files):
    load_run(campaign, long_run(files))
    steps = []
    with open_campaign(campaign.path) as other:
        other.wait_at_most(0)

        def step(what: str) -> None:
            steps.append(what)
            if what == "choosing the pairs":
                graded(other, "ann", "sorted", 1)

        assert extend_pool(campaign, depth=1, on_step=step).added == 1
    # Judging changes nothing that a pool is made of: it is chosen once.
    assert steps == ["choosing the pairs", "writing 1 pair"]


@pytest.mark.parametrize("tag", ["late", "later"])
def test_a_pool_of_runs_that_changed_meanwhile_is_chosen_anew(campaign, files, monkeypatch, tag):
    """The newest one is replaced, or another is loaded."""
    (files / "a.run").write_text("q1 Q0 d1 1 2.0 late\n")
    (files / "b.run").write_text(f"q1 Q0 d2 1 2.0 {tag}\n")
    load_run(campaign, files / "a.run")
    steps = []
    writing = campaign.writing

    def first_another_loads() -> object:
        if len(steps) == 1:
            with open_campaign(campaign.path) as other:
                load_run(other, files / "b.run", replace=True)
        return writing()

    monkeypatch.setattr(campaign, "writing", first_another_loads)
    extend_pool(campaign, on_step=steps.append)
    assert ("q1", "d2") in pair_keys(campaign)
    assert (("q1", "d1") in pair_keys(campaign)) == (tag == "later")
