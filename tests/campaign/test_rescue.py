"""What a session graded is there even where its file is not."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.assignments import assign
from judge_tui.campaign.desk import Desk
from judge_tui.campaign.grades import grades_by_judge
from judge_tui.campaign.judges import Judge, add_judge, find_judge
from judge_tui.campaign.rescue import Rescue
from judge_tui.cli import cli
from judge_tui.formats import read_qrels

NAMED = Path("her folder/campaign.db")
"""As the shell calls the file, in whose folder nobody works."""


@pytest.fixture
def ann(campaign: Campaign) -> Judge:
    return add_judge(campaign, "Ann O'Neill")


def test_the_grades_that_hold_and_no_others_are_written(campaign: Campaign, ann: Judge) -> None:
    desk = Desk(campaign, ann)
    pairs = [pair for visit in desk.queries() for pair in desk.pairs(visit.key)]
    for pair, action, grade in zip(
        pairs, ("grade", "skip", "grade", "cannot", "grade"), (3, None, 1, None, 2), strict=False
    ):
        desk.record(action, pair, grade=grade)
    desk.undo()
    desk.record("grade", pairs[0], grade=0)
    desk.undo()
    desk.redo()
    # Revoked by another decision, and one such taken back.
    desk.record("grade", pairs[5], grade=3)
    desk.record("cannot", pairs[5])
    desk.record("skip", pairs[2])
    desk.undo()
    # At another desk of the same judge: what the first one gave is taken back there.
    desk.record("grade", pairs[1], grade=1)
    assert Desk(campaign, ann).undo() is not None
    (rescue,) = campaign.rescues.values()
    write = rescue.write
    assert write(campaign.path, NAMED) == (
        "judge-tui load qrels --db 'her folder/campaign.db' 'her folder/campaign-kept.qrels'"
        " --judge 'Ann O'\"'\"'Neill' --replace"
    )
    written = read_qrels(campaign.path.with_name("campaign-kept.qrels"))
    assert dict(written) == grades_by_query(campaign, ann)
    # Nothing is written over what was kept before.
    assert "campaign-kept-2.qrels" in (write(campaign.path, NAMED) or "")


def grades_by_query(campaign: Campaign, judge: Judge) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for (query_id, doc_id), grade in grades_by_judge(campaign)[judge.name].items():
        found.setdefault(query_id, {})[doc_id] = grade
    return found


def test_a_hidden_repeat_is_no_grade_of_its_own(campaign: Campaign, ann: Judge) -> None:
    assign(campaign, [ann.name], repeat=0.5)
    desk = Desk(campaign, ann)
    for turn in (0, 1):
        for visit in desk.queries():
            if visit.turn == turn:
                for pair in desk.pairs(*visit.visit):
                    desk.record("grade", pair, grade=1 + turn)
    (rescue,) = campaign.rescues.values()
    write = rescue.write
    assert write(campaign.path, NAMED)
    written = read_qrels(campaign.path.with_name("campaign-kept.qrels"))
    assert {grade for grades in written.values() for grade in grades.values()} == {1}


def test_where_nothing_was_graded_nothing_is_written(campaign: Campaign, ann: Judge) -> None:
    assert Rescue(ann).write(campaign.path, NAMED) is None
    with open_campaign(campaign.path) as other:
        assert find_judge(other, ann.name) is not None
    assert not list(campaign.path.parent.glob("*kept*"))


def test_where_there_is_no_room_nothing_is_promised(
    campaign: Campaign, ann: Judge, tmp_path: Path
) -> None:
    desk = Desk(campaign, ann)
    desk.record("grade", desk.pairs(desk.queries()[0].key)[0], grade=1)
    (rescue,) = campaign.rescues.values()
    write = rescue.write
    assert write(tmp_path / "gone" / "campaign.db", NAMED) is None


def test_what_was_graded_before_and_is_done_again_now_is_kept(
    campaign: Campaign, ann: Judge
) -> None:
    desk = Desk(campaign, ann)
    desk.record("grade", desk.pairs(desk.queries()[0].key)[0], grade=2)
    with open_campaign(campaign.path) as later:
        again = Desk(later, ann)
        assert again.undo() is not None
        assert again.redo() is not None
        (rescue,) = later.rescues.values()
        assert rescue.write(campaign.path, NAMED) is not None
    written = read_qrels(campaign.path.with_name("campaign-kept.qrels"))
    assert [grade for grades in written.values() for grade in grades.values()] == [2]


def test_the_command_brings_back_what_was_corrected(
    campaign: Campaign, ann: Judge, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk(campaign, ann)
    first, second = desk.pairs(desk.queries()[0].key)[:2]
    desk.record("grade", first, grade=1)
    # The session: the file has nothing of it once an older copy stands there.
    with open_campaign(campaign.path) as session:
        rescue = Rescue(ann)
        rescue.hold(second.key, "q1", second.doc_id, 3)
        rescue.hold(first.key, "q1", first.doc_id, 0)
        command = rescue.write(session.path, Path("campaign.db"))
    assert command is not None
    monkeypatch.chdir(campaign.path.parent)
    arguments = shlex.split(command)[1:]
    done = CliRunner().invoke(cli, arguments)
    assert done.exit_code == 0, done.output
    assert "1 added, 1 replaced" in done.output
    held = grades_by_query(campaign, ann)["q1"]
    assert held == {first.doc_id: 0, second.doc_id: 3}
    assert desk.counts()[2] == 2
    again = CliRunner().invoke(cli, arguments)
    assert "2 there already" in again.output
    # An event as any other: undone, the grade before it holds.
    events = campaign.rows("SELECT count(*) FROM events")[0][0]
    assert events == 3
    while grades_by_query(campaign, ann)["q1"].get(first.doc_id) == 0:
        assert desk.undo() is not None
    assert grades_by_query(campaign, ann)["q1"][first.doc_id] == 1


def test_without_replace_an_earlier_grade_stays(
    campaign: Campaign, ann: Judge, tmp_path: Path
) -> None:
    desk = Desk(campaign, ann)
    first = desk.pairs(desk.queries()[0].key)[0]
    desk.record("grade", first, grade=1)
    file = tmp_path / "kept.qrels"
    file.write_text(f"q1 0 {first.doc_id} 0\n")
    arguments = ["load", "qrels", "--db", str(campaign.path), str(file), "--judge", ann.name]
    refused = CliRunner().invoke(cli, arguments)
    assert refused.exit_code == 2
    assert "as 1 already, not 0" in refused.output
    assert "--replace" in refused.output
    assert grades_by_query(campaign, ann)["q1"] == {first.doc_id: 1}


def test_of_several_judges_nothing_is_replaced(campaign: Campaign, tmp_path: Path) -> None:
    file = tmp_path / "several.csv"
    file.write_text("query_id,doc_id,judge,decision,grade\nq1,d1,bob,grade,1\n")
    arguments = ["load", "qrels", "--db", str(campaign.path), str(file), "--replace"]
    refused = CliRunner().invoke(cli, arguments)
    assert refused.exit_code == 2
    assert "--replace is for files of one judge's grades" in refused.output
