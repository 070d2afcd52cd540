"""The Judge screen, driven by keys: what is on screen, and what is in the file."""

from __future__ import annotations

import sqlite3
from time import monotonic

import pytest
from textual import events

from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.store.desk import Desk
from judge_tui.campaign.store.judges import Judge
from judge_tui.tui.app import JudgeTuiApp, judging
from judge_tui.tui.screens.comment import CommentOverlay
from judge_tui.tui.screens.jump import JumpOverlay
from judge_tui.tui.widgets import DocumentView, LineList, Need, SaidLine, SplitLine
from tests.tui.judging import actions, here, line, opened, press, screen, shown, until


async def test_one_key_is_one_committed_event(app: JudgeTuiApp, campaign: Campaign) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        first = here(app)
        await press(pilot, "3")
        assert here(app) != first
        # Another connection sees it: it is committed, not only pending in ours.
        other = sqlite3.connect(campaign.path)
        row = other.execute(
            "SELECT d.doc_id, e.action, e.grade, e.looked >= 0, e.painted_at < e.written_at"
            " FROM events AS e JOIN pool AS p ON p.id = e.pair"
            " JOIN documents AS d ON d.id = p.document"
        ).fetchall()
        other.close()
        assert row == [(first, "grade", 3, 1, 1)]
        assert "1/6" in line(app, "query")
        assert "3 perfect" in line(app, "said")


async def test_keys_that_outrun_the_painting_make_one_judgment(
    app: JudgeTuiApp, campaign: Campaign
) -> None:
    """Twenty keys in one burst: only the first was pressed with its document on screen."""
    async with app.run_test(size=(100, 30)) as pilot:
        await opened(pilot)
        for _ in range(20):
            app.post_message(events.Key("2", "2"))
        await until(pilot, lambda: actions(campaign))
        await pilot.pause()
        assert actions(campaign) == [("grade", 2)]
        await press(pilot, "1")
        assert actions(campaign) == [("grade", 2), ("grade", 1)]


async def test_a_key_pressed_before_the_document_was_painted_does_not_count(
    app: JudgeTuiApp, campaign: Campaign
) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        late = events.Key("3", "3")
        late.time = monotonic() - 60
        app.post_message(late)
        await pilot.pause()
        assert actions(campaign) == []


async def test_nothing_is_graded_where_the_document_has_no_room(
    app: JudgeTuiApp, campaign: Campaign
) -> None:
    async with app.run_test(size=(100, 4)) as pilot:
        await press(pilot, "3", "3", "s", "x")
        assert actions(campaign) == []
        await pilot.resize_terminal(100, 30)
        await pilot.pause()
        await press(pilot, "3")
        assert actions(campaign) == [("grade", 3)]


async def test_a_digit_off_the_scale_is_said_and_does_nothing(
    app: JudgeTuiApp, campaign: Campaign
) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, "7")
        assert actions(campaign) == []
        assert "7 is not on the scale (0, 1, 2, 3)" in line(app, "said")


async def test_undo_returns_to_the_document_and_redo_grades_it_again(app: JudgeTuiApp) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        first = here(app)
        await press(pilot, "3", "0", "u")
        second = here(app)
        await press(pilot, "u")
        assert here(app) == first
        assert "undone: 3 perfect" in line(app, "said")
        assert "0/6" in line(app, "query")
        await press(pilot, "u")
        assert "nothing to undo" in line(app, "said")
        await press(pilot, "ctrl+r", "ctrl+r")
        assert here(app) == second
        assert "2/6" in line(app, "query")
        await press(pilot, "ctrl+r")
        assert "nothing to redo" in line(app, "said")


async def test_undo_works_after_a_restart(campaign: Campaign, ann: Judge) -> None:
    app = JudgeTuiApp(campaign, opening=judging(ann))
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        first = here(app)
        await press(pilot, "3", "1", "q")
    campaign.close()
    with open_campaign(campaign.path) as again:
        later = JudgeTuiApp(again, opening=judging(ann))
        async with later.run_test(size=(100, 30)) as pilot:
            await pilot.pause()
            assert "2/6" in line(later, "query")
            await press(pilot, "u", "u")
            assert here(later) == first
            assert "0/6" in line(later, "query")


async def test_skip_cannot_flag_and_comment_are_distinct_and_revisitable(
    app: JudgeTuiApp, campaign: Campaign
) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        first = here(app)
        await press(pilot, "f")
        assert here(app) == first
        assert "flagged" in line(app, "title")
        await press(pilot, "c")
        assert isinstance(app.screen, CommentOverlay)
        await press(pilot, *"odd", "enter")
        assert "comment: odd" in line(app, "said")
        await press(pilot, "s")
        second = here(app)
        await press(pilot, "x")
        assert actions(campaign) == [
            ("flag", None),
            ("comment", None),
            ("skip", None),
            ("cannot", None),
        ]
        await press(pilot, "left_square_bracket")
        assert here(app) == second
        assert "cannot be judged" in line(app, "title")
        await press(pilot, "left_square_bracket")
        assert here(app) == first
        assert "skipped · flagged" in line(app, "title")
        assert "comment: odd" in line(app, "said")
        await press(pilot, "2")
        key = next(pair for pair in screen(app).route.pairs if pair.doc_id == first)
        state = Desk(campaign, screen(app).desk.judge).state(key)
        assert (state.decision, state.grade, state.flagged, state.note) == ("grade", 2, True, "odd")


async def test_an_empty_comment_takes_it_off_and_escape_leaves_it(
    app: JudgeTuiApp, campaign: Campaign
) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, "c", "3", "2", "enter", "c", "escape")
        assert actions(campaign) == [("comment", None)]
        await press(pilot, "c", "backspace", "backspace", "enter")
        assert actions(campaign) == [("comment", None), ("comment", None)]
        assert screen(app).route.pair is not None
        assert screen(app).route.pair.state.note == ""


async def test_next_previous_and_next_unjudged_cross_queries(app: JudgeTuiApp) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        await press(pilot, "left_square_bracket")
        assert "first document" in line(app, "said")
        await press(pilot, "3", "3", "3")
        assert "q2" in line(app, "query")
        await press(pilot, "left_square_bracket")
        assert "q1" in line(app, "query")
        await press(pilot, "tab")
        assert "q2" in line(app, "query")
        await press(pilot, "3", "3", "3")
        assert "all judged" in line(app, "said")
        assert "6/6" in line(app, "query")


async def test_jump_to_a_query_by_part_of_its_text(app: JudgeTuiApp) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, "o")
        assert isinstance(app.screen, JumpOverlay)
        await press(pilot, *"sort", "enter")
        assert "q2" in line(app, "query")
        await press(pilot, "o", *"sort zzz", "enter")
        assert isinstance(app.screen, JumpOverlay)
        assert "no query has all of this" in app.screen.query_one(LineList).render_line(0).text
        await press(pilot, "escape")
        assert "q2" in line(app, "query")


async def test_a_click_on_a_pair_goes_there(app: JudgeTuiApp) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        third = screen(app).route.pairs[2].doc_id
        await pilot.click(LineList, offset=(4, 2))
        await pilot.pause()
        assert here(app) == third


async def test_documents_without_a_text_can_still_be_judged(
    app: JudgeTuiApp, campaign: Campaign
) -> None:
    campaign.execute("UPDATE documents SET text = NULL")
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        assert "is not loaded" in shown(app)[0]
        await press(pilot, "x")
        assert actions(campaign) == [("cannot", None)]


async def test_the_document_scrolls_with_the_keys_of_a_pager(
    app: JudgeTuiApp, campaign: Campaign
) -> None:
    long = "\n".join(f"line {number}" for number in range(200))
    campaign.execute("UPDATE documents SET text = ?", (long,))
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        assert shown(app)[0].strip() == "line 0"
        await press(pilot, "j")
        assert shown(app)[0].strip() == "line 1"
        await press(pilot, "space")
        assert shown(app)[0].strip() != "line 1"
        await press(pilot, "G")
        assert shown(app)[-1].strip() == "line 199"
        await press(pilot, "g", "b", "k")
        assert shown(app)[0].strip() == "line 0"


async def test_a_long_narrative_takes_a_third_and_is_shown_whole_on_request(
    app: JudgeTuiApp, campaign: Campaign
) -> None:
    narrative = "\n".join(f"sentence {number}" for number in range(14))
    campaign.execute("UPDATE queries SET narrative = ?", (narrative,))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        need = screen(app).query_one(Need)
        assert need.size.height == 24 // 3
        assert str(need.render()).endswith("sentence 7 … e shows all")
        await press(pilot, "e")
        assert "sentence 13" in "\n".join(str(one.render()) for one in app.screen.query("Static"))
        await press(pilot, "escape", "d")
        assert not need.display
        await press(pilot, "d")
        assert need.size.height == 24 // 3


async def test_after_the_last_document_a_further_key_grades_nothing(
    app: JudgeTuiApp, campaign: Campaign
) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, *"333333")
        assert "Everything on your desk is judged" in shown(app)[0]
        assert line(app, "title") == ""
        before = actions(campaign)
        for key in ("0", "s", "x", "f", "c", "1"):
            screen(app).query_one(SaidLine).clear()
            await press(pilot, key)
            assert "all judged, and no document is shown: [ goes back" in line(app, "said"), key
        assert actions(campaign) == before
        await press(pilot, "u")
        assert "undone: 3 perfect" in line(app, "said")
        assert "5/6" in line(app, "query")
        await press(pilot, "2")
        assert "all judged" in line(app, "said")


async def test_an_undo_that_outran_the_screen_takes_nothing_more_back(
    app: JudgeTuiApp, campaign: Campaign
) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, "2")
        for key in "3u3u":
            app.post_message(events.Key(key, key))
        await pilot.pause()
        await pilot.pause()
        assert actions(campaign) == [("grade", 2), ("grade", 3)]


async def test_what_is_cut_in_the_lines_stands_whole_below(
    app: JudgeTuiApp, campaign: Campaign
) -> None:
    long = " ".join(f"word{number}" for number in range(40))
    campaign.execute("UPDATE queries SET text = ?", (long,))
    campaign.execute("UPDATE documents SET title = ?", (long,))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        need = " ".join(str(screen(app).query_one(Need).render()).split())
        assert "word39" in need
        assert "word39" in " ".join(shown(app))


async def test_a_resize_keeps_the_place(app: JudgeTuiApp, campaign: Campaign) -> None:
    text = "\n".join(f"paragraph {number} " + "and so on " * 20 for number in range(100))
    campaign.execute("UPDATE documents SET text = ?", (text,))
    async with app.run_test(size=(120, 30)) as pilot:
        await pilot.pause()
        screen(app).query_one(DocumentView).scroll_to(0, 90, animate=False, immediate=True)
        await pilot.pause()
        top = next(row for row in shown(app) if "paragraph" in row).split()[1]
        await pilot.resize_terminal(70, 30)
        await pilot.pause()
        assert f"paragraph {top} " in " ".join(shown(app)[:12]) + " "


@pytest.mark.parametrize("size", [(40, 10), (200, 60)])
async def test_at_any_size_the_document_and_the_legend_have_room(
    app: JudgeTuiApp, campaign: Campaign, size: tuple[int, int]
) -> None:
    narrative = "\n".join(f"sentence {number}" for number in range(100))
    campaign.execute("UPDATE queries SET narrative = ?", (narrative,))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        assert screen(app).query_one(DocumentView).size.height >= 3
        assert screen(app).query_one("#legend").region.bottom == size[1]
        assert "?" in str(screen(app).query_one("#legend", SplitLine).render())
        await press(pilot, "2")
        assert actions(campaign) == [("grade", 2)]


async def test_a_scale_of_ten_grades_keeps_its_digits_at_80_columns(
    campaign: Campaign, ann: Judge
) -> None:
    scale = ",".join(f"{grade}=a label of some length" for grade in range(10))
    campaign.execute("UPDATE campaign SET scale = ?", (scale,))
    with open_campaign(campaign.path) as again:
        app = JudgeTuiApp(again, opening=judging(ann))
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            legend = str(screen(app).query_one("#legend", SplitLine).render())
            assert "0 1 2 3 4 5 6 7 8 9" in legend
            assert "? keys" in legend


async def test_a_comment_key_that_outran_the_screen_opens_nothing(
    app: JudgeTuiApp, campaign: Campaign
) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await opened(pilot)
        for key in "3cf":
            app.post_message(events.Key(key, key))
        await until(pilot, lambda: actions(campaign))
        await pilot.pause()
        assert app.screen is screen(app)
        assert actions(campaign) == [("grade", 3)]


@pytest.mark.parametrize("size", [(80, 4), (30, 5)])
async def test_a_terminal_made_too_small_is_said_and_nothing_is_graded(
    app: JudgeTuiApp, campaign: Campaign, size: tuple[int, int]
) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.resize_terminal(*size)
        await pilot.pause(0.6)
        await press(pilot, "3", "3")
        assert actions(campaign) == []
        assert line(app, "said").startswith("no room for the document")
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        await press(pilot, "3")
        assert actions(campaign) == [("grade", 3)]


async def test_back_from_the_end_note_is_the_document_judged_last(app: JudgeTuiApp) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, *"33333")
        last = here(app)
        await press(pilot, "3", "left_square_bracket")
        assert here(app) == last
        assert "all judged" not in line(app, "said")


async def test_keys_typed_behind_enter_are_no_part_of_the_comment(
    app: JudgeTuiApp, campaign: Campaign
) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, "c", *"abc")
        for key, char in (("enter", "\r"), ("2", "2"), ("3", "3")):
            app.post_message(events.Key(key, char))
        await pilot.pause()
        await pilot.pause()
        notes = campaign.rows("SELECT note FROM events WHERE action = 'comment'")
        assert notes == [("abc",)]


async def test_a_comment_pasted_too_long_is_cut_and_that_is_said(
    app: JudgeTuiApp, campaign: Campaign
) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, "c", *"my ")
        app.post_message(events.Paste("x" * 2500 + "\nmore"))
        await pilot.pause()
        await pilot.pause()
        assert [told.message for told in app._notifications] == [
            "cut: there is room for 2,000 characters"
        ]
        await press(pilot, "enter")
        notes = campaign.rows("SELECT note FROM events WHERE action = 'comment'")
        assert notes == [("my " + "x" * 1997,)]
