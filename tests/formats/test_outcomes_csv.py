from pathlib import Path

import pytest

from judge_tui.errors import InputError, UsageError
from judge_tui.formats.outcomes_csv import read_outcomes


def written(folder: Path, text: str) -> Path:
    path = folder / "outcomes.csv"
    path.write_text(text, encoding="utf-8", newline="")
    return path


def test_one_column_a_check_in_the_order_of_the_file(tmp_path):
    path = written(tmp_path, "task,arm,compiles,tests\nb,old,1,0\na,old,yes,\nb,new,PASS,fail\n")
    found = read_outcomes(path)
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
def test_as_spreadsheets_write_it(tmp_path, text):
    found = read_outcomes(written(tmp_path, text))
    assert (found.tasks, found.arms) == (("1",), ("a",))
    assert found.passed == {("passed", "a"): {"1": True}}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "there are no outcomes|no column"),
        ("task,arm,passed\n", "there are no outcomes in it"),
        ("task,passed\n1,1\n", "csv:1: the header has no column arm"),
        ("task,arm\n1,a\n", "csv:1: the header has no column of outcomes"),
        ("task,arm,arm,x\n1,a,b,1\n", "csv:1: the header has more than one column arm"),
        ("task,arm,x,x\n1,a,1,1\n", "csv:1: two columns are called 'x'"),
        ("task,arm,x\n1,a,1\n2,a,perhaps\n", "csv:3: x is 'perhaps', which is neither"),
        ("task,arm,x,seconds\n1,a,1,2.5\n", "every column but task and arm is taken for a check"),
        ("task,arm,passed,note\n1,a,2.5,x\n", "csv:2: passed is '2.5', which is neither"),
        ("task,arm,x\n1,a,1\n1,a,0\n", "csv:3: task '1' of arm 'a' is in line 2 already"),
        ("task,arm,x\n1,a\n", "csv:2: 2 cells, but the header has 3"),
        ("task,arm,x\n,a,1\n", "csv:2: the row has no task"),
        ("task,arm,x\n1,,1\n", "csv:2: the row has no arm"),
        ('task,arm,x\n"1,a,1\n', "csv:2: "),
    ],
)
def test_what_cannot_be_used_is_named_with_its_line(tmp_path, text, said):
    with pytest.raises(InputError, match=said):
        read_outcomes(written(tmp_path, text))


@pytest.mark.parametrize(
    "cell", ["", " ", "NA", "N/A", "nan", "null", "None", "not run", "Skipped"]
)
def test_what_was_not_run_has_no_outcome(tmp_path, cell):
    found = read_outcomes(written(tmp_path, f"task,arm,x\n1,a,{cell}\n2,a,0\n"))
    assert (found.passed, found.failed) == ({("x", "a"): {"2": False}}, {})


def test_what_failed_counts_as_not_passed_and_is_known(tmp_path):
    text = "task,arm,x,y\n1,a,error,1\n2,a,0,Error\n3,a,,1\n1,b,1,1\n"
    found = read_outcomes(written(tmp_path, text))
    assert found.passed["x", "a"] == {"1": False, "2": False}
    assert found.failed == {("x", "a"): {"1"}, ("y", "a"): {"2"}}


def test_beside_passed_no_other_column_is_a_check(tmp_path):
    """Not even one that looks like it: an attempt that is always the first one is none."""
    header = "task,arm,Passed,attempt,seconds,note,reviewer"
    path = written(tmp_path, f"{header}\n1,a,1,1,1,error,\n2,a,0,1,2.5,slow,\n")
    found = read_outcomes(path)
    assert found.checks == ("Passed",)
    assert found.passed == {("Passed", "a"): {"1": True, "2": False}}
    assert found.failed == {}


@pytest.mark.parametrize("named", [["tests", "passed"], ["passed", "tests", "tests"]])
def test_checks_that_are_named_are_all_there_are(tmp_path, named):
    path = written(tmp_path, "task,arm,passed,tests,note\n1,a,1,0,x\n2,a,0,error,\n")
    found = read_outcomes(path, checks=named)
    assert found.checks == ("passed", "tests")
    assert found.passed["tests", "a"] == {"1": False, "2": False}
    assert found.failed == {("tests", "a"): {"2"}}
    with pytest.raises(UsageError, match="no column of outcomes 'test'; did you mean 'tests'"):
        read_outcomes(path, checks=["test"])
    with pytest.raises(InputError, match=r"csv:2: note is 'x'.*; write 1 or 0, error for a task"):
        read_outcomes(path, checks=["note"])
