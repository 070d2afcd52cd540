"""Files for judging tools and of theirs, given where others are wanted."""

from __future__ import annotations

import json

import pytest

from judge_tui.errors import InputError
from judge_tui.formats import check_file, iter_documents, iter_queries, read_grades

PAIR = {"text": "a passage", "query_id": "q1", "query": "what", "doc_id": "d1"}
DOCCANO = json.dumps({"id": 1, **PAIR, "label": ["relevant"], "Comments": []})
UMBRELA = json.dumps({"model": "m", "query": "what", "passage": "p", "judgment": 1, "qid": "q1"})
REQUEST = json.dumps(
    {
        "query": {"qid": "q1", "text": "what"},
        "candidates": [{"docid": "d1", "doc": {"segment": "a passage"}}],
    }
)
TASKS = json.dumps([{"id": 1, "data": PAIR}])


def refused(path, read):
    with pytest.raises(InputError) as raised:
        list(read(path))
    return str(raised.value)


@pytest.mark.parametrize("read", [iter_queries, iter_documents])
@pytest.mark.parametrize(("text", "tool"), [(DOCCANO, "doccano"), (UMBRELA, "umbrela")])
def test_judgments_are_no_queries_and_no_documents(tmp_path, read, text, tool):
    path = tmp_path / "f.jsonl"
    path.write_text(f"{text}\n")
    assert f"f.jsonl:1: this looks like judgments of {tool}, not " in refused(path, read)


@pytest.mark.parametrize("read", [read_grades, iter_queries, iter_documents])
def test_requests_are_not_judged_yet(tmp_path, read):
    path = tmp_path / "f.jsonl"
    path.write_text(f"{REQUEST}\n{REQUEST}\n")
    assert "f.jsonl:1: these are requests to UMBRELA, not judgments yet" in refused(path, read)


def test_tasks_without_annotations_and_nothing_at_all(tmp_path):
    path = tmp_path / "f.json"
    path.write_text(TASKS)
    assert "tasks of Label Studio without annotations" in refused(path, read_grades)
    path.write_text("[]\n")
    assert "f.json:1: the list is empty" in refused(path, read_grades)


def test_queries_and_documents_with_labels_stay_what_they_are(tmp_path):
    path = tmp_path / "f.jsonl"
    path.write_text('{"query_id": "q1", "text": "what", "class": "how", "label": "hard"}\n')
    assert [query.text for _, query in iter_queries(path)] == ["what"]
    path.write_text('{"doc_id": "d1", "title": "t", "text": "what", "labels": ["a", "b"]}\n')
    assert [document.text for _, document in iter_documents(path)] == ["what"]


@pytest.mark.parametrize("read", [iter_queries, iter_documents])
@pytest.mark.parametrize("numbers", ["1", "0.5"])
def test_ranx_has_no_texts(tmp_path, read, numbers):
    path = tmp_path / "f.json"
    for text in (f'{{"q1": {{"d1": {numbers}}}}}', f'{{\n"q1": {{\n"d1": {numbers}}}}}'):
        path.write_text(text)
        told = refused(path, read)
        assert "f.json:1: this looks like " in told
        assert '(JSON {"query_id": {"doc_id": number}}), not a ' in told
        assert "as ranx saves them, have no texts: give it to score or compare" in told


def test_an_object_in_front_of_a_document_in_one_line_is_no_run(tmp_path):
    path = tmp_path / "f.jsonl"
    path.write_text('{"metadata": {"year": 1999}, "lang": "en", "_id": "d1", "text": "what"}\n')
    assert [document.text for _, document in iter_documents(path)] == ["what"]


@pytest.mark.parametrize("label", ["relevant", 2])
def test_a_label_of_doccano_that_is_no_list(tmp_path, label):
    path = tmp_path / "f.jsonl"
    path.write_text(json.dumps({**PAIR, "label": label}))
    told = "f.jsonl:1: the label is no list of one string, as doccano writes it; write it as a list"
    assert told in refused(path, read_grades)
    assert [told in str(problem) for problem in check_file(path)] == [True]
    assert "this looks like judgments of doccano, not a queries" in refused(path, iter_queries)
    assert "this looks like judgments of doccano, not a docu" in refused(path, iter_documents)
