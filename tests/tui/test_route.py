"""The way through a desk of visits, and that a repeat looks like any other document."""

from __future__ import annotations

import pytest

from judge_tui.campaign import Campaign
from judge_tui.campaign.assign import assign
from judge_tui.campaign.store.desk import Desk
from judge_tui.campaign.store.judges import Judge
from judge_tui.campaign.store.pool import add_pairs
from judge_tui.tui.screens.route import ALL_JUDGED, GROWN, Route


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
    add_pairs(campaign, [("q1", name) for name in late], "depth")
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
    add_pairs(campaign, [("q1", "sorted")], "depth")
    assign(campaign, ["ann"])
    assert grade(route, desk) == GROWN
    assert route.progress == (6, 7)
    assert grade(route, desk) == ALL_JUDGED
