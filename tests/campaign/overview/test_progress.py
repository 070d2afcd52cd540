"""How far a campaign is, counted in arrays, against the views of the schema and plain dicts."""

from __future__ import annotations

import random
import re
from pathlib import Path

import numpy as np
import pytest

from judge_tui.agreement.decide import decide_by_id
from judge_tui.agreement.estimates import Estimate
from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.overview.agreement import Agreed
from judge_tui.campaign.overview.disagreements import Disputes
from judge_tui.campaign.overview.grading import adjudications, grades_by_judge
from judge_tui.campaign.overview.next_steps import next_steps
from judge_tui.campaign.overview.progress import JudgeProgress, progress
from judge_tui.campaign.store.arrays import CANNOT, SKIPPED, held_decisions
from judge_tui.campaign.store.events import append_event, redo, undo
from judge_tui.campaign.store.judges import add_judge, all_judges
from judge_tui.campaign.store.merge import merge
from judge_tui.report.forms import render
from judge_tui.report.status import status_report
from tests.campaign.copies import copied
from tests.grades_by_file import grade_by_file
from tests.in_the_app import SEEN, grade_in_the_app

NO_AGREEMENT = Agreed(None, 0)
NO_DISPUTES = Disputes(0, None)


def keys(campaign: Campaign) -> list[int]:
    return [key for (key,) in campaign.rows("SELECT id FROM pool ORDER BY id")]


def judge_at_random(campaign: Campaign, seed: int) -> None:
    """Everything judges do, undone and redone, in the first turn and in the second."""
    draw = random.Random(seed)
    judges = [add_judge(campaign, name, kind=kind) for name, kind in _PEOPLE]
    pairs = keys(campaign)
    for _ in range(150):
        judge = draw.choice(judges).key
        action = draw.choice(_ACTIONS)
        if action in ("undo", "redo"):
            (undo if action == "undo" else redo)(campaign, judge)
            continue
        graded = action in ("grade", "adjudicate")
        append_event(
            campaign,
            judge=judge,
            pair=draw.choice(pairs),
            action=action,
            grade=draw.randrange(4) if graded else None,
            turn=0 if action == "adjudicate" else draw.randrange(2),
            painted_at=SEEN,
        )


_PEOPLE = (("ann", "human"), ("bob", "human"), ("cleo", "human"), ("bot", "model"))
_ACTIONS = (
    *["grade"] * 6,
    *["skip", "cannot", "flag", "unflag", "comment", "adjudicate", "redo"],
    *["undo"] * 3,
)


def by_the_views(campaign: Campaign, kind: str) -> dict[tuple[str, str], int]:
    """Judge and action to a count, as the schema's views `decisions` and `repeats` have it."""
    return {
        (name, action): count
        for name, action, count in campaign.rows(
            f"SELECT name, action, count(*) FROM {kind} AS x JOIN judges ON judges.id = x.judge"
            " GROUP BY name, action"
        )
    }


@pytest.mark.parametrize("seed", range(8))
def test_counts_are_those_of_the_views(campaign: Campaign, seed: int) -> None:
    judge_at_random(campaign, seed)
    state = progress(campaign, depth=4)
    first, second = by_the_views(campaign, "decisions"), by_the_views(campaign, "repeats")
    for judge in state.judges:
        for action, counted in (
            ("grade", judge.graded),
            ("skip", judge.skipped),
            ("cannot", judge.cannot),
        ):
            key = (judge.name, action)
            assert counted == first.get(key, 0) + second.get(key, 0)
        assert judge.repeats_graded == second.get((judge.name, "grade"), 0)
        looks = sum(count for (name, _), count in first.items() if name == judge.name)
        assert judge.pairs == 6
        assert judge.left == 6 - looks
        flags = campaign.rows(
            "SELECT count(*) FROM (SELECT max(l.id), action FROM live_events AS l"
            " JOIN judges ON judges.id = l.judge WHERE name = ? AND action IN ('flag', 'unflag')"
            " GROUP BY pair, turn) WHERE action = 'flag'",
            (judge.name,),
        )
        assert judge.flagged == flags[0][0]
    everybody, people = by_judge(campaign, "human", "model"), by_judge(campaign, "human")
    assert grades_by_judge(campaign, include_models=True) == everybody
    assert grades_by_judge(campaign) == people
    settled = adjudications(campaign)
    assert state.unresolved == unresolved(people, settled)
    with_models = progress(campaign, include_models=True)
    assert with_models.unresolved == unresolved(everybody, settled)
    # ann, bob and cleo are people: their grades count, and the lead's.
    judged = {*settled, *(pair for grades in people.values() for pair in grades)}
    graded = {*judged, *(pair for grades in everybody.values() for pair in grades)}
    assert (state.judged, state.aside) == (len(judged), len(graded - judged))
    assert [(run.tag, run.results, run.pooled, run.judged) for run in state.coverage] == [
        (tag, len(results), len(results & pool_of(campaign)), len(results & judged))
        for tag, results in results_to(campaign, 4).items()
    ]
    final = decide_by_id(people, "majority", range(4), adjudicated=settled)
    assert state.unresolved == len(final.unresolved)
    assert [run.unresolved for run in state.coverage] == [
        len(results & set(final.unresolved)) for results in results_to(campaign, 4).values()
    ]
    retrieved = set().union(*results_to(campaign, 4).values())
    assert state.to_pool == len(retrieved - pool_of(campaign))
    assert state.to_judge == len(retrieved & pool_of(campaign) - judged)


@pytest.mark.parametrize(
    ("people", "include_models", "counted", "aside", "undecided"),
    [
        ((), False, set(), 3, 0),
        (("ann",), False, {1, 2}, 2, 0),
        (("ann", "bob"), False, {1, 2}, 2, 0),
        ((), True, {2, 3, 4}, 0, 0),
        (("ann",), True, {1, 2, 3, 4}, 0, 1),
        (("ann", "bob"), True, {1, 2, 3, 4}, 0, 0),
    ],
)
def test_models_count_where_asked_for(
    campaign: Campaign,
    people: tuple[str, ...],
    include_models: bool,
    counted: set[int],
    aside: int,
    undecided: int,
) -> None:
    """People grade the pairs 1 and 2, the bot 2, 3 and 4, the first of them in another way."""
    for name in (*people, "bot"):
        kind, grades = ("model", {2: 3, 3: 3, 4: 3}) if name == "bot" else ("human", {1: 0, 2: 0})
        key = add_judge(campaign, name, kind=kind).key
        for pair, grade in grades.items():
            append_event(campaign, judge=key, pair=pair, action="grade", grade=grade)
    state = progress(campaign, include_models=include_models)
    assert (state.judged, state.aside, state.unresolved) == (len(counted), aside, undecided)
    assert (state.models, state.to_judge) == (include_models, 6 - len(counted))
    assert [run.judged for run in state.coverage] == [
        len(keys_of(campaign, results) & counted) for results in results_to(campaign, 10).values()
    ]


def keys_of(campaign: Campaign, pairs: set[tuple[str, str]]) -> set[int]:
    rows = campaign.rows(
        "SELECT p.id, query_id, doc_id FROM pool AS p JOIN queries ON queries.id = p.query"
        " JOIN documents ON documents.id = p.document"
    )
    return {key for key, *pair in rows if tuple(pair) in pairs}


def test_what_only_the_lead_has_graded_is_judged(campaign: Campaign) -> None:
    """As it is in results: the lead may settle what only models have graded."""
    lead = add_judge(campaign, "lea", role="lead").key
    append_event(campaign, judge=lead, pair=1, action="adjudicate", grade=2)
    state = progress(campaign)
    assert (state.judged, state.to_judge) == (1, state.pairs - 1)


def by_judge(campaign: Campaign, *kinds: str) -> dict[str, dict[tuple[str, str], int]]:
    """The first grades of judges of those kinds, as the view `decisions` has them."""
    rows = campaign.rows(
        "SELECT j.name, j.kind, q.query_id, d.doc_id, x.grade FROM decisions AS x"
        " JOIN judges AS j ON j.id = x.judge JOIN pool AS p ON p.id = x.pair"
        " JOIN queries AS q ON q.id = p.query JOIN documents AS d ON d.id = p.document"
        " WHERE x.action = 'grade' ORDER BY j.id, p.id"
    )
    grades: dict[str, dict[tuple[str, str], int]] = {}
    for name, kind, query_id, doc_id, grade in rows:
        if kind in kinds:
            grades.setdefault(name, {})[query_id, doc_id] = grade
    return grades


def unresolved(grades: dict, settled: dict) -> int:
    return len(decide_by_id(grades, "majority", range(10), adjudicated=settled).unresolved)


def pool_of(campaign: Campaign) -> set[tuple[str, str]]:
    return set(
        campaign.rows(
            "SELECT query_id, doc_id FROM pool JOIN queries ON queries.id = pool.query"
            " JOIN documents ON documents.id = pool.document"
        )
    )


def results_to(campaign: Campaign, depth: int) -> dict[str, set[tuple[str, str]]]:
    rows = campaign.rows(
        "SELECT tag, query_id, doc_id FROM runs LEFT JOIN results AS r ON r.run = runs.id"
        " AND r.rank <= ? LEFT JOIN queries ON queries.id = r.query"
        " LEFT JOIN documents ON documents.id = r.document ORDER BY runs.loaded_at, runs.id",
        (depth,),
    )
    found: dict[str, set[tuple[str, str]]] = {}
    for tag, query_id, doc_id in rows:
        found.setdefault(tag, set())
        if query_id is not None:
            found[tag].add((query_id, doc_id))
    return found


@pytest.mark.parametrize("seed", range(4))
def test_what_holds_is_what_the_views_hold(campaign: Campaign, seed: int) -> None:
    judge_at_random(campaign, seed)
    for judge in all_judges(campaign):
        expected = {}
        for turn, view in enumerate(("decisions", "repeats")):
            for pair, action, grade in campaign.rows(
                f"SELECT pair, action, grade FROM {view} WHERE judge = ?", (judge.key,)
            ):
                other = {"skip": SKIPPED, "cannot": CANNOT}
                expected[2 * pair + turn] = other.get(action, grade)
        held = held_decisions(campaign, judge.key)
        assert held.slots.tolist() == sorted(expected)
        assert dict(zip(held.slots.tolist(), held.codes.tolist(), strict=True)) == expected
        pairs, grades = held.first_grades()
        of_judge = by_judge(campaign, "human", "model").get(judge.name, {})
        assert sorted(grades.tolist()) == sorted(of_judge.values())
        assert len(np.unique(pairs)) == len(pairs)


def test_a_grade_off_the_scale_is_counted_like_any_other(campaign: Campaign) -> None:
    last = keys(campaign)[-1]
    for name, given in (("ann", 7), ("bob", 1)):
        key = add_judge(campaign, name).key
        append_event(campaign, judge=key, pair=last, action="grade", grade=given)
    state = progress(campaign)
    assert (state.judged, state.unresolved) == (1, 1)


def assign(campaign: Campaign, judge: str, *slots: tuple[int, int]) -> None:
    key = next(one.key for one in all_judges(campaign) if one.name == judge)
    with campaign.writing() as connection:
        connection.executemany(
            "INSERT INTO assignments (judge, pair, turn, position, purpose) VALUES (?, ?, ?, ?, ?)",
            [
                (key, pair, turn, position, "repeat" if turn else "normal")
                for position, (pair, turn) in enumerate(slots)
            ],
        )


@pytest.mark.usefixtures("usual")
def test_an_assigned_judge_has_what_was_assigned_and_no_more(campaign: Campaign) -> None:
    ann, bob = (add_judge(campaign, name).key for name in ("ann", "bob"))
    first, second, third, fourth, *_ = keys(campaign)
    append_event(campaign, judge=ann, pair=fourth, action="grade", grade=1)
    assign(campaign, "ann", (first, 0), (second, 0), (first, 1))
    append_event(campaign, judge=ann, pair=first, action="grade", grade=2)
    append_event(campaign, judge=ann, pair=first, action="grade", grade=3, turn=1)
    for pair in (third, fourth):
        append_event(campaign, judge=bob, pair=pair, action="skip", painted_at=SEEN)

    state = progress(campaign)
    assert state.assigned == 2
    of_ann, of_bob = state.judges
    assert (of_ann.pairs, of_ann.repeats, of_ann.graded) == (3, 1, 3)
    assert (of_ann.outside, of_ann.left) == (1, 1)
    assert (of_bob.pairs, of_bob.skipped, of_bob.outside, of_bob.left) == (0, 2, 2, 0)
    # The repeat is no second opinion: the grades differ, and nothing is unresolved.
    assert state.unresolved == 0
    assert "ann has 1 of 3 judgments left: judge-tui judge --judge ann" in next_steps(state)
    assert "4 pairs are given to nobody: judge-tui assign --judges ann" in next_steps(state)

    report = status_report("name", state, NO_AGREEMENT, NO_DISPUTES, [])
    assert report.document["assigned"] == 2
    assert report.document["judges"][0]["pairs"] == 3
    assert report.document["judges"][0]["left"] == 1
    rows = render(report, "csv").splitlines()
    assert "campaign,name,pairs assigned,2" in rows
    assert "judge,ann,repeats,1" in rows
    assert "judge,bob,outside,2" in rows


def test_alpha_is_told_by_a_number_of_the_band_that_is_named(campaign: Campaign) -> None:
    agreement = Agreed(Estimate(0.797, (0.6669, 0.7999)), 400)
    report = status_report("name", progress(campaign), agreement, NO_DISPUTES, [])
    assert re.search(r"0\.797 +0\.666 to 0\.799 +400 +tentative", render(report, "table"))


def of(campaign: Campaign, name: str) -> JudgeProgress:
    [one] = [judge for judge in progress(campaign).judges if judge.name == name]
    return one


def test_whose_grades_came_from_a_file_has_nothing_left(campaign: Campaign) -> None:
    grade_by_file(campaign, "sheet", "q1 0 csv.reader 3\nq2 0 sorted 1\n")
    sheet = of(campaign, "sheet")
    assert (sheet.from_file, sheet.pairs, sheet.graded, sheet.left) == (True, 2, 2, 0)
    # What came from the file is corrected in the app: still nobody who goes on.
    grade_in_the_app(campaign, "sheet", "q2 0 sorted 3\n")
    assert (of(campaign, "sheet").from_file, of(campaign, "sheet").left) == (True, 0)
    grade_in_the_app(campaign, "sheet", "q2 0 list.sort 1\n")
    assert (of(campaign, "sheet").from_file, of(campaign, "sheet").left) == (False, 3)
    undo(campaign, add_judge(campaign, "sheet").key)
    assert of(campaign, "sheet").from_file


def test_who_judged_in_the_app_goes_on_whatever_file_came_later(campaign: Campaign) -> None:
    away = copied(campaign, "away.db")
    with open_campaign(away) as laptop:
        grade_in_the_app(laptop, "ann", "q1 0 csv.reader 2\n")
    grade_by_file(campaign, "ann", "q1 0 csv.reader 3\n")
    assert (of(campaign, "ann").from_file, of(campaign, "ann").left) == (True, 0)
    merge(campaign, [away])
    left = len(keys(campaign)) - 1
    assert (of(campaign, "ann").from_file, of(campaign, "ann").left) == (False, left)


def test_who_was_given_a_share_is_to_judge_it_whatever_came_from_a_file(campaign: Campaign) -> None:
    grade_by_file(campaign, "sheet", "q1 0 csv.reader 3\nq2 0 sorted 1\n")
    add_judge(campaign, "ann")
    first, second, *_ = keys(campaign)
    assign(campaign, "ann", (first, 0))
    sheet = of(campaign, "sheet")
    assert (sheet.from_file, sheet.pairs, sheet.outside, sheet.left) == (True, 2, 0, 0)
    assign(campaign, "sheet", (first, 0), (second, 0))
    assert not of(campaign, "sheet").from_file
    assert of(campaign, "sheet").pairs == 2


def test_without_assignments_everybody_has_the_whole_pool(campaign: Campaign) -> None:
    add_judge(campaign, "ann")
    state = progress(campaign)
    assert state.assigned is None
    assert [(judge.pairs, judge.left) for judge in state.judges] == [(6, 6)]
    report = status_report("name", state, NO_AGREEMENT, NO_DISPUTES, next_steps(state))
    assert report.document["assigned"] is None
    assert "assigned" not in render(report, "csv")
    assert not any("nobody" in step for step in next_steps(state))


def test_an_empty_campaign_is_counted(tmp_path: Path) -> None:
    from judge_tui.campaign import create_campaign
    from judge_tui.model import DEFAULT_SCALE

    with create_campaign(tmp_path / "c.db", name="new", scale=DEFAULT_SCALE) as campaign:
        add_judge(campaign, "ann")
        state = progress(campaign)
    assert (state.pairs, state.judged, state.unresolved, state.coverage) == (0, 0, 0, ())
    assert state.judges[0].left == 0
