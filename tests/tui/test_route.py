"""The way through a desk of visits, and that a repeat looks like any other document."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.assignments import assign
from judge_tui.campaign.desk import Desk
from judge_tui.campaign.judges import Judge, add_judge
from judge_tui.campaign.pool import add_pairs
from judge_tui.pooling import PooledPair
from judge_tui.tui.app import JudgeTuiApp, judging
from judge_tui.tui.screens.jump import JumpOverlay
from judge_tui.tui.screens.route import ALL_JUDGED, GROWN, NOT_THERE, Route
from judge_tui.tui.widgets import LineList

from .judging import here, line, press, screen


@pytest.fixture
def repeated(campaign: Campaign, ann: Judge) -> Campaign:
    """ann has both queries (six pairs) and three of them again."""
    assign(campaign, ["ann"], repeat=0.5)
    return campaign


@pytest.fixture
def route(repeated: Campaign, ann: Judge) -> Route:
    route = Route(Desk(repeated, ann))
    route.resume()
    return route


def grade(route: Route, desk: Desk, value: int = 1) -> str | None:
    assert route.pair is not None
    desk.record("grade", route.pair, grade=value)
    route.reread()
    return route.to_next_undecided()


def slot(route: Route) -> tuple[int, int]:
    assert route.pair is not None
    return route.pair.slot


def counted(desk: Desk) -> tuple[int, int]:
    visits = desk.queries()
    return sum(visit.decided for visit in visits), sum(visit.pairs for visit in visits)


def test_all_pairs_are_met_once_repeats_last_and_the_counts_are_exact(
    route: Route, repeated: Campaign, ann: Judge
) -> None:
    desk = Desk(repeated, ann)
    met = []
    said = None
    while said is None:
        met.append(slot(route))
        said = grade(route, desk)
        assert route.progress == counted(desk) == (len(met), 9)
    assert said == ALL_JUDGED
    assert route.all_judged
    assert len(set(met)) == 9
    assert [turn for _, turn in met] == [0] * 6 + [1] * 3


def test_a_restart_goes_on_in_the_same_visit(route: Route, repeated: Campaign, ann: Judge) -> None:
    desk = Desk(repeated, ann)
    for _ in range(7):
        grade(route, desk)
    later = Route(Desk(repeated, ann))
    assert later.resume() is None
    assert slot(later) == slot(route)
    assert slot(later)[1] == 1
    assert later.progress == (7, 9)


def test_undo_and_redo_lead_back_to_the_visit_where_it_was_done(
    route: Route, repeated: Campaign, ann: Judge
) -> None:
    desk = Desk(repeated, ann)
    for _ in range(6):
        grade(route, desk)
    again = slot(route)
    grade(route, desk, 3)
    undone = desk.undo()
    assert undone is not None
    assert route.to_event(undone) is None
    assert (slot(route), route.progress) == (again, (6, 9))
    undone = desk.undo()
    assert undone is not None
    route.to_event(undone)
    assert (slot(route)[1], route.progress) == (0, (5, 9))
    for _ in range(2):
        redone = desk.redo()
        assert redone is not None
        route.to_event(redone)
    assert (slot(route), route.progress) == (again, (7, 9))


def test_steps_lead_over_all_visits_there_and_back(
    route: Route, repeated: Campaign, ann: Judge
) -> None:
    def there_and_back() -> set[tuple[int, int]]:
        while route.step(-1) is None:
            pass
        there = [slot(route)]
        while route.step(1) is None:
            there.append(slot(route))
        back = [slot(route)]
        while route.step(-1) is None:
            back.append(slot(route))
        assert back == there[::-1]
        assert len(there) == len(set(there))
        return set(there)

    # Repeats are not to be met before their first look is decided.
    assert {turn for _, turn in there_and_back()} == {0}
    desk = Desk(repeated, ann)
    for _ in range(6):
        grade(route, desk)
    assert len(there_and_back()) == 9
    assert route.progress == (6, 9)


def test_a_jump_leads_to_the_visit_that_was_chosen(
    route: Route, repeated: Campaign, ann: Judge
) -> None:
    for visit in route.queries():
        route.to_query(visit.visit)
        assert route.visit == visit.visit
        assert slot(route)[1] == visit.turn


def test_the_list_of_queries_never_tells_of_repeats(
    route: Route, repeated: Campaign, ann: Judge
) -> None:
    desk = Desk(repeated, ann)
    for _ in range(9):
        assert [(v.query_id, v.turn) for v in route.queries()] == [("q1", 0), ("q2", 0)]
        grade(route, desk)
    assert route.all_judged
    assert route.queries() == [visit for visit in desk.queries() if visit.turn == 0]


def test_a_repeat_never_comes_before_its_first_look(campaign: Campaign, ann: Judge) -> None:
    """Not where the pool grows behind the judge, and the new pairs are to be repeated as well."""
    assign(campaign, ["ann"], repeat=0.1)
    desk = Desk(campaign, ann)
    route = Route(desk)
    route.resume()
    for _ in range(4):
        grade(route, desk)
    late = [f"late{number}" for number in range(8)]
    add_pairs(campaign, [PooledPair("q1", name, "depth") for name in late])
    assign(campaign, ["ann"], repeat=0.5)
    route = Route(desk)
    route.resume()
    total = route.progress[1]
    assert total == counted(desk)[1] == 21
    met = list(campaign.rows("SELECT pair, turn FROM events"))
    assert len(met) == 4
    while not route.all_judged:
        # However the judge comes to it.
        seen = {slot(route)}
        while route.step(1) is None:
            seen.add(slot(route))
        assert {(pair, 0) for pair, turn in seen if turn} <= set(met)
        assert route.progress == counted(desk) == (len(met), total)
        route.to_next_undecided()
        assert slot(route)[1] == 0 or (slot(route)[0], 0) in met
        met.append(slot(route))
        grade(route, desk)
    assert len(set(met)) == len(met) == total


def test_what_is_assigned_meanwhile_is_found_at_the_end(campaign: Campaign, ann: Judge) -> None:
    assign(campaign, ["ann"])
    desk = Desk(campaign, ann)
    route = Route(desk)
    route.resume()
    for _ in range(5):
        assert grade(route, desk) is None
    add_pairs(campaign, [PooledPair("q1", "sorted", "depth")])
    assign(campaign, ["ann"])
    assert grade(route, desk) == GROWN
    assert route.progress == (6, 7)
    assert grade(route, desk) == ALL_JUDGED


def test_what_is_given_to_somebody_else_meanwhile_is_passed_over(
    campaign: Campaign, ann: Judge
) -> None:
    assign(campaign, ["ann"])
    desk = Desk(campaign, ann)
    route = Route(desk)
    route.resume()
    with open_campaign(campaign.path) as other:
        desk.record("grade", route.pairs[0], grade=1)
        assign(other, ["bob"])
    # What was open may be judged to its end; nothing is left of the other query.
    for _ in range(3):
        assert slot(route)[0] in {pair.key for pair in route.pairs}
        grade(route, desk)
    assert route.all_judged
    assert route.progress == counted(desk) == (1, 1)
    assert route.step(1) == "this is the last document"
    assert route.pair is not None


def test_an_event_off_the_desk_is_said_and_leads_nowhere(campaign: Campaign, ann: Judge) -> None:
    desk = Desk(campaign, ann)
    pairs = desk.pairs(2)
    desk.record("grade", pairs[0], grade=1)
    with campaign.writing() as connection:
        connection.execute(
            "INSERT INTO assignments SELECT ?, id, 0, 5, 'normal' FROM pool WHERE query = 1",
            (ann.key,),
        )
    route = Route(desk)
    assert route.resume() is None
    before = slot(route)
    undone = desk.undo()
    assert undone is not None
    assert route.to_event(undone) == NOT_THERE
    assert slot(route) == before


def test_an_empty_desk_is_empty(campaign: Campaign) -> None:
    assign(campaign, ["ann"])
    route = Route(Desk(campaign, add_judge(campaign, "zoe")))
    assert route.resume() is None
    assert route.pair is None
    assert route.progress == (0, 0)
    assert route.to_next_undecided() is None


async def test_a_repeat_looks_like_a_document_never_seen(repeated: Campaign, ann: Judge) -> None:
    desk = Desk(repeated, ann)
    for visit in desk.queries()[:2]:
        for pair in desk.pairs(*visit.visit):
            desk.record("comment", pair, note="seen before")
            desk.record("flag", pair)
            desk.record("grade", pair, grade=2)
    app = JudgeTuiApp(repeated, opening=judging(ann))
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        assert slot(screen(app).route)[1] == 1
        assert "6/9" in line(app, "query")
        for name in ("said", "title", "query"):
            text = line(app, name)
            assert "seen before" not in text
            assert "flag" not in text
        pairs = screen(app).query_one("#pairs", LineList)
        shown = "".join(pairs.render_line(y).text for y in range(pairs.size.height))
        assert not set("0123") & set(shown)
        doc_id = here(app)
        await press(pilot, "0")
        assert here(app) != doc_id or screen(app).route.all_judged
        await press(pilot, "u")
        assert here(app) == doc_id
        assert slot(screen(app).route)[1] == 1


async def test_the_list_of_queries_leads_to_a_visit(repeated: Campaign, ann: Judge) -> None:
    desk = Desk(repeated, ann)
    for visit in desk.queries()[:2]:
        for pair in desk.pairs(*visit.visit):
            desk.record("grade", pair, grade=2)
    app = JudgeTuiApp(repeated, opening=judging(ann))
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        await press(pilot, "o")
        assert isinstance(app.screen, JumpOverlay)
        listed = app.screen.query_one(LineList)
        lines = [listed.render_line(y).text.split() for y in range(listed.size.height)]
        # The judge is in the second visit of one of them.
        assert screen(app).route.visit[1] == 1
        visits = desk.queries()[:2]
        assert [one[:2] for one in lines if one] == [
            [visit.query_id, f"{visit.decided}/{visit.pairs}"] for visit in visits
        ]
        assert listed.cursor == [visit.key for visit in visits].index(screen(app).route.visit[0])
        await press(pilot, "up", "down", "enter")
        assert screen(app).route.visit == visits[-1].visit


@pytest.mark.usefixtures("usual")
async def test_home_refuses_an_empty_desk_in_words(campaign: Campaign, tmp_path: Path) -> None:
    add_judge(campaign, "zoe")
    assign(campaign, ["ann"])
    app = JudgeTuiApp(campaign)
    async with app.run_test(size=(100, 40)) as pilot:
        await pilot.pause()
        await press(pilot, "enter")
        said = str(app.screen.query_one("#said").render())
        assert "nothing is assigned to 'zoe'" in said
        assert "judge-tui assign --judges ann,zoe" in said
