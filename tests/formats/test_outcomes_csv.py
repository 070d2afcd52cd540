"""Outcomes of tasks: which columns are checks, and what their cells say."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge_tui.errors import InputError, UsageError
from judge_tui.formats.outcomes_csv import read_outcomes


@pytest.fixture
def read(tmp_path: Path):
    def reading(text: str, **options):
        path = tmp_path / "outcomes.csv"
        path.write_text(text, encoding="utf-8", newline="")
        return read_outcomes(path, **options)

    return reading


def test_one_column_a_check_in_the_order_of_the_file(read):
    found = read("task,arm,compiles,tests\nb,old,1,0\na,old,yes,\nb,new,PASS,fail\n")
    assert found.tasks == ("b", "a")
    assert found.arms == ("old", "new")
    assert found.checks == ("compiles", "tests")
    assert found.passed == {
        ("compiles", "old"): {"b": True, "a": True},
        ("tests", "old"): {"b": False},
        ("compiles", "new"): {"b": True},
        ("tests", "new"): {"b": False},
    }


@pytest.mark.parametrize(
    "text",
    [
        "task;system;passed\r\n1;a;1\r\n",
        "\ufeffTask\tArm\tpassed\n1\ta\ttrue\n\n",
        'passed,"system",task_id\n"1","a",1',
    ],
)
def test_as_spreadsheets_write_it(read, text):
    found = read(text)
    assert (found.tasks, found.arms) == (("1",), ("a",))
    assert found.passed == {("passed", "a"): {"1": True}}


def test_what_was_not_run_has_no_outcome_and_what_failed_counts_as_not_passed(read):
    for cell in ("", " ", "NA", "N/A", "nan", "null", "None", "not run", "Skipped"):
        found = read(f"task,arm,x\n1,a,{cell}\n2,a,0\n")
        assert (found.passed, found.failed) == ({("x", "a"): {"2": False}}, {})
    found = read("task,arm,x,y\n1,a,error,1\n2,a,0,Error\n3,a,,1\n1,b,1,1\n")
    assert found.passed["x", "a"] == {"1": False, "2": False}
    assert found.failed == {("x", "a"): {"1"}, ("y", "a"): {"2"}}


def test_beside_passed_no_other_column_is_a_check(read):
    """Not even one that looks like it: an attempt that is always the first one is none."""
    found = read(
        "task,arm,Passed,attempt,seconds,note,reviewer\n1,a,1,1,1,error,\n2,a,0,1,2.5,slow,\n"
    )
    assert found.checks == ("Passed",)
    assert found.passed == {("Passed", "a"): {"1": True, "2": False}}
    assert found.failed == {}


@pytest.mark.parametrize("named", [["tests", "passed"], ["passed", "tests", "tests"]])
def test_checks_that_are_named_are_all_there_are(read, named):
    text = "task,arm,passed,tests,note\n1,a,1,0,x\n2,a,0,error,\n"
    found = read(text, checks=named)
    assert found.checks == ("passed", "tests")
    assert found.passed["tests", "a"] == {"1": False, "2": False}
    assert found.failed == {("tests", "a"): {"2"}}
    with pytest.raises(UsageError, match="no column of outcomes 'test'; did you mean 'tests'"):
        read(text, checks=["test"])
    with pytest.raises(
        InputError, match=r"csv:2: note is 'x'.*; write 1, 0, error or nothing; or name"
    ):
        read(text, checks=["note"])
