"""How documents are shown is remembered from one start to the next, and never stands in the way."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from judge_tui.campaign import Campaign
from judge_tui.campaign.store.judges import Judge
from judge_tui.tui.app import JudgeTuiApp, judging
from judge_tui.tui.tastes import Keeper, Tastes, tastes_path
from judge_tui.tui.widgets import Need
from tests.tui.judging import line, press, screen, shown

LONG = "# Heading\n\n" + "word " * 60 + "CSV\n"
SWITCHED = Tastes(wraps=False, marks=False, raw=True, folded=True, beside=False)


@pytest.fixture
def path(files: Path) -> Path:
    return files / "state" / "tastes.json"


def opened(campaign: Campaign, judge: Judge, path: Path) -> JudgeTuiApp:
    return JudgeTuiApp(campaign, opening=judging(judge), tastes=Keeper(path))


async def test_what_was_switched_is_there_again_after_a_restart(
    campaign: Campaign, ann: Judge, path: Path
) -> None:
    campaign.execute("UPDATE documents SET text = ?, kind = 'markdown'", (LONG,))
    app = opened(campaign, ann, path)
    async with app.run_test(size=(200, 40)) as pilot:
        await press(pilot, "d", "v", "w", "m", "i")
    assert Keeper(path).now == SWITCHED
    again = opened(campaign, ann, path)
    async with again.run_test(size=(200, 40)) as pilot:
        await press(pilot)
        assert shown(again)[0].strip() == "# Heading"
        assert " raw" in line(again, "title")
        assert shown(again)[2].endswith("›")
        assert not screen(again).query_one(Need).display
        assert not screen(again).query_one("#beside").display
        # Who does not remember is told.
        assert line(again, "said").startswith(
            "as you left it: narratives folded (d), raw text (v), long lines not wrapped (w),"
            " marks off (m), guidelines hidden (i)"
        )
        await press(pilot, "m")
        assert "are marked" in line(again, "said")
        await press(pilot, "d", "v", "w", "i")
        assert screen(again).query_one(Need).display
        assert screen(again).query_one("#beside").display
    assert Keeper(path).now == Tastes()
    as_ever = opened(campaign, ann, path)
    async with as_ever.run_test(size=(100, 40)) as pilot:
        await press(pilot)
        assert line(as_ever, "said") == ""


@pytest.mark.parametrize(
    "told",
    [
        "",
        "{",
        "[]",
        "null",
        '"raw"',
        '{"raw": "yes", "folded": 1, "unknown": true}',
        '{"raw": null}',
        "[" * 4000,
        '{"raw": true, ' + " " * 5000 + "}",
        # No UTF-8.
        "\xff",
    ],
)
def test_what_cannot_be_understood_is_passed_over(path: Path, told: str) -> None:
    path.parent.mkdir()
    path.write_text(told, encoding="latin-1")
    keeper = Keeper(path)
    assert keeper.now == Tastes()
    keeper.keep(marks=False)
    assert json.loads(path.read_text())["marks"] is False
    assert Keeper(path).now == Tastes(marks=False)


@pytest.mark.parametrize("place", ["a folder", "under a file", "a pipe", "a loop", "nowhere"])
def test_a_file_that_cannot_be_written_changes_nothing_but_that(files: Path, place: str) -> None:
    path = files / "tastes.json"
    if place == "a folder":
        path.mkdir()
    elif place == "under a file":
        path = files / "alpha.run" / "tastes.json"
    elif place == "a pipe":
        os.mkfifo(path)
    elif place == "nowhere":
        path.symlink_to("/dev/null")
    else:
        path.symlink_to(path)
    keeper = Keeper(path)
    assert keeper.now == Tastes()
    keeper.keep(raw=True)
    assert keeper.now == Tastes(raw=True)
    assert not path.is_file()
    assert not [one for one in files.iterdir() if one.name.startswith(".")]


def test_two_windows_do_not_take_each_others_switches_back(path: Path) -> None:
    one, other = Keeper(path), Keeper(path)
    one.keep(raw=True)
    other.keep(wraps=False)
    assert Keeper(path).now == Tastes(raw=True, wraps=False)
    assert other.now == Tastes(wraps=False)


def test_the_file_stands_beside_a_config_file_that_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("JUDGE_TUI_CONFIG", str(tmp_path / "mine.toml"))
    assert tastes_path() == tmp_path / "mine.state.json"
    monkeypatch.setenv("JUDGE_TUI_CONFIG", "")
    assert tastes_path() is None
    monkeypatch.delenv("JUDGE_TUI_CONFIG")
    usual = tastes_path()
    assert usual is not None
    assert usual.name == "tastes.json"
    assert usual.parent.name == "judge_tui"
