"""`import judge_tui`: the functions, and what may be given to them."""

import doctest
import json
from dataclasses import fields
from inspect import signature

import pytest

import judge_tui
import judge_tui.api
from judge_tui.comparison.settings import ComparisonSettings
from judge_tui.errors import UsageError
from judge_tui.model import Run
from tests.imports import imported_by

QRELS = {"q1": {"a": 1}, "q2": {"b": 1}}
SCORES = {"q1": {"a": 2.0, "x": 3.0}, "q2": {"b": 1.0}}


@pytest.fixture
def files(tmp_path):
    (tmp_path / "qrels").write_text("q1 0 a 1\nq2 0 b 1\n")
    (tmp_path / "bm25.run").write_text("q1 Q0 x 1 3 bm25\nq1 Q0 a 2 2 bm25\nq2 Q0 b 1 1 bm25\n")
    return tmp_path


def test_files_and_mappings_give_the_same_under_their_tags(files):
    path = files / "bm25.run"
    for qrels in (QRELS, files / "qrels", str(files / "qrels")):
        for runs, tags in (
            (path, "bm25"),
            (str(path), "bm25"),
            ([path], "bm25"),
            ((SCORES,), "run1"),
            (SCORES, "run"),
            # An empty query in a run does not make it several runs.
            ({"q0": {}, **SCORES}, "run"),
            ({"mine": path, "yours": SCORES}, "mine yours"),
            ({"mine": Run("other", SCORES)}, "mine"),
            (Run("other", SCORES), "other"),
            ([SCORES, Run("b", SCORES), SCORES], "run1 b run3"),
        ):
            scores = judge_tui.score(qrels, runs, "RR")
            assert " ".join(run.tag for run in scores.runs) == tags
            assert {run.mean("RR") for run in scores.runs} == {0.75}


def test_a_query_with_an_empty_mapping_was_asked_in_vain(tmp_path):
    qrels, run = {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"c": 1}}, {"q1": {"a": 1.0}, "q2": {}}
    (tmp_path / "run.json").write_text(json.dumps(run))
    for source in (run, {"r": run}, tmp_path / "run.json"):
        (found,) = judge_tui.score(qrels, source, "RR").runs
        assert dict(zip(found.query_ids, found.values["RR"], strict=True)) == {"q1": 1.0, "q2": 0.0}


def test_compare_has_the_defaults_of_its_settings():
    usual = {name: one.default for name, one in signature(judge_tui.compare).parameters.items()}
    for field in fields(ComparisonSettings):
        assert usual[field.name] == field.default


def test_agree():
    ann = {("q", "a"): 0, ("q", "b"): 1, ("q", "c"): 1, ("q", "d"): 0}
    bob = {**ann, ("q", "d"): 1}
    found = judge_tui.agree({"ann": ann, "bob": bob}, (0, 1))
    # Observed 3/4; by chance 2/4 x 1/4 + 2/4 x 3/4 = 1/2: kappa (3/4 - 1/2) / (1 - 1/2).
    assert found.between[0].estimates["kappa"].value == 0.5
    with pytest.raises(UsageError, match="no judge 'bo'; did you mean 'bob'"):
        judge_tui.agree({"ann": ann, "bob": bob}, (0, 1), judges=["ann", "bo"])


@pytest.mark.parametrize("module", [judge_tui, judge_tui.api])
def test_examples_of_the_docstrings(module):
    tested = doctest.testmod(module)
    assert tested.attempted > 0
    assert tested.failed == 0


def test_each_name_is_there_before_anything_else_is_used():
    assert set(judge_tui.__all__) <= set(dir(judge_tui))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = judge_tui.nothing
    forget = "[sys.modules.pop(one) for one in [*sys.modules] if one.startswith('judge_tui')]"
    names = imported_by(
        f"import sys\nfor name in {sorted(set(judge_tui.__all__))}:\n"
        f"    import judge_tui; getattr(judge_tui, name); judge_tui.errors.UsageError\n"
        f"    {forget}\nimport judge_tui"
    )
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
