"""How far a campaign is, counted in arrays, against the events and plain dicts."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from judge_tui.campaign import Campaign
from judge_tui.campaign.overview.grading import grades_by_judge
from judge_tui.campaign.overview.progress import JudgeProgress, progress
from judge_tui.campaign.store.events import append_event, redo, undo
from judge_tui.campaign.store.judges import add_judge, all_judges
from judge_tui.model import Pair
from tests.campaign.copies import first_grades_of, ids, majority, states
from tests.campaigns import SEEN, adjudications, grade_by_file, grade_in_the_app


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
_KINDS = (("human", "model"), ("human",))
_ACTIONS = (
    *["grade"] * 6,
    *["skip", "cannot", "flag", "unflag", "comment", "adjudicate", "redo"],
    *["undo"] * 3,
)


@pytest.mark.parametrize("seed", range(8))
def test_counts_are_those_of_the_events(campaign, seed):
    judge_at_random(campaign, seed)
    state = progress(campaign, depth=4)
    held = states(campaign)
    for judge in state.judges:
        its = [(turn, it) for (name, _, turn), it in held.items() if name == judge.name]
        decisions = Counter(it.decision for _, it in its)
        assert (judge.graded, judge.skipped, judge.cannot) == (
            *(decisions[action] for action in ("grade", "skip", "cannot")),
        )
        assert judge.repeats_graded == sum(turn and it.decision == "grade" for turn, it in its)
        assert judge.flagged == sum(it.flagged for _, it in its)
        assert judge.pairs == 6
        assert judge.left == 6 - sum(not turn and it.decision is not None for turn, it in its)
    everybody, people = (first_grades_of(campaign, *kinds) for kinds in _KINDS)
    assert grades_by_judge(campaign, include_models=True) == everybody
    assert grades_by_judge(campaign) == people
    settled = adjudications(campaign)
    with_models = majority(everybody, settled)
    assert progress(campaign, include_models=True).unresolved == no_grade(with_models)
    # ann, bob and cleo are people: their grades count, and the lead's.
    final = majority(people, settled)
    judged, pool = {*final}, {*ids(campaign).values()}
    assert (state.judged, state.aside) == (len(judged), len(with_models.keys() - judged))
    assert state.unresolved == no_grade(final)
    results = results_to(campaign, 4)
    assert [
        (run.tag, run.results, run.pooled, run.judged, run.unresolved) for run in state.coverage
    ] == [
        (
            tag,
            len(its),
            len(its & pool),
            len(its & judged),
            no_grade({pair: final[pair] for pair in its & judged}),
        )
        for tag, its in results.items()
    ]
    retrieved = set().union(*results.values())
    assert state.to_pool == len(retrieved - pool)
    assert state.to_judge == len(retrieved & pool - judged)


def no_grade(final: dict[Pair, int | None]) -> int:
    return sum(grade is None for grade in final.values())


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


def assign(campaign: Campaign, judge: str, *slots: tuple[int, int]) -> None:
    key = next(one.key for one in all_judges(campaign) if one.name == judge)
    with campaign.writing():
        campaign.execute_many(
            "INSERT INTO assignments (judge, pair, turn, position, purpose) VALUES (?, ?, ?, ?, ?)",
            [
                (key, pair, turn, position, "repeat" if turn else "normal")
                for position, (pair, turn) in enumerate(slots)
            ],
        )


def test_an_assigned_judge_has_what_was_assigned_and_no_more(campaign):
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


def of(campaign: Campaign, name: str) -> JudgeProgress:
    [one] = [judge for judge in progress(campaign).judges if judge.name == name]
    return one


def test_a_judge_without_assignment_has_the_whole_pool_whoever_graded(campaign):
    grade_by_file(campaign, "sheet", "q1 0 csv.reader 3\nq2 0 sorted 1\n")
    sheet = of(campaign, "sheet")
    assert (sheet.pairs, sheet.graded, sheet.left) == (6, 2, 4)
    grade_in_the_app(campaign, "sheet", "q2 0 list.sort 1\n")
    assert of(campaign, "sheet").left == 3


def test_a_model_has_the_whole_pool_whatever_is_assigned(campaign):
    grade_by_file(campaign, "bot", "q1 0 csv.reader 3\n", kind="model")
    add_judge(campaign, "ann")
    assign(campaign, "ann", (keys(campaign)[0], 0))
    bot = of(campaign, "bot")
    assert (bot.pairs, bot.graded, bot.outside) == (6, 1, 0)
