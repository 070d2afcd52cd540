"""Between the raw and the rendered form of a document one stays with the text one was reading."""

from __future__ import annotations

import re

import pytest
from textual.pilot import Pilot

from judge_tui.campaign import Campaign
from judge_tui.tui.app import JudgeTuiApp
from tests.tui.judging import actions, press, screen, shown


def markdown(sections: int) -> str:
    return "\n".join(
        f"## Section {number}\n\nThe **bold number{number}** and [a link](https://example.org/{number})"
        f" and `code{number}`,\nsaid of number{number} once more.\n\n- an item{number}\n- another\n"
        for number in range(sections)
    )


def html(sections: int) -> str:
    parts = (
        f"<h2>Section {n}</h2><div class='wide'><p>The <b>bold number{n}</b> and"
        f" <a href='https://example.org/{n}'>a link</a>.</p><ul><li>an item{n}</li></ul></div>"
        for n in range(sections)
    )
    return f"<html><head><style>{'p { color: red } ' * 200}</style></head><body>{''.join(parts)}"


def numbers(app: JudgeTuiApp) -> set[int]:
    """The sections that are on screen."""
    rows = " ".join(shown(app))
    return {int(found) for found in re.findall(r"(?:Section |number|item|code)(\d+)", rows)}


async def settled(app: JudgeTuiApp, pilot: Pilot[None]) -> None:
    while not screen(app).view.settled:
        await pilot.pause(0.02)
    await pilot.pause()


@pytest.mark.parametrize(("kind", "written"), [("markdown", markdown), ("html", html)])
@pytest.mark.parametrize("sections", [60, 300])
async def test_one_stays_with_the_text(
    app: JudgeTuiApp, campaign: Campaign, kind: str, written, sections: int
) -> None:
    campaign.execute("UPDATE documents SET text = ?, kind = ?", (written(sections), kind))
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot)
        await settled(app, pilot)
        view = screen(app).view
        for share in (0.3, 0.8):
            view.move(int(view.max_scroll_y * share) - view.scroll_offset.y)
            await pilot.pause()
            before = numbers(app)
            for _ in range(2):
                await press(pilot, "v")
                await settled(app, pilot)
                assert numbers(app) & before
        # One that has been seen otherwise is still graded as what it is.
        await press(pilot, "2")
        assert actions(campaign) == [("grade", 2)]
