"""Grades of files as judges' judgments: one judge's, or each judge's of a file of several."""

from __future__ import annotations

import pytest
from click.testing import Result

from judge_tui.campaign import Campaign
from judge_tui.campaign.loading import LoadCounts
from judge_tui.campaign.loading.judgments import load_judgments
from judge_tui.campaign.overview.grading import grades_by_judge
from judge_tui.campaign.store.desk import Desk
from judge_tui.campaign.store.events import append_event, undo
from judge_tui.campaign.store.judges import add_judge, all_judges, find_judge
from judge_tui.campaign.store.judgments import judgments
from judge_tui.campaign.store.pool import pair_keys, pool_size
from judge_tui.errors import InputError, UsageError
from tests.as_typed import invoke

SEEN = "2026-01-01T00:00:00.000+00:00"

BOOK = """\
query,docid,ann@x.org,bob@x.org,Anonymous
read a CSV file,csv.reader,3,2,1
read a CSV file,csv.writer,0,,
sort lists,sorted,,,
"""

SEVERAL = "query_id,doc_id,judge,kind,decision,grade,note,seconds\n"


def load(campaign: Campaign, text: str, judge: str = "ann", **options: object) -> LoadCounts:
    path = campaign.path.with_name("some.qrels")
    path.write_text(text)
    return load_judgments(campaign, path, judge=judge, **options)[judge.strip()]  # type: ignore[arg-type]


def command(campaign: Campaign, text: str, *options: str) -> Result:
    campaign.path.with_name("book.csv").write_text(text)
    path = str(campaign.path.with_name("book.csv"))
    return invoke("load", "qrels", "-d", str(campaign.path), path, *options)


def held(campaign: Campaign) -> list[tuple[object, ...]]:
    with campaign.reading():
        return [
            (one.query_id, one.doc_id, one.judge, one.decision, one.grade, one.note)
            for one in judgments(campaign)
        ]


def in_app(campaign: Campaign, doc_id: str, action: str, grade: int | None = None) -> None:
    """What ann decides of a document of q1."""
    desk = Desk(campaign, add_judge(campaign, "ann"))
    (query,) = (one for one in desk.queries() if one.query_id == "q1")
    (pair,) = (one for one in desk.pairs(query.key) if one.doc_id == doc_id)
    desk.record(action, pair, grade=grade, painted_at=SEEN)


def test_qrels_become_one_judges_judgments(campaign):
    text = "q1 0 csv.reader 3\nq1 0 outside.pool 1\nq2 0 sorted -1\n"
    assert load(campaign, text) == LoadCounts(added=2, left_out=1)
    assert grades_by_judge(campaign) == {
        "ann": {("q1", "csv.reader"): 3, ("q1", "outside.pool"): 1}
    }
    assert ("q1", "outside.pool") in pair_keys(campaign)
    assert pool_size(campaign).by_stratum == {"depth": 6, "loaded": 1}
    assert load(campaign, text) == LoadCounts(unchanged=2, left_out=1)


def test_qrels_that_grade_nothing_make_no_judge(campaign):
    assert load(campaign, "q1 0 outside.pool -1\n", judge=" zed ") == LoadCounts(left_out=1)
    assert ("q1", "outside.pool") in pair_keys(campaign)
    assert all_judges(campaign) == []
    with pytest.raises(UsageError, match="cannot be a judge's name"):
        load(campaign, "q1 0 outside.pool -1\n", judge="zed,bob")


def test_qrels_of_a_model_count_only_on_request(campaign):
    load(campaign, "q1 0 csv.reader 3\n", judge="bot", kind="model")
    assert grades_by_judge(campaign) == {}
    assert list(grades_by_judge(campaign, include_models=True)) == ["bot"]
    with pytest.raises(UsageError, match="of kind model, not human"):
        load(campaign, "q1 0 csv.reader 3\n", judge="bot")


@pytest.mark.parametrize(
    ("second", "what"),
    [
        ("q9 0 sorted 1", "query 'q9' is not in the campaign; load its queries first (load"),
        ("q1 0 sorted 7", "grade 7 is not on the campaign's scale (0, 1, 2, 3); mend the grade"),
        ("q1 0 csv.reader 2", "document 'csv.reader' is already in query 'q1', line 1"),
        ("q1 0 csv.writer 0", "judge 'ann' has said 1 of 'csv.writer' for 'q1' already, not 0;"
         " mend the line, judge it anew in the app, or load the file under another judge"),
        ("q1 0 json.load 0", "judge 'ann' has said cannot be judged of 'json.load'"),
    ],
)  # fmt: skip
def test_a_bad_line_loads_nothing(campaign, second, what):
    in_app(campaign, "csv.writer", "grade", 1)
    in_app(campaign, "json.load", "cannot")
    before = held(campaign)
    with pytest.raises(InputError) as refused:
        load(campaign, f"q1 0 csv.reader 3\n{second}\n")
    assert refused.value.line == 2
    assert f"{refused.value.what}; {refused.value.mend}".startswith(what)
    assert held(campaign) == before
    if "q9" in second:
        loaded = load(campaign, f"q1 0 csv.reader 3\n{second}\n", skip_unknown=True)
        assert loaded == LoadCounts(added=1, left_out=1)


def test_a_file_holds_over_a_file_and_never_over_the_app(campaign):
    load(campaign, "q1 0 csv.reader 3\nq1 0 json.load 1\n")
    with pytest.raises(InputError, match=r"said 3 of 'csv\.reader' .* hold with --replace"):
        load(campaign, "q1 0 csv.reader 2\n")
    assert load(campaign, "q1 0 csv.reader 2\n", replace=True) == LoadCounts(replaced=1)
    in_app(campaign, "csv.reader", "grade", 0)
    for replace in (False, True):
        with pytest.raises(InputError, match=r"said 0 of 'csv\.reader' .* anew in the app"):
            load(campaign, "q1 0 csv.reader 2\n", replace=replace)
    assert grades_by_judge(campaign)["ann"] == {("q1", "csv.reader"): 0, ("q1", "json.load"): 1}


def test_a_book_is_loaded_judge_by_judge_and_twice_is_once(campaign):
    done = command(campaign, BOOK)
    path = campaign.path.with_name("book.csv")
    assert done.output == (
        f"{path}: grades of Anonymous: 1 added\n{path}: grades of ann@x.org: 2 added\n"
        f"{path}: grades of bob@x.org: 1 added\n"
    )
    assert ("q2", "sorted") in pair_keys(campaign)
    before = held(campaign)
    assert command(campaign, BOOK).output.count("there already") == 3
    assert held(campaign) == before
    assert len(before) == 4


def test_one_judge_of_a_book(campaign):
    assert command(campaign, BOOK, "--judge", "bob@x.org").output.endswith(": 1 added\n")
    assert [judge.name for judge in all_judges(campaign)] == ["bob@x.org"]
    done = command(campaign, BOOK, "--judge", "eve")
    assert (done.exit_code, "judge 'eve'" in done.stderr) == (2, True)


@pytest.mark.parametrize(
    ("text", "options", "what"),
    [
        (BOOK + "to read,csv.reader,1,,\n", (), "book.csv:5: query 'to read' is not in the camp"),
        (BOOK.replace("3,2,1", "3,2,9"), (), "book.csv:2: grade 9 is not on the campaign's scale"),
        (BOOK.replace("bob@x.org", '"b,c"'), (), "book.csv:2: 'b,c' cannot be a judge's name"),
        ("q1 0 csv.reader 1\n", (), "the file does not say whose grades these are; name the judge"),
        (SEVERAL + "q1,a,x,human,grade,1,,\nq1,b,x,model,grade,1,,\n", (),
         "judge 'x' is of kind human, not model; use another name"),
    ],
)  # fmt: skip
def test_a_bad_file_of_several_judges_loads_nothing(campaign, text, options, what):
    done = command(campaign, text, *options)
    assert (done.exit_code, done.stdout) == (2, "")
    assert what in done.stderr
    assert all_judges(campaign) == []
    assert len(pair_keys(campaign)) == 6


def test_skipped_notes_and_times_come_along(campaign):
    rows = (
        "q1,csv.reader,ann,human,grade,3,good,2.5\nq1,csv.writer,ann,human,skip,,later,\n"
        "q1,json.load,bob,human,cannot,,,1\n"
    )
    assert command(campaign, SEVERAL + rows).exit_code == 0
    assert held(campaign) == [
        ("q1", "csv.reader", "ann", "grade", 3, "good"),
        ("q1", "csv.writer", "ann", "skip", None, "later"),
        ("q1", "json.load", "bob", "cannot", None, ""),
    ]
    before = held(campaign)
    # A skip takes nothing back, and another note comes only where the file is to hold.
    again = "q1,csv.reader,ann,human,skip,,better,\n"
    assert command(campaign, SEVERAL + again).exit_code == 0
    assert held(campaign) == before
    assert command(campaign, SEVERAL + again, "--replace").exit_code == 0
    assert held(campaign)[0] == ("q1", "csv.reader", "ann", "grade", 3, "better")
    # A note of the app stands, and what a file says of it is not written down each time.
    ann = find_judge(campaign, "ann")
    pair = pair_keys(campaign)["q1", "csv.reader"]
    append_event(campaign, judge=ann.key, pair=pair, action="comment", note="mine")
    events = campaign.rows("SELECT count(*) FROM events")
    assert command(campaign, SEVERAL + again, "--replace").exit_code == 0
    assert held(campaign)[0] == ("q1", "csv.reader", "ann", "grade", 3, "mine")
    assert campaign.rows("SELECT count(*) FROM events") == events
    undo(campaign, ann.key)
    again = again.replace("better", "best")
    assert command(campaign, SEVERAL + again, "--replace").exit_code == 0
    assert held(campaign)[0] == ("q1", "csv.reader", "ann", "grade", 3, "best")
