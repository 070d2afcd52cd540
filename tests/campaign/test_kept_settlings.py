"""What a lead settled in a session is there even where its file is not, and merging brings it."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.adjudication import (
    redo_settling,
    settle,
    settlements_of,
    undo_settling,
)
from judge_tui.campaign.judges import Judge, add_judge
from judge_tui.campaign.kept_settlings import KeptSettlings
from judge_tui.campaign.merge import merge
from judge_tui.errors import CampaignError
from tests.campaign.copies import copied, events_of, graded, key_of

NAME = "Lea O'Neill"
REASON = "a list\n[/] in place"
NAMED = Path("her folder/campaign.db")
"""As the shell calls the file, in whose folder nobody works."""

MERGE = "judge-tui merge --db 'her folder/campaign.db' 'her folder/campaign-kept"


@pytest.fixture
def lead(campaign: Campaign) -> Judge:
    graded(campaign, "ann", "sorted", 0)
    graded(campaign, NAME, "sorted", 3)
    return add_judge(campaign, NAME, role="lead")


def kept(campaign: Campaign) -> str | None:
    (rescue,) = campaign.rescues.values()
    return rescue.write(campaign.path, NAMED)


def held(campaign: Campaign) -> dict[str, list[tuple[str, int, str, bool]]]:
    return {
        doc_id: [(one.judge.name, one.grade, one.reason, one.holds) for one in settled]
        for (doc_id,) in campaign.rows("SELECT doc_id FROM documents ORDER BY doc_id")
        if (settled := settlements_of(campaign, key_of(campaign, doc_id)))
    }


def test_what_a_session_settled_comes_back_event_by_event(campaign: Campaign, lead: Judge) -> None:
    first, second, third = (
        key_of(campaign, doc_id) for doc_id in ("sorted", "csv.reader", "csv.writer")
    )
    settle(campaign, lead, first, 1)
    settle(campaign, lead, third, 2, "before")
    older = copied(campaign, "older.db")
    with open_campaign(campaign.path) as session:
        # What was settled before is taken back: the file that is put there knows only the former.
        undo_settling(session, lead)
        settle(session, lead, first, 3, REASON)
        settle(session, lead, second, 0)
        undo_settling(session, lead)
        redo_settling(session, lead)
        settle(session, lead, second, 2)
        undo_settling(session, lead)
        events, settled = events_of(session), held(session)
        command = kept(session)
    assert settled == {
        "csv.reader": [(NAME, 0, "", True)],
        "sorted": [(NAME, 1, "", False), (NAME, 3, REASON, True)],
    }
    assert command == f"{MERGE}.db'"
    with open_campaign(older) as back:
        merged = merge(back, [campaign.path.with_name("campaign-kept.db")])
        assert merged.conflicts == ()
        assert events_of(back) == events
        assert held(back) == settled
        again = merge(back, [campaign.path.with_name("campaign-kept.db")])
        assert not any(one.events for one in again.files)


def test_nothing_but_the_settlings_comes(campaign: Campaign, lead: Judge) -> None:
    older = copied(campaign, "older.db")
    settle(campaign, lead, key_of(campaign, "sorted"), 2, REASON)
    assert kept(campaign)
    with open_campaign(older) as back:
        (came,) = merge(back, [campaign.path.with_name("campaign-kept.db")]).files
        assert came.events == {NAME: 1}
        new = (came.judges, came.queries, came.documents, came.texts, came.pairs, came.gold)
        assert new == (0, 0, 0, 0, 0, 0)


def test_nothing_is_written_over_what_was_kept_before(campaign: Campaign, lead: Judge) -> None:
    settle(campaign, lead, key_of(campaign, "sorted"), 2)
    assert kept(campaign) == f"{MERGE}.db'"
    assert kept(campaign) == f"{MERGE}-2.db'"
    assert not list(campaign.path.parent.glob(".campaign*"))


def test_where_nothing_was_settled_or_there_is_no_room_nothing_is_promised(
    campaign: Campaign, lead: Judge, tmp_path: Path
) -> None:
    assert undo_settling(campaign, lead) is None
    assert not campaign.rescues
    rescue = KeptSettlings(campaign.settings, lead)
    assert rescue.write(campaign.path, NAMED) is None
    rescue.hold(campaign, key_of(campaign, "sorted"))
    assert rescue.write(tmp_path / "gone" / "campaign.db", NAMED) is None
    assert not list(campaign.path.parent.glob("*kept*"))


def test_a_file_written_over_is_told_with_the_command(campaign: Campaign, lead: Judge) -> None:
    older = copied(campaign, "older.db")
    kept = older.with_name("campaign-kept.db")
    command = f"judge-tui merge --db {campaign.path} {kept}"
    told = pytest.raises(CampaignError, match=f"comes back with: {re.escape(command)}$")
    with told, open_campaign(campaign.path) as session:
        settle(session, lead, key_of(session, "sorted"), 2, REASON)
        settled = held(session)
        campaign.close()
        session.fold()
        shutil.copyfile(older, session.path)
        settle(session, lead, key_of(session, "csv.reader"), 1)
    with open_campaign(campaign.path) as back:
        merge(back, [campaign.path.with_name("campaign-kept.db")])
        assert held(back) == settled
