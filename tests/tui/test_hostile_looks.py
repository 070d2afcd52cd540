"""Hostile text on each screen, in each kind of colours: only the app's own sequences come out.

What a real terminal gets is held in tests/end_to_end/test_hostile_text.py, in the usual colours.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual._compositor import CompositorUpdate
from textual.pilot import Pilot

from judge_tui.analysis.basis import Question
from judge_tui.campaign import Campaign, create_campaign, open_campaign
from judge_tui.campaign.extend_pool import extend_pool
from judge_tui.campaign.loading.documents import load_document_files
from judge_tui.campaign.loading.queries import load_queries
from judge_tui.campaign.store.judges import add_judge, find_judge
from judge_tui.campaign.store.pool import pair_keys
from judge_tui.model import DEFAULT_SCALE
from judge_tui.tui.app import AT_HOME, JudgeTuiApp, Opening, judging, reviewing
from judge_tui.tui.screens.results import opening
from tests.end_to_end.hostile import JUDGE, NAME, refused, write_files
from tests.grades_by_file import grade_by_file
from tests.loading_runs import load_run
from tests.tui.judging import opened as on_judge
from tests.tui.results_screen import opened as on_results
from tests.tui.reviewing import opened as on_review
from tests.tui.test_home_screen import counted


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign full of it: two judges agree about one pair, and disagree about another."""
    folder = tmp_path_factory.mktemp("hostile")
    write_files(folder)
    run = (folder / "r.run").read_text()
    (folder / "again.run").write_text(run.replace(" tag", " another"))
    guidelines = (folder / "guidelines.md").read_text()
    path = folder / "campaign.db"
    with create_campaign(path, name=NAME, scale=DEFAULT_SCALE, guidelines=guidelines) as campaign:
        load_queries(campaign, folder / "q.jsonl")
        for name in ("r.run", "again.run"):
            load_run(campaign, folder / name)
        load_document_files(campaign, [folder / "d.jsonl"])
        extend_pool(campaign)
        agreed, disputed, *_ = (" 0 ".join(pair) for pair in pair_keys(campaign))
        for judge, grade in ((JUDGE, 2), (f"{JUDGE}2", 0)):
            grade_by_file(campaign, judge, f"{agreed} 1\n{disputed} {grade}\n")
        add_judge(campaign, f"{JUDGE}3")
        add_judge(campaign, f"{JUDGE}4", role="lead")
    return path


SCREENS: dict[
    str, tuple[Callable[[Campaign], Opening], Callable[[Pilot[None]], Awaitable[None]]]
] = {
    "home": (lambda _: AT_HOME, counted),
    "judge": (lambda campaign: judging(find_judge(campaign, f"{JUDGE}3")), on_judge),
    "review": (lambda campaign: reviewing(find_judge(campaign, f"{JUDGE}4")), on_review),
    "results": (lambda _: opening(Question()), on_results),
}
"""What the app opens with, and what waits until all of it is there."""


def drawn(app: JudgeTuiApp) -> bytes:
    """The whole screen as a terminal would get it."""
    update = app.screen._compositor.render_update(full=True, screen_stack=app.screen_stack)
    assert isinstance(update, CompositorUpdate)
    return update.render_segments(app.console).encode()


@pytest.mark.parametrize("colours", [True, False])
@pytest.mark.parametrize("screen", SCREENS)
async def test_hostile_text_commands_no_terminal_in_any_colours(
    made: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    screen: str,
    colours: bool,
) -> None:
    opened_at, ready = SCREENS[screen]
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.delenv("NO_COLOR", raising=False)
    if not colours:
        monkeypatch.setenv("NO_COLOR", "1")
    shutil.copyfile(made, tmp_path / "c.db")
    with open_campaign(tmp_path / "c.db") as campaign:
        app = JudgeTuiApp(campaign, opening=opened_at(campaign))
        async with app.run_test(size=(120, 40)) as pilot:
            await ready(pilot)
            for theme in ("textual-dark", "ansi-dark", "ansi-light"):
                app.theme = theme
                await pilot.pause()
                raw = drawn(app)
                assert refused(raw) == set()
                assert "␛]52;c".encode() in raw
                greys, others = greys_and_others(raw)
                own = theme == "textual-dark"
                assert (bool(greys), bool(others)) == (own, own and colours)


def greys_and_others(raw: bytes) -> tuple[set[bytes], set[bytes]]:
    """The colours of their own that are asked for, by whether red, green and blue are alike."""
    asked = set(re.findall(rb"[34]8;2;(\d+;\d+;\d+)", raw))
    greys = {one for one in asked if len({*one.split(b";")}) == 1}
    return greys, asked - greys
