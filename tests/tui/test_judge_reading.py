"""Through one document: finding, marks, wrapping, raw text, the id."""

from __future__ import annotations

import json

import pytest
from textual import events

from judge_tui.campaign import Campaign
from judge_tui.campaign.store.settings import change_setting
from judge_tui.tui.app import JudgeTuiApp
from judge_tui.tui.screens.find import FindOverlay
from tests.tui.judging import actions, line, press, screen, shown

LONG = "\n".join(
    f"line {number} {'needle' if number % 50 == 40 else 'hay'}" for number in range(200)
)


def found(app: JudgeTuiApp) -> str:
    return str(app.screen.query_one("#found").render())


@pytest.fixture
def haystack(campaign: Campaign) -> None:
    campaign.execute("UPDATE documents SET text = ?", (LONG,))


@pytest.mark.usefixtures("haystack")
async def test_find_goes_to_the_hits_while_one_types(app: JudgeTuiApp, campaign: Campaign) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        await press(pilot, "slash", *"needle")
        assert isinstance(app.screen, FindOverlay)
        assert found(app) == "1 of 4"
        assert any("line 40 needle" in row for row in shown(app))
        await press(pilot, "enter")
        assert line(app, "said").startswith("1 of 4")
        await press(pilot, "n")
        assert any("line 90 needle" in row for row in shown(app))
        assert line(app, "said").startswith("2 of 4")
        await press(pilot, "N", "N")
        assert line(app, "said").startswith("4 of 4")
        # Nothing of what was typed was taken for a grade.
        assert actions(campaign) == []


@pytest.mark.usefixtures("haystack")
async def test_escape_goes_back_to_where_one_was(app: JudgeTuiApp) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, "j", "j")
        before = shown(app)
        await press(pilot, "slash", *"line 19", "0", "escape")
        assert shown(app)[0] == before[0] == " line 2 hay"
        assert not screen(app).view.finding


@pytest.mark.usefixtures("haystack")
async def test_digits_are_typed_into_find_and_grade_nothing(
    app: JudgeTuiApp, campaign: Campaign
) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, "slash", "1", "2", "3", "enter")
        assert line(app, "said").startswith("1 of 1")
        assert any("line 123" in row for row in shown(app))
        assert actions(campaign) == []
        await press(pilot, "escape")
        assert not screen(app).view.finding
        await press(pilot, "3")
        assert actions(campaign) == [("grade", 3)]


@pytest.mark.usefixtures("haystack")
async def test_the_next_document_is_searched_for_the_same_by_n(app: JudgeTuiApp) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, "n")
        assert "/ finds" in line(app, "said")
        await press(pilot, "slash", *"needle", "enter", "2")
        assert not screen(app).view.finding
        assert shown(app)[0].endswith("line 0 hay")
        await press(pilot, "n")
        assert line(app, "said").startswith("1 of 4")
        await press(pilot, "slash")
        assert app.screen.query_one("Input").value == "needle"


async def test_markdown_is_rendered_or_raw_from_one_document_to_the_next(
    app: JudgeTuiApp, campaign: Campaign
) -> None:
    campaign.execute("UPDATE documents SET kind = 'markdown', text = 'A **strong** word.'")
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        assert shown(app)[0].strip() == "A strong word."
        await press(pilot, "v")
        assert shown(app)[0].strip() == "A **strong** word."
        assert "raw" in line(app, "title").split()
        assert line(app, "said").startswith("raw")
        await press(pilot, "2")
        assert actions(campaign) == [("grade", 2)]
        assert shown(app)[0].strip() == "A **strong** word."
        await press(pilot, "v")
        assert shown(app)[0].strip() == "A strong word."
        assert "raw" not in line(app, "title").split()


async def test_a_grade_that_outran_the_other_view_of_the_document_does_not_count(
    app: JudgeTuiApp, campaign: Campaign
) -> None:
    campaign.execute("UPDATE documents SET kind = 'markdown', text = '*a*'")
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        for key in "v3":
            app.post_message(events.Key(key, key))
        await pilot.pause()
        await pilot.pause()
        assert actions(campaign) == []
        await press(pilot, "3")
        assert actions(campaign) == [("grade", 3)]


async def test_the_id_is_given_to_the_clipboard(app: JudgeTuiApp, campaign: Campaign) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, "y")
        pair = screen(app).route.pair
        assert pair is not None
        assert app.clipboard == pair.doc_id
        assert pair.doc_id in line(app, "said")
        assert actions(campaign) == []


async def test_a_document_without_text_shows_its_address_and_the_fields_to_be_shown(
    app: JudgeTuiApp, campaign: Campaign
) -> None:
    change_setting(campaign, "show-fields", "author")
    campaign.execute(
        "UPDATE documents SET text = NULL, url = 'https://example.org/a', meta = ?",
        (json.dumps({"author": "Ann [/]", "year": 2020}),),
    )
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        text = "\n".join(shown(app))
        assert "is not loaded" in text
        assert "https://example.org/a" in text
        assert "Ann [/]" in text
        assert "2020" not in text
        await press(pilot, "1")
        assert actions(campaign) == [("grade", 1)]


async def test_a_resize_does_not_start_the_time_anew(
    app: JudgeTuiApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        started: list[float] = []
        monkeypatch.setattr(screen(app).timer, "start", started.append)
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        await press(pilot, "w", "m", "v")
        assert started == []
        await press(pilot, "2")
        assert len(started) == 1
