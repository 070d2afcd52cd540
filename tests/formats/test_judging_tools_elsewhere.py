"""Files for judging tools and of theirs, given where others are wanted."""

from __future__ import annotations

import json

import pytest

from judge_tui.errors import InputError
from judge_tui.formats import iter_documents, iter_queries, read_grades

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
