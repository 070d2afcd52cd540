"""Loading while others work: nobody waits while a file is read, and nothing is half written."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.extend_pool import extend_pool
from judge_tui.campaign.loading.runs import load_runs
from judge_tui.campaign.store.events import append_event
from judge_tui.campaign.store.judges import add_judge
from judge_tui.campaign.store.pool import pair_keys
from judge_tui.campaign.store.runs import all_runs
from judge_tui.errors import InputError, UsageError
from tests.campaign.copies import kept_rankings
from tests.loading_runs import load_run


@pytest.fixture
def other(campaign: Campaign) -> Iterator[Campaign]:
    """The same file, as another program has it, which does not wait for anybody."""
    with open_campaign(campaign.path) as other:
        other.wait_at_most(0)
        yield other


def write_run(folder: Path, tag: str, text: str) -> Path:
    path = folder / f"{tag}.run"
    path.write_text("".join(f"{line} {tag}\n" for line in text.splitlines()))
    return path


def test_judges_write_while_a_run_is_read(campaign, other, files):
    ann = add_judge(other, "ann")
    pair = min(pair_keys(other).values())
    grades = iter((1, 2, 3))

    def judge(_bytes: int) -> None:
        append_event(other, judge=ann.key, pair=pair, action="grade", grade=next(grades))

    run = write_run(files, "gamma", "q1 Q0 sorted 1 2.0\nq1 Q0 json.load 2 1.0")
    assert load_runs(campaign, [run], on_bytes=judge)[0].counts.added == 1
    assert other.rows("SELECT count(*) > 0 FROM events") == [(1,)]
    assert kept_rankings(campaign)["gamma"] == {"q1": ["sorted", "json.load"]}


def test_judges_write_while_a_pool_is_chosen(campaign, other, files):
    load_run(campaign, write_run(files, "gamma", "q1 Q0 sorted 1 2.0"))
    ann = add_judge(other, "ann")
    pair = min(pair_keys(other).values())
    steps = []

    def step(what: str) -> None:
        steps.append(what)
        if what == "choosing the pairs":
            append_event(other, judge=ann.key, pair=pair, action="grade", grade=1)

    assert extend_pool(campaign, on_step=step) == 1
    # Judging changes nothing that a pool is made of: it is chosen once.
    assert steps == ["choosing the pairs", "writing 1 pair"]


@pytest.mark.parametrize("tag", ["late", "later"])
def test_a_pool_of_runs_that_changed_meanwhile_is_chosen_anew(
    campaign, other, files, monkeypatch, tag
):
    """The newest one is replaced, or another is loaded."""
    load_run(campaign, write_run(files, "late", "q1 Q0 d1 1 2.0"))
    steps = []
    writing = campaign.writing

    def first_another_loads() -> object:
        if len(steps) == 1:
            load_run(other, write_run(files, tag, "q1 Q0 d2 1 2.0"), replace=True)
        return writing()

    monkeypatch.setattr(campaign, "writing", first_another_loads)
    extend_pool(campaign, on_step=steps.append)
    assert ("q1", "d2") in pair_keys(campaign)
    assert (("q1", "d1") in pair_keys(campaign)) == (tag == "later")


def test_a_fault_in_one_of_several_runs_loads_none(campaign, files):
    before = [record.tag for record in all_runs(campaign)]
    good = write_run(files, "good", "q1 Q0 sorted 1 2.0")
    bad = write_run(files, "bad", "q1 Q0 sorted 1 two")
    changed = write_run(files, "alpha", "q1 Q0 sorted 1 2.0")
    for other in (bad, changed):
        with pytest.raises(InputError):
            load_runs(campaign, [good, other])
        assert [record.tag for record in all_runs(campaign)] == before
    assert [one.tag for one in load_runs(campaign, [good, changed], replace=True)] == [
        "good",
        "alpha",
    ]


def test_the_same_file_twice_is_loaded_once(campaign, files):
    run = write_run(files, "gamma", "q1 Q0 sorted 1 2.0")
    first, second = load_runs(campaign, [run, run])
    assert (first.counts.added, second.counts.unchanged) == (1, 1)


def test_a_depth_that_keeps_nothing_is_refused(campaign, files):
    with pytest.raises(UsageError, match="keeps nothing"):
        load_run(campaign, files / "alpha.run", depth=0)
