"""`judge-tui export bundle` and `judge-tui merge`, as typed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from judge_tui.campaign import Campaign, open_campaign
from tests.as_typed import judge_tui
from tests.campaign.copies import copied, graded, graded_in
from tests.campaign.store.test_merge_answers import answer
from tests.waiting import next_millisecond


@pytest.fixture
def work(campaign: Campaign, files: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the small campaign, and ann's copy."""
    ann = copied(campaign, "ann.db")
    campaign.close()
    graded_in(ann, "ann", {"csv.reader": 3, "sorted": 1})
    monkeypatch.chdir(files)
    monkeypatch.delenv("JUDGE_TUI_DB", raising=False)
    return files


def test_what_came_is_told(work: Path) -> None:
    judge_tui("merge", "ann.db")
    with open_campaign(work / "campaign.db") as campaign, open_campaign(work / "ann.db") as away:
        graded(away, "ann", "csv.writer", 0)
        next_millisecond()
        graded(campaign, "ann", "csv.writer", 2)
    document = json.loads(judge_tui("merge", "ann.db", "campaign.db", "-f", "json").stdout)
    ann, itself = document["came"]
    assert (ann["judge"], ann["events"], ann["here_already"]) == ("ann", 1, 2)
    assert document["decided_twice"] == [
        {
            "file": "ann.db",
            "judge": "ann",
            "repeat": False,
            "query_id": "q1",
            "doc_id": "csv.writer",
            "holds": 2,
        }
    ]
    assert (itself["judge"], itself["events"]) == ("this campaign itself", 0)


def test_what_models_answered_is_told(work: Path) -> None:
    with open_campaign(work / "campaign.db") as campaign, open_campaign(work / "ann.db") as away:
        answer(campaign, "sorted", 1)
        answer(away, "sorted", 2)
        answer(away, "csv.reader", 2)
        for one in (campaign, away):
            answer(one, "csv.writer", 2)
            next_millisecond()
    document = json.loads(judge_tui("merge", "ann.db", "-f", "json").stdout)
    assert document["answers"] == [
        {
            "file": "ann.db",
            "judge": "gpt",
            "answers": 1,
            "answered_already": 1,
            "answered_otherwise": 1,
        }
    ]
    assert [(one["judge"], one["events"]) for one in document["came"]] == [("ann", 2), ("gpt", 1)]
