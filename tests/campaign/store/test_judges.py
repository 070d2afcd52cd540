"""Judges: one name, one judge; a name mended, a judge removed, here and in every copy."""

from __future__ import annotations

import pytest

from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.assign import assign
from judge_tui.campaign.overview.grading import final_grades, grades_by_judge
from judge_tui.campaign.store.adjudication import adjudication_of, settle
from judge_tui.campaign.store.bundle import export_bundle
from judge_tui.campaign.store.desk import Desk
from judge_tui.campaign.store.events import append_event, rebuild
from judge_tui.campaign.store.judges import (
    Judge,
    JudgeWork,
    add_judge,
    all_judges,
    find_judge,
    known_judge,
    near_names,
    refuse_near_name,
    remove_judge,
    rename_judge,
    work_of,
)
from judge_tui.campaign.store.merge import merge
from judge_tui.errors import CampaignError, UsageError
from judge_tui.model import STAND_INS
from tests.campaign.copies import as_file, copied, events_of, graded, graded_in, key_of, whole

NFC, NFD = "Zo\u00eb", "Zoe\u0308"


def names(campaign: Campaign) -> list[str]:
    return [judge.name for judge in all_judges(campaign)]


def order_of(campaign: Campaign, name: str) -> list[str]:
    desk = Desk(campaign, known_judge(campaign, name))
    return [
        pair.doc_id
        for visit in desk.queries()
        for pair in (*desk.pairs(visit.key, visit.turn), *desk.pairs(visit.key, 1))
    ]


def test_names_are_one_however_typed_and_never_a_person_and_a_model(campaign):
    made = add_judge(campaign, f" {NFD} ")
    assert made == add_judge(campaign, NFC) == find_judge(campaign, NFD)
    assert names(campaign) == [NFC]
    with pytest.raises(UsageError, match="never mixed under one"):
        add_judge(campaign, NFD, kind="model")
    for name in ("", "  ", "a,b", "x" * 61):
        with pytest.raises(UsageError):
            add_judge(campaign, name)


@pytest.mark.parametrize("name", STAND_INS)
def test_no_model_is_called_as_what_stands_for_grades(campaign, name):
    assert add_judge(campaign, name).kind == "human"
    rename_judge(campaign, name, "ann")
    add_judge(campaign, "bot", kind="model")
    for refused in (
        lambda: add_judge(campaign, f" {name}", kind="model"),
        lambda: rename_judge(campaign, "bot", name),
    ):
        with pytest.raises(UsageError, match=f"what --unjudged {name} means; take another name"):
            refused()


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("cleo", ["Cleo"]),
        ("Cleoo", ["Cleo"]),
        ("judge2", []),  # a series
        ("judgel", ["judge1"]),
    ],
)
def test_a_new_name_that_is_nearly_a_known_one(campaign, name, near):
    for known in ("Cleo", "judge1"):
        add_judge(campaign, known)
    assert near_names(campaign, name.strip()) == near
    if near:
        with pytest.raises(UsageError, match=f"nearly the name of '{near[0]}'.*--yes"):
            refuse_near_name(campaign, name)
    else:
        refuse_near_name(campaign, name)


def test_a_mended_name_is_shown_and_changes_nothing_else(campaign):
    assign(campaign, ["cloe", "bob"], overlap=1, repeat=0.5)
    graded(campaign, "cloe", "csv.reader", 3)
    before = order_of(campaign, "cloe")
    log = campaign.rows("SELECT * FROM events ORDER BY id")
    rename_judge(campaign, "cloe", " Chloë ")
    assert order_of(campaign, "Chloë") == before
    assert campaign.rows("SELECT * FROM events ORDER BY id") == log
    assert names(campaign) == ["Chloë", "bob"]
    assert final_grades(campaign, policy="judge:Chloë").qrels["q1"]["csv.reader"] == 3
    # Once more, and back to the first name.
    rename_judge(campaign, "Chloë", "C")
    assert known_judge(campaign, "C").formerly == "cloe"
    add_judge(campaign, "Chloë")
    rename_judge(campaign, "C", "cloe")
    assert known_judge(campaign, "cloe").formerly is None


def test_the_old_name_is_refused_with_the_new_one(campaign, files):
    graded(campaign, "cloe", "csv.reader", 3)
    rename_judge(campaign, "cloe", "Chloe")
    add_judge(campaign, "bob")
    for refused in (
        lambda: final_grades(campaign, policy="judge:cloe"),
        lambda: assign(campaign, ["cloe"]),
        lambda: export_bundle(campaign, files / "x", judge="cloe"),
    ):
        with pytest.raises(UsageError, match="judge 'cloe' is now called 'Chloe'; use that name"):
            refused()
    for new in ("cloe", "Chloe"):
        with pytest.raises(UsageError, match="name of another judge"):
            rename_judge(campaign, "bob", new)


def test_copies_know_a_renamed_judge(campaign, files):
    """Judged on a copy under the old name, and on a bundle under the new one."""
    graded(campaign, "cloe", "csv.reader", 3)
    before = copied(campaign, "before.db")
    rename_judge(campaign, "cloe", "Chloe")
    export_bundle(campaign, files / "new.db", judge="Chloe")
    graded_in(before, "cloe", {"sorted": 1})
    with open_campaign(files / "new.db") as bundle:
        assert order_of(bundle, "Chloe") == order_of(campaign, "Chloe")
    graded_in(files / "new.db", "Chloe", {"json.load": 1})
    came = merge(campaign, [before, files / "new.db"])
    assert [one.events for one in came] == [{"Chloe": 1}] * 2
    assert names(campaign) == ["Chloe"]
    assert len(grades_by_judge(campaign)["Chloe"]) == 3
    # And home comes to a copy that knows nothing of the new name.
    with open_campaign(before) as other:
        merge(other, [as_file(campaign)])
        assert names(other) == ["cloe"]
        assert {row[0] for row in events_of(other)} == {row[0] for row in events_of(campaign)}


def test_a_name_of_somebody_else_there_is_refused(campaign):
    """Nobody here is taken for somebody of the same name there."""
    graded(campaign, "ann", "csv.reader", 3)
    other = copied(campaign, "other.db")
    rename_judge(campaign, "ann", "bob")
    graded_in(other, "bob", {"sorted": 1})
    before = whole(campaign.path)
    with pytest.raises(
        CampaignError, match="'bob' of that file, first called 'bob', is not judge 'bob' of this"
    ):
        merge(campaign, [other])
    assert whole(campaign.path) == before
    rename_judge(campaign, "bob", "Ann")
    assert merge(campaign, [other])[0].events == {"bob": 1}


def test_people_and_models_of_one_name_are_not_merged(campaign):
    other = copied(campaign, "other.db")
    graded_in(other, "ann", {"sorted": 1})
    add_judge(campaign, "ann", kind="model")
    with pytest.raises(CampaignError, match="of kind human there and model here"):
        merge(campaign, [other])


def test_a_judge_without_judgments_is_gone_with_what_was_assigned(campaign):
    assign(campaign, ["ann", "bob"])
    rename_judge(campaign, "ann", "Ann")
    ann = known_judge(campaign, "Ann")
    assert remove_judge(campaign, "Ann") == JudgeWork(0, 0, 0)
    with pytest.raises(CampaignError, match="removed you"):
        append_event(campaign, judge=ann.key, pair=1, action="grade", grade=1)
    assert names(campaign) == ["bob"]
    assert campaign.rows("SELECT DISTINCT judge FROM assignments") == [
        (known_judge(campaign, "bob").key,)
    ]
    for name in ("ann", "Ann"):
        assert add_judge(campaign, name).formerly is None
    assert len({judge.key for judge in all_judges(campaign)} | {ann.key}) == 3


def test_a_judge_who_was_removed_before_judging_comes_home_with_what_was_judged(campaign):
    add_judge(campaign, "ann")
    other = copied(campaign, "other.db")
    graded_in(other, "ann", {"sorted": 1})
    remove_judge(campaign, "ann")
    assert [one.events for one in merge(campaign, [other])] == [{"ann": 1}]
    assert names(campaign) == ["ann"]


def removed(campaign: Campaign) -> Judge:
    """ann, who graded and settled and was removed; lea had settled the same pair before."""
    ann, pair = add_judge(campaign, "ann"), key_of(campaign, "csv.reader")
    settle(campaign, add_judge(campaign, "lea", role="lead"), pair, 1, "first")
    settle(campaign, ann, pair, 3, "second")
    graded(campaign, "ann", "csv.writer", 3)
    graded(campaign, "ann", "sorted", 2, turn=1)
    graded(campaign, "bob", "csv.writer", 1)
    with pytest.raises(
        UsageError, match=r"2 judgments, 1 adjudication, 3 events.*--with-judgments"
    ):
        remove_judge(campaign, "ann")
    assert work_of(campaign, ann) == JudgeWork(2, 1, 3)
    assert remove_judge(campaign, "ann", with_judgments=True) == JudgeWork(2, 1, 3)
    return ann


def test_nothing_of_a_removed_judge_counts_and_the_log_is_whole(campaign):
    ann = removed(campaign)
    assert len(campaign.rows("SELECT 1 FROM events WHERE judge = ?", (ann.key,))) == 3
    assert names(campaign) == ["lea", "bob"]
    assert grades_by_judge(campaign) == {"bob": {("q1", "csv.writer"): 1}}
    settled = adjudication_of(campaign, key_of(campaign, "csv.reader"))
    assert settled is not None
    assert (settled.judge.name, settled.grade, settled.holds) == ("lea", 1, True)
    tables = ("judgments", "adjudications")
    held = [campaign.rows(f"SELECT * FROM {table} ORDER BY pair") for table in tables]
    with campaign.writing():
        rebuild(campaign)
    assert [campaign.rows(f"SELECT * FROM {table} ORDER BY pair") for table in tables] == held
    with pytest.raises(UsageError, match="'ann' was removed"):
        add_judge(campaign, "ann")
    with pytest.raises(UsageError, match="name of another judge"):
        rename_judge(campaign, "bob", "ann")
    with pytest.raises(CampaignError, match="removed you"):
        append_event(campaign, judge=ann.key, pair=1, action="grade", grade=1)


def test_a_merge_brings_nothing_of_a_removed_judge_in_any_order(campaign):
    graded(campaign, "ann", "csv.reader", 3)
    one, two = copied(campaign, "one.db"), copied(campaign, "two.db")
    graded_in(one, "ann", {"sorted": 1})
    with open_campaign(one) as away:
        remove_judge(away, "ann", with_judgments=True)
        graded(away, "bob", "sorted", 2)
    graded_in(two, "ann", {"csv.writer": 2})
    orders = ([one, two], [two, one])
    found = []
    for number, paths in enumerate(orders):
        with open_campaign(copied(campaign, f"home{number}.db")) as home:
            for path in paths:
                merge(home, [path])
            found.append((events_of(home), grades_by_judge(home)))
    assert found[0] == found[1]
    # Here nobody removed ann, and what is in a copy that did is not hers any more.
    assert set(found[0][1]["ann"]) == {("q1", "csv.reader"), ("q1", "csv.writer")}
    remove_judge(campaign, "ann", with_judgments=True)
    assert [came.events for came in merge(campaign, [two, one])] == [{}, {"bob": 1}]
    assert set(grades_by_judge(campaign)) == {"bob"}
