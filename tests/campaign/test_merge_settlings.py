"""Two leads on two machines settle the same pair: the later holds, and merging tells of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.adjudication import settle, settlements_of, undo_settling
from judge_tui.campaign.judges import add_judge
from judge_tui.campaign.merge import Merged, SettledOtherwise, merge
from tests.campaign.copies import copied, key_of


def settled(campaign: Campaign, lead: str, doc_id: str, grade: int, reason: str = "") -> None:
    settle(
        campaign, add_judge(campaign, lead, role="lead"), key_of(campaign, doc_id), grade, reason
    )


def settled_in(path: Path, lead: str, doc_id: str, grade: int, reason: str = "") -> None:
    with open_campaign(path) as campaign:
        settled(campaign, lead, doc_id, grade, reason)


def told(merged: Merged) -> list[SettledOtherwise]:
    return [one for came in merged.files for one in came.settled_otherwise]


def held(campaign: Campaign, doc_id: str) -> tuple[str, int, str]:
    (last,) = [one for one in settlements_of(campaign, key_of(campaign, doc_id)) if one.holds]
    return last.judge.name, last.grade, last.reason


@pytest.mark.parametrize("later", ["here", "there"])
def test_the_later_holds_and_both_are_told(campaign: Campaign, later: str) -> None:
    there = copied(campaign, "there.db")
    if later == "there":
        settled(campaign, "lea", "csv.writer", 1, "for lea")
    settled_in(there, "mia", "csv.writer", 3, "for mia")
    if later == "here":
        settled(campaign, "lea", "csv.writer", 1, "for lea")
    file = str(there)
    expected = SettledOtherwise(file, "q1", "csv.writer", "lea", 1, "mia", 3, later)
    assert told(merge(campaign, [there])) == [expected]
    expected_here = ("lea", 1, "for lea") if later == "here" else ("mia", 3, "for mia")
    assert held(campaign, "csv.writer") == expected_here
    # Once it is known it is told no more.
    assert told(merge(campaign, [there])) == []


def test_the_same_lead_on_two_machines_is_told_too(campaign: Campaign) -> None:
    there = copied(campaign, "there.db")
    settled(campaign, "lea", "csv.writer", 1)
    settled_in(there, "lea", "csv.writer", 2)
    assert [(one.lead_here, one.lead_there) for one in told(merge(campaign, [there]))] == [
        ("lea", "lea")
    ]


def test_what_agrees_and_what_was_changed_knowingly_is_not_told(campaign: Campaign) -> None:
    settled(campaign, "lea", "csv.writer", 1)
    settled(campaign, "lea", "csv.reader", 1)
    there = copied(campaign, "there.db")
    # Known there, and settled again; known there, and settled again here; the same on both sides.
    settled_in(there, "mia", "csv.writer", 3)
    settled(campaign, "lea", "csv.reader", 2)
    settled(campaign, "lea", "list.sort", 2, "one reason")
    settled_in(there, "mia", "list.sort", 2, "another reason")
    assert told(merge(campaign, [there])) == []
    assert held(campaign, "csv.writer") == ("mia", 3, "")
    assert held(campaign, "csv.reader") == ("lea", 2, "")


def test_what_was_taken_back_there_is_no_difference(campaign: Campaign) -> None:
    there = copied(campaign, "there.db")
    settled(campaign, "lea", "csv.writer", 1)
    with open_campaign(there) as other:
        settled(other, "mia", "csv.writer", 3)
        undo_settling(other, add_judge(other, "mia", role="lead"))
    assert told(merge(campaign, [there])) == []
    assert held(campaign, "csv.writer") == ("lea", 1, "")


def test_files_that_differ_among_each_other_are_told(campaign: Campaign) -> None:
    one, other = copied(campaign, "one.db"), copied(campaign, "other.db")
    settled_in(one, "lea", "csv.writer", 1)
    settled_in(other, "mia", "csv.writer", 3)
    (found,) = told(merge(campaign, [one, other]))
    assert (found.file, found.lead_here, found.lead_there) == (str(other), "lea", "mia")
    assert found.holds == "there"
