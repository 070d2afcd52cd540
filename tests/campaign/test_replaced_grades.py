"""A judge's file that was corrected is loaded again: `load qrels --replace`."""

from __future__ import annotations

import shlex

import pytest
from click.testing import CliRunner, Result

from judge_tui.campaign import Campaign
from judge_tui.campaign.desk import Desk
from judge_tui.campaign.exporting.judgments import judgments
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


def test_without_replace_an_earlier_grade_stays(campaign: Campaign, ann: Judge) -> None:
    desk = Desk(campaign, ann)
    first = desk.pairs(desk.queries()[0].key)[0]
    desk.record("grade", first, grade=1)
    refused = loaded(campaign, f"q1 0 {first.doc_id} 0\n", "--judge", "ann")
    assert refused.exit_code == 2
    assert "as 1 already, not 0" in refused.output
    assert "--replace" in refused.output
    assert held(campaign) == {first.doc_id: 1}


BOOK = "query,docid,Ann,Bob\nread a CSV file,d1,1,2\nread a CSV file,d2,0,\n"
AGAIN = "query,docid,Ann,Bob\nread a CSV file,d1,3,2\nread a CSV file,d2,0,1\n"


def test_a_file_of_several_judges_is_loaded_again_as_it_is_now(campaign: Campaign) -> None:
    assert loaded(campaign, BOOK, name="my book.csv").exit_code == 0
    before = grades_by_judge(campaign)
    options = ("--rename", "Ann=Ann Lee", "--skip-unknown")
    refused = loaded(campaign, AGAIN, name="my book.csv")
    assert refused.exit_code == 2
    assert ":2: of 'd1' for 'q1', judge 'Ann' has said 1 already, not 3; mend" in refused.output
    # All of it or nothing: what is new of Bob's waits, too.
    assert grades_by_judge(campaign) == before
    words = shlex.split(refused.output[refused.output.index("judge-tui load") :])[1:]
    assert words[-1] == "--replace"
    done = CliRunner().invoke(cli, words)
    assert done.exit_code == 0, done.output
    assert "grades of Ann: 1 replaced, 1 there already\n" in done.output
    assert "grades of Bob: 1 added, 1 there already\n" in done.output
    assert grades_by_judge(campaign) == {
        "Ann": {("q1", "d1"): 3, ("q1", "d2"): 0},
        "Bob": {("q1", "d1"): 2, ("q1", "d2"): 1},
    }
    # The earlier grade is no less there than before.
    assert campaign.rows("SELECT count(*) FROM events") == [(5,)]
    # What else was asked for is asked for again.
    assert loaded(campaign, BOOK, *options, name="my book.csv").exit_code == 0
    refused = loaded(campaign, AGAIN, *options, name="my book.csv")
    assert refused.output.endswith(
        "my book.csv' --rename 'Ann=Ann Lee' --skip-unknown --replace\n"
    ), refused.output


def test_what_was_put_off_is_judged_once_the_file_says_how(campaign: Campaign) -> None:
    head = "query_id,doc_id,judge,decision,grade,note\n"
    assert loaded(campaign, f"{head}q1,d1,ann,skip,,\nq1,d2,ann,skip,,\n").exit_code == 0
    done = loaded(campaign, f"{head}q1,d1,ann,grade,2,why\nq1,d2,ann,cannot,,\n")
    assert done.exit_code == 0, done.output
    assert "grades of ann: 2 added\nnote: of 'ann', 2 skipped pairs judged now\n" in done.output
    assert held(campaign) == {"d1": 2}
    # A skip takes nothing back, told to replace or not.
    for options in ([], ["--replace"]):
        done = loaded(campaign, f"{head}q1,d1,ann,skip,,\nq1,d2,ann,skip,,\n", *options)
        assert "grades of ann: 2 there already\n" in done.output
    assert held(campaign) == {"d1": 2}
    # That it cannot be judged is a judgment as any other.
    graded = f"{head}q1,d2,ann,grade,1,\n"
    assert "has said cannot be judged already, not 1" in loaded(campaign, graded).output
    assert "1 replaced" in loaded(campaign, graded, "--replace").output
    assert held(campaign) == {"d1": 2, "d2": 1}


def test_a_note_follows_the_file_with_the_grades(campaign: Campaign) -> None:
    text = "query_id,doc_id,judge,decision,grade,note\nq1,d1,ann,grade,2,%s\n"

    def notes() -> list[str]:
        with campaign.reading():
            return [one.note for one in judgments(campaign)]

    assert "stay" not in loaded(campaign, text % "").output
    assert "stay" not in loaded(campaign, text % "why").output
    told = loaded(campaign, text % "because").output
    assert (
        "note: of 'ann', 1 note is another one here, and stays (--replace takes the file's)" in told
    )
    assert notes() == ["why"]
    told = loaded(campaign, text % "because", "--replace").output
    assert "1 there already\nnote: of 'ann', 1 note replaced\n" in told
    assert notes() == ["because"]


@pytest.mark.parametrize("said", ["skip,,later", ",,later"])
def test_a_note_without_a_judgment_takes_none_back(campaign: Campaign, said: str) -> None:
    head = "query_id,doc_id,judge,decision,grade,note\n"
    rows = "q1,d1,ann,grade,2,why\nq1,d2,ann,cannot,,empty\nq1,d3,ann,skip,,hard\n"
    assert loaded(campaign, head + rows).exit_code == 0
    told = "note: of 'ann', 2 notes are others here, and stay with what is judged here alone\n"
    again = head + "".join(f"q1,{one},ann,{said}\n" for one in ("d1", "d2", "d3"))
    plain = loaded(campaign, again).output
    assert told in plain
    assert "1 note is another one here, and stays (--replace takes the file's)\n" in plain
    done = loaded(campaign, again, "--replace").output
    assert told in done
    assert "note: of 'ann', 1 note replaced\n" in done
    with campaign.reading():
        assert [(one.doc_id, one.decision, one.note) for one in judgments(campaign)] == [
            ("d1", "grade", "why"),
            ("d2", "cannot", "empty"),
            ("d3", "skip", "later"),
        ]


def test_what_a_file_itself_says_twice_is_not_replaced(campaign: Campaign) -> None:
    # One query, by its id and by its text.
    text = "query,docid,Bob\nq1,d1,1\nread a CSV file,d1,2\n"
    refused = loaded(campaign, text, "--replace", name="several.csv")
    assert refused.exit_code == 2
    assert ":3: of 'd1' for 'q1', judge 'Bob' has said 1 already, not 2; remove" in refused.output
