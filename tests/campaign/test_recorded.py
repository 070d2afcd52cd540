"""What was done through an open campaign is there even where its file is written over, and one
merge brings it back, event by event."""

from __future__ import annotations

import resource
import shlex
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from judge_tui.campaign import Campaign, create_campaign, open_campaign
from judge_tui.campaign.adjudication import (
    redo_settling,
    settle,
    settlements_of,
    undo_settling,
)
from judge_tui.campaign.assignments import assign
from judge_tui.campaign.desk import Desk, DeskPair
from judge_tui.campaign.events import append_event
from judge_tui.campaign.judges import Judge, add_judge
from judge_tui.campaign.merge import merge
from judge_tui.campaign.sent_to_pool import FROM_RESULTS, send_to_pool
from judge_tui.cli import cli
from judge_tui.errors import CampaignError
from judge_tui.model import DEFAULT_SCALE
from tests.campaign.copies import copied, events_of, graded, key_of

ANN = "Ann O'Neill"
REASON = "a list\n[/] in place"
BACK = " brings back all that was done here since it was opened; earlier work that the file lacks"


@pytest.fixture
def ann(campaign: Campaign) -> Judge:
    return add_judge(campaign, ANN)


def pairs_of(desk: Desk, turn: int = 0) -> list[DeskPair]:
    visits = [visit.visit for visit in desk.queries() if visit.turn == turn]
    return [pair for visit in visits for pair in desk.pairs(*visit)]


def opened_again(campaign: Campaign) -> Campaign:
    """A session of its own."""
    campaign.close()
    return open_campaign(campaign.path)


def written_over(campaign: Campaign, content: Path) -> str:
    """What is said once that content is written over the file, in place, and the app is left."""
    campaign.tend()
    overwrite(campaign, content)
    return lost(campaign, content)


def overwrite(campaign: Campaign, content: Path) -> None:
    """As `cp` does it."""
    shutil.copyfile(content, campaign.path)


def lost(campaign: Campaign, content: Path) -> str:
    said = []
    for step in (campaign.tend, campaign.close):
        with pytest.raises(CampaignError, match="another program wrote over the file") as told:
            step()
        said.append(str(told.value))
    assert said[0] == said[1]
    assert campaign.path.read_bytes() == content.read_bytes()
    return said[0]


def command_of(said: str) -> list[str]:
    """What follows `judge-tui` in the command that brings it back."""
    command, told, _ = said.partition(BACK)
    assert told, said
    return shlex.split(command.rpartition("judge-tui ")[2])


def brought_back(said: str) -> None:
    result = CliRunner().invoke(cli, command_of(said))
    assert result.exit_code == 0, result.output
    assert "conflict" not in result.output


def kept_beside(campaign: Campaign) -> list[str]:
    return sorted(path.name for path in campaign.path.parent.glob("*-kept*"))


def test_all_that_a_judge_does_comes_back(campaign: Campaign, ann: Judge) -> None:
    before = Desk(campaign, ann)
    first, second, third, fourth, fifth, _ = pairs_of(before)
    for pair, grade in ((second, 1), (first, 2)):
        before.record("grade", pair, grade=grade)
    older = copied(campaign, "older.db")
    session = opened_again(campaign)
    desk = Desk(session, ann)
    # What the copy has as graded is taken back, and corrected.
    desk.undo()
    desk.record("grade", second, grade=0)
    desk.record("grade", third, grade=3)
    desk.undo()
    desk.redo()
    desk.record("cannot", fourth, looked=2.5, painted_at="2026-01-01T00:00:00.000+00:00")
    desk.record("skip", fifth)
    desk.record("flag", fifth)
    desk.record("comment", fifth, note=REASON)
    desk.record("flag", third)
    desk.undo()
    events, counts = events_of(session), desk.counts()
    states = [desk.state(pair) for pair in (first, second, third, fourth, fifth)]
    assert [(state.decision, state.grade, state.flagged, state.note) for state in states] == [
        (None, None, False, ""),
        ("grade", 0, False, ""),
        ("grade", 3, False, ""),
        ("cannot", None, False, ""),
        ("skip", None, True, REASON),
    ]
    said = written_over(session, older)
    with open_campaign(older) as left:
        assert len(events_of(left)) == 2
    brought_back(said)
    with open_campaign(campaign.path) as back:
        assert events_of(back) == events
        again = Desk(back, ann)
        assert [again.state(pair) for pair in (first, second, third, fourth, fifth)] == states
        assert again.counts() == counts
        merged = merge(back, [campaign.path.with_name("campaign-kept.db")])
        assert not any(one.events for one in merged.files)


def test_a_key_that_was_accepted_after_the_file_was_written_over_comes_back(
    campaign: Campaign, ann: Judge
) -> None:
    """What is on the screen as accepted is kept, whenever the other program came."""
    older = copied(campaign, "older.db")
    session = opened_again(campaign)
    first, second = pairs_of(Desk(session, ann))[:2]
    Desk(session, ann).record("flag", first)
    session.tend()
    with session.writing():
        append_event(session, judge=ann.key, pair=second.key, action="grade", grade=2)
        # Between the look at the file and the commit.
        overwrite(session, older)
    brought_back(lost(session, older))
    with open_campaign(campaign.path) as back:
        assert [(event[3], event[5]) for event in events_of(back)] == [
            (first.doc_id, "flag"),
            (second.doc_id, "grade"),
        ]


def test_what_was_not_written_does_not_come(campaign: Campaign, ann: Judge) -> None:
    older = copied(campaign, "older.db")
    first, second = pairs_of(Desk(campaign, ann))[:2]

    def fail() -> None:
        with campaign.writing():
            append_event(campaign, judge=ann.key, pair=first.key, action="grade", grade=2)
            raise RuntimeError("in the middle")

    with pytest.raises(RuntimeError, match="in the middle"):
        fail()
    Desk(campaign, ann).record("skip", second)
    brought_back(written_over(campaign, older))
    with open_campaign(campaign.path) as back:
        assert [(event[3], event[5]) for event in events_of(back)] == [(second.doc_id, "skip")]


def test_hidden_repeats_come_back_as_such(campaign: Campaign, ann: Judge) -> None:
    assign(campaign, [ann.name], repeat=0.5)
    older = copied(campaign, "older.db")
    session = opened_again(campaign)
    desk = Desk(session, ann)
    for turn in (0, 1):
        for pair in pairs_of(desk, turn):
            desk.record("grade", pair, grade=1 + turn)
    desk.undo()
    events, counts = events_of(session), desk.counts()
    assert {event[4] for event in events} == {0, 1}
    brought_back(written_over(session, older))
    with open_campaign(campaign.path) as back:
        assert events_of(back) == events
        assert Desk(back, ann).counts() == counts


def test_a_copy_from_before_the_pairs_were_assigned_takes_the_repeats_in(
    campaign: Campaign, ann: Judge
) -> None:
    older = copied(campaign, "older.db")
    assign(campaign, [ann.name], repeat=0.5)
    session = opened_again(campaign)
    desk = Desk(session, ann)
    for turn in (0, 1):
        for pair in pairs_of(desk, turn):
            desk.record("grade", pair, grade=1)
    events = events_of(session)
    brought_back(written_over(session, older))
    with open_campaign(campaign.path) as back:
        assert events_of(back) == events
        # The whole pool is everybody's again.
        assert Desk(back, ann).counts()[::2] == (6, 6)


def settled(campaign: Campaign) -> dict[str, list[tuple[str, int, str, bool]]]:
    return {
        doc_id: [(one.judge.name, one.grade, one.reason, one.holds) for one in found]
        for (doc_id,) in campaign.rows("SELECT doc_id FROM documents ORDER BY doc_id")
        if (found := settlements_of(campaign, key_of(campaign, doc_id)))
    }


def test_what_a_lead_settled_and_judged_and_sent_to_the_pool_comes_by_one_command(
    campaign: Campaign,
) -> None:
    graded(campaign, "ann", "sorted", 0)
    lead = add_judge(campaign, ANN, role="lead")
    first, second, third = (
        key_of(campaign, doc_id) for doc_id in ("sorted", "csv.reader", "csv.writer")
    )
    settle(campaign, lead, first, 1)
    settle(campaign, lead, third, 2, "before")
    older = copied(campaign, "older.db")
    session = opened_again(campaign)
    # What was settled before is taken back: the file that is put there knows only the former.
    undo_settling(session, lead)
    settle(session, lead, first, 3, REASON)
    Desk(session, lead).record("grade", pairs_of(Desk(session, lead))[0], grade=2)
    settle(session, lead, second, 0)
    undo_settling(session, lead)
    redo_settling(session, lead)
    settle(session, lead, second, 2)
    undo_settling(session, lead)
    query, document = session.rows(
        "SELECT q.id, d.id FROM queries AS q, documents AS d"
        " WHERE q.query_id = 'q2' AND d.doc_id = 'csv.writer'"
    )[0]
    assert send_to_pool(session, query, document).new
    place = "SELECT priority, stratum FROM pool WHERE query = ? AND document = ?"
    ((priority, stratum),) = session.rows(place, (query, document))
    events, held = events_of(session), settled(session)
    assert held == {
        "csv.reader": [(ANN, 0, "", True)],
        "sorted": [(ANN, 1, "", False), (ANN, 3, REASON, True)],
    }
    brought_back(written_over(session, older))
    with open_campaign(campaign.path) as back:
        assert events_of(back) == events
        assert settled(back) == held
        assert back.rows(place, (query, document)) == [(priority, stratum)]
        assert stratum == FROM_RESULTS


def test_nothing_but_what_was_done_comes(campaign: Campaign, ann: Judge) -> None:
    graded(campaign, "bob", "sorted", 1)
    older = copied(campaign, "older.db")
    session = opened_again(campaign)
    Desk(session, ann).record("grade", pairs_of(Desk(session, ann))[0], grade=2)
    written_over(session, older)
    kept = campaign.path.with_name("campaign-kept.db")
    with open_campaign(campaign.path) as back:
        (came,) = merge(back, [kept]).files
        assert came.events == {ANN: 1}
        new = (came.judges, came.queries, came.documents, came.texts, came.pairs, came.gold)
        assert new == (0, 0, 0, 0, 0, 0)
    # Why a pair is in the pool is told to no judge.
    with open_campaign(kept) as alone:
        assert alone.rows("SELECT priority, stratum FROM pool") == [(0.0, "")]
        assert alone.rows("SELECT count(*) FROM runs") == [(0,)]


def test_two_judges_at_one_file_each_keep_their_own(campaign: Campaign, ann: Judge) -> None:
    bob = add_judge(campaign, "bob")
    older = copied(campaign, "older.db")
    one = opened_again(campaign)
    other = open_campaign(campaign.path)
    pairs = pairs_of(Desk(one, ann))
    Desk(one, ann).record("grade", pairs[0], grade=1)
    Desk(other, bob).record("skip", pairs[0])
    Desk(one, ann).record("cannot", pairs[1])
    Desk(other, bob).undo()
    events = events_of(one)
    # Of what another process holds, nothing is known here: both look only now.
    one.tend()
    other.tend()
    overwrite(one, older)
    said = [lost(one, older), lost(other, older)]
    assert kept_beside(campaign) == ["campaign-kept-2.db", "campaign-kept.db"]
    for each in reversed(said):
        brought_back(each)
    with open_campaign(campaign.path) as back:
        assert events_of(back) == events


def test_a_copy_from_before_the_queries_were_loaded_gets_them(
    campaign: Campaign, ann: Judge
) -> None:
    with create_campaign(
        campaign.path.with_name("elsewhere.db"), name="other", scale=DEFAULT_SCALE, seed=1
    ) as empty:
        empty.connection.execute(
            "UPDATE campaign SET (campaign_id, name, scale, guidelines, seed, created) ="
            " (?, 'small', ?, ?, 7, ?)",
            (
                campaign.settings.campaign_id,
                str(campaign.settings.scale),
                campaign.settings.guidelines,
                campaign.settings.created,
            ),
        )
    session = opened_again(campaign)
    Desk(session, ann).record("grade", pairs_of(Desk(session, ann))[0], grade=2)
    events = events_of(session)
    query = "SELECT query_id, text, class, narrative FROM queries"
    asked = session.rows(query)[:1]
    brought_back(written_over(session, empty.path))
    with open_campaign(campaign.path) as back:
        assert events_of(back) == events
        assert back.rows(query) == asked


def test_where_another_campaign_stands_there_a_copy_comes_first(
    campaign: Campaign, ann: Judge
) -> None:
    older = copied(campaign, "older.db")
    other = campaign.path.with_name("other.db")
    create_campaign(other, name="other", scale=DEFAULT_SCALE, seed=1).close()
    session = opened_again(campaign)
    Desk(session, ann).record("skip", pairs_of(Desk(session, ann))[0])
    events = events_of(session)
    said = written_over(session, other)
    assert "leave; put a copy of the campaign in its place: judge-tui merge" in said
    assert CliRunner().invoke(cli, command_of(said)).exit_code == 2
    shutil.copyfile(older, campaign.path)
    brought_back(said)
    with open_campaign(campaign.path) as back:
        assert events_of(back) == events


def test_where_nothing_was_done_nothing_is_kept(campaign: Campaign, ann: Judge) -> None:
    assert undo_settling(campaign, ann) is None
    Desk(campaign, ann).undo()
    older = campaign.path.with_name("older.db")
    create_campaign(older, name="other", scale=DEFAULT_SCALE, seed=1).close()
    said = written_over(campaign, older)
    assert said.endswith("what it holds now, and merge or restore a copy")
    assert kept_beside(campaign) == []


def test_what_could_not_be_kept_to_the_end_is_said_to_be_lost(
    campaign: Campaign, ann: Judge
) -> None:
    older = copied(campaign, "older.db")
    session = opened_again(campaign)
    desk = Desk(session, ann)
    desk.record("grade", pairs_of(desk)[0], grade=2)
    session.tend()
    overwrite(session, older)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, hard))
    try:
        with pytest.raises(CampaignError, match="could not be kept elsewhere: make room"):
            session.tend()
        with pytest.raises(CampaignError, match="could not be kept, and is lost; earlier work"):
            session.close()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert kept_beside(campaign) == []


def test_where_there_is_no_room_that_is_said_and_it_is_tried_again(
    campaign: Campaign, ann: Judge
) -> None:
    older = copied(campaign, "older.db")
    session = opened_again(campaign)
    desk = Desk(session, ann)
    pair = pairs_of(desk)[0]
    desk.record("grade", pair, grade=2)
    session.tend()
    overwrite(session, older)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, hard))
    try:
        for _ in range(2):
            with pytest.raises(CampaignError, match="could not be kept elsewhere: make room"):
                desk.record("skip", pair)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert kept_beside(campaign) == []
    assert not list(campaign.path.parent.glob(".campaign*"))
    with pytest.raises(CampaignError) as told:
        session.close()
    brought_back(str(told.value))
    with open_campaign(campaign.path) as back:
        assert [event[5:7] for event in events_of(back)] == [("grade", 2)]


def test_nothing_is_written_over_what_was_kept_before_and_any_name_can_be_typed(
    campaign: Campaign, ann: Judge, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = campaign.path.parent / "her folder"
    folder.mkdir()
    campaign.close()
    path = Path(campaign.path.rename(folder / "-the file.db"))
    path.with_name("-the file-kept.db").write_text("mine")
    older = Path(shutil.copyfile(path, folder / "older.db"))
    monkeypatch.chdir(folder)
    session = open_campaign(Path("-the file.db"))
    Desk(session, ann).record("flag", pairs_of(Desk(session, ann))[0])
    said = written_over(session, older)
    assert command_of(said)[-1] == "./-the file-kept-2.db"
    brought_back(said)
    assert path.with_name("-the file-kept.db").read_text() == "mine"
    with open_campaign(path) as back:
        assert [event[5] for event in events_of(back)] == ["flag"]
