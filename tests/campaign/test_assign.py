"""Assigning in a real file, and the desks that come of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from judge_tui.campaign import Campaign, create_campaign, open_campaign
from judge_tui.campaign import assign as assignments
from judge_tui.campaign.assign import assign
from judge_tui.campaign.loading.queries import load_queries
from judge_tui.campaign.overview.model_study import model_study
from judge_tui.campaign.store.desk import Desk, PairState
from judge_tui.campaign.store.judges import add_judge, all_judges
from judge_tui.campaign.store.pool import add_pairs
from judge_tui.errors import InputError, UsageError
from judge_tui.model import Scale
from judge_tui.pooling.assignment import Plan, plan_assignments
from judge_tui.scoring import parse_measure
from tests.campaigns import grade_by_file, record

QUERIES = [f"q{n:02}" for n in range(12)]


@pytest.fixture
def many(tmp_path: Path) -> Iterator[Campaign]:
    """Twelve queries of ten pooled documents each, all the same documents."""
    file = tmp_path / "queries.tsv"
    file.write_text("".join(f"{query}\tabout {query}\n" for query in QUERIES), encoding="utf-8")
    scale = Scale.parse("0=no,1=some,2=good")
    with create_campaign(tmp_path / "many.db", name="many", scale=scale, seed=7) as campaign:
        load_queries(campaign, file)
        pool(campaign, QUERIES, range(10))
        yield campaign


def pool(campaign: Campaign, queries: list[str], documents: range) -> None:
    add_pairs(campaign, [(query, f"d{n}") for query in queries for n in documents], "depth")


def desk_of(campaign: Campaign, name: str) -> Desk:
    return Desk(campaign, add_judge(campaign, name))


def rows(campaign: Campaign) -> set[tuple[object, ...]]:
    return set(
        campaign.rows(
            "SELECT j.name, a.pair, a.turn, a.position, a.purpose FROM assignments AS a"
            " JOIN judges AS j ON j.id = a.judge"
        )
    )


def seen(desk: Desk) -> set[tuple[int, int]]:
    return {pair.slot for visit in desk.queries() for pair in desk.pairs(*visit.visit)}


def test_judges_see_their_own_pairs_and_no_others(many):
    told = assign(many, ["ann", "bob"], overlap=0.25)
    ann, bob = (seen(desk_of(many, name)) for name in ("ann", "bob"))
    assert len(ann) + len(bob) == 150
    assert abs(len(ann) - len(bob)) <= 10
    assert len(ann & bob) == 30 == told.shared["ann", "bob"]
    assert len(ann | bob) == 120
    assert (told.added, told.removed, told.pairs) == (150, 0, 120)
    assert sum(share.overlap for share in told.judges) == 30
    assert [share.shared for share in told.judges] == [30, 30]
    assert [share.pairs for share in told.judges] == [len(ann), len(bob)]
    assert seen(desk_of(many, "cy")) == set()


def planned_beside(
    monkeypatch: pytest.MonkeyPatch, *beside: Callable[[], object]
) -> list[tuple[Any, ...]]:
    """Of the plans made from now on, the first is made while the first of `beside` happens, …

    Returns what they are made from, to be filled.
    """
    plans: list[tuple[Any, ...]] = []

    def slow(*args: Any, **options: Any) -> Plan:
        plans.append(args)
        if len(plans) <= len(beside):
            beside[len(plans) - 1]()
        return plan_assignments(*args, **options)

    monkeypatch.setattr(assignments, "plan_assignments", slow)
    return plans


@pytest.mark.parametrize("action", ["grade", "flag"])
def test_what_is_touched_while_the_plan_is_made_stays(many, monkeypatch, action):
    """The judge presses a key between the reading of the file and the writing of the plan."""
    assign(many, ["ann", "bob"])
    ann = desk_of(many, "ann")
    last = ann.pairs(*ann.queries()[-1].visit)[0]

    def touch() -> None:
        with open_campaign(many.path) as other:
            record(Desk(other, ann.judge), action, last, grade=2 if action == "grade" else None)

    planned_beside(monkeypatch, touch)
    assign(many, ["bob"])
    assert seen(ann) == {last.slot}
    assert len(seen(desk_of(many, "bob"))) == 120


def test_where_somebody_else_assigns_meanwhile_there_is_a_new_plan(many, monkeypatch):
    def other_way() -> None:
        with open_campaign(many.path) as other:
            other.execute("INSERT INTO assignments VALUES (1, 7, 0, 0, 'normal')")

    def grown() -> None:
        with open_campaign(many.path) as other:
            pool(other, QUERIES[:1], range(20, 21))

    def gold() -> None:
        with open_campaign(many.path) as other:
            other.execute("INSERT INTO gold VALUES (7, 1)")

    add_judge(many, "ann")
    plans = planned_beside(monkeypatch, other_way, grown, gold)
    told = assign(many, ["ann", "bob"])
    assert len(plans) == 4
    assert (told.pairs, told.gold) == (121, 1)
    assert [share.gold for share in told.judges] == [1, 1]


def test_an_assign_that_was_stopped_is_finished_by_the_next_one(many, monkeypatch, tmp_path):
    def end(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    gold = gold_file(tmp_path, "q00 0 d3 2\nq05 0 never.pooled 0\n")
    for name in ("plan_assignments", "add_assignments"):
        with monkeypatch.context() as patch:
            patch.setattr(assignments, name, end)
            with pytest.raises(KeyboardInterrupt):
                assign(many, ["ann", "bob"], gold=gold)
        assert rows(many) == set()
    told = assign(many, ["ann", "bob"], gold=gold)
    assert (told.pairs, told.gold, told.added) == (121, 2, 123)


def test_repeats_come_later_in_another_order_and_know_nothing_of_the_first_look(many):
    assign(many, ["ann"], repeat=0.25)
    desk = desk_of(many, "ann")
    visits = desk.queries()
    first = {visit.key: place for place, visit in enumerate(visits) if visit.turn == 0}
    again = {visit.key: place for place, visit in enumerate(visits) if visit.turn == 1}
    assert sum(visits[place].pairs for place in again.values()) == 30
    for key, place in again.items():
        between = visits[first[key] + 1 : place]
        assert sum(visit.turn == 0 for visit in between) >= min(4, 11 - first[key])
    key, place = next(iter(again.items()))
    looked = list(desk.pairs(key, 0))
    assert (len(desk.pairs(key, 1)), desk.pairs(key, 1).waiting) == (0, visits[place].pairs)
    for pair in looked:
        record(desk, "grade", pair, grade=2)
        record(desk, "flag", pair)
        record(desk, "comment", pair, note="seen")
    repeated = desk.pairs(key, 1)
    assert (len(repeated), repeated.waiting) == (visits[place].pairs, 0)
    repeats = {pair.key for pair in repeated}
    assert [pair.key for pair in repeated] != [one.key for one in looked if one.key in repeats]
    assert {pair.state for pair in repeated} == {PairState()}
    record(desk, "grade", repeated[0], grade=0)
    assert desk.state(repeated[0]).grade == 0
    assert {desk.state(pair).grade for pair in looked} == {2}


def gold_file(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "gold.qrels"
    file.write_text(text, encoding="utf-8")
    return file


def test_gold_pairs_go_to_every_judge_among_the_others(many, tmp_path):
    gold = gold_file(tmp_path, "q00 0 d3 2\nq05 0 never.pooled 0\n")
    told = assign(many, ["ann", "bob"], gold=gold)
    assert (told.gold, told.pairs) == (2, 121)
    assert [share.gold for share in told.judges] == [2, 2]
    for name in ("ann", "bob"):
        desk = desk_of(many, name)
        ids = {
            (visit.query_id, pair.doc_id)
            for visit in desk.queries()
            for pair in desk.pairs(*visit.visit)
        }
        assert {("q00", "d3"), ("q05", "never.pooled")} <= ids
    assert many.rows("SELECT stratum FROM pool ORDER BY id DESC LIMIT 1") == [("gold",)]
    assert many.rows("SELECT grade FROM gold ORDER BY pair") == [(2,), (0,)]
    # They stay without being named again, and a judge who comes later gets them, too.
    later = assign(many, ["ann", "bob", "cy"])
    assert [share.gold for share in later.judges] == [2, 2, 2]


def test_models_are_given_nothing(many):
    add_judge(many, "gpt", kind="model")
    with pytest.raises(UsageError, match="'gpt' is of kind model"):
        assign(many, ["ann", "gpt"])
    assert [judge.name for judge in all_judges(many)] == ["gpt"]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("q00 0 d3 7\n", 1),
        ("q00 0 d3 -1\n", 1),
        ("q00 0 d3 1\nq99 0 d3 1\n", 2),
        ("q00 0 d3 1\nq00 0 d3 2\n", 2),
    ],
)
def test_gold_that_cannot_be_is_refused_and_nothing_is_written(many, tmp_path, text, line):
    with pytest.raises(InputError, match=rf"gold\.qrels:{line}: "):
        assign(many, ["ann"], gold=gold_file(tmp_path, text))
    assert rows(many) == set()
    assert all_judges(many) == []
    assert many.rows("SELECT count(*) FROM gold, pool WHERE stratum = 'gold'") == [(0,)]


def graded_of(queries: list[str], documents: range, grade: Callable[[int], int]) -> str:
    return "".join(f"{one} 0 d{n} {grade(n)}\n" for one in queries for n in documents)


def test_a_sample_by_the_grades_of_a_model(many):
    """The model gives 36 times 0, 36 times 1 and 48 times 2; ann has judged nine of its zeros."""
    bot = graded_of(QUERIES, range(10), lambda n: min(n // 3, 2))
    grade_by_file(many, "bot", bot, kind="model")
    grade_by_file(many, "ann", graded_of(QUERIES[:3], range(3), lambda _: 1))
    assign(many, ["ann", "bob"])
    told = assign(many, ["ann", "bob"], overlap=1, by_model="bot", limit=30)
    # 9 and 4 make 13 of each, as near as 39 pairs can be.
    ann, bob = (seen(desk_of(many, name)) for name in ("ann", "bob"))
    keys = {key for key, _ in bob}
    assert ann - bob == {(key, turn) for key, turn in ann if key not in keys}
    assert len(ann - bob) == 9
    assert len(bob) == 30
    found = model_study(many, "bot", parse_measure("nDCG@10"))
    assert {one.grade: one.judged for one in found.next} == {0: 9, 1: 0, 2: 0}
    grades = dict(
        many.rows(
            "SELECT e.pair, e.grade FROM events AS e JOIN judges AS j ON j.id = e.judge"
            " WHERE j.name = 'bot'"
        )
    )
    dealt = [grades[key] for key in keys]
    assert [dealt.count(grade) for grade in (0, 1, 2)] == [4, 13, 13]
    assert (told.added > 0, told.removed > 0) == (True, True)
    assert told.sample is not None
    assert told.sample.pairs == keys
    assert [one.next for one in told.sample.by_grade] == [4, 13, 13]
    # What is written of it is what any assignment is, and tells nothing of the model's grades.
    assert {purpose for *_, purpose in rows(many)} == {"normal", "overlap"}
    query_of = dict(many.rows("SELECT id, query FROM pool"))
    places = {position: query_of[pair] for _, pair, _, position, _ in rows(many)}
    assert len({*places.values()}) == len(places)
    # Again changes nothing, and a smaller sample is part of the larger one.
    again = assign(many, ["ann", "bob"], overlap=1, by_model="bot", limit=30)
    assert (again.added, again.removed) == (0, 0)
    assign(many, ["ann", "bob"], overlap=1, by_model="bot", limit=10)
    assert seen(desk_of(many, "bob")) < bob
    # What was not in the sample is dealt once more.
    assign(many, ["ann", "bob"])
    assert len({key for name in ("ann", "bob") for key, _ in seen(desk_of(many, name))}) == 120


def test_a_sample_by_what_is_no_model_or_has_nothing_open(many):
    add_judge(many, "bot", kind="model")
    for name, says in (("ann", "no model 'ann'"), ("bot", "it has graded nothing yet")):
        with pytest.raises(UsageError, match=says):
            assign(many, ["bob"], by_model=name)
    grade_by_file(many, "bot", "q00 0 d1 2\n", kind="model")
    grade_by_file(many, "cy", "q00 0 d1 1\n")
    with pytest.raises(UsageError, match="people judged all that it graded"):
        assign(many, ["bob"], by_model="bot")
    assert [judge.name for judge in all_judges(many)] == ["bot", "cy"]
