"""Answers files: the four forms, what a cell says, and every fault with its line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.errors import InputError
from judge_tui.formats.answers import Answered, read_answers
from judge_tui.formats.check import check_file

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


def check_answers(path, root=None):
    return check_file(path, format="answers", root=root)


def written(folder: Path, content: object) -> Path:
    path = folder / "answers"
    text = content if isinstance(content, str) else json.dumps(content)
    path.write_text(text, encoding="utf-8", newline="")
    return path


def truths(answer: Answered) -> list[tuple[str, int]]:
    return [(one.written, one.grade) for one in answer.truths]


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("form", FORMS)
def test_each_form_says_the_same(tmp_path: Path, form: str, ends: str) -> None:
    path = written(tmp_path, FORMS[form].replace("\n", ends))
    (answer,) = read_answers(path)
    assert truths(answer) == [("a.py:2-4", 2), ("b.py", 2), ("x+", 2)]
    assert (answer.query_id, answer.query, answer.query_class) == ("q1", "how", "lookup")
    assert (answer.subset, answer.own_id) == ("hard", True)
    assert check_answers(path) == []


@pytest.mark.parametrize(
    ("cell", "said", "grade"),
    [
        ("a.py", "a.py", 1),
        ("a.py:12", "a.py:12", 1),
        ("a.py:12:3", "a.py:12", 3),
        ("a.py:2-4:0", "a.py:2-4", 0),
        ("a.py#L2-L4", "a.py#L2-L4", 1),
        ("a.py#L2C1-L4C9:2", "a.py#L2C1-L4C9", 2),
        ("a:b:c", "a:b:c", 1),
        ("http://x/y", "http://x/y", 1),
        ("a.py:L2", "a.py:L2", 1),
        ("a.py:2-", "a.py:2-", 1),
    ],
)
def test_what_a_cell_says(tmp_path: Path, cell: str, said: str, grade: int) -> None:
    (answer,) = read_answers(written(tmp_path, f"query,result1,result2\nhow,{cell}\n"))
    assert truths(answer) == [(said, grade)]


def test_a_place_written_twice_is_one_truth_of_the_best_grade(tmp_path: Path) -> None:
    cells = ["a.py:1-9", "./a.py#L1-L9:3", "a.py:1-9:2"]
    (answer,) = read_answers(written(tmp_path, [{"query": "x", "expected": cells}]))
    assert truths(answer) == [("./a.py#L1-L9", 3)]


def test_queries_without_ids_are_called_by_their_places(tmp_path: Path) -> None:
    path = written(
        tmp_path, [{"query": "x", "expected": "a"}, {"id": 7, "query": "y", "expected": "b"}]
    )
    assert [(one.query_id, one.own_id) for one in read_answers(path)] == [
        ("q001", False),
        ("7", True),
    ]
    (answer,) = read_answers(written(tmp_path, [{"query": "x", "pattern": "a"}]), usual_grade=3)
    assert [one.grade for one in answer.truths] == [3]


def test_prefer_and_authority_stay_as_they_are_written(tmp_path: Path) -> None:
    said = {"prefer": {"better": "new", "worse": "old"}, "authority": ["a", "b"]}
    (answer,) = read_answers(written(tmp_path, [{"query": "x", **said}]))
    assert answer.truths == ()
    assert answer.as_query().meta == said


@pytest.mark.parametrize(
    ("content", "line", "what"),
    [
        ("query,result1\nx,a\ny,\n", 3, "nothing is right for this query"),
        ("query,result1\nx,a:9-1\n", 2, "'a:9-1' ends before it begins"),
        ("query,result1\nx,a:9:1001\n", 2, "grade 1001 of 'a:9' is none"),
        ("query,result1,rating\nx,a,1\n", 1, "answers have no column 'rating'"),
        ("query,result1,query\nx,a,b\n", 1, "two columns say the query"),
        ("query,result1\nx,a,b\n", 2, "3 cells, but the header names 2"),
        ('query,result1\nx,"a\nb"\n', 2, "is several lines"),
        ('query,result1\nx,"a\n', 2, "a quote that opens in this row is never closed"),
        ("query,pattern\nx,(\n", 2, "pattern '(' is no regular expression"),
        ('[{"query": "x",\n "expected": "a", "expected": "b"}]', 2, "'expected' comes twice"),
        ('[{"query": "x", "expected": "a"},\n {"query": "y", "expect": "a"}]', 2, "no 'expect'"),
        ('[{"query": "x", "expected": 1}]', 1, "expected is neither a text nor a list"),
        ('[{"query": "x", "expected": "a", "grade": 1.5}]', 1, "grade 1.5 is not a whole number"),
        ('[{"query": "x", "expected": "a", "grade": -1}]', 1, "grade -1 is none"),
        ('[{"expected": "a", "query": ""}]', 1, "an answer without query"),
        ('[{"query": "x", "id": "a", "query_id": "b", "expected": "a"}]', 1, "both say"),
        ('[{"query": "x", "prefer": {"better": "a"}}]', 1, "prefer is not a better and a worse"),
        ('[{"query": "x", "authority": ["a"]}]', 1, "authority is no list of two"),
        ('[{"query": "x", "expected": "a"},\n{"query"', 2, "not valid JSON"),
        ('{"query": "x", "expected": "a"}\n{"query": }\n', 2, "not valid JSON"),
        ('{"id": "a", "query": "x", "expected": "a"}\n' * 2, 2, "has answers in line 1 already"),
        ('[[answers]]\nquery = "x"\npattern = \n', 3, "not TOML"),
        ('[[a]]\nquery = "x"\npattern = "a"\n[[b]]\nquery = "y"\npattern = "a"\n', 1, "one list"),
        ("q1 0 d1 1\n", 1, "this is no answers file"),
    ],
)
def test_each_fault_is_told_with_its_line(
    tmp_path: Path, content: str, line: int, what: str
) -> None:
    path = written(tmp_path, content)
    first = check_answers(path)[0]
    assert first.line == line
    assert what in first.what
    with pytest.raises(InputError, match=f":{line}: "):
        read_answers(path)


@given(st.text(alphabet='qa,:;"\n\t[]{}#0-', max_size=60))
def test_any_text_is_read_or_told(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    for head in ("query,result1\n", '[{"query": ', "[[answers]]\n"):
        assert isinstance(check_answers(written(tmp_path_factory.mktemp("a"), head + text)), list)


def test_what_is_not_in_the_checkout_is_told_with_its_line(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "a.py").write_text("1\n2\n")
    (root / "my file").write_bytes(b"\xff\n")
    (tmp_path / "secret").write_text("x")
    path = written(
        tmp_path,
        "query,result1,result2\nx,a.py,a.py:2\ny,my%20file,b.py\nz,a.py:2-3,../secret:1\n",
    )
    assert [(one.line, one.what) for one in check_answers(path, root=root)] == [
        (3, "'b.py': 'b.py' is not there"),
        (4, "'../secret:1': '../secret' leads out of the folder"),
        (4, "'a.py:2-3': 'a.py' has 2 lines, not 3"),
    ]
    (problem,) = check_answers(path, root=tmp_path / "none")
    assert "there is no such folder" in problem.what
