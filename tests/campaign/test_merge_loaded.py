"""What a judge decided on one machine, beside grades of the same judge that a file gave on another:
a load that did not know of a decision takes nothing of it back, however late it came."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.desk import Desk
from judge_tui.campaign.events import append_event, redo, undo
from judge_tui.campaign.grades import grades_by_judge, load_qrels
from judge_tui.campaign.judges import Judge, add_judge
from judge_tui.campaign.merge import merge
from judge_tui.campaign.several_judges import load_several_judges
from judge_tui.errors import CampaignError
from judge_tui.formats import read_grades
from tests.campaign.copies import (
    copied,
    graded_in,
    key_of,
    tampered,
)


def load(path: Path, grades: dict[str, int], *, replace: bool = False) -> None:
    """Grades of documents for q1, by a file of ann's."""
    file = path.with_name("loaded.qrels")
    file.write_text("".join(f"q1 0 {doc_id} {grade}\n" for doc_id, grade in grades.items()))
    with open_campaign(path) as campaign:
        load_qrels(campaign, file, judge="ann", replace=replace)


def held(path: Path) -> dict[str, int]:
    """Ann's grades by document, as they are exported, on the desk and in the view alike."""
    with open_campaign(path) as campaign:
        by_arrays = grades_by_judge(campaign).get("ann", {})
        by_view = campaign.rows(
            "SELECT d.doc_id, x.grade FROM decisions AS x JOIN pool AS p ON p.id = x.pair"
            " JOIN documents AS d ON d.id = p.document WHERE x.action = 'grade'"
        )
        desk = Desk(campaign, add_judge(campaign, "ann"))
        states = [pair for query in desk.queries() for pair in desk.pairs(query.key)]
        on_desk = {one.doc_id: one.state.grade for one in states if one.state.grade is not None}
    grades = {doc_id: grade for (_, doc_id), grade in by_arrays.items()}
    assert grades == dict(by_view) == on_desk
    return grades


def merged(*paths: Path) -> dict[str, int]:
    """What holds after merging the copies, which is the same whichever is the first."""
    outcomes = []
    for order in itertools.permutations(paths):
        home = order[0].with_name("merged.db")
        home.write_bytes(order[0].read_bytes())
        with open_campaign(home) as campaign:
            for path in order[1:]:
                merge(campaign, [path])
        outcomes.append(held(home))
        home.unlink()
    assert all(outcome == outcomes[0] for outcome in outcomes)
    return outcomes[0]


@pytest.fixture
def copies(campaign: Campaign) -> tuple[Path, Path]:
    """Two copies in which a file gave csv.reader a 2 by ann."""
    add_judge(campaign, "ann")
    load(campaign.path, {"csv.reader": 2})
    return copied(campaign, "here.db"), copied(campaign, "there.db")


def test_a_decision_in_the_app_stands_over_a_later_file_that_knew_nothing(copies) -> None:
    here, there = copies
    graded_in(there, "ann", {"csv.reader": 0})
    load(here, {"csv.reader": 1}, replace=True)
    load(here, {"csv.reader": 3}, replace=True)
    assert held(here) == {"csv.reader": 3}
    assert merged(here, there) == {"csv.reader": 0}


def test_a_file_that_knew_the_decision_and_replaced_it_holds(copies) -> None:
    here, there = copies
    graded_in(there, "ann", {"csv.reader": 0})
    with open_campaign(here) as campaign:
        merge(campaign, [there])
    load(here, {"csv.reader": 1}, replace=True)
    assert merged(here, there) == {"csv.reader": 1}
    # What was decided there since, nobody here knew.
    graded_in(there, "ann", {"csv.reader": 3})
    load(here, {"csv.reader": 2}, replace=True)
    assert merged(here, there) == {"csv.reader": 3}


def test_an_older_file_loaded_later_takes_back_no_load_that_replaced(campaign: Campaign) -> None:
    add_judge(campaign, "ann")
    here, there = copied(campaign, "here.db"), copied(campaign, "there.db")
    load(there, {"csv.reader": 1, "sorted": 1})
    load(there, {"csv.reader": 3}, replace=True)
    load(here, {"csv.reader": 1, "sorted": 2})
    # Of two loads that knew of nothing, the later one holds.
    assert merged(here, there) == {"csv.reader": 3, "sorted": 2}


def test_that_nothing_can_be_judged_stands_and_what_was_put_off_is_judged(
    campaign: Campaign,
) -> None:
    ann = add_judge(campaign, "ann")
    here, there = copied(campaign, "here.db"), copied(campaign, "there.db")
    with open_campaign(there) as away:
        for doc_id, action in (("csv.reader", "cannot"), ("sorted", "skip")):
            pair = key_of(away, doc_id)
            append_event(away, judge=ann.key, pair=pair, action=action)
    load(here, {"csv.reader": 3, "sorted": 2})
    assert merged(here, there) == {"sorted": 2}


def test_a_note_of_the_app_stands_over_that_of_a_later_file(campaign: Campaign) -> None:
    ann = add_judge(campaign, "ann")
    here, there = copied(campaign, "here.db"), copied(campaign, "there.db")
    with open_campaign(there) as away:
        pair = key_of(away, "csv.reader")
        append_event(away, judge=ann.key, pair=pair, action="comment", note="mine")
    file = here.with_name("rows.csv")
    file.write_text("query_id,doc_id,judge,decision,grade,note\nq1,csv.reader,ann,grade,2,older\n")
    with open_campaign(here) as home:
        load_several_judges(home, file, read_grades(file))
        merge(home, [there])
        desk = Desk(home, ann)
        (state,) = (
            one.state for one in desk.pairs(desk.queries()[0].key) if one.doc_id == "csv.reader"
        )
        assert (state.note, state.grade) == ("mine", 2)


@pytest.mark.parametrize("keys", ["grade undo", "cannot undo", "undo grade redo undo"])
@pytest.mark.parametrize("decided_first", [True, False])
def test_what_was_undone_before_a_load_was_not_replaced_by_it(
    campaign: Campaign, keys: str, decided_first: bool
) -> None:
    """The load here takes the place of nothing, and so not of what was decided there."""
    ann = add_judge(campaign, "ann")
    here, there = copied(campaign, "here.db"), copied(campaign, "there.db")
    if decided_first:
        graded_in(there, "ann", {"csv.reader": 3})
    press(here, ann, keys)
    if not decided_first:
        graded_in(there, "ann", {"csv.reader": 3})
    load(here, {"csv.reader": 0})
    assert held(here) == {"csv.reader": 0}
    assert merged(here, there) == {"csv.reader": 3}


@pytest.mark.parametrize("keys", ["skip", "grade skip", "skip undo", "cannot skip"])
def test_a_load_takes_the_place_of_what_was_put_off_and_of_nothing_decided_since(
    campaign: Campaign, keys: str
) -> None:
    ann = add_judge(campaign, "ann")
    here, there = copied(campaign, "here.db"), copied(campaign, "there.db")
    press(here, ann, keys)
    graded_in(there, "ann", {"csv.reader": 3})
    load(here, {"csv.reader": 0})
    assert held(here) == {"csv.reader": 0}
    assert merged(here, there) == {"csv.reader": 3}


@pytest.mark.parametrize("said", ["grade,3", "cannot,"])
def test_a_skip_of_a_file_takes_nothing_back_in_any_order(campaign: Campaign, said: str) -> None:
    """Two exports of one project: the older has a skip where the newer has a judgment."""
    add_judge(campaign, "ann")
    here, there = copied(campaign, "here.db"), copied(campaign, "there.db")
    load_rows(here, f"csv.reader,{said}", "sorted,skip,")
    load_rows(there, "csv.reader,skip,", f"sorted,{said}", "new,skip,")
    graded_in(there, "ann", {"json.load": 1})
    load_rows(here, "json.load,skip,")
    grades = {"csv.reader": 3, "sorted": 3} if said == "grade,3" else {}
    assert merged(here, there) == {"json.load": 1, **grades}
    with open_campaign(here) as home:
        merge(home, [there])
        skipped = home.rows("SELECT pair FROM decisions WHERE action = 'skip'")
        assert skipped == [(key_of(home, "new"),)]


def load_rows(path: Path, *rows: str) -> None:
    """Judgments of ann's for q1 by a file of several judges, each document, decision and grade."""
    file = path.with_name("rows.csv")
    text = "".join(f"q1,ann,{row}\n" for row in rows)
    file.write_text(f"query_id,judge,doc_id,decision,grade\n{text}")
    with open_campaign(path) as campaign:
        load_several_judges(campaign, file, read_grades(file))


@pytest.mark.parametrize("side", ["where the file came", "where the grade was"])
def test_a_skip_that_was_pressed_later_is_not_made_less_by_a_file(
    campaign: Campaign, side: str
) -> None:
    """Of two decisions of the app the later one holds, as it would if no file had come.

    The events are the same whichever copy the skip was pressed in: what holds is, too, or else a
    grade would hold again that the judge has put off knowing it.
    """
    ann = add_judge(campaign, "ann")
    here, there = copied(campaign, "here.db"), copied(campaign, "there.db")
    graded_in(there, "ann", {"csv.reader": 3})
    press(here if side == "where the file came" else there, ann, "skip")
    assert merged(here, there) == {}
    load(here, {"csv.reader": 0})
    assert held(here) == {"csv.reader": 0}
    assert merged(here, there) == {}
    with open_campaign(here) as campaign_here:
        merge(campaign_here, [there])
        undo(campaign_here, ann.key)
    assert held(here) == {"csv.reader": 3}


def press(path: Path, judge: Judge, keys: str) -> None:
    """What the judge does to csv.reader, a grade being 1."""
    with open_campaign(path) as campaign:
        pair = key_of(campaign, "csv.reader")
        for key in keys.split():
            if key == "undo":
                undo(campaign, judge.key)
            elif key == "redo":
                redo(campaign, judge.key)
            else:
                grade = 1 if key == "grade" else None
                append_event(campaign, judge=judge.key, pair=pair, action=key, grade=grade)


def test_undo_brings_the_file_to_light_and_redo_the_decision(copies) -> None:
    here, there = copies
    graded_in(there, "ann", {"csv.reader": 0})
    load(here, {"csv.reader": 1}, replace=True)
    with open_campaign(here) as campaign:
        merge(campaign, [there])
        desk = Desk(campaign, add_judge(campaign, "ann"))
        undone = desk.undo()
    assert undone is not None
    assert held(here) == {"csv.reader": 1}
    with open_campaign(here) as campaign:
        assert Desk(campaign, desk.judge).redo() == undone
    assert held(here) == {"csv.reader": 0}


def test_a_forged_knowledge_is_not_merged(copies, campaign: Campaign) -> None:
    here, _ = copies
    load(here, {"csv.reader": 1}, replace=True)
    tampered(here, "UPDATE events SET over = '0' WHERE over <> ''")
    with pytest.raises(CampaignError, match="taken the place of, '0'"):
        merge(campaign, [here])
