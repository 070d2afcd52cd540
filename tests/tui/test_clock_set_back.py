"""The machine's clock is set back during a session: the order, undo and redo stay right."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.store import event
from judge_tui.campaign.store.desk import Desk
from judge_tui.campaign.store.judges import Judge
from judge_tui.campaign.store.merge import merge
from judge_tui.campaign.store.statistics import recent_seconds
from judge_tui.tui import paint_guard
from judge_tui.tui.app import JudgeTuiApp
from tests.campaign.copies import copied, events_of
from tests.tui.judging import here, line, press

SetClock = Callable[[timedelta], None]


@pytest.fixture
def set_clock(monkeypatch: pytest.MonkeyPatch) -> SetClock:
    """Sets the clock of the machine, by so much against the true time."""
    true_time = event.time.time_ns
    shift = timedelta()

    class Clock(datetime):
        @classmethod
        def now(cls, tz=None):
            return datetime.now(tz) + shift

    def set_by(by: timedelta) -> None:
        nonlocal shift
        shift = by

    monkeypatch.setattr(
        event.time, "time_ns", lambda: true_time() + shift // timedelta(microseconds=1) * 1000
    )
    for module in (event, paint_guard):
        monkeypatch.setattr(module, "datetime", Clock)
    return set_by


def place_of(app: JudgeTuiApp) -> tuple[str, str]:
    """The query and the document on the screen."""
    return line(app, "query").split()[0], here(app)


async def test_undo_and_redo_in_the_app(
    app: JudgeTuiApp, campaign: Campaign, ann: Judge, set_clock: SetClock
) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        judged = []
        for hours, key in ((0, "3"), (-1, "2"), (-2, "s"), (24, "1"), (-24, "0")):
            set_clock(timedelta(hours=hours))
            judged.append(place_of(app))
            await press(pilot, key)
        assert len(set(judged)) == 5
        for place in reversed(judged):
            await press(pilot, "u")
            assert place_of(app) == place
            assert "undone" in line(app, "said")
        for place in judged:
            await press(pilot, "ctrl+r")
            assert place_of(app) == place
            assert "done again" in line(app, "said")
        assert "5/6" in line(app, "query")
        # The grade given last holds, though by the clock it is older.
        set_clock(timedelta(days=-300))
        await press(pilot, "3")
    written = [datetime.fromisoformat(time) for (*_, time) in events_of(campaign)]
    assert written != sorted(written)
    assert datetime.now(UTC) - written[-1] > timedelta(days=299)
    with open_campaign(campaign.path) as again:
        desk = Desk(again, ann)
        states = [pair.state for visit in desk.queries() for pair in desk.pairs(visit.key)]
        assert sorted(state.grade for state in states if state.grade is not None) == [1, 2, 3, 3]
        last = events_of(again)[-1]
        assert (last[3], last[6]) == (judged[-1][1], 3)
        assert desk.last_slot() is not None
        undone = desk.undo()
        assert undone is not None
        assert (undone.id, undone.grade) == (last[0], 3)
        assert all(seconds >= 0 for seconds in recent_seconds(again, ann.key))


def test_copies_of_machines_whose_clocks_differ(
    campaign: Campaign, ann: Judge, set_clock: SetClock
) -> None:
    """What a copy adds to what it knows comes after that, whatever its clock says."""
    desk = Desk(campaign, ann)
    pair = desk.pairs(desk.queries()[0].key)[0]
    set_clock(timedelta(days=2))
    desk.record("grade", pair, grade=3)
    other = copied(campaign, "other.db")
    set_clock(timedelta(days=-2))
    with open_campaign(other) as away:
        Desk(away, ann).record("grade", pair, grade=1)
    merge(campaign, [other])
    assert desk.state(pair).grade == 1
    ids = [row[0] for row in events_of(campaign)]
    assert desk.record("skip", pair).id > max(ids)
    for decision, grade in (("grade", 1), ("grade", 3), (None, None)):
        assert desk.undo() is not None
        assert (desk.state(pair).decision, desk.state(pair).grade) == (decision, grade)
    assert desk.undo() is None
    for grade in (3, 1, None):
        redone = desk.redo()
        assert redone is not None
        assert (redone.grade, desk.state(pair).grade) == (grade, grade)
