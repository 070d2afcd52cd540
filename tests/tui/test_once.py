"""A single timer calls, even where the program was held up as it was set."""

from __future__ import annotations

import asyncio
from itertools import chain, repeat

import pytest
from textual import timer as textual_timer
from textual.app import App

from judge_tui.tui.once import once


async def test_it_calls_though_its_time_has_passed_before_it_waits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    called = asyncio.Event()
    app: App[None] = App()
    async with app.run_test():
        # Textual asks for the time at the start, and again to see how long it has to wait.
        times = chain([100.0], repeat(160.0))
        monkeypatch.setattr(textual_timer._time, "get_time", lambda: next(times))
        once(app, 0.003, called.set)
        await asyncio.wait_for(called.wait(), 30)


async def test_it_calls_once() -> None:
    calls: list[int] = []
    app: App[None] = App()
    async with app.run_test() as pilot:
        timer = once(app, 0.001, lambda: calls.append(1))
        assert timer._task is not None
        await asyncio.wait_for(timer._task, 30)
        await pilot.pause()
        assert calls == [1]


async def test_it_can_be_stopped() -> None:
    calls: list[int] = []
    app: App[None] = App()
    async with app.run_test() as pilot:
        once(app, 0.02, lambda: calls.append(1)).stop()
        await pilot.pause(0.1)
        assert calls == []
