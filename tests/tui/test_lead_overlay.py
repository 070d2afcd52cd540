"""Who leads: the overlay at Home that asks for the name."""

from __future__ import annotations

from typing import Any

from textual.app import App
from textual.pilot import Pilot

from judge_tui.campaign import Campaign
from judge_tui.campaign.store.judges import add_judge, all_judges
from judge_tui.tui.app import JudgeTuiApp
from judge_tui.tui.screens.lead import LeadOverlay
from judge_tui.tui.widgets import LineList
from tests.tui.judging import press

Given = list[str | None]


def rows(app: App[Any]) -> list[str]:
    found = app.screen.query_one(LineList)
    shown = [found.render_line(y).text.split() for y in range(found.size.height)]
    return [" ".join(words) for words in shown if words]


def said(app: App[Any]) -> str:
    return str(app.screen.query_one(".hint").render())


async def asked(campaign: Campaign, *keys: str) -> tuple[Given, str]:
    """What the overlay gives after these keys, and what it says where it gives nothing."""
    async with JudgeTuiApp(campaign).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        return await asked_over(pilot, campaign, *keys)


async def asked_over(pilot: Pilot[None], campaign: Campaign, *keys: str) -> tuple[Given, str]:
    app, given = pilot.app, Given()
    app.push_screen(LeadOverlay(campaign), given.append)
    await pilot.pause()
    await press(pilot, *keys)
    return given, "" if given else said(app)


async def test_those_who_lead_are_offered_first_and_models_never(campaign: Campaign) -> None:
    add_judge(campaign, "ann")
    add_judge(campaign, "bot", kind="model")
    add_judge(campaign, "zoe", role="lead")
    app = JudgeTuiApp(campaign)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        app.push_screen(LeadOverlay(campaign))
        await pilot.pause()
        assert rows(app) == ["zoe lead", "ann judge"]
        await press(pilot, *"an")
        # What is typed is who one is; the names it is part of can be chosen.
        assert rows(app) == ["an a new lead", "ann judge"]
        await press(pilot, "n")
        assert rows(app) == ["ann judge"]
        await press(pilot, "escape")
        for keys, given in (
            (("enter",), "zoe"),
            (("down", "enter"), "ann"),
            ((*"ann", "enter"), "ann"),
            ((*"an", "down", "enter"), "ann"),
            (("escape",), None),
        ):
            assert await asked_over(pilot, campaign, *keys) == ([given], "")


async def test_a_name_that_may_be_a_slip_is_asked_about(campaign: Campaign) -> None:
    add_judge(campaign, "anna")
    given, hint = await asked(campaign, *"Anna", "enter")
    assert (given, "nearly the name of anna" in hint) == ([], True)
    assert await asked(campaign, *"Anna", "enter", "enter") == (["Anna"], "")
    assert [judge.name for judge in all_judges(campaign)] == ["anna"]


async def test_a_name_that_cannot_be_is_refused_where_it_is_typed(campaign: Campaign) -> None:
    given, hint = await asked(campaign, *"a", "comma", "b", "enter")
    assert (given, "cannot be a judge's name" in hint) == ([], True)


async def test_hostile_names_are_shown_as_they_are_made_visible(campaign: Campaign) -> None:
    add_judge(campaign, "ann[/]\x1b]0;x\x07", role="lead")
    app = JudgeTuiApp(campaign)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        app.push_screen(LeadOverlay(campaign))
        await pilot.pause()
        assert rows(app) == ["ann[/]␛]0;x␇ lead"]
