"""Names at Home, of judges and runs: whole where there is room, told apart where there is not."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.cells import cell_len

from judge_tui.campaign import Campaign
from judge_tui.campaign.judges import add_judge
from judge_tui.tui.app import JudgeTuiApp
from judge_tui.tui.widgets import LineList
from tests.loading_runs import load_run
from tests.tui.judging import press

LONG = (
    "assessor of the harbour pilots: first round",
    "assessor of the harbour pilots: second round",
)
WIDE = "計算單詞之前先要分詞計算單詞之前先要分詞一號"


def rows(app: JudgeTuiApp) -> list[str]:
    found = app.screen.query_one(LineList)
    return [found.render_line(y).text for y in range(found.size.height)]


def runs(app: JudgeTuiApp) -> list[str]:
    return str(app.screen.query_one("#coverage").render()).splitlines()


@pytest.mark.parametrize("width", [80, 120, 200])
async def test_long_names_are_whole_where_there_is_room_and_else_told_apart(
    campaign: Campaign, files: Path, width: int
) -> None:
    for name in (*LONG, WIDE, "ann"):
        add_judge(campaign, name)
    tag = "a-run-with-a-name-that-says-all-of-its-settings-k1=0.9-b=0.4"
    (files / "r.run").write_text(f"q1 Q0 csv.reader 1 1.0 {tag}\n")
    load_run(campaign, files / "r.run")
    app = JudgeTuiApp(campaign)
    async with app.run_test(size=(width, 50)) as pilot:
        await pilot.pause()
        shown = rows(app)
        if width < 200:
            assert len({row[:40].split("░")[0] for row in shown}) == len(shown)
        if width >= 120:
            assert all(any(name in row for row in shown) for name in (*LONG, WIDE, "ann"))
        if width == 200:
            assert any(tag in row for row in runs(app))
        # The bars stand below each other, whatever the names are made of.
        bars = {cell_len(row[: row.index("░")]) for row in shown if "░" in row}
        assert len(bars) == 1
        assert {1 + cell_len(row[: row.index("░")]) for row in runs(app) if "░" in row} <= bars
        assert all(cell_len(row) <= width for row in shown)
        # A resize gives them the room of the new width.
        await pilot.resize_terminal(200, 50)
        await pilot.pause()
        assert any(LONG[1] in row for row in rows(app))


async def test_two_hundred_judges_are_listed_and_reached(campaign: Campaign) -> None:
    for number in range(200):
        add_judge(campaign, f"{'計' * (number % 30)} assessor of a long name {number:03}")
    app = JudgeTuiApp(campaign)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot)
        assert "000" in rows(app)[0]
        await press(pilot, "G", "k")
        assert "199" in rows(app)[-2]
        assert all(cell_len(row) <= 80 for row in rows(app))
        await press(pilot, "enter")
        assert app.screen.desk.judge.name.endswith("199")
