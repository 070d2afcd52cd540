"""One pool that judges share: each pair is judged by one person."""

from __future__ import annotations

import multiprocessing
from collections import Counter
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest

from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.assign import assign
from judge_tui.campaign.extend_pool import extend_pool
from judge_tui.campaign.overview.progress import progress
from judge_tui.campaign.overview.status import next_steps
from judge_tui.campaign.store.copy import copy_campaign
from judge_tui.campaign.store.desk import UNTOUCHED, Desk, DeskPair
from judge_tui.campaign.store.judges import add_judge, remove_judge
from judge_tui.campaign.store.leases import TakenError
from judge_tui.campaign.store.settings import change_setting
from judge_tui.place import Place
from judge_tui.tui.screens.desk_cursor import ALL_JUDGED, NOT_THERE, REST_HELD, DeskCursor
from tests.campaign.copies import graded, key_of
from tests.campaigns import SEEN, grade_by_file, load_run, record, redo_last, undo_last


@pytest.fixture
def shared(campaign: Campaign) -> Campaign:
    """The small campaign: two queries of three pairs each."""
    change_setting(campaign, "share-pool", "on")
    return campaign


def at_work(campaign: Campaign, name: str) -> tuple[Desk, DeskCursor]:
    desk = Desk(campaign, add_judge(campaign, name))
    cursor = DeskCursor(desk)
    cursor.resume()
    return desk, cursor


def counts(desk: Desk) -> dict[str, tuple[int, int]]:
    """Query -> how many of how many are decided."""
    return {one.query_id: (one.decided, one.pairs) for one in desk.queries()}


def judge_on(desk: Desk, cursor: DeskCursor, action: str = "grade") -> str:
    """Decide the pair in front of the judge, and go on; what is said then."""
    assert cursor.pair is not None
    grade = 1 if action == "grade" else None
    record(desk, action, cursor.pair, grade=grade, painted_at=SEEN)
    cursor.reread()
    return cursor.to_next_undecided()


def give_up(campaign: Campaign, desk: Desk) -> None:
    """As if the judge had done nothing for long."""
    with campaign.writing():
        campaign.execute("UPDATE leases SET until = 1 WHERE judge = ?", (desk.judge.key,))


def test_a_query_is_one_judge_s_until_it_is_judged_or_left(shared):
    (ann, hers), (bob, his) = at_work(shared, "ann"), at_work(shared, "bob")
    assert (hers.visit.query_id, his.visit.query_id) == ("q1", "q2")
    assert counts(ann) == {"q1": (0, 3)}
    assert counts(bob) == {"q2": (0, 3)}
    _, nobodys = at_work(shared, "cleo")
    assert (nobodys.pair, nobodys.to_next_undecided()) == (None, REST_HELD)
    assert [judge_on(ann, hers) for _ in range(3)] == ["", "", REST_HELD]
    assert judge_on(bob, his, "skip") == ""
    assert hers.hold()
    # bob goes, and comes back when ann is where he was: what he did is there, and the rest is not.
    give_up(shared, bob)
    assert (hers.to_next_undecided(), hers.visit.query_id) == ("", "q2")
    assert counts(ann) == {"q1": (3, 3), "q2": (0, 3)}
    assert counts(bob) == {"q2": (1, 1)}
    assert not his.hold()
    assert his.leave_taken() == REST_HELD
    # What he skipped, she judges.
    assert [judge_on(ann, hers) for _ in range(3)] == ["", "", ALL_JUDGED]
    assert shared.rows("SELECT count(*) FROM judgments") == [(7,)]
    assert his.to_next_undecided() == ALL_JUDGED


def test_what_is_undone_in_a_query_that_was_left_is_gone_back_to_unless_others_are_there(shared):
    desk, cursor = at_work(shared, "ann")
    for _ in range(3):
        judge_on(desk, cursor)
    assert cursor.visit.query_id == "q2"
    undone = undo_last(desk)
    assert undone is not None
    assert cursor.to_slot((undone.pair, 0)) == ""
    assert cursor.pair is not None
    assert (cursor.pair.slot, cursor.pair.state.decision) == ((undone.pair, 0), None)
    judge_on(desk, cursor)
    assert cursor.visit.query_id == "q2"
    for _ in range(3):
        undo_last(desk)
    first, _ = desk.queries()
    assert Desk(shared, add_judge(shared, "bob")).claim(first.key)
    # Nothing of it is on her desk: she stays where she is.
    assert cursor.to_slot((undone.pair, 0)) == NOT_THERE
    assert (cursor.visit.query_id, len(cursor.pairs)) == ("q2", 3)


def test_who_leaves_leaves_it_at_once(shared):
    ann, _ = at_work(shared, "ann")
    bob, his = at_work(shared, "bob")
    ann.release()
    assert counts(bob) == {"q1": (0, 3), "q2": (0, 3)}
    at_work(shared, "ann")
    remove_judge(shared, "ann")
    assert his.leave_taken() == ""
    assert [one.query_id for one in his.queries()] == ["q1", "q2"]


def test_a_query_that_somebody_went_to_meanwhile_is_not_gone_to(shared):
    (ann, hers), _ = at_work(shared, "ann"), at_work(shared, "bob")
    ann.release()
    _, cleos = at_work(shared, "cleo")
    assert cleos.visit.query_id == "q1"
    hers.leave_taken()
    assert hers.pair is None
    give_up(shared, Desk(shared, add_judge(shared, "cleo")))
    hers.to_next_undecided()
    known = {one.query_id: one for one in cleos.queries()}
    assert cleos.to_query(known["q1"].visit) == NOT_THERE


def test_what_another_person_has_judged_the_store_refuses(shared):
    ann, bob = (Desk(shared, add_judge(shared, name)) for name in ("ann", "bob"))
    visit = bob.queries()[0]
    bob.claim(visit.key)
    first, second, third = bob.pairs(visit.key)
    record(ann, "grade", first, grade=3)
    for action, grade in (("grade", 3), ("skip", None), ("cannot", None)):
        with pytest.raises(TakenError, match="somebody else has judged it meanwhile"):
            record(bob, action, first, grade=grade)
    # One's own can be changed, and a skip takes nothing.
    record(ann, "grade", first, grade=2)
    record(ann, "skip", second)
    record(bob, "grade", second, grade=1)
    with pytest.raises(TakenError):
        record(ann, "grade", second, grade=1)
    record(bob, "cannot", third)
    undo_last(bob)
    record(ann, "grade", third, grade=1)
    with pytest.raises(TakenError):
        redo_last(bob)
    assert bob.state(third).decision is None
    # A comment decides nothing.
    record(bob, "comment", third, note="odd")
    graded = shared.rows("SELECT pair FROM judgments WHERE decision IN ('grade', 'cannot')")
    assert sorted(graded) == sorted((pair.key,) for pair in (first, second, third))


def test_an_undone_skip_brings_no_grade_back_that_somebody_else_gave_meanwhile(shared):
    ann, bob = (Desk(shared, add_judge(shared, name)) for name in ("ann", "bob"))
    pair = _pair(shared, "csv.reader")
    record(ann, "grade", pair, grade=3, painted_at=SEEN)
    record(ann, "skip", pair, painted_at=SEEN)
    record(bob, "grade", pair, grade=0)
    with pytest.raises(TakenError):
        undo_last(ann)
    assert ann.state(pair).decision == "skip"


def test_neither_models_nor_an_assigned_or_unshared_pool_are_in_the_way(shared):
    grade_by_file(shared, "some-model", "q1 0 csv.reader 3\n", kind="model")
    ann, bob = (Desk(shared, add_judge(shared, name)) for name in ("ann", "bob"))
    assert counts(ann) == counts(bob) == {"q1": (0, 3), "q2": (0, 3)}
    at_work(shared, "ann")
    graded(shared, "ann", "csv.reader", 1)
    assert counts(bob) == {"q2": (0, 3)}
    change_setting(shared, "share-pool", "off")
    assert counts(bob) == {"q1": (0, 3), "q2": (0, 3)}
    graded(shared, "bob", "csv.reader", 2)
    change_setting(shared, "share-pool", "on")
    # Both had judged it: each may change what is their own.
    graded(shared, "ann", "csv.reader", 0)
    graded(shared, "bob", "csv.reader", 0)
    assign(shared, ["ann", "bob"], overlap=1)
    graded(shared, "ann", "sorted", 1)
    graded(shared, "bob", "sorted", 2)
    assert counts(bob) == {"q1": (1, 3), "q2": (1, 3)}


def test_what_others_have_judged_is_left_for_nobody(shared):
    graded(shared, "ann", "csv.reader", 1)
    graded(shared, "ann", "sorted", 1)
    graded(shared, "bob", "json.load", 1)
    record(Desk(shared, add_judge(shared, "bob")), "skip", _pair(shared, "list.sort"))
    state = progress(shared)
    left = {judge.name: (judge.left, judge.pairs) for judge in state.judges}
    # Six pairs; bob skipped one of the three that nobody has judged.
    assert left == {"ann": (3, 5), "bob": (2, 4)}
    steps = [step.what for step in next_steps(state)]
    assert "One queue for all: 3 of 6 pairs left" in steps
    ann = Desk(shared, add_judge(shared, "ann"))
    for (key,) in shared.rows("SELECT id FROM pool WHERE id NOT IN (SELECT pair FROM taken)"):
        record(ann, "grade", DeskPair(key, "", UNTOUCHED), grade=1)
    assert not any("left" in step.what for step in next_steps(progress(shared)))
    with open_campaign(shared.path) as other:
        change_setting(other, "share-pool", "off")
    assert not progress(shared).is_shared


def _pair(campaign: Campaign, doc_id: str) -> DeskPair:
    return DeskPair(key_of(campaign, doc_id), doc_id, UNTOUCHED)


def test_who_is_at_which_query_is_not_copied(shared, files):
    at_work(shared, "ann")
    copy_campaign(shared, files / "copy.db")
    with open_campaign(files / "copy.db") as copy:
        assert copy.settings.share_pool
        assert copy.rows("SELECT * FROM leases") == []


JUDGES, QUERIES, DOCUMENTS = 10, 40, 5


def test_ten_judges_share_one_queue_and_each_pair_is_judged_once(
    shared: Campaign, files: Path
) -> None:
    """Each is a process; nobody is ever refused, as nobody opens what another is at."""
    run = files / "many.run"
    known = [query for (query,) in shared.rows("SELECT query_id FROM queries")]
    names = [*known, *(f"more{number}" for number in range(QUERIES - len(known)))]
    with shared.writing():
        shared.execute_many(
            "INSERT INTO queries (query_id, text, description, narrative, class, meta)"
            " VALUES (?, '', '', '', '', '{}')",
            [(name,) for name in names[len(known) :]],
        )
    run.write_text(
        "".join(
            f"{name} Q0 d{number} {number} {-number} many\n"
            for name in names
            for number in range(DOCUMENTS)
        )
    )
    load_run(shared, run)
    extend_pool(shared)
    pairs = {pair for (pair,) in shared.rows("SELECT id FROM pool")}
    assert len(pairs) >= QUERIES * DOCUMENTS
    for number in range(JUDGES):
        add_judge(shared, f"judge {number}")
    shared.close()

    context = multiprocessing.get_context("fork")
    barrier = context.Barrier(JUDGES)
    workers = []
    for number in range(JUDGES):
        mine, theirs = context.Pipe(duplex=False)
        its = (shared.path, f"judge {number}", barrier, theirs)
        worker = context.Process(target=_judge_all, args=its)
        worker.start()
        theirs.close()
        workers.append((worker, mine))
    done, refused = Counter[str](), 0
    for worker, mine in workers:
        name, its_done, its_refused = mine.recv()
        worker.join()
        done[name] += its_done
        refused += its_refused
    with open_campaign(shared.path) as after:
        stored = after.rows("SELECT pair FROM events")
        assert after.rows("SELECT count(*) FROM judgments") == [(len(pairs),)]
    assert sorted(stored) == sorted((pair,) for pair in pairs)
    assert refused == 0
    assert done.total() == len(pairs)
    assert sum(count > 0 for count in done.values()) > 1


def _judge_all(place: Place, name: str, barrier: Barrier, out: Connection) -> None:
    done = refused = 0
    with open_campaign(place) as campaign:
        barrier.wait()
        desk, cursor = at_work(campaign, name)
        while cursor.pair is not None and not cursor.all_judged:
            try:
                judge_on(desk, cursor)
                done += 1
            except TakenError:
                refused += 1
                cursor.leave_taken()
        desk.release()
    out.send((name, done, refused))
