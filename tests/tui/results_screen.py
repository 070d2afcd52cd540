"""Driving the Results screen, and reading it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from textual.pilot import Pilot

from judge_tui.analysis.basis import Question
from judge_tui.campaign import Campaign
from judge_tui.campaign.loading.judgments import load_judgments
from judge_tui.tui.app import JudgeTuiApp
from judge_tui.tui.config import Config
from judge_tui.tui.screens.results import ResultsScreen, opening
from judge_tui.tui.screens.results.rows import Rows
from judge_tui.tui.widgets import SplitLine
from tests.loading_runs import load_run

SIZE = (140, 40)
"""In which every column has room."""

GRADES = "q1 0 csv.reader 3\nq1 0 csv.writer 1\nq1 0 json.load 0\nq2 0 sorted 3\nq2 0 json.load 0\n"
"""All of the pool of the small campaign but list.sort, the first of alpha for q2."""


def graded(campaign: Campaign, files: Path, lines: str = GRADES, judge: str = "ann") -> Campaign:
    """The campaign, once a judge has given these grades."""
    (files / f"{judge}.qrels").write_text(lines)
    kind = "model" if judge == "bot" else "human"
    load_judgments(campaign, files / f"{judge}.qrels", judge=judge, kind=kind)
    return campaign


def with_run(campaign: Campaign, files: Path, name: str, lines: str) -> None:
    """Load one more run."""
    (files / f"{name}.run").write_text(lines)
    load_run(campaign, files / f"{name}.run", tag=name)


def results(
    campaign: Campaign, asked: Question | None = None, config: Config | None = None
) -> JudgeTuiApp:
    """The app, to be opened at the results."""
    return JudgeTuiApp(campaign, opening=opening(asked or Question()), config=config)


@asynccontextmanager
async def at_results(
    campaign: Campaign,
    asked: Question | None = None,
    config: Config | None = None,
    *,
    size: tuple[int, int] = SIZE,
) -> AsyncIterator[tuple[JudgeTuiApp, Pilot[None]]]:
    """The app at the results, with everything there, and who drives it."""
    app = results(campaign, asked, config)
    async with app.run_test(size=size) as pilot:
        await opened(pilot)
        yield app, pilot


def screen(app: JudgeTuiApp) -> ResultsScreen:
    found = app.screen_stack[0]
    assert isinstance(found, ResultsScreen)
    return found


async def opened(pilot: Pilot[None]) -> None:
    """Wait until everything is there."""
    app = pilot.app
    assert isinstance(app, JudgeTuiApp)
    await pilot.pause()
    while screen(app).working:
        await pilot.pause(0.01)
    await pilot.pause(0.1)


async def press(pilot: Pilot[None], *keys: str) -> None:
    """Keys as a person presses them: what they ask for is on screen before the next."""
    app = pilot.app
    assert isinstance(app, JudgeTuiApp)
    for key in keys:
        await pilot.press(key)
        await pilot.pause()
        while app.screen_stack and screen(app).working:
            await pilot.pause(0.01)
        await pilot.pause()


def line(app: JudgeTuiApp, name: str) -> str:
    widget = screen(app).query_one(f"#{name}")
    return widget.plain if isinstance(widget, SplitLine) else str(widget.render())


def head(app: JudgeTuiApp) -> list[str]:
    return line(app, "head").split()


def below(app: JudgeTuiApp) -> list[str]:
    return [one.rstrip() for one in line(app, "below").splitlines()]


def rows(app: JudgeTuiApp) -> list[str]:
    """The rows on screen that have something in them."""
    shown = screen(app).query_one(Rows)
    lines = [shown.render_line(y).text.rstrip() for y in range(shown.size.height)]
    return [one for one in lines if one]
