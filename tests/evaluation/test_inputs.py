"""Which query is meant: by ids, or by exact text where a form has no ids."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import judge_tui
from judge_tui.errors import InputError, UsageError
from judge_tui.evaluation.inputs import EvaluationInputs, read_inputs
from judge_tui.evaluation.named_files import inputs_of_files
from judge_tui.evaluation.runs import tagged_runs
from judge_tui.evaluation.score_inputs import score_inputs
from judge_tui.evaluation.score_runs import ScoringQuestion
from judge_tui.formats.judgments import declared_labels
from judge_tui.formats.source import Layout
from judge_tui.model import Query, Run

QUEPIDS = "query,docid,rating\nread  it,a,1\nsort,b,1\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("queries.tsv").write_text("q1\tread it\nq2\tsort\n")
    Path("basic.csv").write_text(QUEPIDS)
    Path("one.run").write_text(
        "q1 Q0 a 1 2 one\nq1 Q0 x 2 1 one\nq2 Q0 x 1 2 one\nq2 Q0 b 2 1 one\n"
    )
    return tmp_path


def mean(inputs: EvaluationInputs) -> float:
    return score_inputs(inputs, ScoringQuestion(measures="RR"))["one"].mean("RR")


def test_grades_by_text_come_under_the_ids_of_the_queries() -> None:
    inputs = inputs_of_files(["basic.csv", "one.run"], queries="queries.tsv")
    assert inputs.qrels == {"q1": {"a": 1}, "q2": {"b": 1}}
    assert mean(inputs) == 0.75
    with pytest.raises(UsageError, match="have no query in common"):
        mean(inputs_of_files(["basic.csv", "one.run"]))
    Path("queries.tsv").write_text("q1\tread it\nq2\tsorts\n")
    with pytest.raises(InputError, match=r"basic.csv:3: .*sort"):
        inputs_of_files(["basic.csv", "one.run"], queries="queries.tsv")


def test_runs_by_text_come_under_the_ids_of_the_queries() -> None:
    Path("one.csv").write_text("Query Text,Doc ID,Doc Position\nread it,a,1\nread it,x,2\n")
    Path("qrels").write_text("q1 0 x 1\n")
    assert mean(inputs_of_files(["qrels", "one=one.csv"], queries="queries.tsv")) == 0.5


def test_grades_by_text_may_be_what_is_declared() -> None:
    Path("basic.csv").write_text("query,docid,rating\nread  it,a,good\nsort,b,bad\n")
    layout = Layout(labels=declared_labels("good=2,bad=0"))
    inputs = inputs_of_files(["basic.csv", "one.run"], queries="queries.tsv", layout=layout)
    assert inputs.qrels == {"q1": {"a": 2}, "q2": {"b": 0}}


def test_the_grades_may_name_their_queries_themselves() -> None:
    Path("one.run").write_text("q001 Q0 a 1 2 one\nq002 Q0 x 1 2 one\n")
    assert mean(inputs_of_files(["basic.csv", "one.run"], queries="basic.csv")) == 0.5
    with pytest.raises(UsageError, match="is given twice"):
        inputs_of_files(["basic.csv", "./basic.csv"])


def test_answers_by_text_come_under_the_ids_of_the_queries() -> None:
    answers = [{"query": "sort", "expected": "b"}, {"query": "read\tit", "expected": "a"}]
    Path("answers.json").write_text(json.dumps(answers))
    inputs = read_inputs(answers="answers.json", queries="queries.tsv")
    assert {query.query_id: query.text for query in inputs.queries} == {
        "q2": "sort",
        "q1": "read it",
    }
    assert mean(replace(inputs, runs=tagged_runs("one.run"))) == 0.75
    # By itself the file numbers its queries by their places.
    assert set(read_inputs(answers="answers.json").qrels) == {"q001", "q002"}


def test_a_run_that_collect_made_of_other_texts_is_refused() -> None:
    Path("out").mkdir()
    Path("out/one.run").write_text(Path("one.run").read_text())
    Path("out/queries.jsonl").write_text('{"query_id": "q1", "text": "read  it"}\n')
    Path("qrels").write_text("q1 0 a 1\n")
    inputs = inputs_of_files(["qrels", "out/one.run"], queries="queries.tsv")
    assert mean(inputs) == 1.0
    Path("out/collect.json").write_text("{}")
    assert mean(inputs) == 1.0
    Path("out/queries.jsonl").write_text('{"query_id": "q1", "text": "read that"}\n')
    what = "'q1' is 'read it' in the queries, and 'read that' here"
    with pytest.raises(InputError, match=what):
        mean(inputs)


def test_what_queries_want_first_is_measured_with_qrels_too() -> None:
    meta = {"prefer": {"better": "^a", "worse": "^x"}}
    queries = [Query("q1", "read it", meta=meta), Query("q2", "sort", meta=meta)]
    runs = [Run("one", {"q1": {"a": 2, "x": 1}, "q2": {"x": 2, "a": 1}})]
    scores = judge_tui.score({"q1": {"a": 1}}, runs, ["RR", "Prefer"], queries=queries)
    assert scores["one"].mean("RR") == 1
    assert scores["one"].mean("Prefer") == 0.5
    assert scores["one"].query_ids == ("q1", "q2")


def test_a_class_has_the_measures_that_it_declares() -> None:
    queries = [
        Query("q1", "a", query_class="lookup", meta={"measures": ["P@1"]}),
        Query("q2", "b", query_class="other"),
    ]
    scores = judge_tui.score(
        {"q1": {"a": 1}, "q2": {"b": 1}}, "one.run", "RR", by="class", queries=queries
    )
    assert scores.slices is not None
    assert [(one.name, list(map(str, one.measures))) for one in scores.slices.slices] == [
        ("lookup", ["P@1"]),
        ("other", ["RR"]),
    ]
    assert not scores.slices.composite
    assert scores.slices.to_rows() == [
        ("lookup", "one", 1, "P@1", 1.0),
        ("other", "one", 1, "RR", 0.5),
    ]


def test_slices_by_another_field_have_what_is_asked_for() -> None:
    queries = [
        Query("q1", "a", meta={"kind": "x", "measures": ["P@1"]}),
        Query("q2", "b", meta={"kind": "y"}),
    ]
    scores = judge_tui.score({"q1": {"a": 1}}, "one.run", "RR", by="kind", queries=queries)
    assert [row[:5] for row in scores.slices.to_rows()] == [  # type: ignore[union-attr]
        ("x", "one", 1, "RR", 1.0),
        ("y", "one", 0, "RR", None),
    ]


@pytest.mark.parametrize(
    ("given", "refusal"),
    [
        ({"depth": 0}, "depth is 0; give a whole number from 1"),
        ({"precision": 16}, "scores of 16 bits are not known; give 64 or 32"),
        ({"bounds": True, "judged_only": True}, "bounds are about unjudged documents"),
        ({"measures": []}, "no measure is named"),
        ({"measures": "nope"}, "no measure 'nope'"),
        ({"by": "class"}, "slices by class need the queries"),
        ({"by": "class", "slices": {"q1": "x"}}, "slices are given twice"),
        ({"slices": {"z": "x"}}, "have no id in common: 'z' there and 'q1' here"),
        ({"policy": "median"}, "policy and include_models are about a campaign"),
        ({"runs": None}, "there is no run"),
    ],
)
def test_what_cannot_be_asked(given: dict[str, object], refusal: str) -> None:
    arguments: dict[str, object] = {"runs": "one.run", "measures": "RR", **given}
    with pytest.raises(UsageError, match=refusal):
        judge_tui.score({"q1": {"a": 1}}, **arguments)  # type: ignore[arg-type]
