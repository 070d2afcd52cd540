"""The Judge screen while others write, and while the file is in trouble."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.extend_pool import extend_pool
from judge_tui.campaign.store.desk import Desk
from judge_tui.campaign.store.judges import Judge, add_judge
from judge_tui.tui.app import JudgeTuiApp, judging
from tests.loading_runs import load_run
from tests.tui.judging import actions, here, line, press, screen, shown


async def test_a_locked_file_is_said_and_the_key_can_be_pressed_again(
    app: JudgeTuiApp, campaign: Campaign
) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        campaign.wait_at_most(10)
        first = here(app)
        other = sqlite3.connect(campaign.path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        await press(pilot, "3")
        assert "NOT SAVED" in line(app, "said")
        assert "another program holds the file" in line(app, "said")
        assert screen(app).failed
        assert here(app) == first
        assert "0/6" in line(app, "query")
        other.close()
        await press(pilot, "2")
        assert actions(campaign) == [("grade", 2)]
        assert "1/6" in line(app, "query")


async def test_two_judges_at_once_on_one_file(campaign: Campaign, ann: Judge) -> None:
    bob = add_judge(campaign, "bob")
    with open_campaign(campaign.path) as second:
        one, two = (
            JudgeTuiApp(campaign, opening=judging(ann)),
            JudgeTuiApp(second, opening=judging(bob)),
        )
        async with one.run_test(size=(100, 30)) as first_pilot:
            await press(first_pilot, "3", "3")
            async with two.run_test(size=(100, 30)) as second_pilot:
                await press(second_pilot, "1")
                assert "1/6" in line(two, "query")
            await press(first_pilot, "3")
            assert "3/6" in line(one, "query")
    by_judge = campaign.rows("SELECT judge, count(*) FROM events GROUP BY judge")
    assert dict(by_judge) == {ann.key: 3, bob.key: 1}


async def test_a_document_that_cannot_be_read_cannot_be_graded(
    app: JudgeTuiApp, campaign: Campaign
) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        campaign.execute("ALTER TABLE documents RENAME COLUMN text TO away")
        await press(pilot, "right_square_bracket")
        assert "CANNOT READ" in line(app, "said")
        campaign.execute("ALTER TABLE documents RENAME COLUMN away TO text")
        await press(pilot, "3", "s", "x", "f")
        assert actions(campaign) == []
        await press(pilot, "left_square_bracket", "3")
        assert actions(campaign) == [("grade", 3)]


async def test_a_document_changed_meanwhile_is_shown_anew_before_it_counts(
    app: JudgeTuiApp, campaign: Campaign
) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        with open_campaign(campaign.path) as other, other.writing():
            other.execute("UPDATE documents SET text = 'another text'")
        await press(pilot, "3")
        assert actions(campaign) == []
        assert "changed meanwhile" in line(app, "said")
        assert shown(app)[0].strip() == "another text"
        await press(pilot, "1")
        assert actions(campaign) == [("grade", 1)]


async def test_a_grade_given_in_another_window_is_not_overwritten_unseen(
    app: JudgeTuiApp, campaign: Campaign, ann: Judge
) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        with open_campaign(campaign.path) as other:
            Desk(other, ann).record("grade", screen(app).route.pair, grade=0)
        await press(pilot, "3")
        assert actions(campaign) == [("grade", 0)]
        assert "another window" in line(app, "said")
        assert "0 no" in line(app, "title")
        await press(pilot, "3")
        assert actions(campaign) == [("grade", 0), ("grade", 3)]


async def test_pairs_that_joined_the_pool_meanwhile_are_judged_too(
    app: JudgeTuiApp, campaign: Campaign, files: Path
) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, *"33333")
        (files / "late.run").write_text("q1 Q0 late.one 1 1.0 late\nq2 Q0 late.two 1 1.0 late\n")
        load_run(campaign, files / "late.run")
        extend_pool(campaign)
        await press(pilot, "3", "3")
        assert "all judged" not in line(app, "said")
        await press(pilot, "3")
        assert "8/8" in line(app, "query")
        assert "all judged" in line(app, "said")


async def test_a_grade_given_elsewhere_to_a_pair_ahead_is_seen_on_arrival(
    app: JudgeTuiApp, campaign: Campaign, ann: Judge
) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        with open_campaign(campaign.path) as other:
            Desk(other, ann).record("grade", screen(app).route.pairs[1], grade=0)
        await press(pilot, "right_square_bracket")
        assert "0 no" in line(app, "title")
        assert "1/6" in line(app, "query")


async def test_flags_and_comments_of_another_window_are_not_written_over(
    app: JudgeTuiApp, campaign: Campaign, ann: Judge
) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        with open_campaign(campaign.path) as other:
            desk = Desk(other, ann)
            desk.record("flag", screen(app).route.pair)
            desk.record("comment", screen(app).route.pair, note="mine")
        await press(pilot, "f")
        assert actions(campaign) == [("flag", None), ("comment", None)]
        assert "flagged" in line(app, "title")
        await press(pilot, "c", "enter")
        assert actions(campaign) == [("flag", None), ("comment", None)]


async def test_a_comment_that_could_not_be_written_is_there_again(
    app: JudgeTuiApp, campaign: Campaign
) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, "c", *"long thought")
        campaign.execute("PRAGMA query_only = 1")
        await press(pilot, "enter")
        assert "NOT SAVED" in line(app, "said")
        campaign.execute("PRAGMA query_only = 0")
        await press(pilot, "c")
        assert app.screen.query_one("Input").value == "long thought"
        await press(pilot, "enter")
        assert "comment: long thought" in line(app, "said")


async def test_a_query_changed_meanwhile_is_shown_anew_before_a_grade_counts(
    app: JudgeTuiApp, campaign: Campaign
) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        with open_campaign(campaign.path) as other, other.writing():
            other.execute("UPDATE queries SET text = 'another need'")
        await press(pilot, "3")
        assert actions(campaign) == []
        assert "the query was changed" in line(app, "said")
        assert "another need" in line(app, "query")
