"""Others change what is on a judge's desk while the judge is at it."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.assign import assign
from judge_tui.campaign.store.desk import Desk
from judge_tui.campaign.store.events import append_event
from judge_tui.campaign.store.judges import Judge, add_judge
from judge_tui.tui.app import JudgeTuiApp
from judge_tui.tui.screens.judge import showing
from judge_tui.tui.screens.judge.showing import DESK_CHANGED
from judge_tui.tui.screens.route import Route
from tests.tui.judging import actions, here, line, press, screen, shown


async def test_pairs_given_to_somebody_else_are_gone_at_the_next_key(
    app: JudgeTuiApp, campaign: Campaign, ann: Judge
) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, "2")
        assert "1/6" in line(app, "query")
        with open_campaign(campaign.path) as elsewhere:
            assign(elsewhere, ["ann", "bob"], overlap=0)
        left = sum(visit.pairs for visit in Desk(campaign, ann).queries())
        assert left < 6
        await press(pilot, "right_square_bracket")
        assert f"1/{left}" in line(app, "query")
        assert DESK_CHANGED in line(app, "said")
        assert here(app) in {pair.doc_id for pair in screen(app).route.pairs}


async def test_judgments_brought_by_a_merge_are_counted_and_passed_over(
    app: JudgeTuiApp, campaign: Campaign, ann: Judge
) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, "2")
        route = screen(app).route
        brought = next(pair for pair in route.pairs if pair.state.decision is None)
        with open_campaign(campaign.path) as elsewhere:
            for pair in route.pairs:
                if pair.state.decision is None and pair.key != brought.key:
                    append_event(elsewhere, judge=ann.key, pair=pair.key, action="grade", grade=1)
        done = len(route.pairs) - 1
        await press(pilot, "tab")
        assert f"{done}/6" in line(app, "query")
        assert here(app) == brought.doc_id


@pytest.mark.parametrize("key", ["2", ""], ids=["at a key", "by itself"])
async def test_who_is_thanked_is_given_what_came_since(
    app: JudgeTuiApp, campaign: Campaign, ann: Judge, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(showing, "_MORE_EVERY", 60.0 if key else 0.05)
    assign(campaign, ["ann", "bob"], overlap=0)
    mine = sum(visit.pairs for visit in Desk(campaign, ann).queries())
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, *"2" * mine)
        assert "Everything on your desk is judged" in shown(app)[0]
        with open_campaign(campaign.path) as elsewhere:
            assign(elsewhere, ["ann"], overlap=0)
        await press(pilot, *key)
        for _ in range(600):
            if f"{mine}/6" in line(app, "query"):
                break
            await pilot.pause(0.05)
        assert f"{mine}/6" in line(app, "query")
        assert not screen(app).route.all_judged
        assert len(actions(campaign)) == mine


def test_changes_that_balance_in_number_are_noticed(campaign: Campaign, ann: Judge) -> None:
    for number in (3, 4):
        campaign.execute(
            "INSERT INTO queries (query_id, text, description, narrative, class, meta)"
            " VALUES (?, '', '', '', '', '{}')",
            (f"q{number}",),
        )
        campaign.execute(
            "INSERT INTO pool (query, document, stratum)"
            " SELECT (SELECT max(id) FROM queries), id, '' FROM documents LIMIT 2"
        )
    desk = Desk(campaign, ann)
    visits = desk.queries()
    middle = desk.pairs(visits[2].key)
    for pair in middle[:2]:
        desk.record("grade", pair, grade=1)
    route = Route(desk)
    route.resume()
    with open_campaign(campaign.path) as elsewhere:
        other = Desk(elsewhere, ann)
        other.undo()
        other.undo()
        for place in (1, 3):
            other.record("grade", other.pairs(visits[place].key)[0], grade=1)
    assert route.catch_up()
    assert not route.catch_up()
    assert [query.decided for query in route.queries()] == [0, 1, 0, 1]


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    repeat=st.sampled_from([None, 0.5]),
    keys=st.lists(
        st.sampled_from(["grade", "skip", "undo", "redo", "next", "back", "flag"]), max_size=12
    ),
)
def test_what_the_judge_does_is_no_change_by_others(
    campaign: Campaign, ann: Judge, repeat: float | None, keys: list[str]
) -> None:
    """The counts that a route keeps are those of the file, whatever was done on the way."""
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "copy.db"
        campaign.execute("VACUUM INTO ?", (str(copy),))
        with open_campaign(copy) as mine:
            if repeat is not None:
                assign(mine, ["ann"], repeat=repeat)
            desk = Desk(mine, ann)
            route = Route(desk)
            route.resume()
            for key in keys:
                _do(desk, route, key)
                assert not route.catch_up(), key


def _do(desk: Desk, route: Route, key: str) -> None:
    assert route.pair is not None
    if key in ("undo", "redo"):
        event = desk.undo() if key == "undo" else desk.redo()
        if event is not None:
            route.to_event(event)
    elif key in ("next", "back"):
        route.step(1 if key == "next" else -1)
    else:
        desk.record(key, route.pair, grade=1 if key == "grade" else None)
        route.reread()
        route.to_next_undecided()


@pytest.mark.parametrize("keys", ["2", "22u", "2222", "s"])
async def test_what_another_judge_does_changes_no_desk(
    app: JudgeTuiApp, campaign: Campaign, keys: str
) -> None:
    """Neither is it told to a judge who is blind, nor does it hide what was just given."""
    async with app.run_test(size=(100, 30)) as pilot:
        with open_campaign(campaign.path) as elsewhere:
            bob = Desk(elsewhere, add_judge(elsewhere, "bob"))
            theirs = [pair for visit in bob.queries() for pair in bob.pairs(visit.key)]
            for pair, key in zip(theirs, keys, strict=False):
                bob.record("grade", pair, grade=1)
                doc_id = here(app)
                await press(pilot, key)
                assert DESK_CHANGED not in line(app, "said")
                if key == "2":
                    assert "2 " in line(app, "said")
                    assert doc_id in line(app, "said")


async def test_a_change_by_others_is_said_beside_the_grade(
    app: JudgeTuiApp, campaign: Campaign, ann: Judge
) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        doc_id, last = here(app), screen(app).route.pairs[-1]
        with open_campaign(campaign.path) as elsewhere:
            append_event(elsewhere, judge=ann.key, pair=last.key, action="grade", grade=1)
        await press(pilot, "2")
        assert doc_id in line(app, "said")
        assert DESK_CHANGED in line(app, "said")
        assert "2/6" in line(app, "query")
