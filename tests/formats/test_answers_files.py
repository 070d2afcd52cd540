"""Answers files: the four forms, what a cell says, and what is not in a checkout."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.formats.answers import Answered, read_answers
from judge_tui.formats.check import check_file
from judge_tui.model import Query

ENTRY = {
    "query_id": "q1",
    "query": "how",
    "expected": ["a.py:2-4", "b.py"],
    "pattern": "x+",
    "grade": 2,
    "class": "lookup",
    "subset": "hard",
}
FORMS = {
    "json": json.dumps([ENTRY], indent=1),
    "jsonl": json.dumps(ENTRY) + "\n",
    "toml": '# ours\n[[answers]]\nquery_id = "q1"\nquery = "how"\nexpected = ["a.py:2-4", "b.py"]\n'
    'pattern = "x+"\ngrade = 2\nclass = "lookup"\nsubset = "hard"\n',
    "csv": "ID,query,result1,Result 2,pattern,grade,class,subset,notes\n"
    "q1,how,a.py:2-4,b.py,x+,2,lookup,hard,n\n",
    "semicolons": "id;query;results;expected;pattern;grade;class;subset\n"
    "q1;how;a.py:2-4;b.py;x+;2;lookup;hard\n",
    "tabs": "query_id\tquery\tresult1\tresult2\tpattern1\tgrade\tclass\tsubset\n"
    "q1\thow\ta.py:2-4\tb.py\tx+\t2\tlookup\thard\n",
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "answers"


def truths(answer: Answered) -> list[tuple[str, int]]:
    return [(one.written, one.grade) for one in answer.truths]


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("form", FORMS)
def test_each_form_says_the_same(path: Path, form: str, ends: str) -> None:
    path.write_text(FORMS[form].replace("\n", ends), newline="")
    (answer,) = read_answers(path)
    assert truths(answer) == [("a.py:2-4", 2), ("b.py", 2), ("x+", 2)]
    assert answer.query == Query("q1", "how", query_class="lookup", meta={"subset": "hard"})
    assert answer.query.own_id
    assert check_file(path, format="answers") == []


@pytest.mark.parametrize(
    ("cells", "place", "grade"),
    [
        (["a.py"], "a.py", 1),
        (["a.py:12"], "a.py:12", 1),
        (["a.py:12:3"], "a.py:12", 3),
        (["a.py:2-4:0"], "a.py:2-4", 0),
        (["a.py#L2-L4"], "a.py#L2-L4", 1),
        (["a.py#L2C1-L4C9:2"], "a.py#L2C1-L4C9", 2),
        (["a:b:c"], "a:b:c", 1),
        (["http://x/y"], "http://x/y", 1),
        (["a.py:L2"], "a.py:L2", 1),
        (["a.py:2-"], "a.py:2-", 1),
        # A place that is written twice is one truth of the best grade.
        (["a.py:1-9", "./a.py#L1-L9:3", "a.py:1-9:2"], "./a.py#L1-L9", 3),
    ],
)
def test_what_cells_say(path: Path, cells: list[str], place: str, grade: int) -> None:
    path.write_text(f"query,result1,result2,result3\nhow,{','.join([*cells, '', ''][:3])}\n")
    (answer,) = read_answers(path)
    assert truths(answer) == [(place, grade)]


def test_queries_without_ids_are_called_by_their_places(path: Path) -> None:
    path.write_text(
        '[{"query": "x", "pattern": "a"}, {"id": 7, "query": "y", "expected": "b", "grade": 2}]'
    )
    found = read_answers(path, usual_grade=3)
    assert [(one.query.query_id, one.query.own_id) for one in found] == [
        ("q001", False),
        ("7", True),
    ]
    assert [truths(one) for one in found] == [[("a", 3)], [("b", 2)]]


def test_prefer_and_authority_stay_as_they_are_written(path: Path) -> None:
    demands = {"prefer": {"better": "new", "worse": "old"}, "authority": ["a", "b"]}
    path.write_text(json.dumps([{"query": "x", **demands}]))
    (answer,) = read_answers(path)
    assert answer.truths == ()
    assert answer.query.meta == demands


@given(st.text(alphabet='qa,:;"\n\t[]{}#0-', max_size=60))
def test_any_text_is_read_or_told(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.getbasetemp() / "answers"
    for head in ("query,result1\n", '[{"query": ', "[[answers]]\n"):
        path.write_text(head + text, newline="")
        assert isinstance(check_file(path, format="answers"), list)


def test_what_is_not_in_the_checkout_is_told_with_its_line(path: Path, tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "a.py").write_text("1\n2\n")
    (root / "my file").write_bytes(b"\xff\n")
    (tmp_path / "secret").write_text("x")
    path.write_text(
        "query,result1,result2\nx,a.py,a.py:2\ny,my%20file,b.py\nz,a.py:2-3,../secret:1\n"
    )
    problems = check_file(path, format="answers", root=root)
    assert [(one.line, one.what) for one in problems] == [
        (3, "'b.py': 'b.py' is not there"),
        (4, "'../secret:1': '../secret' leads out of the folder"),
        (4, "'a.py:2-3': 'a.py' has 2 lines, not 3"),
    ]
    (problem,) = check_file(path, format="answers", root=tmp_path / "none")
    assert "there is no such folder" in problem.what
