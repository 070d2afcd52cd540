"""Drawing a screen as SVG, and what of the picture is compared."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path

from textual.pilot import Pilot

from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.store.judges import add_judge
from judge_tui.tui.app import AT_HOME, JudgeTuiApp, Opening, judging, reviewing
from judge_tui.tui.screens.home import HomeScreen
from judge_tui.tui.screens.results import ResultsScreen, opening
from judge_tui.tui.screens.review import ReviewScreen
from judge_tui.tui.screens.review.agreement_overlay import AgreementOverlay
from judge_tui.tui.screens.review.by_query import ByQueryOverlay
from judge_tui.tui.widgets import DocumentView
from tests.tui.snapshots.evaluated import evaluated
from tests.tui.snapshots.gallery import gallery

DRAWN = Path(__file__).with_name("drawn")
SIZES = ((80, 24), (120, 40))

# The library that draws names everything by a checksum of the picture, and its fonts by address.
_UNIQUE = re.compile(r"terminal-\d+-")
_FONTS = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
_LIBRARY = re.compile(r"<!-- textual (\S+) -->")
_TEXT = re.compile(r'<text[^>]* x="([\d.]+)" y="([\d.]+)"[^>]*>(.*?)</text>', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Scene:
    """Keys pressed on the gallery's campaign, by a judge, a lead at Review, or (None) at Home; or
    at the results of one that is judged."""

    name: str
    keys: Sequence[str]
    judge: str | None = "ann"
    theme: str | None = None
    lead: str | None = None
    results: bool = False


async def draw(scene: Scene, size: tuple[int, int]) -> str:
    """The screen after the keys, as SVG that is the same each time."""
    made = _made(evaluated if scene.results else gallery)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / made[0]
        path.write_bytes(made[1])
        return await _drawn(scene, size, path)


@cache
def _made(make: Callable[[Path], Campaign]) -> tuple[str, bytes]:
    """The file of a campaign, by its name: it is made once."""
    with tempfile.TemporaryDirectory() as folder:
        with make(Path(folder)) as campaign:
            path = campaign.path
        return path.name, path.read_bytes()


async def _drawn(scene: Scene, size: tuple[int, int], path: Path) -> str:
    with open_campaign(path) as campaign:
        app = JudgeTuiApp(campaign, opening=_opening(scene, campaign))
        async with app.run_test(size=size) as pilot:
            if scene.theme is not None:
                app.theme = scene.theme
            await pilot.pause()
            await _ready(app, pilot)
            for key in scene.keys:
                await pilot.press(key)
                await pilot.pause()
            await _ready(app, pilot)
            # The cursor of an input blinks.
            for blinking in app.screen.query("Input"):
                blinking.cursor_blink = False  # type: ignore[attr-defined]
            await pilot.pause()
            svg = app.export_screenshot(title=scene.name)
    svg = _FONTS.sub("", _UNIQUE.sub("terminal-", svg))
    lines = [line.rstrip() for line in svg.splitlines() if line.strip()]
    return "\n".join([lines[0], f"<!-- textual {version('textual')} -->", *lines[1:], ""])


def _opening(scene: Scene, campaign: Campaign) -> Opening:
    if scene.results:
        return opening()
    if scene.lead is not None:
        return reviewing(add_judge(campaign, scene.lead, role="lead"))
    return AT_HOME if scene.judge is None else judging(add_judge(campaign, scene.judge))


async def _ready(app: JudgeTuiApp, pilot: Pilot[None]) -> None:
    """Wait for what is made ready after the first painting."""
    for screen in app.screen_stack:
        while isinstance(screen, HomeScreen) and screen.counting:
            await pilot.pause(0.02)
        while isinstance(screen, ReviewScreen) and screen.weighing:
            await pilot.pause(0.02)
        while isinstance(screen, ResultsScreen) and screen.working:
            await pilot.pause(0.02)
        if isinstance(screen, ResultsScreen):
            screen.look_again()
        while isinstance(screen, AgreementOverlay | ByQueryOverlay) and screen.working:
            await pilot.pause(0.02)
        for view in screen.query(DocumentView):
            while view.size.width and view.display and not view.settled:
                await pilot.pause(0.02)


def drawn_by_this_textual(svg: str) -> bool:
    """Whether the library that is installed drew this picture: another one has other colours."""
    found = _LIBRARY.search(svg)
    return found is not None and found.group(1) == version("textual")


def words(svg: str) -> list[tuple[float, str]]:
    """What the picture says, line by line, without colours and styles."""
    lines: dict[float, list[tuple[float, str]]] = {}
    for left, top, text in _TEXT.findall(svg):
        lines.setdefault(float(top), []).append((float(left), text))
    return [
        (top, "".join(text for _, text in sorted(lines[top])).rstrip()) for top in sorted(lines)
    ]
