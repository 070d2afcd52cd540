"""Home: the campaign at a glance, next steps that enter does, and the doors."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest
from textual.pilot import Pilot

from judge_tui.analysis.enough import Answer, Enough
from judge_tui.campaign import Campaign, create_campaign, open_campaign
from judge_tui.campaign.loading.queries import load_queries
from judge_tui.campaign.overview.enough import EnoughNow
from judge_tui.campaign.overview.status import status_now
from judge_tui.campaign.store.events import append_event
from judge_tui.campaign.store.judges import add_judge, all_judges
from judge_tui.errors import CampaignError
from judge_tui.model import DEFAULT_SCALE
from judge_tui.tui.screens import home_panes
from judge_tui.tui.screens.home import HomeScreen
from judge_tui.tui.screens.home_panes import bar
from tests.campaigns import SEEN, grade_by_file, grade_in_the_app
from tests.tui.pilots import lowest, press, running, said, screen_text, seen, until, until_seen


async def counted(pilot: Pilot[None]) -> None:
    await until(pilot, lambda: not lowest(pilot, HomeScreen).is_counting)


def screen_name(pilot: Pilot[None]) -> str:
    return type(pilot.app.screen).__name__


def names(campaign: Campaign) -> list[tuple[str, str]]:
    return [(judge.name, judge.role) for judge in all_judges(campaign)]


@pytest.mark.parametrize(
    ("done", "total", "unresolved", "drawn"),
    [
        (0, 10, 0, "────────────"),
        # Somebody who has begun does not look as if not, nor somebody who is nearly there as done.
        (1, 1447, 0, "╾───────────"),
        (5, 10, 0, "━━━━━━──────"),
        (1446, 1447, 0, "━━━━━━━━━━━╾"),
        (1447, 1447, 0, "━━━━━━━━━━━━"),
        (8, 10, 2, "━━━━━━━━━╾╍╍"),
        (0, 10, 1, "╍╍──────────"),
        (0, 0, 0, "────────────"),
    ],
)
def test_bars(done: int, total: int, unresolved: int, drawn: str) -> None:
    assert bar(done, total, unresolved=unresolved).plain == drawn


async def test_home_shows_what_status_counts(campaign: Campaign) -> None:
    for name, lines in (
        ("ann", "q1 0 csv.reader 3\nq1 0 csv.writer 1\nq2 0 sorted 3\nq2 0 json.load 0\n"),
        ("bob", "q1 0 csv.reader 2\nq1 0 csv.writer 1\nq2 0 sorted 3\n"),
    ):
        grade_in_the_app(campaign, name, lines)
    bob, pair = add_judge(campaign, "bob"), campaign.row("SELECT max(id) FROM pool")[0]
    append_event(campaign, judge=bob.key, pair=pair, action="skip", painted_at=SEEN)
    grade_by_file(campaign, "sheet", "q1 0 csv.reader 3\n")
    grade_by_file(campaign, "gpt", "q2 0 list.sort 0\n", kind="model")
    async with running(campaign, size=(80, 24)) as pilot:
        await counted(pilot)
        text = "\n".join(screen_text(pilot))
        rows = {line.split()[1]: line.split() for line in screen_text(pilot) if "/" in line}
        state = status_now(campaign).progress
        # gpt alone has graded list.sort, and models do not count.
        assert f"{state.judged}/6 judged, 1 by models alone" in text
        # 4 of 6: eight of twelve cells.
        assert rows["ann"][2:5] == ["judge", "━━━━━━━━────", "4/6"]
        # What was skipped is no more judged for bob than for the campaign.
        assert rows["bob"][4] == "3/6"
        assert "1 skipped" in text
        assert [rows[name][2] for name in ("sheet", "gpt")] == ["judge", "model"]
        assert [rows[name][4] for name in ("sheet", "gpt")] == ["1/6", "1/6"]
        for run in state.coverage:
            [line] = [line for line in screen_text(pilot) if f" {run.tag} " in line and "━" in line]
            share = round(100 * (run.judged - run.unresolved) / run.results)
            assert f"{share} %" in line
        assert "alpha" in text
        assert "bob: 2 of 6 pairs left" in text


async def test_a_judge_goes_to_the_desk_and_comes_back_to_new_numbers(campaign: Campaign) -> None:
    add_judge(campaign, "ann")
    async with running(campaign) as pilot:
        await counted(pilot)
        assert seen(pilot, "ann: 6 of 6 pairs left")
        await press(pilot, "enter")
        await until(pilot, lambda: screen_name(pilot) == "JudgeScreen")
        grade_in_the_app(campaign, "ann", "q1 0 csv.reader 3\n")
        await press(pilot, "q")
        await until(pilot, lambda: seen(pilot, "ann: 5 of 6 pairs left"))
        assert seen(pilot, "1/6")
        # What others write is noticed without a key.
        with open_campaign(campaign.path) as other:
            grade_in_the_app(other, "bob", "q2 0 sorted 3\nq2 0 json.load 1\n")
        await until(pilot, lambda: seen(pilot, "2/6"))
        assert seen(pilot, " bob ")


async def test_home_stops_counting_under_another_screen(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped = Event()

    def count(reader: Campaign) -> None:
        numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3e8)"
        try:
            reader.rows(f"{numbers} SELECT count(*) FROM n")
        except CampaignError:
            stopped.set()
            raise

    monkeypatch.setattr(home_panes, "count", count)
    async with running(campaign) as pilot:
        assert lowest(pilot, HomeScreen).is_counting
        await press(pilot, "i")
        await until(pilot, stopped.is_set)
        assert not lowest(pilot, HomeScreen).is_counting


async def test_nothing_is_made_by_a_slip(campaign: Campaign) -> None:
    add_judge(campaign, "anna")
    grade_by_file(campaign, "gpt", "q1 0 csv.reader 3\n", kind="model")
    before = names(campaign)
    async with running(campaign) as pilot:
        await counted(pilot)
        await press(pilot, "n")
        pilot.app.screen.query_one("Input").value = "Anna"
        await press(pilot, "enter")
        assert screen_name(pilot) == "Confirm"
        assert seen(pilot, "Create judge 'Anna'?")
        assert seen(pilot, "nearly the name of anna")
        await press(pilot, "n")
        for name, why in (("a,b", "without commas"), ("gpt", "is a model")):
            await until(pilot, lambda: screen_name(pilot) == "Prompt")
            pilot.app.screen.query_one("Input").value = name
            await press(pilot, "enter")
            await until_seen(pilot, why)
        await press(pilot, "escape")
        assert names(campaign) == before
        # Typed at once: no letter of the name acts on the screen below.
        await pilot.press("n", *"qSr", "enter", "y")
        await until(pilot, lambda: screen_name(pilot) == "JudgeScreen")
        assert names(campaign) == [*before, ("qSr", "judge")]


async def test_an_empty_campaign_says_what_to_do(tmp_path: Path) -> None:
    with create_campaign(tmp_path / "c.db", name="new [/]", scale=DEFAULT_SCALE) as campaign:
        async with running(campaign, size=(80, 24)) as pilot:
            await counted(pilot)
            assert seen(pilot, "new [/]")
            assert seen(pilot, "Load the queries")
            await press(pilot, "enter")
            assert "judge-tui load queries" in said(pilot)
            await press(pilot, "r")
            assert said(pilot) == ""
            await press(pilot, "n", *"ann", "enter", "y")
            await until(pilot, lambda: screen_name(pilot) == "HomeScreen")
            assert "the pool is empty" in said(pilot)
            assert all_judges(campaign) == []
            # Somebody did it.
            await press(pilot, "enter")
            assert "judge-tui load queries" in said(pilot)
            (tmp_path / "queries.tsv").write_text("q1\tcats\n")
            with open_campaign(campaign.path) as other:
                load_queries(other, tmp_path / "queries.tsv")
            await until(pilot, lambda: not seen(pilot, "Load the queries"))
            assert said(pilot) == ""


@pytest.mark.parametrize("size", [(80, 24), (110, 40), (140, 45)])
async def test_home_has_room_for_whether_enough_is_judged(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    known = home_panes.count(campaign)
    first, *tags = (run.tag for run in known.status.progress.coverage)
    answers = tuple(Enough(first, tag, "nDCG@10", Answer.OPEN, more=4900) for tag in tags)
    status = known.status._replace(enough=EnoughNow(answers))
    monkeypatch.setattr(home_panes, "count", lambda _: replace(known, status=status))
    async with running(campaign, size=size) as pilot:
        await counted(pilot)
        for one in answers:
            row = next(its for its in screen_text(pilot) if f" {one.tag} " in its and "open" in its)
            assert "open: 4,900 more " in row


async def test_a_file_that_cannot_be_counted_is_said_and_the_numbers_stay(
    campaign: Campaign,
) -> None:
    add_judge(campaign, "ann")
    async with running(campaign) as pilot:
        await counted(pilot)
        with campaign.writing():
            campaign.execute("ALTER TABLE runs RENAME TO elsewhere")
        await press(pilot, "r")
        await counted(pilot)
        assert said(pilot).startswith("NOT DONE")
        assert seen(pilot, "0/6 judged")
