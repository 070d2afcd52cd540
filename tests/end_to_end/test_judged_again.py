"""The sample campaign judged again from nothing, in rounds, until it is settled which of two
systems is better: by commands, the first grades by the keys of the app."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from judge_tui.campaign import open_campaign
from judge_tui.campaign.store.judges import add_judge
from judge_tui.campaign.store.pool import pair_keys
from judge_tui.tui.app import judging
from tests.as_typed import judge_tui
from tests.sample_runs import SAMPLES
from tests.tui.pilots import here, press_after_look, running, screen_text

GRADES = {
    (query_id, doc_id): grade
    for query_id, _, doc_id, grade in map(
        str.split, (SAMPLES / "grades" / "assessor-a.qrels").read_text().splitlines()
    )
}
ROUND = 100
BY_KEYS = 10


@pytest.fixture(autouse=True)
def campaign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    judge_tui("init", "--name", "again", "--seed", "5")
    judge_tui("load", "queries", SAMPLES / "queries.jsonl")
    judge_tui("load", "run", *sorted((SAMPLES / "runs").glob("*.run")))
    judge_tui("settings", "baseline", "bm25")


def asked(*words: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(judge_tui(*words, "-f", "json").stdout)
    return found


def judge_the_rest() -> int:
    """Grade what is pooled; return how many pairs that are."""
    with open_campaign("campaign.db") as campaign:
        pool = [*pair_keys(campaign)]
    lines = [f"{query_id} 0 {doc_id} {GRADES[query_id, doc_id]}" for query_id, doc_id in pool]
    judge_tui("load", "qrels", "-", "--judge", "ann", given="\n".join(lines))
    return len(pool)


async def judge_by_keys() -> None:
    """Open the app as `judge --judge ann` does, and grade the first pairs."""
    with open_campaign("campaign.db") as campaign:
        ann = add_judge(campaign, "ann")
        async with running(campaign, judging(ann)) as pilot:
            for _ in range(BY_KEYS):
                query_id = screen_text(pilot)[0].split()[1]
                await press_after_look(pilot, GRADES[query_id, here(pilot)])


def pool(budget: int, *more: str) -> None:
    between = ("--between", "bm25", "dense")
    judge_tui("pool", "--strategy", "settle", *between, "--budget", str(budget), *more)


def enough() -> dict[str, Any]:
    """What `status` says of the two systems."""
    found: dict[str, Any] = {one["tag"]: one for one in asked("status")["enough"]}["dense"]
    return found


async def test_rounds_go_on_until_it_is_settled_which_system_is_better() -> None:
    pool(ROUND)
    await judge_by_keys()
    judged, before = judge_the_rest(), 0
    assert enough()["answer"] == "open"
    while judged > before:
        before = judged
        pool(judged + ROUND, "--until", "settled")
        judged = judge_the_rest()
    likely = enough()
    assert likely["answer"] == "likely settled"
    assert likely["interval_low"] > 0

    while (sure := enough())["answer"] != "settled":
        pool(judged + ROUND)
        judged, before = judge_the_rest(), judged
        assert judged > before
    assert judged < 0.75 * len(GRADES)
    assert sure["bounds_low"] > 0

    # All grades say the same, within what was said.
    judge_tui("pool", "--depth", "10")
    judge_the_rest()
    rows = asked("results", "--leaderboard")["runs"]
    (all_say,) = (
        one["delta"] for one in rows if one["tag"] == "dense" and one["measure"] == "nDCG@10"
    )
    for said in (
        (likely["interval_low"], likely["interval_high"]),
        (sure["bounds_low"], sure["bounds_high"]),
    ):
        assert said[0] <= all_say <= said[1]
    assert enough()["answer"] == "settled"
