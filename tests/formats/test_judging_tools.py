"""Judgments of HiCAL, UMBRELA, Label Studio and doccano, in the shapes that these write."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.errors import InputError
from judge_tui.formats import check_file, read_grades, read_qrels, recognise
from judge_tui.formats.judgments import JudgmentRow

HICAL = """\
USER,TOPIC,DOCID,METHOD,JUDGMENT,TIME_AWAY,TIME_TO_JUDGE\r
ann,401,doc-1,CAL,2,0.5,3.25\r
bob,401,doc-1,searchModal,0,0.0,0.0\r
"""

UMBRELA: list[dict[str, Any]] = [
    {
        "model": "some-model",
        "query": "how long do fleas live",
        "passage": "A flea lives for some weeks.",
        "prompt": "Rate the passage.",
        "prediction": "##final score: 3",
        "reasoning": None,
        "judgment": 3,
        "result_status": 1,
    },
    {
        "model": "some-model",
        "query": "how long do fleas live",
        "passage": "Cats purr.",
        "prompt": "Rate the passage.",
        "prediction": "I would rather not say.",
        "reasoning": None,
        "judgment": 0,
        "result_status": 0,
    },
]


def choice(text: str, name: str = "relevance") -> dict[str, Any]:
    value = {"choices": [text]}
    return {"id": "x1", "from_name": name, "to_name": "t", "type": "choices", "value": value}


def annotation(who: Any, *results: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "id": 7,
        "completed_by": who,
        "result": list(results),
        "was_cancelled": False,
        "ground_truth": False,
        "lead_time": 4.5,
        **more,
    }


def task(*annotations: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "id": 1,
        "annotations": list(annotations),
        "drafts": [],
        "predictions": [],
        "data": {"qid": 12, "query": "read a CSV", "docno": "d1", "text": "…"},
        **more,
    }


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "file"


def read(file: Path, written: object) -> list[JudgmentRow]:
    file.write_text(written if isinstance(written, str) else json.dumps(written, indent=1))
    judgments = read_grades(file).judgments
    assert judgments is not None
    return judgments


def lines(records: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def said(row: JudgmentRow) -> tuple[object, ...]:
    return row.judge, row.decision, row.grade, row.label, row.note


@pytest.mark.parametrize(
    ("written", "format"),
    [
        (HICAL, "hical"),
        ("USER,TOPIC,DOCID,JUDGMENT\nann,401,doc-1,2\n", "hical"),
        ("docno,judgment\r\ndoc-1,1\r\n", "hical"),
        (lines(UMBRELA), "umbrela"),
        (json.dumps([task(annotation(1, choice("2")))]), "label-studio"),
        ('{"id": 1, "text": "t", "query_id": "q", "doc_id": "d", "label": ["2"]}\n', "doccano"),
    ],
)
def test_each_is_told_by_its_content(file: Path, written: str, format: str) -> None:
    file.write_text(written)
    assert recognise(file) == ("judgments", format)
    assert check_file(file) == []
    with pytest.raises(InputError, match="judgments of several judges"):
        read_qrels(file)


def test_documents_with_labels_are_no_judgments(file: Path) -> None:
    file.write_text('{"id": "d1", "text": "Reads a CSV file.", "label": ["python", "csv"]}\n')
    assert recognise(file).kind in ("documents", "queries")


def test_hical_has_users_and_times(file: Path) -> None:
    assert [(*row[1:6], row.seconds) for row in read(file, HICAL)] == [
        ("401", "doc-1", "ann", "grade", 2, 3.25),
        ("401", "doc-1", "bob", "grade", 0, None),
    ]
    (row,) = read(file, "docno,judgment\r\ndoc-1,1\r\n")
    assert (row.query_id, row.doc_id, row.judge, row.grade) == ("", "doc-1", "", 1)


@pytest.mark.parametrize(
    ("row", "what"),
    [
        ("ann,401,d,CAL,two,0,0", ":2: grade 'two' is not a whole number"),
        ("ann,401,d,CAL,1,0", ":2: 6 cells, but the header has 7"),
        (",401,d,CAL,1,0,0", ":2: the row has no judge"),
        ("ann,401,d,CAL,1,0,nan", ":2: time 'nan' is no number of seconds"),
        ('ann,401,"d,CAL,1,0,0', ":2: the quote that opens here is never closed"),
    ],
)
def test_a_bad_row_of_hical_is_told(file: Path, row: str, what: str) -> None:
    file.write_text(HICAL.splitlines()[0] + "\n" + row + "\n")
    with pytest.raises(InputError, match=what):
        read_grades(file)


def test_what_umbrela_could_not_parse_is_missing_and_not_0(file: Path) -> None:
    row, missing = read(file, lines(UMBRELA))
    assert said(row) == ("some-model", "grade", 3, "", "")
    assert (row.kind, row.passage, row.doc_id) == ("model", "A flea lives for some weeks.", "")
    assert (missing.decision, missing.grade, missing.passage) == (
        "open",
        None,
        UMBRELA[1]["passage"],
    )
    assert read_grades(file).notes == (
        "1 answer that could not be parsed left out: missing, not 0",
    )
    for judgment in (7, -1, None, "n/a", 1.5, 10**400, "３"):
        rows = read(file, lines([UMBRELA[0], {**UMBRELA[1], "judgment": judgment}]))
        assert [row.grade for row in rows] == [3, None]
    file.write_text(lines(UMBRELA[1:]))
    with pytest.raises(InputError, match="none of 1 answer could be parsed"):
        read_grades(file)


def test_the_reasons_of_a_model_are_a_note(file: Path) -> None:
    reasons = {**UMBRELA[0], "reasoning": "It says how long."}
    assert [row.note for row in read(file, lines([reasons]))] == ["It says how long."]
    answer = {**UMBRELA[0], "prediction": "It says so.\n##final score: 3"}
    assert [row.note for row in read(file, lines([answer]))] == [answer["prediction"]]


def test_ids_beside_the_texts_count(file: Path) -> None:
    (row,) = read(file, lines([{**UMBRELA[0], "qid": 12, "docid": "my doc"}]))
    assert (row.query_id, row.query_text) == ("12", "how long do fleas live")
    assert (row.doc_id, row.passage) == ("my%20doc", "")


def test_one_passage_twice(file: Path) -> None:
    assert len(read(file, lines([UMBRELA[0], UMBRELA[0]]))) == 1
    assert read_grades(file).notes == ("1 passage judged again, with the same grade",)
    file.write_text(lines([UMBRELA[0], {**UMBRELA[0], "judgment": 2}]))
    with pytest.raises(InputError, match=":2: 'some-model' has judged document 'A flea lives"):
        read_grades(file)


def test_annotators_and_models_of_label_studio(file: Path) -> None:
    text = {"type": "textarea", "from_name": "why", "value": {"text": ["one", "two"]}}
    rating = {"type": "rating", "from_name": "stars", "value": {"rating": 3}}
    rows = read(
        file,
        [
            task(
                annotation(4, choice("Relevant"), text, ground_truth=True),
                annotation({"id": 5, "email": "bob@x.org"}, rating),
                annotation(6, was_cancelled=True),
                annotation(7),
                predictions=[
                    {"model_version": "m", "result": [choice("1")]},
                    {"model_version": "m", "result": [choice("2")]},
                ],
                drafts=[{"result": []}],
            )
        ],
    )
    assert [said(row) for row in rows] == [
        ("4", "grade", None, "Relevant", "one\ntwo"),
        ("bob@x.org", "grade", 3, "", ""),
        ("6", "skip", None, "", ""),
        ("m", "grade", None, "2", ""),
    ]
    assert {row[1:3] for row in rows} == {("12", "d1")}
    assert [row.kind for row in rows] == ["human"] * 3 + ["model"]
    assert rows[0].seconds == 4.5
    assert read_grades(file).notes == (
        "drafts left out: 1",
        "annotations marked as ground truth, taken as their annotators': 1",
        "predictions, taken as those of judges of kind model: 1",
        "annotations without a grade, left out: 1",
    )


def test_predictions_that_are_not_there_are_counted(file: Path) -> None:
    # As its export has them: whole are those of a snapshot with the option `predictions`.
    (row,) = read(file, [task(annotation(4, choice("2")), predictions=[1, 2], drafts=[7])])
    assert said(row) == ("4", "grade", None, "2", "")
    assert read_grades(file).notes == (
        "drafts of which the file has the number alone, left out: 1",
        "predictions of which the file has the number alone, left out: 2",
    )


def test_who_annotated_after_all_has_not_skipped(file: Path) -> None:
    rows = read(file, [task(annotation(4, was_cancelled=True), annotation(4, choice("1")))])
    assert [said(row) for row in rows] == [("4", "grade", None, "1", "")]


def test_who_annotated_a_task_again_is_taken_at_the_last_word(file: Path) -> None:
    made = "2024-01-30T02:40:43"
    late = annotation(4, choice("3"), created_at=f"{made}Z", updated_at=f"{made}.5Z")
    early = annotation(4, choice("1"), created_at=f"{made}Z", updated_at=f"{made}Z")
    silent = annotation(4, created_at=f"{made[:-2]}59Z")
    for order in ([late, early, silent], [silent, early, late]):
        (row,) = read(file, [task(*order)])
        assert said(row) == ("4", "grade", None, "3", "")
        assert "annotations that their annotators made again, the last one taken: 1" in (
            read_grades(file).notes
        )
    # Where no times are, that of the file.
    rows = read(file, [task(annotation(4, choice("1")), annotation(4, choice("2")))])
    assert [row.label for row in rows] == ["2"]


def test_one_control_gives_the_grade(file: Path) -> None:
    (row,) = read(file, [task(annotation(4, choice("good", "style"), choice("2", "Relevance")))])
    assert row.label == "2"
    file.write_text(json.dumps([task(annotation(4, choice("a", "style"), choice("b", "tone")))]))
    with pytest.raises(InputError, match=":1: 2 controls could give the grade: 'style', 'tone'"):
        read_grades(file)


def test_the_minimal_json_of_label_studio(file: Path) -> None:
    item = {
        "query_id": "q1",
        "doc_id": "d1",
        "text": "Reads a CSV file.",
        "id": 9,
        "relevance": "Relevant",
        "note": "good",
        "annotator": 4,
        "annotation_id": 12,
        "created_at": "2024-01-30T02:40:43Z",
        "updated_at": "2024-01-30T02:40:43Z",
        "lead_time": 2.0,
    }
    (row,) = read(file, [item])
    assert said(row) == ("4", "grade", None, "Relevant", "good")
    assert (row.query_id, row.doc_id, row.seconds) == ("q1", "d1", 2.0)
    assert recognise(file) == ("judgments", "label-studio")
    (row,) = read(file, [{**item, "relevance": [{"rating": 2}], "note": {"text": ["a", "b"]}}])
    assert (row.grade, row.label, row.note) == (2, "", "a\nb")
    file.write_text(json.dumps([{**item, "relevance": {"choices": ["a", "b"]}}]))
    with pytest.raises(InputError, match=":1: 2 labels for one pair: 'a', 'b'"):
        read_grades(file)


def test_who_annotated_a_task_again_in_the_minimal_json(file: Path) -> None:
    def item(number: int, grade: str | None, day: int, **more: object) -> dict[str, object]:
        said = {"relevance": grade} if grade else {}
        return {
            **{"query_id": "q1", "doc_id": "d1", "id": 9, **said, "annotator": 4},
            **{"annotation_id": number, "updated_at": f"2024-01-0{day}T00:00:00Z", **more},
        }

    other = item(3, "1", 1, doc_id="d2", id=10)
    early, late, silent = item(1, "1", 1), item(2, "3", 2), item(4, None, 3)
    for order in ([early, late, silent], [late, other, early], [silent, other, late, early]):
        rows = {row.doc_id: row.label for row in read(file, order) if row.decision == "grade"}
        assert rows["d1"] == "3"
        assert "annotations that their annotators made again, the last one taken: 1" in (
            read_grades(file).notes
        )
    assert {row.judge for row in read(file, [early, item(2, "3", 2, annotator=5)])} == {"4", "5"}
    # Another task of the same pair is none that was made again, nor is it told without numbers.
    unnumbered = [{**early, "id": None}, {**late, "id": None}]
    for items in ([early, item(2, "3", 2, id=11)], unnumbered):
        file.write_text(json.dumps(items))
        with pytest.raises(InputError, match=r"in annotation \d of .* and in annotation \d of"):
            read_grades(file)


def test_several_texts_of_one_control_in_the_minimal_json(file: Path) -> None:
    item = {"query_id": "q1", "doc_id": "d1", "tags": ["x", "y"]}
    for number in ({}, {"id": 9}):
        said_here = {"relevance": "2", "Note": ["a", {"text": ["b", "c"]}], "annotator": 4}
        (row,) = read(file, [{**item, **number, **said_here}])
        assert said(row) == ("4", "grade", None, "2", "a\nb\nc")


def test_the_minimal_json_of_label_studio_without_numbers(file: Path) -> None:
    data = {"query_id": "q1", "doc_id": "d1", "title": "CSV"}
    behind = {"annotator": 4, "annotation_id": 12}
    (row,) = read(file, [{**data, "relevance": "Relevant", **behind}])
    assert said(row) == ("4", "grade", None, "Relevant", "")
    file.write_text(json.dumps([{**data, "verdict": "Relevant", **behind}]))
    (problem,) = check_file(file)
    assert str(problem) == (
        f"{file}:1: this item of JSON-MIN has no task number 'id', behind which the controls stand:"
        " the grade could be 'title' or 'verdict'; export it with the numbers of the tasks, or as"
        " JSON"
    )
    (row,) = read(file, [{**data, "id": 3, "verdict": "Relevant", "annotator": 4}])
    assert row.label == "Relevant"


def test_a_number_of_the_minimal_json_is_a_rating(file: Path) -> None:
    names = {"year": 1999, "query_id": "q1", "doc_id": "d1"}
    behind = {"annotator": 4, "annotation_id": 12, "agreement": 100.0}
    (row,) = read(file, [{**names, "id": 9, "stars": 2, **behind}])
    assert (row.decision, row.grade, row.label) == ("grade", 2, "")
    (row,) = read(file, [{**names, "rating": 3, **behind}])
    assert row.grade == 3
    (row,) = read(file, [{**names, "verdict": "Relevant", **behind}])
    assert (row.grade, row.label) == (None, "Relevant")
    for more, what in (
        ({"stars": 2, "style": "good"}, "2 controls could give the grade: 'stars', 'style'"),
        ({"stars": 2.5}, "grade '2.5' is not a whole number"),
    ):
        file.write_text(json.dumps([{**names, "id": 9, **more, **behind}]))
        with pytest.raises(InputError, match=what):
            read_grades(file)


@pytest.mark.parametrize(
    ("tasks", "what"),
    [
        ([task(annotation(1, choice("1")), data={"doc_id": "d"})], "the query is not named"),
        ([task(annotation(1, choice("1")), data={"qid": "q"})], "the document is not named"),
        ([task(annotation(1, choice("1")), data=3)], "the task has no 'data'"),
        ([task(annotation(1, choice("1")), data={"qid": {}, "id": 1})], "'qid' is no id"),
        ([task(annotations={"a": 1})], "'annotations' is no list of objects"),
        ([task(annotation(1, lead_time="long"))], "'lead_time' is no number of seconds"),
        (
            [task(annotation(1, choice("1"), id=8)), task(annotation(1, choice("2")), id=2)],
            "'1' has judged document 'd1' for query '12' in annotation 8 of task 1 (line 1) and in"
            " annotation 7 of task 2 (line 1); remove one of the two",
        ),
        (
            [{"id": n, "qid": 1, "docno": "d", "grade": "1", "annotator": 3} for n in (5, 6)],
            "of task 5 (line 1) and in annotation without 'id' of task 6 (line 1)",
        ),
        (
            [task(annotation(1, {**choice(""), "value": {"choices": ["a", "b"]}}))],
            "2 labels for one pair: 'a', 'b'",
        ),
        (
            [task(annotation(1, {**choice(""), "type": "rating", "value": {"rating": 1.5}}))],
            "grade '1.5' is not a whole number",
        ),
        (
            [task(annotation(1, {**choice(""), "type": "number", "value": {"number": "1"}}))],
            "the number is no number",
        ),
    ],
)
def test_what_is_wrong_with_a_task_is_told(
    file: Path, tasks: list[dict[str, Any]], what: str
) -> None:
    file.write_text(json.dumps(tasks))
    with pytest.raises(InputError) as caught:
        read_grades(file)
    assert what in str(caught.value)
    assert str(caught.value).startswith(f"{file}:1: ")


def test_what_is_wrong_in_a_file_of_one_line_is_told_with_its_task(file: Path) -> None:
    tasks = [task(annotation(1, choice("1"))), task(annotation(1, lead_time="long"))]
    file.write_text(json.dumps(tasks))
    with pytest.raises(InputError, match=":1: task 2: 'lead_time' is no number of seconds"):
        read_grades(file)


def test_a_long_document_in_front_hides_nothing(file: Path) -> None:
    data = {"query_id": "q", "doc_id": "d", "text": "x" * 200_000}
    tasks = json.dumps([{"data": data, "annotations": [annotation(4, choice("2"))]}])
    file.write_text(tasks)
    assert recognise(file) == ("judgments", "label-studio")
    assert [row.label for row in read_grades(file).judgments or ()] == ["2"]


@pytest.mark.parametrize("cut", [40, 100, 200])
def test_a_cut_file_of_label_studio_is_told(file: Path, cut: int) -> None:
    file.write_text(json.dumps([task(annotation(4, choice("Relevant")))])[:cut])
    with pytest.raises(InputError, match=r"file:1: "):
        read_grades(file, format="label-studio")


def test_doccano_has_labels_comments_and_what_was_imported(file: Path) -> None:
    record = {"id": 5, "text": "q\n\nd", "query_id": "q1", "doc_id": "d1", "label": ["Relevant"]}
    (row,) = read(file, lines([{**record, "Comments": ["a", "b"]}]))
    assert said(row) == ("", "grade", None, "Relevant", "a\nb")
    older = {"text": "q", "labels": ["x"], "meta": {"query": "read", "doc_id": 3, "judge": "ann"}}
    (row,) = read(file, lines([older]))
    assert (*row[1:4], row.label) == ("read", "3", "ann", "x")
    _, unlabelled = read(file, lines([record, {**record, "doc_id": "d2", "label": []}]))
    assert (unlabelled.decision, unlabelled.doc_id) == ("open", "d2")
    assert read_grades(file).notes == ("1 record without a label: no judgment",)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"label": ["a", "b"]}, ":1: 2 labels for one pair: 'a', 'b'"),
        ({"label": [[0, 3, "LOC"]]}, ":1: the labels are not a list of strings"),
        ({"doc_id": "a\0b"}, ":1: document id 'a\0b' holds a NUL character"),
        ({"query_id": " "}, ":1: the query is not named"),
        ({"label": []}, ": none of 1 record has a label"),
    ],
)
def test_a_bad_record_of_doccano_is_told(file: Path, change: dict[str, Any], what: str) -> None:
    record = {"id": 5, "text": "d", "query_id": "q1", "doc_id": "d1", "label": ["Relevant"]}
    file.write_text(lines([{**record, **change}]))
    with pytest.raises(InputError) as caught:
        read_grades(file)
    assert what in str(caught.value)


_NAMES = [
    *("data", "annotations", "predictions", "drafts", "result", "value", "choices", "rating"),
    *("taxonomy", "number", "text", "type", "from_name", "completed_by", "was_cancelled"),
    *("annotator", "annotation_id", "lead_time", "id", "query_id", "doc_id", "query", "passage"),
    *("judgment", "result_status", "model", "prediction", "label", "meta", "Comments", "seconds"),
]
_TREES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.just(10**400)
    | st.floats()
    | st.sampled_from(["q", "d", "choices", "taxonomy", "rating", "2 - good", "\0", "", "\ud800"]),
    lambda trees: (
        st.lists(trees, max_size=3) | st.dictionaries(st.sampled_from(_NAMES), trees, max_size=6)
    ),
    max_leaves=25,
)


@pytest.mark.parametrize("form", ["label-studio", "doccano", "umbrela"])
@given(trees=st.lists(st.dictionaries(st.sampled_from(_NAMES), _TREES), min_size=1, max_size=3))
def test_whatever_the_json_says_it_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, form: str, trees: list[dict[str, Any]]
) -> None:
    file = tmp_path_factory.getbasetemp() / "any.json"
    named = {"query_id": "q", "doc_id": "d"}
    trees = [{"data": named, **named, **tree} for tree in trees]
    file.write_text(json.dumps(trees) if form == "label-studio" else lines(trees))
    problems: list[InputError] = []
    judgments = read_grades(file, format=form, problems=problems.append).judgments
    assert judgments or problems
    for row in judgments or ():
        assert row.query_id
        assert row.doc_id or row.passage
        # Where it is a grade, there is one, or words for it.
        assert (row.decision != "grade") == (row.grade is None and not row.label)
