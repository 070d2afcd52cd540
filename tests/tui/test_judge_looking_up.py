"""What can be looked up while judging: statistics, flags, guidelines, keys, the palette."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from textual.screen import Screen

from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.desk import Desk, DeskPair
from judge_tui.campaign.judges import Judge
from judge_tui.tui.app import JudgeTuiApp, judging
from judge_tui.tui.config import Config
from judge_tui.tui.screens.comment import CommentOverlay
from judge_tui.tui.screens.flags import FlagsOverlay
from judge_tui.tui.screens.guidelines import GuidelinesOverlay
from judge_tui.tui.screens.help import HelpOverlay
from judge_tui.tui.screens.palette import KeyCommands
from judge_tui.tui.screens.statistics import StatisticsOverlay
from judge_tui.tui.tastes import Keeper
from judge_tui.tui.widgets import GuidelinesView, LineList, Need, SplitLine
from tests.tui.judging import actions, here, line, opened, press, screen, shown, until


def overlay_text(app: JudgeTuiApp) -> str:
    return "\n".join(str(one.render()) for one in app.screen.query("Static"))


def subtitle(app: JudgeTuiApp) -> str:
    return str(app.screen.query_one(".panel").border_subtitle or "")


# Statistics


async def test_statistics_say_nothing_of_the_pace_before_three_documents(app: JudgeTuiApp) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, "2", "1", "t")
        assert isinstance(app.screen, StatisticsOverlay)
        assert "known after 3 documents" in overlay_text(app)
        await press(pilot, "t")
        assert "s/doc" not in line(app, "query")
        await press(pilot, "s", "t")
        assert "median of the last 3 documents" in overlay_text(app)
        await press(pilot, "escape")
        assert "s/doc" in line(app, "query")


@pytest.mark.parametrize("size", [(80, 24), (200, 60)])
async def test_statistics_count_grades_and_what_else_was_done(
    app: JudgeTuiApp, size: tuple[int, int]
) -> None:
    async with app.run_test(size=size) as pilot:
        await press(pilot, "f", "3", "3", "0", "s", "x", "t")
        text = overlay_text(app)
        assert re.search(
            r"decided +5 +1 left +1 skipped +1 cannot be judged\n +1 flagged$", text, re.MULTILINE
        )
        assert re.search(r"0 no +▇+ +1 ", text)
        assert re.search(r"1 some +0 +–", text)
        assert re.search(r"3 perfect +▇{20} +2 ", text)
        assert "undefined: fewer than 5" in text
        # Nothing is cut and nothing is broken in two at 80 columns.
        panel = app.screen.query_one(".panel")
        assert panel.region.right <= size[0]
        widest = max(len(row) for row in text.splitlines())
        assert widest <= panel.scrollable_content_region.width


async def test_agreement_with_oneself_is_a_share_and_kappa(
    app: JudgeTuiApp, campaign: Campaign, ann: Judge
) -> None:
    """Kappa of first (0, 0, 1, 2, 3) and later (0, 1, 1, 2, 3): scikit-learn's
    cohen_kappa_score gives 0.7368 plain and 0.9180 with quadratic weights."""
    desk = Desk(campaign, ann)
    pairs = [pair for query in desk.queries() for pair in desk.pairs(query.key)]
    for pair, first, again in zip(pairs, (0, 0, 1, 2, 3), (0, 1, 1, 2, 3), strict=False):
        desk.record("grade", pair, grade=first)
        desk.record("grade", DeskPair(pair.key, pair.doc_id, pair.state, 1), grade=again)
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, "t")
        text = overlay_text(app)
        assert "4 of 5 the same (80 %)   kappa 0.74, quadratic 0.92" in text
        assert not any(pair.doc_id in text for pair in pairs)


async def test_agreement_of_one_grade_throughout_is_undefined(
    app: JudgeTuiApp, campaign: Campaign, ann: Judge
) -> None:
    desk = Desk(campaign, ann)
    for query in desk.queries():
        for pair in desk.pairs(query.key):
            desk.record("grade", pair, grade=1)
            desk.record("grade", DeskPair(pair.key, pair.doc_id, pair.state, 1), grade=1)
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, "t")
        assert "5 of 5 the same (100 %)   kappa undefined" in overlay_text(app)


async def test_many_events_are_counted_beside_and_the_overlay_can_be_closed_meanwhile(
    app: JudgeTuiApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judge_tui.campaign.statistics._MANY_EVENTS", 1)
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, "2", "t")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert re.search(r"decided +1 +5 left", overlay_text(app))
        await press(pilot, "escape", "t", "escape")
        assert app.screen is screen(app)
        await press(pilot, "3")
        assert "2/6" in line(app, "query")


async def test_numbers_that_cannot_be_read_are_said(app: JudgeTuiApp, campaign: Campaign) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, "2")
        campaign.connection.execute("DROP VIEW repeats")
        await press(pilot, "t")
        assert "CANNOT READ" in overlay_text(app)


# Flags


async def test_the_list_of_flags_leads_to_any_of_them(app: JudgeTuiApp, campaign: Campaign) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, "F")
        assert "nothing is flagged, skipped or has a comment; f flags a document" in line(
            app, "said"
        )
        first = here(app)
        await press(pilot, "f", "c", *"odd [/]", "enter", "3", "3", "3", "f")
        last = here(app)
        await press(pilot, "F")
        assert isinstance(app.screen, FlagsOverlay)
        rows = app.screen.query_one(LineList)
        texts = [rows.render_line(y).text for y in range(2)]
        assert re.search(rf"q1 +3! +{re.escape(first)} +odd \[/\]", texts[0])
        assert re.search(rf"q2 +·! +{re.escape(last)}", texts[1])
        # The cursor is on the pair in front of the judge.
        assert rows.cursor == 1
        await press(pilot, "up", "enter")
        assert here(app) == first
        assert "q1" in line(app, "query")
        assert [action for action, _ in actions(campaign)].count("grade") == 3


async def test_the_end_says_what_was_set_aside_and_the_list_leads_back_to_it(
    app: JudgeTuiApp,
) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        skipped = here(app)
        await press(pilot, "s", "x", "f", *"3333")
        text = "\n".join(shown(app))
        assert "1 flagged   1 skipped   1 cannot be judged: F lists them." in text
        await press(pilot, "F")
        assert "1 flagged   1 skipped   1 cannot be judged" in overlay_text(app)
        rows = app.screen.query_one(LineList)
        assert [rows.render_line(y).text.split()[1] for y in range(3)] == ["3!", "s", "x"]
        await press(pilot, "down", "enter")
        assert here(app) == skipped
        assert "skipped" in line(app, "title")


# Guidelines


def guidelines_of(shown: Screen[Any]) -> str:
    """What of them is on that screen."""
    view = shown.query_one(GuidelinesView)
    return " ".join(view.render_line(y).text for y in range(view.size.height))


async def test_guidelines_stand_beside_the_document_where_there_is_room(
    app: JudgeTuiApp, campaign: Campaign
) -> None:
    async with app.run_test(size=(200, 60)) as pilot:
        await opened(pilot)
        beside = screen(app).query_one("#beside")
        await until(pilot, lambda: "How to judge" in guidelines_of(screen(app)))
        texts = guidelines_of(screen(app))
        assert "How to judge" in texts
        assert "Read, then grade." in texts
        await press(pilot, "i")
        assert not beside.display
        await press(pilot, "2")
        assert not beside.display
        await press(pilot, "i")
        assert beside.display
        await press(pilot, "I")
        assert isinstance(app.screen, GuidelinesOverlay)
        await press(pilot, "escape", "1")
        assert actions(campaign) == [("grade", 2), ("grade", 1)]


async def test_guidelines_come_and_go_with_the_width(app: JudgeTuiApp, campaign: Campaign) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        beside = screen(app).query_one("#beside")
        assert not beside.display
        await press(pilot, "i")
        assert isinstance(app.screen, GuidelinesOverlay)
        await pilot.resize_terminal(200, 60)
        await pilot.pause()
        await press(pilot, "escape")
        assert beside.display
        await press(pilot, "2")
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert not beside.display
        await press(pilot, "3")
        assert actions(campaign) == [("grade", 2), ("grade", 3)]


async def test_without_guidelines_nothing_stands_beside_and_the_scale_is_shown(
    campaign: Campaign, ann: Judge
) -> None:
    campaign.connection.execute("UPDATE campaign SET guidelines = ''")
    with open_campaign(campaign.path) as again:
        app = JudgeTuiApp(again, opening=judging(ann))
        async with app.run_test(size=(200, 60)) as pilot:
            await pilot.pause()
            assert not screen(app).query_one("#beside").display
            await press(pilot, "I")
            await until(pilot, lambda: "3 perfect" in guidelines_of(app.screen))
            text = guidelines_of(app.screen)
            assert "has no guidelines" in text
            assert "3 perfect" in text


async def test_guidelines_scroll_in_their_overlay(campaign: Campaign, ann: Judge) -> None:
    guidelines = "\n\n".join(f"Rule {number}." for number in range(100))
    campaign.connection.execute("UPDATE campaign SET guidelines = ?", (guidelines,))
    with open_campaign(campaign.path) as again:
        app = JudgeTuiApp(again, opening=judging(ann))
        async with app.run_test(size=(80, 24)) as pilot:
            await press(pilot, "i")
            await until(pilot, lambda: "Rule 0." in guidelines_of(app.screen))
            view = app.screen.query_one(GuidelinesView)
            assert "Rule 0." in view.render_line(0).text
            await press(pilot, "j", "j")
            assert "Rule 1." in view.render_line(0).text
            await press(pilot, "space", "k", "b", "b")
            assert "Rule 0." in view.render_line(0).text
            await press(pilot, "G")
            lines = [view.render_line(y).text for y in range(view.size.height)]
            assert "Rule 99." in "".join(lines)
            await press(pilot, "home")
            assert "Rule 0." in view.render_line(0).text
            assert "j k space b g G scroll" in subtitle(app)
            await pilot.resize_terminal(80, 300)
            await pilot.pause()
            await pilot.pause()
            assert subtitle(app) == ""


# The narrative


async def test_a_folded_narrative_stays_folded_from_query_to_query(
    app: JudgeTuiApp, campaign: Campaign
) -> None:
    campaign.connection.execute("UPDATE queries SET narrative = 'what is needed'")
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, "d", *"333")
        assert "q2" in line(app, "query")
        assert not screen(app).query_one(Need).display
        await press(pilot, "d")
        assert screen(app).query_one(Need).display


async def test_a_query_without_a_narrative_leaves_no_blank_row_from_the_start(
    app: JudgeTuiApp, campaign: Campaign
) -> None:
    campaign.connection.execute("UPDATE queries SET narrative = ''")
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        assert screen(app).query_one("#desk").region.y == 1


# Keys


async def test_every_key_is_in_the_palette_by_what_it_does(campaign: Campaign, ann: Judge) -> None:
    """Labels of the scale are foreign text: nothing in them is read as markup."""
    campaign.connection.execute("UPDATE campaign SET scale = '0=[/]no,1=[@click=app.quit]yes'")
    with open_campaign(campaign.path) as again:
        app = JudgeTuiApp(again, opening=judging(ann))
        async with app.run_test(size=(100, 60)) as pilot:
            await press(pilot, "ctrl+p")
            hits = [hit async for hit in KeyCommands(screen(app)).discover()]
            names = [hit.text for hit in hits]
            assert names[:5] == [
                "next document",
                "previous document",
                "next document not judged yet",
                "jump to a query",
                "what is flagged, skipped or has a comment",
            ]
            assert "grade 1: [@click=app.quit]yes" in names
            assert "grade 2" not in " ".join(map(str, names))
            for name in ("find in the document", "statistics, your own", "change the theme"):
                assert name in names
            await press(pilot, *"[/]no", "escape", "escape")
            assert app.is_running


async def test_the_help_has_its_keys_in_sections_beside_each_other(app: JudgeTuiApp) -> None:
    async with app.run_test(size=(120, 50)) as pilot:
        await press(pilot, "question_mark")
        assert isinstance(app.screen, HelpOverlay)
        left, right = app.screen.query_one("#left"), app.screen.query_one("#right")
        assert left.region.y == right.region.y
        both = f"{left.render()}\n{right.render()}"
        for title in ("Judge", "Go", "Read", "Look up", "Everywhere"):
            assert title in both.splitlines()
        assert re.search(r"^/ +find in the document$", both, re.MULTILINE)
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert not right.display
        assert "end the app" in str(left.render())


async def test_a_help_longer_than_the_screen_says_that_it_scrolls_and_by_what(
    app: JudgeTuiApp,
) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "question_mark")
        panel = app.screen.query_one(".panel")
        assert "j k space b g G scroll" in subtitle(app)
        await press(pilot, "G")
        assert panel.scroll_offset.y == panel.max_scroll_y > 0
        await press(pilot, "g")
        assert panel.scroll_offset.y == 0
        await press(pilot, "end", "home")
        assert panel.scroll_offset.y == 0
        assert "a map of the whole document" in overlay_text(app)
        assert re.search(r"^Text +finds Text only$", overlay_text(app), re.MULTILINE)
        await pilot.resize_terminal(120, 40)
        await pilot.pause()
        assert subtitle(app) == ""


async def test_remapped_keys_work_and_are_shown_everywhere(campaign: Campaign, ann: Judge) -> None:
    keymap = {
        "judge.skip": "x",
        "judge.cannot": "s",
        "judge.undo": "ctrl+u",
        "judge.grade-3": "space",
        "judge.page-down": "pagedown",
        "judge.help": "H",
        "overlay.close": "escape,f2",
    }
    app = JudgeTuiApp(campaign, opening=judging(ann), config=Config(keymap=keymap))
    async with app.run_test(size=(100, 40)) as pilot:
        await press(pilot, "x", "s", "space", "3", "question_mark", "ctrl+u")
        assert actions(campaign) == [
            ("skip", None),
            ("cannot", None),
            ("grade", 3),
            ("undo", None),
        ]
        legend = line(app, "legend")
        assert "ctrl+u undo  x skip" in legend
        assert legend.endswith("H keys  q back")
        await press(pilot, "H")
        text = overlay_text(app)
        assert re.search(r"^x +skip$", text, re.MULTILINE)
        assert re.search(r"^space +grade 3: perfect$", text, re.MULTILINE)
        await press(pilot, "f2")
        assert app.screen is screen(app)
        await press(pilot, "c", *"xs x", "enter")
        assert screen(app).route.pair is not None
        assert screen(app).route.pair.state.note == "xs x"


async def test_remapped_grades_show_their_keys_and_a_digit_that_is_left_over_says_so(
    campaign: Campaign, ann: Judge
) -> None:
    keymap = {f"judge.grade-{grade}": key for grade, key in enumerate("a012")}
    app = JudgeTuiApp(campaign, opening=judging(ann), config=Config(keymap=keymap))
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        assert "a→0 no   0→1 some   1→2 good   2→3 perfect" in line(app, "legend")
        await press(pilot, "3")
        assert "3 does nothing here: 2 gives grade 3 perfect" in line(app, "said")
        await press(pilot, "0")
        assert "does nothing" not in line(app, "said")
        await press(pilot, "a")
        assert actions(campaign) == [("grade", 1), ("grade", 0)]


async def test_a_theme_of_the_config_is_used_and_else_the_one_chosen_last(
    campaign: Campaign, ann: Judge, tmp_path: Path
) -> None:
    app = JudgeTuiApp(campaign, opening=judging(ann), config=Config("nord"))
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        assert app.theme == "nord"
    state = tmp_path / "state.json"
    app = JudgeTuiApp(campaign, opening=judging(ann), tastes=Keeper(state))
    async with app.run_test(size=(100, 30)) as pilot:
        app.theme = "gruvbox"
        await pilot.pause()
    assert JudgeTuiApp(campaign, opening=judging(ann), tastes=Keeper(state)).theme == "gruvbox"


# Comments of two windows


async def test_a_comment_changed_elsewhere_is_asked_about_and_not_replaced(
    app: JudgeTuiApp, campaign: Campaign, ann: Judge
) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, "c", *"mine")
        pair = screen(app).route.pair
        assert pair is not None
        with open_campaign(campaign.path) as other:
            Desk(other, ann).record("comment", pair, note="theirs [/]")
        await press(pilot, "enter")
        assert isinstance(app.screen, CommentOverlay)
        assert "It is now: theirs [/]" in overlay_text(app)
        assert app.screen.query_one("Input").value == "mine"
        assert [action for action, _ in actions(campaign)] == ["comment"]
        await press(pilot, "escape")
        assert screen(app).route.pair.state.note == "theirs [/]"
        assert "comment: theirs [/]" in line(app, "said")
        await press(pilot, "c")
        assert app.screen.query_one("Input").value == "mine"
        await press(pilot, "enter")
        assert screen(app).route.pair.state.note == "mine"


# Sizes and the mouse


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_the_rows_of_the_screen_fill_it_and_nothing_moves_when_a_grade_is_given(
    app: JudgeTuiApp, campaign: Campaign, size: tuple[int, int]
) -> None:
    campaign.connection.execute("UPDATE queries SET narrative = 'what is needed'")
    async with app.run_test(size=size) as pilot:
        await opened(pilot)

        def regions() -> dict[str | None, object]:
            names = ("query", "need", "pairs", "title", "document", "said", "who", "legend")
            return {name: screen(app).query_one(f"#{name}").region for name in names}

        before = regions()
        for key in "3fs1u":
            await press(pilot, key)
            assert regions() == before
        assert screen(app).query_one("#legend").region.bottom == size[1]
        assert screen(app).query_one("#who").region.right == size[0] - 1
        assert shown(app)[0].strip()


async def test_the_mouse_on_the_legend_does_what_the_key_does(app: JudgeTuiApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        column = str(screen(app).query_one("#legend", SplitLine).render()).index("? keys")
        await pilot.click("#legend", offset=(column + 3, 0))
        await pilot.pause()
        assert isinstance(app.screen, HelpOverlay)
