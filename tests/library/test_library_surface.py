"""`import judge_tui`: the functions, and what may be given to them."""

import doctest
import json

import numpy as np
import pytest

import judge_tui
import judge_tui.api
from judge_tui.errors import InputError, UsageError
from judge_tui.model import Run
from tests.imports import imported_by

QRELS = {"q1": {"a": 1}, "q2": {"b": 1}}
SCORES = {"q1": {"a": 2.0, "x": 3.0}, "q2": {"b": 1.0}}


@pytest.fixture
def files(tmp_path):
    (tmp_path / "qrels").write_text("q1 0 a 1\nq2 0 b 1\n")
    (tmp_path / "bm25.run").write_text("q1 Q0 x 1 3 bm25\nq1 Q0 a 2 2 bm25\nq2 Q0 b 1 1 bm25\n")
    return tmp_path


def test_paths_and_mappings_give_the_same(files):
    path = files / "bm25.run"
    for qrels in (QRELS, files / "qrels", str(files / "qrels")):
        for runs in (
            path,
            str(path),
            [path],
            (SCORES,),
            SCORES,
            {"mine": SCORES},
            {"mine": path},
            {"mine": Run("other", SCORES)},
            Run("other", SCORES),
            [Run("other", SCORES)],
        ):
            assert judge_tui.score(qrels, runs, "RR").runs[0].mean("RR") == 0.75


def test_tags(files):
    def tags(runs):
        return [run.tag for run in judge_tui.score(QRELS, runs, ["RR"]).runs]

    assert tags(files / "bm25.run") == ["bm25"]
    assert tags({"mine": files / "bm25.run", "yours": SCORES}) == ["mine", "yours"]
    assert tags(SCORES) == ["run"]
    assert tags([SCORES, Run("b", SCORES), SCORES]) == ["run1", "b", "run3"]


def test_an_empty_query_in_a_run_does_not_make_it_several_runs():
    scores = judge_tui.score(QRELS, {"q0": {}, **SCORES}, "RR")
    assert [run.tag for run in scores.runs] == ["run"]


def test_a_query_with_an_empty_mapping_was_asked_in_vain(tmp_path):
    qrels, run = {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"c": 1}}, {"q1": {"a": 1.0}, "q2": {}}
    (tmp_path / "run.json").write_text(json.dumps(run))
    for source in (run, {"r": run}, tmp_path / "run.json"):
        (found,) = judge_tui.score(qrels, source, "RR").runs
        assert dict(zip(found.query_ids, found.values["RR"], strict=True)) == {"q1": 1.0, "q2": 0.0}


def test_once_one_value_is_a_run_every_key_is_a_tag(files):
    # A run that found nothing is an empty mapping; it must not vanish from the result.
    for one in (SCORES, files / "bm25.run", str(files / "bm25.run"), Run("other", SCORES)):
        for runs in ({"a": one, "b": {}}, {"b": {}, "a": one}):
            with pytest.raises(UsageError, match="run 'b' holds no result"):
                judge_tui.score(QRELS, runs)
    scores = judge_tui.score(QRELS, {"a": SCORES, "b": {"q1": {}, "q2": {"b": 1.0}}}, "RR")
    assert [run.tag for run in scores.runs] == ["a", "b"]


@pytest.mark.parametrize(
    "one", [SCORES, {"q1": {}}, "bm25.run", Run("other", SCORES)], ids=["run", "empty", "file", "R"]
)
def test_a_mapping_of_both_forms_is_refused(one):
    for runs in ({"a": one, "q1": {"a": 2.0}}, {"q1": {"a": 2.0}, "a": one}):
        with pytest.raises(UsageError, match="'a' holds a run and 'q1' the scores of one query"):
            judge_tui.score(QRELS, runs)


def test_two_files_with_one_tag_are_both_named(files):
    path = files / "bm25.run"
    with pytest.raises(UsageError, match=r"bm25\.run and run 'bm25' have the same tag 'bm25'"):
        judge_tui.score(QRELS, [path, Run("bm25", SCORES)])


def test_numpy_numbers_are_numbers():
    qrels = {"q1": {"a": np.int64(1)}}
    assert judge_tui.score(qrels, {"q1": {"a": np.float32(0.5)}}, "RR").runs[0].mean("RR") == 1.0


@pytest.mark.parametrize("score", [float("nan"), float("inf"), "1.5", b"1", None])
def test_scores_that_are_no_numbers_are_refused(score):
    with pytest.raises(UsageError, match="the score of 'a' for query 'q1' of the run is"):
        judge_tui.score(QRELS, {"q1": {"a": score}})


@pytest.mark.parametrize("grade", [1.5, "1", None, 2**31])
def test_grades_that_are_no_whole_numbers_are_refused(grade):
    with pytest.raises(UsageError, match="the grade of 'a' for query 'q1' of the qrels is"):
        judge_tui.score({"q1": {"a": grade}}, SCORES)


def test_a_bad_file_is_named_with_its_line(files):
    (files / "bad.run").write_text("q1 Q0 a 1 2 r\nq1 Q0 b\n")
    with pytest.raises(InputError) as error:
        judge_tui.score(QRELS, files / "bad.run")
    assert (error.value.path, error.value.line) == (str(files / "bad.run"), 2)


def test_compare():
    qrels = {f"q{i}": {"good": 1} for i in range(40)}
    old = {q: {"good": 1.0, "x": 2.0} for q in qrels}
    new = {q: {"good": 2.0, "x": 1.0} for q in qrels}
    result = judge_tui.compare(qrels, {"old": old, "new": new}, "RR", tests="sign")
    (comparison,) = result.comparisons
    assert (comparison.delta, comparison.verdict) == (0.5, "better")
    assert [c.measure for c in judge_tui.compare(qrels, [old, new]).comparisons][:2] == [
        "nDCG@10",
        "RR@10",
    ]


def test_the_surface_is_what_it_says():
    assert set(judge_tui.__all__) <= set(dir(judge_tui))
    assert all(getattr(judge_tui, name) is not None for name in judge_tui.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = judge_tui.nothing


@pytest.mark.parametrize("module", [judge_tui, judge_tui.api])
def test_examples_of_the_docstrings(module):
    tested = doctest.testmod(module)
    assert tested.attempted > 0
    assert tested.failed == 0


@pytest.mark.parametrize("name", sorted(set(judge_tui.__all__)))
def test_each_name_is_there_before_anything_else_is_used(name):
    names = imported_by(f"import judge_tui; judge_tui.{name}; judge_tui.errors.UsageError")
    assert "textual" not in names


@pytest.mark.parametrize(
    ("code", "heavy"),
    [
        ("pass", "numpy dataclasses click sqlite3"),
        (
            "judge_tui.score({'q': {'a': 1}}, {'q': {'a': 1.0}})",
            "scipy sqlite3 sqlite_utils click rich",
        ),
        ("judge_tui.agree", "scipy sqlite3 sqlite_utils click"),
        ("judge_tui.compare", "scipy sqlite3 sqlite_utils click"),
        ("judge_tui.open_campaign", "numpy scipy click"),
    ],
)
def test_each_name_costs_only_what_it_needs(code, heavy):
    names = imported_by(f"import judge_tui; {code}")
    assert names.isdisjoint({*heavy.split(), "textual"})


def test_agree():
    ann = {("q", "a"): 0, ("q", "b"): 1, ("q", "c"): 1, ("q", "d"): 0}
    bob = {**ann, ("q", "d"): 1}
    found = judge_tui.agree({"ann": ann, "bob": bob}, (0, 1))
    # Observed 3/4; by chance 2/4 x 1/4 + 2/4 x 3/4 = 1/2: kappa (3/4 - 1/2) / (1 - 1/2).
    assert found.between[0].estimates["kappa"].value == 0.5
    with pytest.raises(UsageError, match="no judge 'bo'; did you mean 'bob'"):
        judge_tui.agree({"ann": ann, "bob": bob}, (0, 1), judges=["ann", "bo"])
