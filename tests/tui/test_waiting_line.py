"""A key that waits for the file says so, and how to leave without it, on a narrow screen, too."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from judge_tui.campaign import Campaign
from judge_tui.tui.app import JudgeTuiApp
from tests.tui.judging import press


async def test_the_line_is_whole_at_80_columns(app: JudgeTuiApp, campaign: Campaign) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        with closing(sqlite3.connect(campaign.path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            for keys, times in (("3", "twice"), ("ctrl+q", "once more")):
                await press(pilot, keys)
                said = f"WAITING  another program has the file  ctrl+q {times} leaves without it"
                strips = app.screen._compositor.render_strips()
                assert any(said in "".join(part.text for part in strip) for strip in strips)
