"""Under NO_COLOR everything can be read, whatever the theme, and whenever it is chosen."""

from __future__ import annotations

import pytest
from rich.segment import Segment

from judge_tui.campaign import Campaign
from judge_tui.campaign.store.judges import Judge
from judge_tui.tui.app import JudgeTuiApp, judging
from judge_tui.tui.config import Config
from tests.tui.judging import press

THEMES = ("ansi-dark", "textual-dark", "ansi-light", "textual-light", "ansi-dark")


def unreadable(app: JudgeTuiApp) -> list[str]:
    """What is drawn in the colour that is behind it."""
    found: list[Segment] = []
    for widget in app.screen.walk_children(with_self=True):
        for strip in widget.render_lines(widget.size.region):
            shown = strip
            for one in app.get_line_filters():
                shown = shown.apply_filter(one, widget.background_colors[1])
            found.extend(shown)
    return [
        text
        for text, style, _ in found
        if text.strip()
        and style is not None
        and style.color is not None
        and not style.color.is_default
        and style.color == style.bgcolor
    ]


@pytest.mark.parametrize("theme", THEMES[:2])
async def test_nothing_is_drawn_in_the_colour_behind_it(
    campaign: Campaign, ann: Judge, monkeypatch: pytest.MonkeyPatch, theme: str
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = JudgeTuiApp(campaign, opening=judging(ann), config=Config(theme=theme))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "2")
        assert unreadable(app) == []
        for keys in (("t",), ("question_mark",), ("ctrl+p",), ("o",), ("c",)):
            await press(pilot, *keys)
            assert unreadable(app) == []
            await press(pilot, "escape")


async def test_a_theme_chosen_meanwhile_can_be_read(
    app: JudgeTuiApp, monkeypatch: pytest.MonkeyPatch, campaign: Campaign, ann: Judge
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = JudgeTuiApp(campaign, opening=judging(ann))
    async with app.run_test(size=(100, 30)) as pilot:
        for theme in THEMES:
            app.theme = theme
            await press(pilot, "2")
            assert unreadable(app) == []
