"""The Judge screen, driven by keys: what is on screen, and what is in the file."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widgets import TextArea

from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.assign import assign
from judge_tui.campaign.extend_pool import extend_pool
from judge_tui.campaign.store.desk import Desk
from judge_tui.campaign.store.events import append_event
from judge_tui.campaign.store.judges import Judge, add_judge
from judge_tui.campaign.store.leases import release
from judge_tui.campaign.store.settings import change_setting
from judge_tui.tui.app import judging
from judge_tui.tui.painted import NO_ROOM, NOT_PAINTED
from judge_tui.tui.screens import judge as judge_module
from judge_tui.tui.screens.judge import JudgeScreen
from judge_tui.tui.widgets.grade_bar import GradeBar
from judge_tui.tui.widgets.table import Table
from tests.campaigns import load_run, record
from tests.tui.campaigns import pair_key
from tests.tui.pilots import (
    burst,
    doc_ids,
    here,
    lines,
    lowest,
    painted,
    press,
    press_after_look,
    running,
    said,
    screen_text,
    seen,
    session,
    subtitle,
    title,
    until,
    until_seen,
)
from tests.tui.pilots import events as done


@asynccontextmanager
async def judging_as(
    campaign: Campaign, judge: Judge, size: tuple[int, int] = (100, 30), **more: Any
) -> AsyncIterator[Pilot[None]]:
    async with running(campaign, judging(judge), size=size, **more) as pilot:
        await painted(pilot)
        yield pilot


def counts(pilot: Pilot[None]) -> str:
    return subtitle(pilot, "#query")


def state(pilot: Pilot[None]) -> str:
    return subtitle(pilot, "#document")


def listed(pilot: Pilot[None]) -> list[str]:
    """Marks and ids of the list of documents."""
    return [row.strip() for row in lines(pilot.app.screen_stack[0].query_one("#pairs", Table))]


# --- grades


async def test_a_grade_is_committed_before_the_screen_moves_and_can_be_changed(
    campaign: Campaign, ann: Judge
) -> None:
    async with judging_as(campaign, ann) as pilot:
        first = here(pilot)
        assert counts(pilot) == "0/3 in this query · 0/6 in all"
        assert state(pilot) == "not judged yet"
        await press(pilot, "7")
        assert said(pilot) == "7 is not on the scale (0, 1, 2, 3)"
        await press_after_look(pilot, "3")
        # Another connection sees it: it is committed, not only pending in ours.
        other = sqlite3.connect(campaign.path)
        row = other.execute(
            "SELECT d.doc_id, e.action, e.grade, e.looked >= 0, e.painted_at < e.written_at"
            " FROM events AS e JOIN pool AS p ON p.id = e.pair"
            " JOIN documents AS d ON d.id = p.document"
        ).fetchall()
        other.close()
        assert row == [(first, "grade", 3, 1, 1)]
        assert here(pilot) != first
        assert said(pilot) == f"3 perfect  {first}"
        assert counts(pilot) == "1/3 in this query · 1/6 in all"
        await press(pilot, "left_square_bracket")
        assert (here(pilot), state(pilot)) == (first, "3 perfect")
        await press_after_look(pilot, "1")
        assert said(pilot) == f"3 → 1 some  {first}"
        await press_after_look(pilot, "left_square_bracket", "s")
        assert said(pilot) == f"1 → skipped  {first}"
    assert done(campaign) == [("grade", 3), ("grade", 1), ("skip", None)]
    assert doc_ids(campaign) == [first] * 3


async def test_a_key_counts_once_after_a_look_and_why_it_does_not_is_said(
    campaign: Campaign, ann: Judge
) -> None:
    async with judging_as(campaign, ann) as pilot:
        first = here(pilot)
        session(pilot).guard.least_look = 60.0
        for key in "2sx":
            await press(pilot, key)
            assert said(pilot).startswith("too fast: look for 60 s")
        session(pilot).guard.least_look = 0.0
        late = events.Key("3", "3")
        late.time -= 60
        pilot.app.post_message(late)
        await pilot.pause()
        assert said(pilot).startswith("not yet: the document was not on screen")
        assert (done(campaign), here(pilot)) == ([], first)
        # Flags and comments only need the document to be there.
        session(pilot).guard.least_look = 60.0
        await press_after_look(pilot, "f")
        session(pilot).guard.least_look = 0.0
        burst(pilot.app, *"2" * 20)
        await until(pilot, lambda: len(done(campaign)) > 1)
        burst(pilot.app, *"3cf3u3u")
        await until(pilot, lambda: len(done(campaign)) > 2)
        await painted(pilot)
        assert len(pilot.app.screen_stack) == 1
        assert done(campaign)[:2] == [("flag", None), ("grade", 2)]
        assert len(done(campaign)) == 3
        # Undo and redo too: once for each screen that was seen, whatever key came before.
        burst(pilot.app, "2", "u")
        await until(pilot, lambda: len(done(campaign)) > 3)
        await painted(pilot)
        assert (done(campaign)[3:], said(pilot)) == ([("grade", 2)], NOT_PAINTED)
        await press_after_look(pilot, "f")
        burst(pilot.app, "u", "ctrl+r")
        await until(pilot, lambda: len(done(campaign)) > 5)
        await painted(pilot)
        assert (done(campaign)[5:], said(pilot)) == ([("undo", None)], NOT_PAINTED)
        # A held key: the same key again within a tenth of a second.
        await press_after_look(pilot, "1")
        held = events.Key("1", "1")
        session(pilot).guard.pressed("1", held.time - 0.03)
        pilot.app.post_message(held)
        await pilot.pause()
        assert said(pilot) == "a held key counts once"
        assert len(done(campaign)) == 7


async def test_undo_and_redo_go_to_the_document_and_over_restarts(
    campaign: Campaign, ann: Judge
) -> None:
    async with judging_as(campaign, ann) as pilot:
        met = []
        for key in "30s":
            met.append(here(pilot))
            await press_after_look(pilot, key)
        await press_after_look(pilot, "u", "u")
        assert here(pilot) == met[1]
        assert said(pilot) == f"undone: 0 no  {met[1]}"
        await press_after_look(pilot, "q")
    campaign.close()
    with open_campaign(campaign.path) as again:
        async with judging_as(again, ann) as pilot:
            assert here(pilot) == met[1]
            await press_after_look(pilot, "u")
            assert here(pilot) == met[0]
            await press_after_look(pilot, "u")
            assert said(pilot) == "nothing to undo"
            # After a redo the cursor goes on: the next key does not change what was done again.
            await press_after_look(pilot, "ctrl+r", "ctrl+r")
            assert said(pilot) == f"done again: 0 no  {met[1]}"
            assert here(pilot) == met[2]
            await press_after_look(pilot, "2", "ctrl+r")
            assert said(pilot) == "nothing to redo"
            assert counts(pilot).endswith("3/6 in all")
            assert done(again)[-1] == ("grade", 2)
            # Of a pair that was read ahead, too.
            await press_after_look(pilot, "right_square_bracket", "f", "left_square_bracket", "u")
            assert state(pilot) == "not judged yet"
        held = "SELECT d.doc_id, j.grade FROM judgments AS j JOIN pool AS p ON p.id = j.pair"
        held += " JOIN documents AS d ON d.id = p.document ORDER BY j.event"
        assert again.rows(held) == [(met[0], 3), (met[1], 0), (met[2], 2)]


async def test_marks_tell_skipped_from_impossible_and_all_can_be_come_back_to(
    campaign: Campaign, ann: Judge
) -> None:
    async with judging_as(campaign, ann) as pilot:
        await press(pilot, "F")
        assert said(pilot).startswith("nothing is flagged, skipped or has a comment")
        met = [here(pilot)]
        await press_after_look(pilot, "f")
        assert said(pilot) == "flagged to come back to"
        await press_after_look(pilot, "c")
        await press(pilot, *"odd [/]", "enter")
        assert said(pilot) == f"comment written  {met[0]}"
        await press_after_look(pilot, "s")
        met.append(here(pilot))
        await press_after_look(pilot, "x")
        met.append(here(pilot))
        await press_after_look(pilot, "2", "left_square_bracket")
        assert listed(pilot) == [f"sfc  {met[0]}", f"x    {met[1]}", f"2    {met[2]}"]
        await press(pilot, "left_square_bracket", "left_square_bracket")
        assert state(pilot) == "skipped · flagged"
        assert said(pilot) == "comment: odd [/]"
        await press(pilot, "right_square_bracket", "F")
        table = pilot.app.screen.query_one(Table)
        assert table.cursor == 1
        rows = [" ".join(table.render_line(row).text.split()) for row in (1, 2)]
        assert rows == [f"q1 sfc {met[0]} odd [/]", f"q1 x {met[1]}"]
        await press(pilot, "up", "enter")
        assert here(pilot) == met[0]
        await press_after_look(pilot, "f")
        assert said(pilot) == "flag taken off"
    assert [action for action, _ in done(campaign)] == [
        "flag", "comment", "skip", "cannot", "grade", "unflag"
    ]  # fmt: skip


# --- moving


async def test_queries_follow_each_other_with_a_word_and_any_is_jumped_to(
    campaign: Campaign, ann: Judge
) -> None:
    async with judging_as(campaign, ann) as pilot:
        await press(pilot, "left_square_bracket")
        assert said(pilot) == "this is the first document"
        await press_after_look(pilot, "3", "3", "3")
        assert said(pilot).endswith("   q2, 2 of 2")
        assert seen(pilot, "q2  query 2 of 2")
        await press(pilot, "left_square_bracket")
        assert said(pilot) == "q1, 1 of 2"
        await press(pilot, "tab")
        assert said(pilot) == "q2, 2 of 2"
        await press(pilot, "o", *"csv", "enter")
        assert seen(pilot, "q1  query 1 of 2")


async def test_the_mouse_chooses_a_document_and_grades_and_keys_stay_with_the_document(
    campaign: Campaign, ann: Judge
) -> None:
    campaign.execute("UPDATE documents SET text = 'word'")
    async with judging_as(campaign, ann) as pilot:
        rows = [row.split()[-1] for row in listed(pilot)]
        await pilot.click("#pairs", offset=(6, 3))
        await pilot.pause()
        await press(pilot, "j", "slash", *"word", "enter")
        assert (here(pilot), said(pilot)) == (rows[2], "1 of 1 'word'")
        await press_after_look(pilot, "2", "f")
        assert doc_ids(campaign) == [rows[2], rows[0]]
        await pilot.click(GradeBar, offset=(3, 0))
        await until(pilot, lambda: len(done(campaign)) == 3)
        assert done(campaign) == [("grade", 2), ("flag", None), ("grade", 0)]


async def test_the_end_is_said_and_more_that_is_given_out_is_noticed(
    campaign: Campaign, ann: Judge
) -> None:
    assign(campaign, ["ann", "bob"], overlap=0)
    mine = sum(visit.pairs for visit in Desk(campaign, ann).queries())
    async with judging_as(campaign, ann) as pilot:
        last = ""
        for _ in range(mine):
            last = here(pilot)
            await press_after_look(pilot, "3")
        assert said(pilot).endswith("all judged: thank you")
        assert seen(pilot, "Everything on your desk is judged. Thank you.")
        for pressed in ("0", "f", "c"):
            await press_after_look(pilot, pressed)
            assert said(pilot) == judge_module.NOTHING_HERE
        assert len(done(campaign)) == mine
        await press(pilot, "left_square_bracket")
        assert (here(pilot), state(pilot)) == (last, "3 perfect")
        await press(pilot, "tab")
        await press_after_look(pilot, "u")
        assert said(pilot) == f"undone: 3 perfect  {last}"
        await press_after_look(pilot, "2")
        assert seen(pilot, "Everything on your desk is judged")
        with open_campaign(campaign.path) as elsewhere:
            assign(elsewhere, ["ann"], overlap=0)
        await until(pilot, lambda: counts(pilot).endswith(f"{mine}/6 in all"))
        assert here(pilot)
        assert len(done(campaign)) == mine + 2


# --- others write meanwhile

CHANGES = {
    "query": ("UPDATE queries SET text = 'another need'", "2"),
    "document": ("UPDATE documents SET text = 'another text'", "c"),
    "damaged": ("UPDATE documents SET text = CAST(x'ff41' AS TEXT)", "2"),
}
SHOWN = {"query": "another need", "document": "another text",
         "damaged": "CANNOT READ this document: the file is damaged"}  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
async def test_what_changed_meanwhile_is_shown_anew_before_a_key_counts(
    campaign: Campaign, ann: Judge, change: str
) -> None:
    sql, key = CHANGES[change]
    async with judging_as(campaign, ann) as pilot:
        first = here(pilot)
        with open_campaign(campaign.path) as other, other.writing():
            other.execute(sql)
        await press_after_look(pilot, key)
        assert "changed meanwhile" in said(pilot)
        assert (done(campaign), here(pilot)) == ([], first)
        assert len(pilot.app.screen_stack) == 1
        assert seen(pilot, SHOWN.get(change, ""))
        await press_after_look(pilot, "1")
        if change == "damaged":
            assert said(pilot).startswith("this document cannot be read")
            await press_after_look(pilot, "s", "x")
            assert done(campaign) == [("skip", None), ("cannot", None)]
        else:
            assert done(campaign) == [("grade", 1)]


async def test_what_another_window_decided_is_not_overwritten_unseen(
    campaign: Campaign, ann: Judge
) -> None:
    async with judging_as(campaign, ann) as pilot:
        desk = Desk(campaign, ann)
        pairs = desk.pairs(desk.queries()[0].key)
        with open_campaign(campaign.path) as other:
            record(Desk(other, ann), "grade", pairs[0], grade=0)
        await press_after_look(pilot, "3")
        assert said(pilot).startswith("changed meanwhile")
        assert state(pilot) == "0 no"
        await press_after_look(pilot, "3")
        assert done(campaign) == [("grade", 0), ("grade", 3)]
        # Ahead of the cursor: seen on arrival, counted, and said beside the grade.
        with open_campaign(campaign.path) as other:
            record(Desk(other, ann), "grade", pairs[2], grade=1)
        await press_after_look(pilot, "2")
        assert said(pilot).startswith("2 good")
        assert said(pilot).endswith("what is on your desk was changed meanwhile")
        assert counts(pilot).endswith("0/3 in this query · 3/6 in all")
        # What another judge does is no change, and not told.
        with open_campaign(campaign.path) as other:
            bob = add_judge(other, "bob")
            append_event(other, judge=bob.key, pair=pairs[0].key, action="grade", grade=1)
        await press_after_look(pilot, "1")
        assert "changed" not in said(pilot)


async def test_a_desk_on_which_nothing_is(campaign: Campaign, ann: Judge) -> None:
    assign(campaign, ["bob"], overlap=0)
    async with judging_as(campaign, ann) as pilot:
        assert seen(pilot, "Nothing is on your desk.")
        await press(pilot, "2", "right_square_bracket", "u")
        assert seen(pilot, "Nothing is on your desk.")
        assert done(campaign) == []


async def test_pairs_given_to_somebody_else_are_gone_and_new_ones_are_there(
    campaign: Campaign, ann: Judge, files: Path
) -> None:
    async with judging_as(campaign, ann) as pilot:
        await press_after_look(pilot, "2")
        with open_campaign(campaign.path) as other:
            assign(other, ["ann", "bob"], overlap=0)
        left = sum(visit.pairs for visit in Desk(campaign, ann).queries())
        assert left < 6
        await press(pilot, "right_square_bracket")
        assert counts(pilot).endswith(f"/{left} in all")
        assert said(pilot) == "what is on your desk was changed meanwhile"
        (files / "late.run").write_text("q1 Q0 late.one 1 1.0 late\nq2 Q0 late.two 1 1.0 late\n")
        load_run(campaign, files / "late.run")
        extend_pool(campaign)
        assign(campaign, ["ann"], overlap=0)
        for _ in range(7):
            await press(pilot, "tab")
            await press_after_look(pilot, "3")
        assert counts(pilot).endswith("8/8 in all")
        assert said(pilot).endswith("all judged: thank you")


# --- a pool that several share


@pytest.fixture
def bobs(campaign: Campaign) -> Desk:
    """bob, who shares the pool."""
    change_setting(campaign, "share-pool", "on")
    return Desk(campaign, add_judge(campaign, "bob"))


async def hold(pilot: Pilot[None]) -> None:
    """As the screen does now and then by itself."""
    lowest(pilot, JudgeScreen)._hold()
    await painted(pilot)


async def test_a_query_where_somebody_is_is_passed_over(
    campaign: Campaign, ann: Judge, bobs: Desk
) -> None:
    first, last = bobs.queries()
    assert bobs.claim(first.key)
    async with judging_as(campaign, ann) as pilot:
        assert title(pilot, "#query").startswith(last.query_id)
        assert counts(pilot).endswith("0/3 in all")
        await press_after_look(pilot, "1", "1", "1")
        assert said(pilot).endswith("others are at all that is left")
        assert seen(pilot, "Others are at all that is left.")
        await press(pilot, "left_square_bracket")
        assert here(pilot)
        await press(pilot, "tab")
        bobs.release()
        await hold(pilot)
        assert title(pilot, "#query").startswith(first.query_id)
        assert counts(pilot).endswith("3/6 in all")
        assert not bobs.claim(first.key)
    assert campaign.rows("SELECT * FROM leases") == []


async def test_a_desk_where_others_are_at_everything(
    campaign: Campaign, ann: Judge, bobs: Desk
) -> None:
    cleos = Desk(campaign, add_judge(campaign, "cleo"))
    first, last = bobs.queries()
    assert bobs.claim(first.key)
    assert cleos.claim(last.key)
    async with judging_as(campaign, ann) as pilot:
        assert seen(pilot, "Nothing is on your desk.")
        assert seen(pilot, "Others are at all that is left.")
        release(campaign, cleos.judge.key)
        await hold(pilot)
        assert title(pilot, "#query").startswith(last.query_id)


async def test_who_was_away_for_long_goes_on_elsewhere(
    campaign: Campaign, ann: Judge, bobs: Desk
) -> None:
    async with judging_as(campaign, ann) as pilot:
        first = here(pilot)
        await hold(pilot)
        assert here(pilot) == first
        with campaign.writing():
            campaign.execute("UPDATE leases SET until = 1")
        [mine, others] = bobs.queries()
        assert bobs.claim(mine.key)
        await hold(pilot)
        # Nothing was pressed: it is not taken back from whoever came.
        assert here(pilot) == first
        await press(pilot, "j")
        await hold(pilot)
        assert said(pilot).startswith("you did nothing for long: somebody else is at that query")
        assert title(pilot, "#query").startswith(others.query_id)


async def test_what_somebody_else_has_judged_meanwhile_is_gone_on_from(
    campaign: Campaign, ann: Judge, bobs: Desk
) -> None:
    def bob_grades(doc_id: str) -> None:
        pair = pair_key(campaign, "q1", doc_id)
        append_event(campaign, judge=bobs.judge.key, pair=pair, action="grade", grade=3)

    async with judging_as(campaign, ann) as pilot:
        first = here(pilot)
        bob_grades(first)
        await press_after_look(pilot, "1")
        assert said(pilot).startswith("somebody else has judged it meanwhile")
        assert here(pilot) not in ("", first)
        assert first not in doc_ids(campaign)[1:]
        assert counts(pilot).endswith("0/5 in all")
        assert not session(pilot).failure
        # One's own, taken back and then somebody else's, is not done again.
        second = here(pilot)
        await press_after_look(pilot, "1", "u")
        bob_grades(second)
        await press(pilot, "ctrl+r")
        assert said(pilot) == "somebody else has judged it meanwhile"


# --- comments


async def test_comments_keep_their_lines_and_drafts_and_reach_the_previous_document(
    campaign: Campaign, ann: Judge
) -> None:
    def notes() -> list[tuple[str, str]]:
        return campaign.rows(
            "SELECT d.doc_id, e.note FROM events AS e JOIN pool AS p ON p.id = e.pair"
            " JOIN documents AS d ON d.id = p.document WHERE e.action = 'comment' ORDER BY e.id"
        )

    async with judging_as(campaign, ann) as pilot:
        first = here(pilot)
        await press(pilot, "C")
        assert said(pilot) == "no document was judged just before this one"
        await press_after_look(pilot, "c")
        assert seen(pilot, f"Comment on {first}")
        pilot.app.post_message(events.Paste("two\nlines"))
        await pilot.pause()
        await press(pilot, "escape")
        [draft] = session(pilot).drafts.lines()
        assert draft.endswith(": two\nlines")
        await press_after_look(pilot, "c")
        await press(pilot, "enter")
        assert notes() == [(first, "two\nlines")]
        assert not session(pilot).drafts.lines()
        assert listed(pilot)[0].startswith("· c")
        await press_after_look(pilot, "2", "C")
        # Too long a one is not cut.
        pilot.app.screen.query_one(TextArea).text = "x" * 2001
        await press(pilot, "enter")
        assert len(pilot.app.screen_stack) == 2
        pilot.app.screen.query_one(TextArea).text = ""
        await press(pilot, "enter")
        assert notes()[-1] == (first, "")
        assert said(pilot) == f"comment taken off  {first}"
        assert not session(pilot).drafts.lines()


async def test_a_comment_changed_in_another_window_is_asked_about(
    campaign: Campaign, ann: Judge
) -> None:
    async with judging_as(campaign, ann) as pilot:
        pair = pair_key(campaign, "q1", here(pilot))
        await press_after_look(pilot, "c")
        await press(pilot, *"mine")
        with open_campaign(campaign.path) as other:
            append_event(other, judge=ann.key, pair=pair, action="comment", note="theirs [/]")
        await press(pilot, "enter")
        assert seen(pilot, "It is now: theirs [/]")
        assert len(done(campaign)) == 1
        await press(pilot, "escape")
        assert listed(pilot)[0].startswith("· c")
        await press_after_look(pilot, "c")
        assert pilot.app.screen.query_one(TextArea).text == "mine"
        await press(pilot, "enter")
        assert campaign.rows("SELECT note FROM judgments") == [("mine",)]


# --- what stands on the screen

NARRATIVE = (
    "The developer wants rows. 3: documents what reads the rows. 2: needed in the same task."
    " 1: only about writing. 0: another format."
)


async def test_the_need_is_shown_whole_and_guidelines_stand_over_the_document(
    campaign: Campaign, ann: Judge
) -> None:
    campaign.execute("UPDATE queries SET narrative = ?", (NARRATIVE,))
    async with judging_as(campaign, ann, (80, 24)) as pilot:
        text = [line.strip("│▁▂▃▄▅▆▇█ ") for line in screen_text(pilot)]
        assert "The developer wants rows." in text
        assert "3: documents what reads the rows." in text
        # At most six rows of 24: D shows it whole.
        assert "0: another format." not in text
        await press(pilot, "D")
        await until_seen(pilot, "0: another format.")
        await press(pilot, "escape", "i")
        await until_seen(pilot, "Read, then grade.")


async def test_statistics_count_what_was_done(campaign: Campaign, ann: Judge) -> None:
    async with judging_as(campaign, ann, (80, 24)) as pilot:
        await press_after_look(pilot, *"f330sx")
        await press(pilot, "t")
        await until_seen(pilot, "Your work so far")
        text = "\n".join(screen_text(pilot))
        assert re.search(r"5 of 6 \w+, 1 left", text)
        assert re.search(r" 3 graded +1 skipped +1 cannot be judged +1 flagged", text)
        assert re.search(r"0 no +█+ +1 ", text)
        assert re.search(r"1 some +0 +–", text)
        assert re.search(r"3 perfect +█{24} +2 ", text)


async def test_nothing_is_graded_where_the_document_has_no_room(
    campaign: Campaign, ann: Judge
) -> None:
    campaign.execute("UPDATE queries SET narrative = ?", (NARRATIVE * 10,))
    async with judging_as(campaign, ann, (40, 12)) as pilot:
        await press_after_look(pilot, "3")
        await pilot.resize_terminal(80, 3)
        await pilot.pause(0.3)
        await press(pilot, "1")
        assert (done(campaign), said(pilot)) == ([("grade", 3)], NO_ROOM)
