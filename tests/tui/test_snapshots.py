"""No screen changes unseen: each is compared with the picture that was looked at.

`make snapshots` draws them anew; look at what changed before it is committed.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from textual.pilot import Pilot

from judge_tui.analysis.basis import Question
from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.store.judges import add_judge
from judge_tui.tui.app import (
    AT_HOME,
    JudgeTuiApp,
    Opening,
    judging,
    settling,
    showing_results,
)
from tests.tui.gallery import gallery
from tests.tui.pilots import press_after_look, until

DRAWN_BY = "8.2.8"
"""The Textual that drew the pictures: another one has other colours."""

SMALL = ((80, 24),)
SIZES = (*SMALL, (120, 40))


def at_home(_: Campaign) -> Opening:
    return AT_HOME


def at_judge(campaign: Campaign) -> Opening:
    return judging(add_judge(campaign, "ann"))


def at_settle(campaign: Campaign) -> Opening:
    return settling(add_judge(campaign, "lea", role="lead"))


def at_results(_: Campaign) -> Opening:
    return showing_results(Question())


@dataclass(frozen=True)
class Scene:
    """Keys pressed on the gallery's campaign, and in which theme."""

    name: str
    opening: Callable[[Campaign], Opening]
    keys: Sequence[str] = ()
    theme: str = "textual-dark"
    sizes: tuple[tuple[int, int], ...] = SIZES


SCENES = [
    Scene("home", at_home),
    Scene("home-new-judge", at_home, ("n", *"Anna", "enter"), theme="textual-light", sizes=SMALL),
    Scene("judge", at_judge),
    Scene("judge-code", at_judge, ("tab", "tab", "tab"), theme="textual-light"),
    Scene("judge-graded", at_judge, ("3",), sizes=SMALL),
    Scene("judge-comment", at_judge, ("c", *"who says so?"), sizes=SMALL),
    Scene("judge-queries", at_judge, ("o",), sizes=SMALL),
    Scene("judge-keys", at_judge, ("question_mark",), sizes=SMALL),
    Scene("settle", at_settle),
    Scene("settle-settled", at_settle, ("2",), theme="textual-light", sizes=SMALL),
    Scene("settle-agreement", at_settle, ("a",)),
    Scene("settle-confusion", at_settle, ("M",), sizes=SMALL),
    Scene("results", at_results),
    Scene("results-rankings", at_results, ("enter", "enter"), theme="textual-light"),
    Scene("results-slices", at_results, ("4",), sizes=SMALL),
]


@cache
def gallery_file() -> bytes:
    """The campaign is made once."""
    with TemporaryDirectory() as folder, gallery(Path(folder)) as campaign:
        path = campaign.path
        campaign.backend.checkpoint()
        return path.read_bytes()


@pytest.fixture
def campaign(tmp_path: Path) -> Iterator[Campaign]:
    (tmp_path / "gallery.db").write_bytes(gallery_file())
    with open_campaign(tmp_path / "gallery.db") as campaign:
        yield campaign


@pytest.mark.skipif(version("textual") != DRAWN_BY, reason="other colours than in the pictures")
@pytest.mark.parametrize(
    ("scene", "size"),
    [
        pytest.param(scene, size, id=f"{scene.name}-{size[0]}x{size[1]}")
        for scene in SCENES
        for size in scene.sizes
    ],
)
def test_a_screen_looks_as_it_did(
    scene: Scene,
    size: tuple[int, int],
    campaign: Campaign,
    snap_compare: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("judge_tui.tui.screens.home_panes.ago", lambda _written_at: "3 h ago")
    monkeypatch.setattr("judge_tui.tui.pace.LookTimer.seconds", lambda _timer, _at: 12.0)
    app = JudgeTuiApp(campaign, opening=scene.opening(campaign))
    app.theme = scene.theme
    assert snap_compare(app, terminal_size=size, run_before=_keys(scene.keys))


def _keys(keys: Sequence[str]) -> Callable[[Pilot[None]], Awaitable[None]]:
    async def press(pilot: Pilot[None]) -> None:
        await _at_rest(pilot)
        await press_after_look(pilot, *keys)
        await _at_rest(pilot)

    return press


async def _at_rest(pilot: Pilot[None]) -> None:
    """Wait until nothing is worked out any more that will be shown."""
    await pilot.pause()
    # A door waits for the answer to a question.
    await until(pilot, lambda: all(worker.group == "door" for worker in pilot.app.workers))
    await pilot.pause()
