"""Judgments of other tools, and our own, come in, and go out as they were."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.campaign import Campaign, create_campaign
from judge_tui.campaign.exporting.judgments import export_judgments
from judge_tui.campaign.loading.judgments import add_to_pool, load_judgments
from judge_tui.campaign.store.events import append_from_file
from judge_tui.campaign.store.judges import add_judge, all_judges
from judge_tui.campaign.store.judgments import Judgment, judgments
from judge_tui.campaign.store.pool import pair_keys
from judge_tui.campaign.store.queries import write_queries
from judge_tui.errors import UsageError
from judge_tui.formats.check import check_file
from judge_tui.formats.ids import id_in
from judge_tui.model import Query, Scale
from tests.as_typed import invoke
from tests.properties import dear

TOOLS = ("hical", "umbrela", "label-studio", "doccano")


def run(campaign: Campaign, *arguments: str) -> Result:
    return invoke(*arguments[:2], "-d", str(campaign.path), *arguments[2:])


def judged(campaign: Campaign, judge: str, kind: str, said: list[tuple[Any, ...]]) -> None:
    """Let a judge say (query_id, doc_id, action, grade, note, seconds) of pairs."""
    with campaign.writing():
        pairs = add_to_pool(campaign, [(one[0], one[1]) for one in said])
        key = add_judge(campaign, judge, kind=kind).key
        for query_id, doc_id, action, grade, note, seconds in said:
            pair = pairs[query_id, doc_id]
            events = [(pair, action, grade, "", seconds)]
            events += [(pair, "comment", None, note, None)] if note else []
            append_from_file(campaign, key, events)


def held(campaign: Campaign) -> list[tuple[object, ...]]:
    with campaign.reading():
        return [_what(one) for one in judgments(campaign)]


def _what(one: Judgment) -> tuple[object, ...]:
    return (
        *(one.query_id, one.doc_id, one.judge, one.kind),
        *(one.decision, one.grade, one.note, one.seconds),
    )


_words = (
    st.text(
        st.characters(exclude_categories=("Cs",), exclude_characters="\0,%"),
        min_size=1,
        max_size=12,
    )
    .map(str.strip)
    .filter(bool)
)
_ids = _words.map(id_in)
_said = st.one_of(
    st.tuples(st.just("grade"), st.integers(0, 3)),
    st.tuples(st.sampled_from(["skip", "cannot"]), st.none()),
)
_judgments = st.dictionaries(
    st.tuples(_ids, st.integers(0, 1)),
    st.tuples(
        _said,
        st.one_of(st.just(""), _words),
        st.none() | st.floats(0.001, 1e6, allow_nan=False),
    ),
    min_size=1,
    max_size=5,
)


@dear
@given(people=_judgments, model=_judgments)
def test_whatever_is_written_is_read_as_it_was(people, model):
    scale = Scale.parse("0=no,1=1 of 2,2,3=skipped")
    queries = [Query("q%201", '=1+1, "x"'), Query("q2", "sort\nlists")]
    with (
        tempfile.TemporaryDirectory() as folder,
        create_campaign(Path(folder, "home.db"), name="h", scale=scale) as home,
    ):
        write_queries(home, queries)
        for name, kind, decided in (("=ann@x.org", "human", people), ("mo/del", "model", model)):
            rows = [
                (queries[place].query_id, doc_id, *decision, note, seconds)
                for (doc_id, place), (decision, note, seconds) in decided.items()
            ]
            judged(home, name, kind, rows)
        path = Path(folder, "out")
        for form in (*TOOLS, "csv", "jsonl"):
            expected = [kept for one in held(home) if (kept := _kept(form, one))]
            if not expected:
                with pytest.raises(UsageError, match=f"no judgment that {form} has a place for"):
                    export_judgments(home, path, form=form, include_models=True)
                continue
            export_judgments(home, path, form=form, include_models=True)
            assert check_file(path) == []
            with create_campaign(Path(folder, f"{form}.db"), name="a", scale=scale) as away:
                write_queries(away, queries)
                load_judgments(away, path)
                assert held(away) == expected, form


def _kept(form: str, one: tuple[Any, ...]) -> tuple[object, ...] | None:
    """What a form keeps of a judgment."""
    query_id, doc_id, judge, kind, decision, grade, note, seconds = one
    if form == "hical":
        keeps = (query_id, doc_id, judge, "human", decision, grade, "", seconds)
        return keeps if decision == "grade" else None
    if form == "umbrela":
        keeps = (query_id, doc_id, judge, kind, decision, grade, note, None)
        return keeps if decision == "grade" and kind == "model" else None
    if form == "label-studio" and kind == "model":
        # A prediction has no time, and cannot be cancelled.
        return None if decision == "skip" else (*one[:7], None)
    return one


def umbrela(passage: str, judgment: int, status: int = 1) -> str:
    record = {"model": "m", "query": "read a CSV  file", "passage": passage, "judgment": judgment}
    return json.dumps({**record, "result_status": status}) + "\n"


def test_passages_are_found_by_their_text(campaign, tmp_path):
    path = tmp_path / "umbrela.jsonl"
    path.write_text(
        umbrela("csv.reader(file)\nReads a CSV file.", 3)
        + umbrela("Reads  JSON.", 0)
        + umbrela("Writes CSV files.", 0, 0)
    )
    done = run(campaign, "load", "qrels", str(path))
    assert done.stdout == f"{path}: grades of m: 2 added\n"
    assert [one[:6] for one in held(campaign)] == [
        ("q1", "csv.reader", "m", "model", "grade", 3),
        ("q1", "json.load", "m", "model", "grade", 0),
    ]
    path.write_text(umbrela("Something else.", 1))
    done = run(campaign, "load", "qrels", str(path))
    assert done.exit_code == 2
    assert ":1: the text 'Something else.' is of no document here" in done.stderr
    done = run(campaign, "load", "qrels", str(path), "--skip-unknown")
    assert done.stdout.endswith("grades of m: 1 left out as not judged or unknown\n")


def test_a_model_is_no_person_unless_said(campaign, tmp_path):
    path = tmp_path / "umbrela.jsonl"
    path.write_text(umbrela("Reads JSON.", 1))
    assert run(campaign, "load", "qrels", str(path), "--kind", "human").exit_code == 0
    assert [(one.name, one.kind) for one in all_judges(campaign)] == [("m", "human")]


def doccano(*labels: str) -> str:
    return "".join(
        json.dumps({"id": n, "text": "t", "query_id": "q1", "doc_id": f"d{n}", "label": [label]})
        + "\n"
        for n, label in enumerate(labels)
    )


YES = "yes, fully=3,Nope=0, 5=2,later=skip,Broken=cannot"


@pytest.mark.parametrize(
    ("labels", "options", "decisions"),
    [
        # Those of the scale, or numbers.
        (("Perfect", " NO ", "2", " 1 ", "cannot be judged"), (), [3, 0, 2, 1, "cannot"]),
        # What is declared.
        (
            ("Yes, fully", "nope", "5", "Later", "broken"),
            ("--labels", YES),
            [3, 0, 2, "skip", "cannot"],
        ),
    ],
)
def test_labels_mean_grades(campaign, tmp_path, labels, options, decisions):
    path = tmp_path / "ann.jsonl"
    path.write_text(doccano(*labels))
    assert run(campaign, "load", "qrels", str(path), "--judge", "ann", *options).exit_code == 0
    assert [one[4] if one[5] is None else one[5] for one in held(campaign)] == decisions


@pytest.mark.parametrize("label", ["Relevant", "2.5", "2 - fair", "\x1b[31m"])
def test_a_label_that_means_nothing_is_told(campaign, tmp_path, label):
    path = tmp_path / "ann.jsonl"
    path.write_text(doccano("good", label))
    done = run(campaign, "load", "qrels", str(path), "--judge", "ann")
    assert done.exit_code == 2
    assert "ann.jsonl:2: label '" in done.stderr
    assert "is not one label of the campaign's scale (0=no,1=some,2=good,3=perfect)" in done.stderr
    assert "say what it means, e.g. --labels 'Relevant=2,Not relevant=0'" in done.stderr
    assert "\x1b" not in done.stderr
    assert held(campaign) == []


def test_what_is_asked_of_umbrela_comes_home_without_ids(campaign, tmp_path):
    run(campaign, "export", "pool", "-f", "umbrela", "-o", str(tmp_path / "requests.jsonl"))
    answers = [
        {
            "model": "m",
            "query": request["query"]["text"],
            "passage": candidate["doc"]["segment"],
            "judgment": 1,
            "result_status": 1,
        }
        for request in map(json.loads, (tmp_path / "requests.jsonl").read_text().splitlines())
        for candidate in request["candidates"]
    ]
    (tmp_path / "answers.jsonl").write_text("".join(json.dumps(one) + "\n" for one in answers))
    done = run(campaign, "load", "qrels", str(tmp_path / "answers.jsonl"))
    assert done.output == f"{tmp_path / 'answers.jsonl'}: grades of m: 6 added\n"
    assert {one[:2] for one in held(campaign)} == set(pair_keys(campaign))


def test_a_session_of_hical_is_of_the_judge_and_query_that_are_named(campaign, tmp_path):
    path = tmp_path / "session.csv"
    path.write_text("docno,judgment\r\njson.load,2\r\njson.dump,0\r\n")
    load = ("load", "qrels", str(path), "--judge", "ann")
    assert "session.csv:2: the row does not say for which query" in run(campaign, *load).stderr
    assert run(campaign, *load, "--query", "q1").exit_code == 0
    assert sorted(one[:6] for one in held(campaign)) == sorted(
        (*one, "grade", grade)
        for *one, grade in (
            ("q1", "json.load", "ann", "human", 2),
            ("q1", "json.dump", "ann", "human", 0),
        )
    )
    path.write_text("USER,TOPIC,DOCID,JUDGMENT\nann,q1,a,2\n")
    done = run(campaign, *load, "--query", "q1")
    assert "session.csv:2: the file says for which query, 'q1'" in done.stderr
