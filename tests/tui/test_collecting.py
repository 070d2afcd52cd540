"""When garbage is collected, and that the collector is left as it was."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from judge_tui.campaign import Campaign
from judge_tui.cli.judge import open_app
from judge_tui.tui import collecting
from judge_tui.tui.app import JudgeTuiApp
from judge_tui.tui.collecting import Collecting
from tests.tui.judging import opened, press, until


class Clock:
    """Seconds, and which generation was collected when."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.collected: list[tuple[float, int]] = []

    def collect(self, generation: int = 2) -> int:
        self.collected.append((self.now, generation))
        return 0


@pytest.fixture(autouse=True)
def as_python_has_it(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whatever an app that another test left alone has made of it."""
    before = gc.get_threshold()
    monkeypatch.setattr(collecting, "_collector", collecting._Collector())
    gc.set_threshold(700, 10, 10)
    gc.unfreeze()
    yield
    gc.set_threshold(*before)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(collecting, "monotonic", lambda: clock.now)
    monkeypatch.setattr(gc, "collect", clock.collect)
    return clock


@pytest.fixture
def begun(clock: Clock) -> Iterator[Collecting]:
    found = Collecting()
    found.begin()
    clock.collected.clear()
    yield found
    found.end()


def test_nothing_is_collected_before_it_began(clock: Clock) -> None:
    waiting = Collecting()
    waiting.active()
    clock.now += 1000
    waiting.look()
    assert clock.collected == []


def test_the_young_are_collected_a_moment_after_a_key_and_once(
    clock: Clock, begun: Collecting
) -> None:
    begun.active()
    for _ in range(4):
        clock.now += 0.0625
        begun.look()
    assert clock.collected == [(1000.25, 1)]
    clock.now += 30
    begun.look()
    assert len(clock.collected) == 1


def test_keys_one_after_another_put_it_off(clock: Clock, begun: Collecting) -> None:
    for _ in range(100):
        begun.active()
        clock.now += 0.125
        begun.look()
    assert clock.collected == []
    clock.now += 0.125
    begun.look()
    assert [generation for _, generation in clock.collected] == [1]


def test_everything_is_collected_once_a_minute_if_nobody_presses_a_key_for_long(
    clock: Clock, begun: Collecting
) -> None:
    clock.now += 61
    begun.active()
    clock.now += 1.5
    begun.look()
    assert clock.collected == []
    clock.now += 1
    begun.look()
    assert clock.collected == [(1063.5, 2)]
    # The next minute begins there.
    begun.active()
    clock.now += 10
    begun.look()
    assert [generation for _, generation in clock.collected] == [2, 1]


def test_a_collector_is_left_as_it_was(clock: Clock) -> None:
    before = gc.get_threshold()
    Collecting().end()
    assert gc.get_threshold() == before
    found = Collecting()
    found.begin()
    assert gc.isenabled()
    assert gc.get_threshold() == (before[0], 1000, 1000)
    assert gc.get_freeze_count() > 0
    assert clock.collected == [(1000.0, 2)]
    found.end()
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0
    # Once more changes nothing, whatever somebody set meanwhile.
    gc.set_threshold(*before[:2], 77)
    found.end()
    found.begin()
    assert gc.get_threshold() == (*before[:2], 77)
    gc.set_threshold(*before)


@pytest.mark.parametrize("first", [0, 1])
def test_the_last_of_several_apps_leaves_it_as_it_was(clock: Clock, first: int) -> None:
    before = gc.get_threshold()
    apps = [Collecting(), Collecting()]
    for one in apps:
        one.begin()
        one.begin()
    apps[first].end()
    assert gc.get_threshold() == (before[0], 1000, 1000)
    apps[1 - first].end()
    assert gc.get_threshold() == before


@pytest.mark.parametrize("later", [0.001, 1e6], ids=["begun", "ended before"])
async def test_the_app_leaves_the_collector_as_it_was(
    app: JudgeTuiApp, monkeypatch: pytest.MonkeyPatch, later: float
) -> None:
    monkeypatch.setattr("judge_tui.tui.app._COLLECT_LATER", later)
    before = gc.get_threshold()
    async with app.run_test(size=(100, 30)) as pilot:
        await opened(pilot)
        for _ in range(100 if later > 1 else 3000):
            await pilot.pause(0.01)
            if later > 1 or gc.get_threshold() != before:
                break
        assert (gc.get_threshold() == before) == (later > 1)
        await press(pilot, "2", "q")
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0
    assert gc.isenabled()


async def test_the_app_collects_after_keys(
    app: JudgeTuiApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judge_tui.tui.app._COLLECT_LATER", 0.001)
    monkeypatch.setattr(collecting, "_IDLE", 0.0)
    collected: list[int] = []
    before = gc.get_threshold()
    async with app.run_test(size=(100, 30)) as pilot:
        await opened(pilot)
        await until(pilot, lambda: gc.get_threshold() != before)
        monkeypatch.setattr(gc, "collect", lambda generation=2: collected.append(generation))
        await press(pilot, "2")
        await until(pilot, lambda: collected)
    assert collected[0] == 1


@pytest.mark.parametrize("fails", [False, True])
def test_the_collector_waits_only_while_the_app_runs(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch, fails: bool
) -> None:
    enabled: list[bool] = []

    def run(app: JudgeTuiApp) -> None:
        enabled.append(gc.isenabled())
        app._return_code = 0
        if fails:
            raise RuntimeError

    monkeypatch.setattr(JudgeTuiApp, "run", run)
    if fails:
        with pytest.raises(RuntimeError):
            open_app(campaign)
    else:
        assert open_app(campaign) == 0
    assert enabled == [False]
    assert gc.isenabled()
