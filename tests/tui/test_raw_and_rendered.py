"""Between the raw and the rendered form of a document one stays with the text one was reading."""

from __future__ import annotations

import re

import pytest
from textual.pilot import Pilot

from judge_tui.campaign import Campaign
from judge_tui.tui.app import JudgeTuiApp
from judge_tui.tui.document.place import Place
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
@pytest.mark.parametrize("sections", [60, 700])
async def test_one_stays_with_the_text(
    app: JudgeTuiApp, campaign: Campaign, kind: str, written, sections: int
) -> None:
    campaign.connection.execute(
        "UPDATE documents SET text = ?, kind = ?", (written(sections), kind)
    )
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


async def test_the_beginning_stays_the_beginning(app: JudgeTuiApp, campaign: Campaign) -> None:
    text = "*Again*\n\n" + markdown(50) + "\nAgain\n"
    campaign.connection.execute("UPDATE documents SET text = ?, kind = 'markdown'", (text,))
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, "v")
        assert shown(app)[0].strip() == "*Again*"
        await press(pilot, "v")
        assert screen(app).view.scroll_offset.y == 0


def test_the_nearest_of_many_places_is_taken() -> None:
    text = "the same words here\n" * 1000
    for line in (1, 500, 999):
        place = Place.of(text, 20 * line, len(text))
        assert place.find(text, len(text), is_end=True) == 20 * line


def test_words_that_the_other_form_has_not_are_passed_over() -> None:
    old = "x " * 100 + "hidden one two three four five six seven eight nine ten"
    new = "y " * 300 + "one *two* three_four [five](http://elsewhere) six seven, eight nine ten"
    found = Place.of(old, 200, len(old)).find(new, len(new), is_end=True)
    assert found is not None
    assert new[found:].startswith("one")


def test_more_text_is_asked_for_until_the_place_can_be_told() -> None:
    text = "word " * 50_000 + "here it is " + "word " * 50_000
    place = Place.of(text, 250_000, len(text))
    assert place.find(text[:200_000], len(text), is_end=False) is None
    assert place.find(text[:280_000], len(text), is_end=False) == 250_000


@pytest.mark.parametrize("new", ["", "…", "other words " * 40])
def test_where_nothing_is_alike_the_share_is_kept(new: str) -> None:
    place = Place.of("alpha beta " * 100, 550, 1100)
    assert place.find(new, len(new), is_end=True) == len(new) // 2


def test_a_place_without_words_is_a_share() -> None:
    assert Place.of("…" * 100, 50, 100) == Place((), 0.5)
    assert Place((), 0.5).find("abc def ghi", 11, is_end=True) == 6
