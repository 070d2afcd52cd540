"""`judge-tui score --by`: each slice of the queries by itself, and measures of its own."""

import json

import pytest

from tests.as_typed import judge_tui

QRELS = "q1 0 a 1\nq2 0 a 1\nq3 0 a 1\nq4 0 a 1\nq%205 0 a 1\nq6 0 a 1\n"
# a is first for q1, q2 and "q 5", second for q3 and q4; q6 is not answered; q9 is not judged.
RUN = (
    "q1 Q0 a 1 2 sys\nq2 Q0 a 1 2 sys\nq3 Q0 x 1 2 sys\nq3 Q0 a 2 1 sys\n"
    "q4 Q0 x 1 2 sys\nq4 Q0 a 2 1 sys\nq%205 Q0 a 1 1 sys\nq9 Q0 a 1 1 sys\n"
)
QUERIES = [
    {"query_id": "q1", "text": "t", "class": "lookup", "hard": True},
    {"query_id": "q2", "text": "t", "class": "survey", "hard": False},
    {"query_id": "q3", "text": "t", "class": "survey"},
    {"query_id": "q 5", "text": "t", "class": "lookup"},
    {"query_id": "q6", "text": "t", "class": "empty"},
]


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "sys.run").write_text(RUN)
    lines = "".join(json.dumps(row) + "\n" for row in QUERIES)
    (tmp_path / "queries.jsonl").write_text(lines)
    return tmp_path


SCORE = ("score", "qrels", "sys.run")
BY = ("--by", "class", "--queries", "queries.jsonl")


def run_of(*words):
    return json.loads(judge_tui(*SCORE, *words, "-f", "json").stdout)["runs"][0]


def test_json_has_each_slice_with_its_number_of_queries(files):
    run = run_of(*BY, "-m", "RR")
    assert run["mean"] == {"RR": 0.8}
    # By hand; the slice of queries without a class is "", and comes last.
    assert run["slices"] == {
        "empty": {"queries": 0, "missing": {"run": 1, "qrels": 0}, "mean": {"RR": None}},
        "lookup": {"queries": 2, "missing": {"run": 0, "qrels": 0}, "mean": {"RR": 1.0}},
        "survey": {"queries": 2, "missing": {"run": 0, "qrels": 0}, "mean": {"RR": 0.75}},
        "": {"queries": 1, "missing": {"run": 0, "qrels": 1}, "mean": {"RR": 0.5}},
    }
    assert list(run["slices"]) == ["empty", "lookup", "survey", ""]


def test_columns_are_those_of_any_file_and_none_that_no_file_has(files):
    (files / "results.csv").write_text("topic,doc_id,rank,grade\nq1,a,1,1\nq2,b,1,0\nq2,a,2,1\n")
    (files / "queries.csv").write_text("topic,text,kind\nq1,how,lookup\nq2,why,survey\n")
    words = ("score", "results.csv", "-m", "RR", "--by", "class", "--queries", "queries.csv")
    columns = "query_id=topic,class=kind"
    (run,) = json.loads(judge_tui(*words, "--columns", columns, "-f", "json").stdout)["runs"]
    assert {name: its["mean"]["RR"] for name, its in run["slices"].items()} == {
        "lookup": 1.0,
        "survey": 0.5,
    }
    for some in (words, (*SCORE, *BY)):
        refused = judge_tui(*some, "--columns", "class=sort", code=2)
        assert "no file has the column 'sort' of --columns" in refused.stderr
