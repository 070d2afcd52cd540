"""Rounds of the pool in a real file."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge_tui.campaign import open_campaign
from judge_tui.campaign.assign import assign
from judge_tui.campaign.extend_pool import extend_pool
from judge_tui.campaign.store.pool import pair_keys, pool_size
from judge_tui.pooling.strategies import STRATEGIES, Choice, PooledQuery, Strategy
from tests.campaign.copies import graded
from tests.campaigns import grade_by_file, load_run


def long_run(files: Path) -> Path:
    run = files / "long.run"
    run.write_text("".join(f"q1 Q0 d{i} {i} {-i} long\n" for i in range(1, 31)))
    return run


def test_each_pool_that_adds_pairs_is_a_round_and_draws_have_their_chance(campaign, files):
    assert pool_size(campaign).by_round == {1: 6}
    load_run(campaign, long_run(files))
    extend_pool(campaign, depth=5, audit=4)
    assert extend_pool(campaign, depth=5, audit=4) == 0
    # 4 of 11 others: what was drawn before counts.
    assert extend_pool(campaign, depth=5, audit=4 / 11) == 0
    (files / "gold.qrels").write_text("q2 0 never.pooled 1\n")
    assign(campaign, ["ann"], gold=files / "gold.qrels")
    extend_pool(campaign, depth=6, audit=4)
    assert pool_size(campaign).by_round == {0: 1, 1: 6, 2: 9, 3: 1}
    # Of q1 there waited the 25 below the depth of 5; q2 is pooled down to its end.
    assert campaign.rows(
        "SELECT round, stratum, probability, count(*) FROM pool WHERE round <> 1"
        " GROUP BY 1, 2, 3 ORDER BY 1, 2"
    ) == [
        (0, "gold", None, 1),
        (2, "audit", 4 / 25, 4),
        (2, "depth", None, 5),
        (3, "depth", None, 1),
    ]


def test_a_strategy_that_uses_judgments_gets_the_final_grades_of_those_who_count(
    campaign, files, monkeypatch
):
    seen = []

    def choose(query: PooledQuery) -> list[Choice]:
        seen.append(query.grades)
        return [Choice("d9")]

    load_run(campaign, long_run(files))
    strategy = Strategy(choose, "", "", uses_judgments=True)
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

        assert extend_pool(campaign, depth=1, on_step=step) == 1
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
