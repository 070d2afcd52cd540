"""Values that were measured elsewhere: the same numbers as of the runs themselves."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import judge_tui
from judge_tui.comparison.compare import compare_scores
from judge_tui.comparison.settings import ComparisonSettings
from judge_tui.errors import InputError, JudgeTuiError, UsageError
from judge_tui.evaluation.gates import check_gates, parse_gates
from judge_tui.evaluation.values import scores_of_outcomes
from judge_tui.model import Outcomes
from tests.as_typed import judge_tui as command

DRAW = random.Random(3)
QUERIES = [f"q{n:02}" for n in range(40)]
QRELS = {query: {f"d{n}": DRAW.randrange(3) for n in range(8)} for query in QUERIES}
RUNS = {
    tag: {query: {f"d{n}": DRAW.random() for n in range(12)} for query in QUERIES}
    for tag in ("old", "new", "third")
}
MEASURES = ["nDCG@10", "RR", "P@5"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_files() -> None:
    rows = [f"{q} 0 {d} {grade}\n" for q, its in QRELS.items() for d, grade in its.items()]
    Path("qrels").write_text("".join(rows))
    for tag, run in RUNS.items():
        lines = [
            f"{q} Q0 {d} 1 {score} {tag}\n" for q, its in run.items() for d, score in its.items()
        ]
        Path(f"{tag}.run").write_text("".join(lines))


def test_what_score_writes_is_compared_as_the_runs_are() -> None:
    write_files()
    runs = [f"{tag}.run" for tag in RUNS]
    expected = judge_tui.compare(QRELS, RUNS, MEASURES).comparisons
    command("score", "qrels", *runs, *MEASURES, "-q", "-f", "csv", "-o", "v.csv")
    values = judge_tui.read_values("v.csv")
    assert judge_tui.compare(values, measures=MEASURES).comparisons == expected
    assert judge_tui.compare(values).comparisons == judge_tui.compare(QRELS, RUNS).comparisons
    # So are the scores themselves, and a frame of their rows.
    scores = judge_tui.score(QRELS, RUNS, MEASURES)
    assert judge_tui.compare(scores, measures=MEASURES).comparisons == expected
    frame = pd.DataFrame(scores.to_rows(per_query=True), columns=scores.columns)
    values = judge_tui.read_values(frame)
    assert judge_tui.compare(values, measures=MEASURES).comparisons == expected


def test_scores_are_compared_slice_by_slice_and_warned_of_once() -> None:
    slices = {query: "even" if int(query[1:]) % 2 else "odd" for query in QUERIES}
    scores = judge_tui.score(QRELS, RUNS, ["RR", "P@5"], slices=slices)
    compared = judge_tui.compare(scores, measures="RR")
    expected = judge_tui.compare(QRELS, RUNS, "RR", slices=slices)
    assert compared.comparisons == expected.comparisons
    assert [one.measure for one in compared] == ["RR"] * 4
    assert len(set(compared.warnings)) == len(compared.warnings) > 0


def test_what_trec_eval_prints_is_read_a_file_a_system() -> None:
    write_files()
    for tag in RUNS:
        names = ("-m", "recip_rank", "-m", "ndcg_cut_10", "-m", "runid")
        command("score", "qrels", f"{tag}.run", *names, "-f", "trec", "-q", "-o", f"{tag}.eval")
    values = judge_tui.read_values([f"{tag}.eval" for tag in RUNS])
    assert list(values) == list(RUNS)
    assert [*map(str, values.measures)] == ["RR", "nDCG@10"]
    (delta, *_) = [one.delta for one in judge_tui.compare(values)]
    # trec_eval prints four decimals.
    assert delta == pytest.approx(judge_tui.compare(QRELS, RUNS)[0].delta, abs=1e-4)
    renamed = judge_tui.read_values({"a": "old.eval", "b": "new.eval"})
    assert list(renamed) == ["a", "b"]
    # All of them in one file, as `score` prints them, and as cat puts them together.
    command(
        "score", "qrels", *(f"{tag}.run" for tag in RUNS), *names, "-f", "trec", "-q", "-o", "all"
    )
    for text in (Path("all").read_text(), "".join(Path(f"{t}.eval").read_text() for t in RUNS)):
        Path("several").write_text(text)
        together = judge_tui.read_values("several")
        assert together.to_dict(per_query=True) == values.to_dict(per_query=True)
    with pytest.raises(InputError, match="the file holds 3 systems, and one tag"):
        judge_tui.read_values({"a": "several"})


WIDE = "query_id,old,new\nq1,0.5,-1\nq2,,2\nq3,0,1e-1\nall,7,7\n"
LONG = "query;tag;measure;value\nq1;old;m;0.5\nq1;new;m;-1\nq2;new;m;2\nq3;old;m;0\nq3;new;m;.1\n"
FRAME = pd.DataFrame({"query": ["q1", "q2", "q3"], "old": [0.5, None, 0], "new": [-1, 2, 0.1]})


@pytest.mark.parametrize(("source", "measure"), [(WIDE, "value"), (LONG, "m"), (FRAME, "value")])
def test_tables_of_any_measure(source: Any, measure: str) -> None:
    if isinstance(source, str):
        Path("values").write_text(source)
        source = "values"
    values = judge_tui.read_values(source)
    assert values["old"].query_ids == ("q1", "q3")
    assert values["old"].missing_run == ("q2",)
    (one,) = judge_tui.compare(values)
    assert (one.measure, one.tag, one.queries) == (measure, "new", 2)
    assert one.delta == pytest.approx((-1.5 + 0.1) / 2)
    sliced = judge_tui.compare(values, slices={"q1": "a", "q2": "b", "q3": "b"})
    assert [(one.slice, one.delta) for one in sliced] == [("a", -1.5), ("b", 0.1)]
    with pytest.raises(UsageError, match="no id in common"):
        judge_tui.compare(values, slices={"x1": "a"})


def test_gates_know_what_was_measured() -> None:
    frame = pd.DataFrame({"query": ["q1", "q2"], "old": [1, 3], "new": [4, 2]})
    values = judge_tui.read_values(frame)
    compared = judge_tui.compare(values)
    gates = parse_gates(["value>=2.5", "new:value>=baseline+1.5"], known=values.measures)
    results = check_gates(gates, compared.scores, compared, tags=["new"])
    assert [(one.value, one.met) for one in results] == [(3.0, True), (3.0, False)]


def test_names_of_checks_are_their_own() -> None:
    """P is not a measure here, nor are P@5 and p@5 the same one."""
    checks, tasks = ["P@5", "p@5", "P"], [f"t{place}" for place in range(6)]
    passed = {(check, arm): dict.fromkeys(tasks, arm != "a") for check in checks for arm in "abc"}
    scores = scores_of_outcomes(Outcomes(tasks, ["a", "b", "c"], checks, passed))
    found = compare_scores(scores, ComparisonSettings(tests=("mcnemar",)))
    assert [(one.measure, one.tag) for one in found] == [
        (check, arm) for check in checks for arm in "bc"
    ]
    assert [one.p_adjusted["mcnemar"] for one in found] == [6 * 0.03125] * 6


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n1,2\n", "v:1: there is no column query_id; it has 'a', 'b'"),
        ("query,system\nq,a\n", "v:1: there is no column value"),
        ("query,value\nq,1\n", "v:1: there is no column system"),
        ("query,a,a\nq,1,2\n", "v:1: two columns have the same name"),
        ("query,a,b\nq1,1,2\nq2,1,x\n", "v:3: value 'x' of 'b' is not a number"),
        ("query,a,b\nq1,1,2\nq1,1,3\n", "query 'q1' of 'a' has two values by value"),
        ("query,a,b\nq1,1\n", "v:2: 2 cells, but the header has 3"),
        ("query,system,measure,value\nq1,,m,1\n", "v:2: the row names no system or no measure"),
        ("query,a,b\nall,1,2\n", "v: there are no values in it"),
        ("map q1 0.5\nmap q2 x\n", "v:2: value 'x' is not a number"),
        ("map q1 0.5\nmap\n", "v:2: 'map' is not measure, query, value"),
        ("map q1 0.5\nmap all 0.5\nmap q1 0.7\n", "v:3: map of query 'q1' comes twice; write one"),
        ("map q1 1\nrunid all a\nmap q2 1\nrunid all b\nmap q1 1\n", "v: no line of runid"),
        ("", "v: "),
    ],
)
def test_what_is_refused(text: str, message: str) -> None:
    Path("v").write_text(text)
    with pytest.raises(JudgeTuiError) as error:
        judge_tui.compare(judge_tui.read_values("v"))
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    "source",
    [7, {}, [], {"a": 1}, [("q", "a", "m", 1)], FRAME.drop(columns="query")],
)
def test_what_are_no_values_in_memory(source: Any) -> None:
    with pytest.raises(UsageError):
        judge_tui.read_values(source)


def test_several_measures_have_to_be_named() -> None:
    Path("v").write_text("query,system,measure,value\nq,a,x,1\nq,a,y,1\nq,b,x,1\nq,b,y,1\n")
    values = judge_tui.read_values("v")
    with pytest.raises(UsageError, match="the values are by x, y; name those to compare"):
        judge_tui.compare(values)
    assert [one.measure for one in judge_tui.compare(values, measures="y")] == ["y"]
    judged = judge_tui.score(QRELS, RUNS, ["Judged@5", "RR"])
    with pytest.raises(UsageError, match="runs cannot be compared by Judged@5"):
        judge_tui.compare(judged, measures="Judged@5")
    with pytest.raises(UsageError, match="no measure of these values 'z'; known: x, y"):
        judge_tui.compare(values, measures=["z"])


def test_runs_without_a_value_in_common_are_refused() -> None:
    Path("v").write_text("query,system,measure,value\nq,a,x,1\nq,b,y,1\n")
    with pytest.raises(UsageError, match="no judged query in common"):
        judge_tui.compare(judge_tui.read_values("v"), measures="x")


@pytest.mark.parametrize("option", ["complete", "ignore_self", "rel"])
def test_values_that_are_there_are_not_scored_otherwise(option: str) -> None:
    values = judge_tui.read_values(FRAME)
    with pytest.raises(UsageError, match="compared as they are"):
        judge_tui.compare(values, **{option: True})  # type: ignore[arg-type]
