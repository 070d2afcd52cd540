"""One judge on two machines decides the same pair: merging names each on which the two differ."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.events import append_event, undo
from judge_tui.campaign.grades import load_qrels
from judge_tui.campaign.judges import add_judge
from judge_tui.campaign.merge import Merged, merge
from tests.campaign.copies import copied, graded, graded_in, key_of


def told(merged: Merged) -> list[tuple[object, ...]]:
    """Judge, document, whether a hidden repeat, here, there, what holds."""
    return [
        (one.judge, one.doc_id, one.repeat, one.here, one.there, one.holds)
        for came in merged.files
        for one in came.decided_otherwise
    ]


def said(path: Path, doc_id: str, action: str, **more: object) -> None:
    """What ann says of a document instead of a grade."""
    with open_campaign(path) as campaign:
        ann = add_judge(campaign, "ann").key
        append_event(campaign, judge=ann, pair=key_of(campaign, doc_id), action=action, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("later", ["here", "there"])
def test_each_pair_is_told_with_what_holds(campaign: Campaign, later: str) -> None:
    there = copied(campaign, "there.db")
    if later == "here":
        said(there, "sorted", "skip")
        graded_in(there, "ann", {"csv.reader": 3})
    graded(campaign, "ann", "csv.reader", 1)
    said(campaign.path, "sorted", "cannot")
    graded(campaign, "ann", "csv.reader", 2, turn=1)
    said(there, "csv.reader", "grade", grade=0, turn=1)
    if later == "there":
        said(there, "sorted", "skip")
        graded_in(there, "ann", {"csv.reader": 3})
    assert told(merge(campaign, [there])) == [
        ("ann", "csv.reader", False, 1, 3, 1 if later == "here" else 3),
        ("ann", "csv.reader", True, 2, 0, 0),
        ("ann", "sorted", False, "cannot", "skip", "cannot" if later == "here" else "skip"),
    ]
    # Once it is known it is told no more.
    assert told(merge(campaign, [there])) == []


def test_what_is_alike_was_known_or_was_taken_back_is_no_difference(campaign: Campaign) -> None:
    graded(campaign, "ann", "sorted", 0)
    graded(campaign, "ann", "list.sort", 0)
    there = copied(campaign, "there.db")
    for path in (campaign.path, there):
        graded_in(path, "ann", {"csv.reader": 2})
        said(path, "json.load", "skip")
    graded_in(there, "ann", {"sorted": 3})
    graded(campaign, "ann", "list.sort", 1)
    graded(campaign, "ann", "csv.writer", 1)
    graded(campaign, "bob", "csv.reader", 1)
    with open_campaign(there) as other:
        undo(other, graded(other, "ann", "csv.writer", 3).judge)
    assert told(merge(campaign, [there])) == []


def test_files_that_differ_among_each_other_are_told(campaign: Campaign) -> None:
    """Ann is new in both, and nothing of hers is here yet."""
    one, other = copied(campaign, "one.db"), copied(campaign, "other.db")
    graded_in(one, "ann", {"csv.reader": 1, "sorted": 2})
    graded_in(other, "ann", {"csv.reader": 3, "sorted": 2})
    merged = merge(campaign, [one, other])
    assert told(merged) == [("ann", "csv.reader", False, 1, 3, 3)]
    assert merged.files[1].decided_otherwise[0].file == str(other)


def test_a_skip_that_a_file_had_replaced_is_told_where_it_holds(campaign: Campaign) -> None:
    there = copied(campaign, "there.db")
    graded_in(there, "ann", {"csv.reader": 3})
    said(campaign.path, "csv.reader", "skip")
    file = campaign.path.with_name("loaded.qrels")
    file.write_text("q1 0 csv.reader 0\n")
    load_qrels(campaign, file, judge="ann")
    assert told(merge(campaign, [there])) == [("ann", "csv.reader", False, 0, 3, "skip")]
