"""Judgments of HiCAL, UMBRELA, Label Studio and doccano come in, and go out as they were."""

from __future__ import annotations

import csv
import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from judge_tui.campaign import Campaign, create_campaign
from judge_tui.campaign.exporting.judgments import Judgment, export_judgments, judgments
from judge_tui.campaign.grades import grades_by_judge, insert_events, pooled
from judge_tui.campaign.judges import add_judge, all_judges
from judge_tui.campaign.labelled import declared_labels
from judge_tui.campaign.pool import pair_keys
from judge_tui.campaign.queries import add_queries, all_queries
from judge_tui.campaign.several_judges import load_several_judges
from judge_tui.cli import cli
from judge_tui.errors import InputError, UsageError
from judge_tui.formats import check_file, names_of, read_grades
from judge_tui.formats.labelling_files import JUDGMENT_FILES, POOL_FILES
from judge_tui.model import DEFAULT_SCALE, Query, Scale

TOOLS = ("hical", "umbrela", "label-studio", "doccano")
HOSTILE = [
    "d1",
    "=cmd|' /C calc'!A0",
    '-5, "b"',
    "\x1b[31mred",
    "a\nb",
    "\u202eevil",
    "@x",
    "naïve",
]


def run(campaign: Campaign, *arguments: str) -> Result:
    return CliRunner().invoke(
        cli, [*arguments[:2], "-d", str(campaign.path), *arguments[2:]], catch_exceptions=False
    )


def judged(campaign: Campaign, judge: str, kind: str, said: list[tuple[Any, ...]]) -> None:
    """Let a judge say (query_id, doc_id, action, grade, note, seconds) of pairs."""
    with campaign.writing() as connection:
        pairs = pooled(campaign, pair_keys(campaign), [(one[0], one[1]) for one in said])
        key = add_judge(campaign, judge, kind=kind).key
        for query_id, doc_id, action, grade, note, seconds in said:
            pair = pairs[query_id, doc_id]
            events = [(pair, action, grade, "")]
            events += [(pair, "comment", None, note)] if note else []
            insert_events(connection, key, events, {pair: seconds} if seconds else None)


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
_said = st.one_of(
    st.tuples(st.just("grade"), st.integers(0, 3)),
    st.tuples(st.sampled_from(["skip", "cannot"]), st.none()),
)
_judgments = st.dictionaries(
    st.tuples(_words, st.integers(0, 1)),
    st.tuples(
        _said,
        st.one_of(st.just(""), _words),
        st.none() | st.floats(0.001, 1e6, allow_nan=False),
    ),
    min_size=1,
    max_size=5,
)


@settings(max_examples=10)
@pytest.mark.parametrize("form", TOOLS)
@given(people=_judgments, model=_judgments)
def test_whatever_is_written_is_read_as_it_was(
    form: str, people: dict[Any, Any], model: dict[Any, Any]
) -> None:
    scale = Scale.parse("0=no,1=1 of 2,2,3=skipped")
    queries = [Query("q 1", '=1+1, "x"'), Query("q2", "sort\nlists")]
    with tempfile.TemporaryDirectory() as folder:
        home = create_campaign(Path(folder, "home.db"), name="h", scale=scale)
        away = create_campaign(Path(folder, "away.db"), name="a", scale=scale)
        with home, away:
            for campaign in (home, away):
                add_queries(campaign, queries)
            for name, kind, said in (("=ann@x.org", "human", people), ("mo/del", "model", model)):
                judged(
                    home,
                    name,
                    kind,
                    [
                        (queries[place].query_id, doc_id, *decision, note, seconds)
                        for (doc_id, place), (decision, note, seconds) in said.items()
                    ],
                )
            path = Path(folder, "out")
            expected = [kept for one in held(home) if (kept := _kept(form, one))]
            if not expected and form == "umbrela":
                with pytest.raises(UsageError, match="no judge of kind model has graded"):
                    export_judgments(home, path, form=form)
                return
            export_judgments(home, path, form=form, include_models=True)
            if not expected:
                with pytest.raises(InputError, match="holds no row of judgments"):
                    read_grades(path)
                return
            assert check_file(path) == []
            load_several_judges(away, path, read_grades(path))
            assert held(away) == expected


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


def test_a_spreadsheet_runs_nothing_of_hical(campaign: Campaign, tmp_path: Path) -> None:
    said = [("q1", doc_id, "grade", 1, "", None) for doc_id in HOSTILE]
    judged(campaign, "=HYPERLINK(1)", "human", said)
    done = run(campaign, "export", "judgments", "-f", "hical", "-o", str(tmp_path / "out"))
    assert done.exit_code == 0
    with (tmp_path / "out").open(newline="") as file:
        rows = list(csv.reader(file))
    assert len(rows) == 1 + len(HOSTILE)
    assert not [cell for row in rows for cell in row if cell.startswith(("=", "+", "-", "@"))]


def test_what_is_left_out_is_told(campaign: Campaign, tmp_path: Path) -> None:
    pairs = [("q1", "csv.reader"), ("q1", "csv.writer"), ("q2", "sorted")]
    said = [("grade", 3, "why", 2.5), ("skip", None, "", None), ("cannot", None, "", None)]
    judged(campaign, "ann", "human", [(*p, *s) for p, s in zip(pairs, said, strict=True)])
    judged(campaign, "robo", "model", [(*pairs[0], "grade", 2, "", None)])
    told = {}
    for form in TOOLS:
        done = run(campaign, "export", "judgments", "-f", form, "-o", str(tmp_path / form))
        assert done.exit_code == 0, done.output
        told[form] = done.stderr
    assert told["hical"] == (
        "note: left out by hical: by models (--include-models): 1; skipped: 1;"
        " cannot be judged: 1; notes: 1; texts, when it was judged, how it was found, who is a"
        " model; HiCAL knows the grades 0, 1 and 2\n"
    )
    assert told["umbrela"] == "note: left out by umbrela: by people: 3; narratives, times\n"
    assert told["label-studio"].endswith(
        ": by models (--include-models): 1; when it was judged, how long models took\n"
    )
    assert "narratives" in told["doccano"]


def test_what_a_model_skipped_has_no_place_in_label_studio(
    campaign: Campaign, tmp_path: Path
) -> None:
    skipped = ("q1", "csv.writer", "skip", None, "", None)
    judged(campaign, "ann", "human", [skipped])
    judged(campaign, "robo", "model", [("q1", "csv.reader", "grade", 2, "", None), skipped])
    told = {}
    for form in ("label-studio", "doccano"):
        words = ("export", "judgments", "-f", form, "--include-models", "-o", str(tmp_path / form))
        told[form] = run(campaign, *words).stderr
    assert "skipped by models: 1;" in told["label-studio"]
    assert "skipped" not in told["doccano"]
    tasks = json.loads((tmp_path / "label-studio").read_text())
    assert [len(task["predictions"]) for task in tasks] == [1, 0]
    assert [one["was_cancelled"] for task in tasks for one in task["annotations"]] == [True]


def test_umbrela_holds_models_alone(campaign: Campaign, tmp_path: Path) -> None:
    judged(campaign, "ann", "human", [("q1", "csv.reader", "grade", 3, "", None)])
    done = run(campaign, "export", "judgments", "-f", "umbrela", "-o", str(tmp_path / "out"))
    assert done.exit_code == 2
    assert "no judge of kind model has graded" in done.stderr
    assert not (tmp_path / "out").exists()


def umbrela(passage: str, judgment: int, status: int = 1) -> str:
    record = {"model": "m", "query": "read a CSV  file", "passage": passage, "judgment": judgment}
    return json.dumps({**record, "result_status": status}) + "\n"


def test_passages_are_found_by_their_text(campaign: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "umbrela.jsonl"
    path.write_text(
        umbrela("csv.reader(file)\nReads a CSV file.", 3)
        + umbrela("Reads  JSON.", 0)
        + umbrela("Writes CSV files.", 0, 0)
    )
    done = run(campaign, "load", "qrels", str(path))
    assert done.stdout == f"{path}: grades of m: 2 added\n"
    assert done.stderr == "note: 1 answer that could not be parsed left out: missing, not 0\n"
    assert [one[:6] for one in held(campaign)] == [
        ("q1", "csv.reader", "m", "model", "grade", 3),
        ("q1", "json.load", "m", "model", "grade", 0),
    ]
    path.write_text(umbrela("Something else.", 1))
    done = run(campaign, "load", "qrels", str(path))
    assert done.exit_code == 2
    assert ":1: no document of the campaign has the text 'Something else.'" in done.stderr
    done = run(campaign, "load", "qrels", str(path), "--skip-unknown")
    assert done.stdout.endswith("grades of m: 1 left out as not judged or unknown\n")


def test_older_umbrela_files_say_by_the_answer_alone_what_was_not_parsed(
    campaign: Campaign, tmp_path: Path
) -> None:
    path = tmp_path / "umbrela.jsonl"

    def said(doc_id: str, judgment: object, prediction: str) -> str:
        record = {"model": "m", "qid": "q1", "docid": doc_id, "query": "read a csv", "passage": "p"}
        return json.dumps({**record, "judgment": judgment, "prediction": prediction}) + "\n"

    path.write_text(
        said("csv.reader", 0, "M: 1\nT: 2\n##final score: 0")
        + said("csv.writer", 0, "I cannot tell; see RFC 4180.")
        + said("json.load", 0, "")
        + said("sorted", 2, "It fits.")
    )
    done = run(campaign, "load", "qrels", str(path))
    assert done.stderr == "note: 2 answers that could not be parsed left out: missing, not 0\n"
    assert [(one[1], one[5]) for one in held(campaign)] == [("csv.reader", 0), ("sorted", 2)]


@pytest.mark.parametrize("said", ["true", "false"])
def test_what_is_true_is_no_grade_in_json(campaign: Campaign, tmp_path: Path, said: str) -> None:
    path = tmp_path / "judged.json"
    path.write_text(f'{{"q1": {{"csv.reader": {said}, "sorted": 1}}}}')
    done = run(campaign, "load", "qrels", str(path), "--judge", "ann")
    what = f":1: query 'q1', document 'csv.reader': grade {said} is no number"
    assert (done.exit_code, what in done.stderr) == (2, True)
    record = json.dumps({"model": "m", "qid": "q1", "docid": "sorted", "query": "", "passage": "p"})
    path.write_text(f'{record[:-1]}, "judgment": {said}}}\n')
    done = run(campaign, "load", "qrels", str(path))
    assert (done.exit_code, f"'judgment' is {said}, no number" in done.stderr) == (2, True)


def test_a_text_that_two_documents_have_is_judged_for_those_in_the_pool(
    campaign: Campaign, tmp_path: Path
) -> None:
    campaign.connection.execute("UPDATE documents SET title = '', text = 'Same.'")
    path = tmp_path / "umbrela.jsonl"
    path.write_text(umbrela("Same.", 2))
    assert run(campaign, "load", "qrels", str(path)).exit_code == 0
    # The pool of q1: both runs have csv.reader, alpha csv.writer, and beta json.load.
    assert [one[1] for one in held(campaign)] == ["csv.reader", "csv.writer", "json.load"]


def test_a_model_is_no_person_unless_said(campaign: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "umbrela.jsonl"
    path.write_text(umbrela("Reads JSON.", 1))
    assert run(campaign, "load", "qrels", str(path), "--kind", "human").exit_code == 0
    assert [(one.name, one.kind) for one in all_judges(campaign)] == [("m", "human")]


def test_what_a_table_of_hical_does_not_name_is_asked_for(
    campaign: Campaign, tmp_path: Path
) -> None:
    path = tmp_path / "session.csv"
    path.write_text("docno,judgment\r\ncsv.reader,2\r\njson.load,0\r\n")
    done = run(campaign, "load", "qrels", str(path))
    assert "the file does not say who judged; name the judge with --judge NAME" in done.stderr
    done = run(campaign, "load", "qrels", str(path), "--judge", "ann")
    assert "the file does not say for which query; name it with --query ID" in done.stderr
    assert held(campaign) == []
    done = run(campaign, "load", "qrels", str(path), "--judge", "ann", "--query", "q1")
    assert done.output == f"{path}: grades of ann: 2 added\n"
    assert [one[:3] for one in held(campaign)] == [
        ("q1", "csv.reader", "ann"),
        ("q1", "json.load", "ann"),
    ]


def test_a_session_of_hical_is_one_judges_for_one_query(campaign: Campaign, tmp_path: Path) -> None:
    judged(
        campaign,
        "ann",
        "human",
        [
            ("q1", "csv.reader", "grade", 2, "", None),
            ("q1", "@x", "grade", 0, "", None),
            ("q2", "sorted", "grade", 1, "", None),
        ],
    )
    judged(campaign, "bob", "human", [("q1", "csv.reader", "grade", 1, "", None)])
    path = tmp_path / "session.csv"
    export = ("export", "judgments", "-f", "hical-session", "-o", str(path))
    done = run(campaign, *export, "--judge", "ann")
    assert "hical-session holds what one judge said for one query" in done.stderr
    done = run(campaign, *export, "--judge", "ann", "--query", "q9")
    assert "error: query 'q9' is not in the campaign" in done.stderr
    done = run(campaign, *export, "--judge", "ann", "--query", "q1")
    assert path.read_text() == "docno,judgment\n @x,0\ncsv.reader,2\n"
    done = run(campaign, "load", "qrels", str(path), "--judge", "zoe", "--query", "q1")
    assert done.output == f"{path}: grades of zoe: 2 added\n"
    done = run(campaign, "export", "judgments", "-f", "csv", "-o", str(path), "--judge", "ann")
    assert "--judge and --query are for hical, hical-session" in done.stderr
    done = run(campaign, "export", "judgments", "-f", "hical", "-o", str(path), "--judge", "bob")
    assert path.read_text().splitlines()[1:] == ["bob,q1,csv.reader,,1,0.0,0.0"]


def doccano(*labels: str) -> str:
    return "".join(
        json.dumps({"id": n, "text": "t", "query_id": "q1", "doc_id": f"d{n}", "label": [label]})
        + "\n"
        for n, label in enumerate(labels)
    )


def test_labels_are_the_scales_or_begin_with_a_grade(campaign: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "ann.jsonl"
    path.write_text(doccano("Perfect", " NO ", "2 - fair", "(1) so-so", "3", "cannot be judged"))
    assert run(campaign, "load", "qrels", str(path), "--judge", "ann").exit_code == 0
    assert [one[5] for one in held(campaign)] == [3, 0, 2, 1, 3, None]
    assert held(campaign)[-1][4] == "cannot"


@pytest.mark.parametrize("label", ["Relevant", "2.5", "2-3", "2nd", "\x1b[31m"])
def test_a_label_that_means_nothing_is_told(campaign: Campaign, tmp_path: Path, label: str) -> None:
    path = tmp_path / "ann.jsonl"
    path.write_text(doccano("good", label))
    done = run(campaign, "load", "qrels", str(path), "--judge", "ann")
    assert done.exit_code == 2
    assert "ann.jsonl:2: label '" in done.stderr
    assert "is not one label of the campaign's scale (0=no,1=some,2=good,3=perfect)" in done.stderr
    assert "say what it means, e.g. --labels 'Relevant=2,Not relevant=0'" in done.stderr
    assert "\x1b" not in done.stderr
    assert held(campaign) == []


def test_labels_are_what_is_declared(campaign: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "ann.jsonl"
    path.write_text(doccano("Yes, fully", "nope", "5", "Later", "broken"))
    declared = "yes, fully=3,Nope=0, 5=2,later=skip,Broken=cannot"
    assert (
        run(campaign, "load", "qrels", str(path), "--judge", "a", "--labels", declared).exit_code
        == 0
    )
    assert [one[4:6] for one in held(campaign)] == [
        ("grade", 3),
        ("grade", 0),
        ("grade", 2),
        ("skip", None),
        ("cannot", None),
    ]


def test_numbers_of_another_scale_are_what_is_declared(campaign: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "hical.csv"
    path.write_text("USER,TOPIC,DOCID,JUDGMENT\nann,q1,a,5\nann,q1,b,4\nann,q1,c,1\n")
    done = run(campaign, "load", "qrels", str(path), "--labels", "5=3,4=cannot")
    assert done.exit_code == 0
    assert [one[5] for one in held(campaign)] == [3, None, 1]


@pytest.mark.parametrize("text", ["Relevant", "=2", "a=2,b", "a=10", "a=2,A=1"])
def test_a_declaration_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        declared_labels(text)


def test_a_grade_off_the_scale_names_its_line(campaign: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "ann.jsonl"
    path.write_text(doccano("1", "7 stars"))
    done = run(campaign, "load", "qrels", str(path), "--judge", "ann")
    assert "ann.jsonl:2: grade 7 is not on the campaign's scale (0, 1, 2, 3)" in done.stderr


def test_a_campaign_without_queries_gets_those_of_the_file(tmp_path: Path) -> None:
    data = [{"query_id": "q7", "query": "read"}, {"query_id": "q7", "query": "read "}]
    tasks = [
        {"data": {**one, "doc_id": f"d{n}"}, "annotations": [_annotation("ann@x.org", "2")]}
        for n, one in enumerate(data)
    ]
    path = tmp_path / "tasks.json"
    path.write_text(json.dumps(tasks))
    with create_campaign(tmp_path / "new.db", name="n", scale=DEFAULT_SCALE) as campaign:
        done = run(campaign, "load", "qrels", str(path))
        assert done.stderr == "note: the campaign had no queries: added those of the file, 1\n"
        assert all_queries(campaign) == [Query("q7", "read")]
    tasks[1]["data"]["query"] = "write"
    path.write_text(json.dumps(tasks))
    with create_campaign(tmp_path / "other.db", name="o", scale=DEFAULT_SCALE) as campaign:
        done = run(campaign, "load", "qrels", str(path))
        assert ":1: query 'q7' has another text here than before" in done.stderr


def _annotation(who: str, label: str) -> dict[str, Any]:
    value = {"choices": [label]}
    return {
        "completed_by": {"email": who},
        "result": [{"from_name": "r", "to_name": "t", "type": "choices", "value": value}],
    }


def test_a_name_is_a_persons_or_a_models(campaign: Campaign, tmp_path: Path) -> None:
    task = {
        "data": {"query_id": "q1", "doc_id": "json.load"},
        "annotations": [_annotation("x", "2")],
    }
    other = {
        "data": {"query_id": "q1", "doc_id": "csv.reader"},
        "predictions": [{"model_version": "x", "result": []} | _annotation("x", "1")],
    }
    path = tmp_path / "tasks.json"
    path.write_text(json.dumps([task, other]))
    done = run(campaign, "load", "qrels", str(path))
    assert done.exit_code == 2
    assert "'x' is a person and a program in the file" in done.stderr
    assert all_judges(campaign) == []


def test_the_pool_goes_out_to_be_judged_and_tells_no_rank(
    campaign: Campaign, tmp_path: Path
) -> None:
    judged(campaign, "zoe", "human", [("q1", "csv.reader", "grade", 3, "", None)])
    wrote = {}
    for form in ("label-studio", "doccano", "umbrela"):
        path = tmp_path / form
        done = run(campaign, "export", "pool", "-f", form, "-o", str(path))
        assert done.output == f"{path}: 6 pairs of 2 queries\n"
        wrote[form] = path.read_text()
        assert "zoe" not in wrote[form]
        assert "alpha" not in wrote[form]
    tasks = json.loads(wrote["label-studio"])
    assert [one["data"]["doc_id"] for one in tasks] == [
        *("csv.reader", "csv.writer", "json.load"),
        *("json.load", "list.sort", "sorted"),
    ]
    assert tasks[0] == {
        "data": {
            "query_id": "q1",
            "query": "read a CSV file",
            "narrative": "A reader of CSV.",
            "doc_id": "csv.reader",
            "title": "csv.reader(file)",
            "text": "Reads a CSV file.",
        },
        "annotations": [],
        "predictions": [],
    }
    first, second = map(json.loads, wrote["umbrela"].splitlines())
    assert first["query"] == {"qid": "q1", "text": "read a CSV file"}
    assert second["candidates"][0] == {"docid": "json.load", "doc": {"segment": "Reads JSON."}}
    assert json.loads(wrote["doccano"].splitlines()[3])["text"] == "sort lists\n\nReads JSON."


def test_documents_without_a_text_are_counted(campaign: Campaign, tmp_path: Path) -> None:
    campaign.connection.execute("UPDATE documents SET text = NULL WHERE doc_id = 'json.load'")
    path = tmp_path / "out"
    done = run(campaign, "export", "pool", "-f", "doccano", "-o", str(path))
    assert done.output == f"{path}: 6 pairs of 2 queries\n  2 without a text\n"
    # UMBRELA refuses a request with a candidate that has none.
    done = run(campaign, "export", "pool", "-f", "umbrela", "-o", str(path))
    assert done.output == f"{path}: 4 pairs of 2 queries\n  left out: 2 without a text\n"
    assert "json.load" not in path.read_text()


def test_what_is_asked_of_umbrela_comes_home_without_ids(
    campaign: Campaign, tmp_path: Path
) -> None:
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


def test_all_forms_that_are_written_are_read() -> None:
    assert set(JUDGMENT_FILES) == {*TOOLS, "hical-session"}
    assert set(POOL_FILES) < set(TOOLS) < set(names_of("judgments"))


def test_the_pool_is_read_as_often_for_many_judges_as_for_one(
    campaign: Campaign, tmp_path: Path
) -> None:
    times = []
    for judges in (1, 7):
        path = tmp_path / f"{judges}.csv"
        rows = [f"judge {judges} {n},q1,doc {n},1\n" for n in range(judges)]
        path.write_text("USER,TOPIC,DOCID,JUDGMENT\n" + "".join(rows))
        statements: list[str] = []
        campaign.connection.set_trace_callback(statements.append)
        load_several_judges(campaign, path, read_grades(path))
        campaign.connection.set_trace_callback(None)
        times.append(sum("query, document FROM pool" in one for one in statements))
    assert times[0] == times[1] > 0


def test_what_was_judged_of_another_query_by_the_same_id_does_not_come(
    campaign: Campaign, tmp_path: Path
) -> None:
    path = tmp_path / "doccano.jsonl"

    def said(query: str, doc_id: str = "sorted") -> str:
        pair = {"query_id": "q1", "query": query, "doc_id": doc_id}
        return json.dumps({"id": 1, "text": "t", "label": ["3"], "judge": "ann", **pair}) + "\n"

    path.write_text(said("read a CSV file") + said("walk a tree", "json.load"))
    refused = run(campaign, "load", "qrels", str(path))
    assert refused.exit_code == 2
    assert (
        ":2: query 'q1' is 'read a CSV file' in the campaign, and 'walk a tree' here; what was"
        " judged is another query: give it an id of its own," in refused.stderr
    )
    assert grades_by_judge(campaign) == {}
    path.write_text(said("walk a tree"))
    assert "1 left out" in run(campaign, "load", "qrels", str(path), "--skip-unknown").stdout
    assert grades_by_judge(campaign) == {}
    path.write_text(said("Read  a CSV file?"))
    run(campaign, "load", "qrels", str(path))
    assert grades_by_judge(campaign) == {"ann": {("q1", "sorted"): 3}}


def test_a_text_that_is_anothers_is_no_mended_one(tmp_path: Path) -> None:
    """Whatever form has texts beside ids, and however alike the two texts are."""
    texts = ["how to read a csv file", "how to read a csv file fast", "how to read a csv file"]
    campaign = create_campaign(tmp_path / "c.db", name="c", scale=DEFAULT_SCALE)
    with campaign:
        add_queries(campaign, [Query(f"q{n}", text) for n, text in enumerate(texts, 1)])
        for form, write in BY_ID_AND_TEXT.items():
            file = tmp_path / form
            file.write_text(write("q1", texts[1]))
            refused = run(campaign, "load", "qrels", str(file), "--judge", form)
            assert refused.exit_code == 2
            assert (
                f"query 'q1' is {texts[0]!r} in the campaign, and {texts[1]!r} here; what was"
                " judged is query 'q2': give it that id, leave such rows out with --skip-unknown"
            ) in refused.stderr
            assert grades_by_judge(campaign, include_models=True) == {}
        for form, write in BY_ID_AND_TEXT.items():
            (tmp_path / form).write_text(write("q3", texts[2]))
            done = run(campaign, "load", "qrels", str(tmp_path / form), "--judge", form)
            assert done.exit_code == 0, done.output
        its = grades_by_judge(campaign, include_models=True).values()
        assert [*its] == [{("q3", "d"): 1}] * len(BY_ID_AND_TEXT)


def _labelled(query_id: str, text: str) -> str:
    value = {"type": "rating", "from_name": "grade", "value": {"rating": 1}}
    data = {"query_id": query_id, "query": text, "doc_id": "d"}
    return json.dumps(
        [{"data": data, "annotations": [{"completed_by": "label-studio", "result": [value]}]}]
    )


def _line(query_id: str, query: str, **more: object) -> str:
    return json.dumps({"query_id": query_id, "query": query, "doc_id": "d", **more}) + "\n"


BY_ID_AND_TEXT: dict[str, Callable[[str, str], str]] = {
    "label-studio": _labelled,
    "doccano": lambda *both: _line(*both, text="t", label=["1"], judge="doccano"),
    "umbrela": lambda *both: _line(*both, model="umbrela", passage="t", prompt="", judgment=1),
    "rank-eval": lambda query_id, text: json.dumps(
        {
            "requests": [
                {
                    "id": query_id,
                    "params": {"query": text},
                    "ratings": [{"_index": "i", "_id": "d", "rating": 1}],
                }
            ]
        }
    ),
    "benchmark": lambda query_id, text: json.dumps(
        [
            {
                "query_id": query_id,
                "query": text,
                "documents": [{"id": "d", "text": "t", "score": 1}],
            }
        ]
    ),
}
