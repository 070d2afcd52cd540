"""Files for judging tools and of theirs, given where others are wanted."""

from __future__ import annotations

import json

import pytest

from judge_tui.errors import InputError
from judge_tui.formats import iter_documents, iter_queries

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


def test_queries_and_documents_with_labels_stay_what_they_are(tmp_path):
    path = tmp_path / "f.jsonl"
    path.write_text('{"query_id": "q1", "text": "what", "class": "how", "label": "hard"}\n')
    assert [query.text for _, query in iter_queries(path)] == ["what"]
    path.write_text('{"doc_id": "d1", "title": "t", "text": "what", "labels": ["a", "b"]}\n')
    assert [document.text for _, document in iter_documents(path)] == ["what"]


def test_an_object_in_front_of_a_document_in_one_line_is_no_run(tmp_path):
    path = tmp_path / "f.jsonl"
    path.write_text('{"metadata": {"year": 1999}, "lang": "en", "_id": "d1", "text": "what"}\n')
    assert [document.text for _, document in iter_documents(path)] == ["what"]
