"""A judge's file that was corrected is loaded again: `load qrels --replace`."""

from __future__ import annotations

import pytest
from click.testing import CliRunner, Result

from judge_tui.campaign import Campaign
from judge_tui.campaign.desk import Desk
from judge_tui.campaign.grades import grades_by_judge
from judge_tui.campaign.judges import Judge, add_judge
from judge_tui.cli import cli


@pytest.fixture
def ann(campaign: Campaign) -> Judge:
    return add_judge(campaign, "ann")


def loaded(campaign: Campaign, text: str, *options: str, name: str = "more.qrels") -> Result:
    file = campaign.path.with_name(name)
    file.write_text(text)
    arguments = ["load", "qrels", "--db", str(campaign.path), str(file), *options]
    return CliRunner().invoke(cli, arguments)


def held(campaign: Campaign) -> dict[str, int]:
    return {doc_id: grade for (_, doc_id), grade in grades_by_judge(campaign)["ann"].items()}


def test_the_grade_of_the_file_holds_and_can_be_undone(campaign: Campaign, ann: Judge) -> None:
    desk = Desk(campaign, ann)
    first, second = desk.pairs(desk.queries()[0].key)[:2]
    desk.record("grade", first, grade=1)
    text = f"q1 0 {first.doc_id} 0\nq1 0 {second.doc_id} 3\n"
    done = loaded(campaign, text, "--judge", "ann", "--replace")
    assert done.exit_code == 0, done.output
    assert "1 added, 1 replaced" in done.output
    assert held(campaign) == {first.doc_id: 0, second.doc_id: 3}
    assert desk.counts()[2] == 2
    assert "2 there already" in loaded(campaign, text, "--judge", "ann", "--replace").output
    # An event as any other: undone, the grade before it holds.
    assert campaign.rows("SELECT count(*) FROM events") == [(3,)]
    while held(campaign).get(first.doc_id) == 0:
        assert desk.undo() is not None
    assert held(campaign)[first.doc_id] == 1


def test_without_replace_an_earlier_grade_stays(campaign: Campaign, ann: Judge) -> None:
    desk = Desk(campaign, ann)
    first = desk.pairs(desk.queries()[0].key)[0]
    desk.record("grade", first, grade=1)
    refused = loaded(campaign, f"q1 0 {first.doc_id} 0\n", "--judge", "ann")
    assert refused.exit_code == 2
    assert "as 1 already, not 0" in refused.output
    assert "--replace" in refused.output
    assert held(campaign) == {first.doc_id: 1}


def test_of_several_judges_nothing_is_replaced(campaign: Campaign) -> None:
    text = "query_id,doc_id,judge,decision,grade\nq1,d1,bob,grade,1\n"
    refused = loaded(campaign, text, "--replace", name="several.csv")
    assert refused.exit_code == 2
    assert "--replace is for files of one judge's grades" in refused.output
