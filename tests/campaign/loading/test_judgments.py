"""Grades of files as judges' judgments: one judge's, or each judge's of a file of several; those of
other tools, and our own, come in, and go out as they were."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import Result

from judge_tui.campaign import Campaign, create_campaign
from judge_tui.campaign.exporting.judgments import export_judgments
from judge_tui.campaign.loading import LoadCounts
from judge_tui.campaign.loading.judgments import load_judgments
from judge_tui.campaign.overview.grading import grades_by_judge
from judge_tui.campaign.store.events import append_event
from judge_tui.campaign.store.judges import add_judge, all_judges, find_judge
from judge_tui.campaign.store.judgments import judgments
from judge_tui.campaign.store.pool import pair_keys, pool_size
from judge_tui.campaign.store.queries import all_queries, write_queries
from judge_tui.errors import InputError, UsageError
from judge_tui.formats.check import check_file
from tests.as_typed import invoke
from tests.campaign.copies import decisions_of
from tests.campaigns import grade_in_the_app

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
    """`load qrels` of a file of that text."""
    path = campaign.path.with_name("some.file")
    path.write_text(text)
    return invoke("load", "qrels", "-d", campaign.path, path, *options)


def printed(done: Result) -> list[str]:
    assert done.exit_code == 0, done.output
    return [line.partition("some.file: ")[2] for line in done.stdout.splitlines()]


def in_app(campaign: Campaign, doc_id: str, action: str) -> None:
    pair = pair_keys(campaign)["q1", doc_id]
    append_event(campaign, judge=add_judge(campaign, "ann").key, pair=pair, action=action)


def test_qrels_become_one_judges_judgments(campaign):
    text = "q1 0 csv.reader 3\nq1 0 outside.pool 1\nq2 0 sorted -1\n"
    assert load(campaign, text) == LoadCounts(added=2, left_out=1)
    assert grades_by_judge(campaign) == {
        "ann": {("q1", "csv.reader"): 3, ("q1", "outside.pool"): 1}
    }
    assert pool_size(campaign).by_stratum == {"depth": 6, "loaded": 1}
    assert load(campaign, text) == LoadCounts(unchanged=2, left_out=1)


def test_qrels_that_grade_nothing_make_no_judge(campaign):
    assert load(campaign, "q1 0 outside.pool -1\n", judge=" zed ") == LoadCounts(left_out=1)
    assert ("q1", "outside.pool") in pair_keys(campaign)
    assert all_judges(campaign) == []
    with pytest.raises(UsageError, match="cannot be a judge's name"):
        load(campaign, "q1 0 outside.pool -1\n", judge="zed,bob")


@pytest.mark.parametrize(
    ("second", "what"),
    [
        ("q9 0 sorted 1", "query 'q9' is not in the campaign"),
        ("q1 0 csv.writer 0", "judge 'ann' judged 'csv.writer' for 'q1' before: 1 then, 0 here"),
    ],
)
def test_a_bad_line_loads_nothing(campaign, second, what):
    load(campaign, "q1 0 csv.writer 1\n")
    before = decisions_of(campaign)
    with pytest.raises(InputError) as refused:
        load(campaign, f"q1 0 csv.reader 3\n{second}\n")
    assert refused.value.line == 2
    assert refused.value.what.startswith(what)
    assert decisions_of(campaign) == before
    if "q9" in second:
        loaded = load(campaign, f"q1 0 csv.reader 3\n{second}\n", skip_unknown=True)
        assert loaded == LoadCounts(added=1, left_out=1)


def test_a_file_replaces_a_file_and_never_the_app(campaign):
    load(campaign, "q1 0 csv.reader 3\nq1 0 json.load 1\n")
    assert load(campaign, "q1 0 csv.reader 2\n", replace=True) == LoadCounts(replaced=1)
    grade_in_the_app(campaign, "ann", "q1 0 csv.reader 0\n")
    in_app(campaign, "json.load", "cannot")
    in_app(campaign, "csv.writer", "skip")
    text = "q1 0 csv.reader 2\nq1 0 json.load 1\nq1 0 csv.writer 3\n"
    for replace in (False, True):
        # What was only skipped gets the grade.
        assert load(campaign, text, replace=replace) == (
            LoadCounts(unchanged=1, stay=2) if replace else LoadCounts(added=1, stay=2)
        )
    assert grades_by_judge(campaign)["ann"] == {("q1", "csv.reader"): 0, ("q1", "csv.writer"): 3}


def test_a_book_is_loaded_judge_by_judge_and_twice_is_once(campaign):
    assert printed(command(campaign, BOOK)) == [
        "grades of Anonymous: 1 added",
        "grades of ann@x.org: 2 added",
        "grades of bob@x.org: 1 added",
    ]
    assert ("q2", "sorted") in pair_keys(campaign)
    before = decisions_of(campaign)
    assert command(campaign, BOOK).output.count("there already") == 3
    assert decisions_of(campaign) == before
    assert len(before) == 4


def doccano(*labels: str) -> str:
    return "".join(
        json.dumps({"id": n, "text": "t", "query_id": "q1", "doc_id": f"d{n}", "label": [label]})
        + "\n"
        for n, label in enumerate(labels)
    )


@pytest.mark.parametrize(
    ("text", "options", "what"),
    [
        (BOOK + "to read,csv.reader,1,,\n", (), "file:5: query 'to read' is not in the camp"),
        (BOOK.replace("bob@x.org", '"b,c"'), (), "file:2: 'b,c' cannot be a judge's name"),
        (SEVERAL + "q1,a,x,human,grade,1,,\nq1,b,x,model,grade,1,,\n", (),
         "judge 'x' is of kind human, not model; use another name"),
        # A label that is none of the scale, no number of it, and not declared.
        (doccano("good", "2 - \x1b[31m"), ("--judge", "ann"),
         "is neither a number nor a label of the campaign's scale"),
    ],
)  # fmt: skip
def test_a_bad_file_loads_nothing(campaign, text, options, what):
    done = command(campaign, text, *options)
    assert (done.exit_code, done.stdout) == (2, "")
    assert what in done.stderr
    assert "\x1b" not in done.stderr
    assert all_judges(campaign) == []
    assert len(pair_keys(campaign)) == 6


def test_a_skip_takes_nothing_back_and_a_note_comes_only_where_it_may(campaign):
    rows = "q1,csv.reader,ann,human,grade,3,good,2.5\n"
    assert command(campaign, SEVERAL + rows).exit_code == 0
    before = decisions_of(campaign)
    assert before == [("q1", "csv.reader", "ann", "grade", 3, "good")]
    again = "q1,csv.reader,ann,human,skip,,better,\n"
    assert command(campaign, SEVERAL + again).exit_code == 0
    assert decisions_of(campaign) == before
    assert command(campaign, SEVERAL + again, "--replace").exit_code == 0
    assert decisions_of(campaign)[0][-1] == "better"
    # A note of the app stands.
    ann, pair = find_judge(campaign, "ann"), pair_keys(campaign)["q1", "csv.reader"]
    append_event(campaign, judge=ann.key, pair=pair, action="comment", note="mine")
    assert command(campaign, SEVERAL + again, "--replace").exit_code == 0
    assert decisions_of(campaign)[0][-1] == "mine"


@pytest.mark.parametrize(
    ("labels", "options", "decisions"),
    [
        # Those of the scale, or numbers.
        (("Perfect", " NO ", "2", " 1 ", "cannot be judged"), (), [3, 0, 2, 1, "cannot"]),
        # What is declared.
        (
            ("Yes, fully", "nope", "5", "Later", "broken"),
            ("--labels", "yes, fully=3,Nope=0, 5=2,later=skip,Broken=cannot"),
            [3, 0, 2, "skip", "cannot"],
        ),
    ],
)
def test_labels_mean_grades(campaign, labels, options, decisions):
    assert command(campaign, doccano(*labels), "--judge", "ann", *options).exit_code == 0
    found = [decision if grade is None else grade for *_, decision, grade, _ in held(campaign)]
    assert found == decisions


def held(campaign: Campaign) -> list[tuple[Any, ...]]:
    """As `decisions_of`, without notes, but with the judges' kinds."""
    with campaign.reading():
        return [
            (one.query_id, one.doc_id, one.judge, one.kind, one.decision, one.grade, one.seconds)
            for one in judgments(campaign)
        ]


def umbrela(passage: str, judgment: int, status: int = 1) -> str:
    record = {"model": "m", "query": "read a CSV  file", "passage": passage, "judgment": judgment}
    return json.dumps({**record, "result_status": status}) + "\n"


def test_passages_are_found_by_their_text(campaign):
    text = umbrela("csv.reader(file)\nReads a CSV file.", 3) + umbrela("Reads  JSON.", 0)
    done = command(campaign, text + umbrela("Writes CSV files.", 0, 0))
    assert printed(done) == ["grades of m: 2 added"]
    assert held(campaign) == [
        ("q1", "csv.reader", "m", "model", "grade", 3, None),
        ("q1", "json.load", "m", "model", "grade", 0, None),
    ]
    text = umbrela("Something else.", 1)
    assert ":1: the text 'Something else.' is of no" in command(campaign, text).stderr
    done = command(campaign, text, "--skip-unknown")
    assert printed(done) == ["grades of m: 1 left out as not judged or unknown"]


PEOPLE = """\
q1,csv.reader,=ann@x.org,human,grade,3,"-1, ""no"" \u2028",2.5
q1,my%20file,=ann@x.org,human,grade,0,,
q1,csv.writer,=ann@x.org,human,skip,,later,
q2,sorted,=ann@x.org,human,cannot,,,1.0
"""
MODEL = "q1,csv.reader,mo/del,model,grade,1,why,0.5\nq2,sorted,mo/del,model,cannot,,,\n"


@pytest.mark.parametrize("form", ["umbrela", "label-studio", "doccano", "csv", "jsonl"])
def test_whatever_is_written_is_read_as_it_was(campaign, tmp_path, form):
    assert command(campaign, SEVERAL + PEOPLE + MODEL).exit_code == 0
    export_judgments(campaign, tmp_path / "out", form=form, include_models=True)
    assert check_file(tmp_path / "out") == []
    with create_campaign(tmp_path / "a.db", name="a", scale=campaign.settings.scale) as away:
        write_queries(away, all_queries(campaign))
        load_judgments(away, tmp_path / "out")
        found, expected = with_notes(away), with_notes(campaign)
    if form == "umbrela":
        # It has the grades of models, and no times.
        expected = [one[:7] for one in expected if one[3:5] == ("model", "grade")]
        found = [one[:7] for one in found]
    if form == "label-studio":
        # A prediction has no time.
        expected = [(*one[:7], None) if one[3] == "model" else one for one in expected]
    assert found == expected


def with_notes(campaign: Campaign) -> list[tuple[Any, ...]]:
    notes = [note for *_, note in decisions_of(campaign)]
    return [(*one[:6], note, one[6]) for one, note in zip(held(campaign), notes, strict=True)]
