"""What can be looked up while judging: statistics, flags, guidelines, keys, the palette."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from textual.screen import Screen

from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.store.desk import Desk
from judge_tui.campaign.store.judges import Judge
from judge_tui.tui.app import JudgeTuiApp, judging
from judge_tui.tui.config import Config
from judge_tui.tui.screens.comment import CommentOverlay
from judge_tui.tui.screens.flags import FlagsOverlay
from judge_tui.tui.screens.guidelines import GuidelinesOverlay
from judge_tui.tui.screens.palette import KeyCommands
from judge_tui.tui.tastes import Keeper
from judge_tui.tui.widgets import GuidelinesView, LineList
from tests.tui.judging import actions, here, line, opened, press, screen, until


def overlay_text(app: JudgeTuiApp) -> str:
    return "\n".join(str(one.render()) for one in app.screen.query("Static"))


def subtitle(app: JudgeTuiApp) -> str:
    return str(app.screen.query_one(".panel").border_subtitle or "")


# Statistics


async def test_statistics_count_grades_and_what_else_was_done(app: JudgeTuiApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
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
        assert panel.region.right <= 80
        widest = max(len(row) for row in text.splitlines())
        assert widest <= panel.scrollable_content_region.width


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


async def test_guidelines_scroll_in_their_overlay(campaign: Campaign, ann: Judge) -> None:
    guidelines = "\n\n".join(f"Rule {number}." for number in range(100))
    campaign.execute("UPDATE campaign SET guidelines = ?", (guidelines,))
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


# Keys


async def test_every_key_is_in_the_palette_by_what_it_does(campaign: Campaign, ann: Judge) -> None:
    """Labels of the scale are foreign text: nothing in them is read as markup."""
    campaign.execute("UPDATE campaign SET scale = '0=[/]no,1=[@click=app.quit]yes'")
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
