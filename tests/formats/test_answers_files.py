"""Answers files: every form, what is wrong with one and in which line, hostile text."""

from __future__ import annotations

import csv
import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.errors import InputError
from judge_tui.formats import recognise
from judge_tui.formats.answers import Answered, cautions_of, check_answers, read_answers
from judge_tui.formats.answers.reading import answers_in
from judge_tui.formats.problems import Reporter
from judge_tui.formats.source import open_source

Told = list[tuple[str, int]]


def written(folder: Path, text: str | bytes, name: str = "answers") -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def is_answers(path: Path) -> bool:
    try:
        return recognise(path).format == "answers"
    except InputError:
        return False


def told(answer: Answered) -> Told:
    """What is right and its grade; patterns between slashes."""
    return [(truth.key, truth.grade) for truth in answer.truths]


def problems(path: Path) -> list[str]:
    return [str(problem).removeprefix(f"{path}:") for problem in check_answers(path)]


def what_is_good(path: Path) -> list[Answered]:
    """The answers of which nothing is wrong."""
    with open_source(path) as source:
        return answers_in(source, Reporter(path, lambda _: None))


FORMS = {
    "json": """\
[{"query": "read a CSV file", "expected": "src/read.py"},
 {"query": "sort; or order",
  "expected": ["src/sort.py:10-20:2", "src/sort.py"]}]
""",
    "jsonl": """\
{"query": "read a CSV file", "expected": "src/read.py"}

{"query": "sort; or order", "expected": ["src/sort.py:10-20:2", "src/sort.py"]}
""",
    "toml": """\
# what is right
[[answers]]
query = "read a CSV file"
expected = "src/read.py"

[[answers]]
query = "sort; or order"
expected = ["src/sort.py:10-20:2", "src/sort.py"]
""",
    "csv": """\
query,result1,result2
read a CSV file,src/read.py,
sort; or order,src/sort.py:10-20:2,src/sort.py
""",
}
LINES = {"json": (1, 2), "jsonl": (1, 3), "toml": (2, 6), "csv": (2, 3)}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("way", ["plain", "crlf", "bom", "gz", "blank lines first"])
def test_each_form_says_the_same(tmp_path: Path, form: str, way: str) -> None:
    data = FORMS[form].encode()
    if way == "crlf":
        data = data.replace(b"\n", b"\r\n")
    elif way == "bom":
        data = b"\xef\xbb\xbf" + data
    elif way == "gz":
        data = gzip.compress(data)
    elif way == "blank lines first":
        data = b"\n\n" + data
    path = written(tmp_path, data)
    assert is_answers(path)
    assert check_answers(path) == []
    first, second = read_answers(path)
    assert (first.query_id, first.query, told(first)) == (
        "q001",
        "read a CSV file",
        [("src/read.py", 1)],
    )
    assert (second.query_id, second.query) == ("q002", "sort; or order")
    assert told(second) == [("src/sort.py:10-20", 2), ("src/sort.py", 1)]
    more = 2 if way == "blank lines first" else 0
    assert (first.line, second.line) == tuple(line + more for line in LINES[form])
    assert not first.own_id
    assert first.query_class == ""


def test_patterns_grades_and_classes(tmp_path: Path) -> None:
    text = r"""
[[answers]]
query = "one"
pattern = 'a\.py$'
[[answers]]
query_id = "mine"
query = "two"
patterns = ['^b', "c"]
expected = ["d", "e:1-2:3"]
grade = 2
class = "lookup"
[[answers]]
id = 7
pattern = "x"
"""
    one, two, three = read_answers(written(tmp_path, text))
    assert (told(one), one.query_id, one.own_id) == ([(r"/a\.py$/", 1)], "q001", False)
    assert told(two) == [("d", 2), ("e:1-2", 3), ("/^b/", 2), ("/c/", 2)]
    assert (two.query_id, two.own_id, two.query_class) == ("mine", True, "lookup")
    assert (three.query_id, three.query, three.own_id) == ("7", "", True)


def test_a_place_written_twice_is_one_truth_of_the_best_grade(tmp_path: Path) -> None:
    record = {
        "query": "x",
        "expected": ["a.py", "./a.py", "b.py#L1-L9", "b.py:1-9:3", "b.py:1-8"],
        "patterns": ["a.py", "a.py"],
    }
    (answer,) = read_answers(written(tmp_path, json.dumps([record])))
    assert told(answer) == [("a.py", 1), ("b.py:1-9", 3), ("b.py:1-8", 1), ("/a.py/", 1)]
    table = 'query,result1,result2,result3,result4\n"x",a.py,./a.py,b.py#L1-L9:2,b.py:1-9\n'
    (answer,) = read_answers(written(tmp_path, table))
    assert told(answer) == [("a.py", 1), ("b.py#L1-L9", 2)]


@pytest.mark.parametrize("sign", [",", ";", "\t"])
def test_tables_as_spreadsheets_write_them(tmp_path: Path, sign: str) -> None:
    rows = [
        ["query_id", "query", "result1", "result2"],
        ["a", '"how, or; why\tthen"', '"my ""own"" file.txt"', ""],
        ["", "", "", ""],
        ["b", '"two\r\nlines"', "\u2028x\u2028y", " src/a.py:1-2:0 "],
        ["c", "short"],
        ["d", "long", "e", "f", "g"],
        ["f", "full", "e", "f", "", ""],
    ]
    path = written(tmp_path, "\r\n".join(sign.join(row) for row in rows))
    assert is_answers(path)
    assert problems(path) == [
        "6: nothing is right for this query; write expected, pattern or patterns; or prefer or"
        " authority; or leave it out",
        "7: 5 cells, but the header names 4 columns; name a column for each result; put a text that"
        " holds the separator in quotes",
    ]
    first, second, last = what_is_good(path)
    assert (first.query_id, first.query, first.line) == ("a", "how, or; why\tthen", 2)
    assert told(first) == [('my "own" file.txt', 1)]
    assert (second.query, second.line) == ("two\nlines", 4)
    assert told(second) == [("x\u2028y", 1), ("src/a.py:1-2", 0)]
    assert (last.query_id, told(last), last.line) == ("f", [("e", 1), ("f", 1)], 8)


def test_quotes_between_tabs_that_a_cell_does_not_need_are_typed(tmp_path: Path) -> None:
    """As in a table of queries: one text is told from another by them."""
    rows = '"exact phrase"\ta.py\n"exact" more\ta.py\n"how, or"\ta.py\n"say ""this"""\ta.py\n'
    texts = ['"exact phrase"', '"exact" more', "how, or", 'say "this"']
    path = written(tmp_path, f"query\tresult1\n{rows}")
    assert [answer.query for answer in read_answers(path)] == texts
    path = written(tmp_path, '"query"\t"result1"\n"exact phrase"\t"a.py"\n')
    assert [answer.query for answer in read_answers(path)] == ["exact phrase"]


@pytest.mark.parametrize(
    "header",
    [
        *(
            "query,result1",
            "Query,Result 1",
            "QUERY,RESULT",
            "query,expected",
            '"query","result_1"',
        ),
        *("query,results", "query,Result-01"),
    ],
)
def test_headers_as_people_write_them(tmp_path: Path, header: str) -> None:
    path = written(tmp_path, f"{header}\nhow,a.py:3-4:2\n")
    assert is_answers(path)
    (answer,) = read_answers(path)
    assert (answer.query_id, answer.query, told(answer)) == ("q001", "how", [("a.py:3-4", 2)])
    assert answer.line == header.count("\n") + 2


@pytest.mark.parametrize("name", ["query_id", "id", "qid", "Query ID"])
def test_ids_may_be_called_as_tables_call_them(tmp_path: Path, name: str) -> None:
    (answer,) = read_answers(written(tmp_path, f"{name};query;result1\nmine;how;a.py\n"))
    assert (answer.query_id, answer.own_id, told(answer)) == ("mine", True, [("a.py", 1)])


def test_classes_grades_patterns_and_subsets_have_columns(tmp_path: Path) -> None:
    text = """\
Class,query,result 1,pattern,result 2,grade,subset,
lookup,one,a.py,\\.md$,b.py:1-2:3,2,hard,
,two,,^c,,,,
"""
    path = written(tmp_path, text)
    assert problems(path) == []
    one, two = read_answers(path)
    assert told(one) == [("a.py", 2), ("b.py:1-2", 3), (r"/\.md$/", 2)]
    assert (one.query_class, one.subset) == ("lookup", "hard")
    assert (told(two), two.query_class, two.subset) == ([("/^c/", 1)], "", "")


COLUMNS = (
    "take it out; or if right results stand in it, call it resultN; known: query_id, query,"
    " grade, class, subset, result1, result2, … or expected, pattern"
)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("query,result1,notes\nx,a,see b\n", f"1: answers have no column 'notes'; {COLUMNS}"),
        (
            "query,result1,Prefer\nx,a,b\n",
            "1: answers have no column 'Prefer'; JSON, JSON Lines and TOML can say it",
        ),
        (
            "query,class,result1,Class\nx,a,b,c\n",
            "1: two columns say the class; the second is 'Class'; take one of them out",
        ),
        (
            "query,result1,Result1\nx,a,b\n",
            "1: 'result1' and 'Result1' are one name of two columns; call them result1, result2, or"
            " take one of them out",
        ),
        (
            "query,pattern,pattern\nx,a,b\n",
            "1: two columns are called 'pattern'; call them pattern1, pattern2, or take one of them"
            " out",
        ),
        (
            "query,result1,\nx,a,b\n",
            "2: no column is named above 'b'; name it in the header",
        ),
        (
            'query,result1\nx,"a.py\nb.py"\n',
            "2: 'a.py / b.py' stands on several lines of one cell; give each result a cell of its"
            " own",
        ),
        (
            "query,result1,grade\nx,a,2.5\n",
            "2: grade '2.5' is none; write a whole number from 0 to 1000",
        ),
        (
            "query,result1\nx,a.py:10\u201320\n",
            "2: 'a.py:10\u201320' has a dash between its lines that is no hyphen; write"
            " 'a.py:10-20'",
        ),
        (
            "query,result1\nx,a.py#L10 \u2014 L20:2\n",
            "2: 'a.py#L10 \u2014 L20:2' has a dash between its lines that is no hyphen; write"
            " 'a.py#L10-L20:2'",
        ),
    ],
)
def test_faults_of_tables_are_told_by_name_and_line(tmp_path: Path, text: str, what: str) -> None:
    assert problems(written(tmp_path, text)) == [what]


def test_what_is_wrong_in_a_file_of_one_line_is_told_with_its_entry(tmp_path: Path) -> None:
    record = '{"query_id": "q", "query": "x", "expected": "a"}'
    bad = '{"query": "y", "expected": "a:9-3"}'
    path = written(tmp_path, f"[{record}, {record}, {bad}]")
    assert [problem.partition(";")[0] for problem in problems(path)] == [
        "1: entry 2: query 'q' has answers in line 1 already",
        "1: entry 3: 'a:9-3' ends before it begins",
    ]


@pytest.mark.parametrize("form", ["json", "jsonl"])
@pytest.mark.parametrize(
    ("record", "name"),
    [
        ('{"query": "x", "query": "y", "expected": "a"}', "query"),
        (
            '{"query": "x", "prefer": {"better": "a", "worse": "b", "worse": "c"}}',
            "worse",
        ),
    ],
)
def test_a_name_that_comes_twice_is_told(tmp_path: Path, form: str, record: str, name: str) -> None:
    path = written(tmp_path, f"[{record}]" if form == "json" else record)
    assert problems(path) == [f"1: '{name}' comes twice in one object; remove one of them"]


@pytest.mark.parametrize("cell", ["#N/A", "#REF!", "#NAME?", "#VALUE!", "#DIV/0!", "#SPILL!"])
def test_an_error_of_the_spreadsheet_is_no_right_answer(tmp_path: Path, cell: str) -> None:
    path = written(tmp_path, f"query,result1,result2\nhow,a.py,{cell}\n")
    assert problems(path) == [
        f"2: '{cell}' is an error of the spreadsheet, and no result;"
        " mend its formula, or empty the cell"
    ]


def test_an_error_of_the_spreadsheet_is_no_query(tmp_path: Path) -> None:
    path = written(tmp_path, "query,result1\nhow,a.py\n#REF!,b.py\n")
    assert problems(path) == [
        "3: '#REF!' is an error of the spreadsheet, and no query;"
        " mend its formula, or take the row out"
    ]


@pytest.mark.parametrize("ids", ['"query_id": "a", "id": "b"', '"id": 1, "query_id": "1"'])
def test_an_entry_has_one_id(tmp_path: Path, ids: str) -> None:
    path = written(tmp_path, f'[{{{ids}, "query": "how", "expected": "a.py"}}]')
    assert problems(path) == ["1: query_id and id both say the query_id; leave one of the two out"]
    path = written(tmp_path, '[{"query_id": null, "id": "c", "query": "how", "expected": "a.py"}]')
    assert [(one.query_id, one.own_id) for one in read_answers(path)] == [("c", True)]


NOTHING = (
    "write expected, pattern or patterns; or prefer or authority; or leave it out once all queries"
    " have a query_id: without, those behind it change their ids"
)
KNOWN = (
    "known: query_id, id, query, expected, pattern, patterns, grade, class, subset, prefer,"
    " authority"
)


@pytest.mark.parametrize(
    ("entry", "what"),
    [
        ({"expected": "a"}, 'an answer without query; write "query" as a text'),
        ({"query": " ", "expected": "a"}, 'an answer without query; write "query" as a text'),
        ({"query": 5, "expected": "a"}, 'an answer without query; write "query" as a text'),
        (
            {"query_id": "", "query": "x", "expected": "a"},
            'an answer without query_id; write "query_id" as a text; or leave it out of the whole'
            " file",
        ),
        (
            {"query_id": True, "query": "x", "expected": "a"},
            'an answer without query_id; write "query_id" as a text',
        ),
        ({"query": "x"}, "nothing is right for this query; " + NOTHING),
        (
            {"query_id": "x", "expected": []},
            "nothing is right for this query; write expected, pattern or patterns; or prefer or"
            " authority; or leave it out",
        ),
        ({"query": "x", "expected": []}, "nothing is right for this query; " + NOTHING),
        (
            {"query": "x", "expected": 3},
            'expected is neither a text nor a list of texts; write "expected": ["…"]',
        ),
        (
            {"query": "x", "patterns": ["a", None]},
            'patterns is neither a text nor a list of texts; write "patterns": ["…"]',
        ),
        (
            {"query": "x", "expected": ["a", " "]},
            "an expected result is empty; write path, path:start-end or leave it out",
        ),
        (
            {"query": "x", "pattern": "a("},
            "pattern 'a(' is no regular expression: missing ) at"
            " position 2; mend it; a path as it stands goes to expected",
        ),
        (
            {"query": "x", "pattern": "*.py"},
            "pattern '*.py' is no regular expression: nothing to repeat at position 0; mend it;"
            " a path as it stands goes to expected",
        ),
        (
            {"query": "x", "pattern": ""},
            "pattern '' is no regular expression: it is empty; mend it; a path as it stands goes"
            " to expected",
        ),
        (
            {"query": "x", "expected": "a", "grade": -1},
            "grade '-1' is none; write a whole number from 0 to 1000",
        ),
        (
            {"query": "x", "expected": "a", "grade": True},
            "grade 'True' is none; write a whole number from 0 to 1000",
        ),
        (
            {"query": "x", "expected": "a", "grade": 1.5},
            "grade '1.5' is none; write a whole number from 0 to 1000",
        ),
        (
            {"query": "x", "expected": "a:1-2:1001"},
            "grade '1001' of 'a:1-2' is none; write a whole number from 0 to 1000",
        ),
        (
            {"query": "x", "expected": "a#L1:high"},
            "grade 'high' of 'a#L1' is none; write a whole number from 0 to 1000",
        ),
        (
            {"query": "x", "expected": "a:9-1"},
            "'a:9-1' ends before it begins; " + "write path:start-end",
        ),
        ({"query": "x", "expected": "a:0-1"}, "'a:0-1': lines count from 1; write path:start-end"),
        ({"query": "x", "expected": "a", "class": 1}, "class is not a text; write it in quotes"),
        ({"query": "x", "expected": "a", "prefers": {}}, "an answer has no 'prefers'; " + KNOWN),
        ({"query": "x", "expected": "a", "subset": 1}, "subset is not a text; write it in quotes"),
        (
            {"query": "x", "prefer": {"better": "a"}},
            'prefer is not a better and a worse pattern; write "prefer": {"better": "…",'
            ' "worse": "…"}',
        ),
        (
            {"query": "x", "prefer": {"better": "(", "worse": "b"}},
            "better '(' is no regular expression: missing ) at position 1; mend it",
        ),
        (
            {"query": "x", "prefer": {"better": "a", "worse": 1}},
            'worse is no pattern; write "prefer": {"better": "…", "worse": "…"}',
        ),
        (
            {"query": "x", "prefer": {"better": "a", "worse": "a"}},
            'better and worse are both \'a\'; write "prefer": {"better": "…", "worse": "…"}',
        ),
        (
            {"query": "x", "prefer": {"better": "a", "worse": "\0"}},
            "half a surrogate pair, or a NUL, in a text; write the character whole",
        ),
        (
            {"query": "x", "authority": ["a"]},
            'authority is no list of two sources or more; write "authority": ["…", "…"], the'
            " highest source first",
        ),
        (
            {"query": "x", "authority": ["a", ""]},
            "authority '' is no regular expression: it is empty; mend it",
        ),
        (
            {"query": "x", "authority": ["a", "b", "a"]},
            "authority has 'a' twice; name each source once",
        ),
        (
            {"query": "\ud800", "expected": "a"},
            "half a surrogate pair, or a NUL, in a text; write the character whole",
        ),
        (
            {"query": "x", "expected": ["a", "b\0"]},
            "half a surrogate pair, or a NUL, in a text; write the character whole",
        ),
        ("x", 'an answer is no object; write it as [{"query": "…", "expected": ["path"]}]'),
    ],
)
def test_each_fault_is_told_with_its_line(tmp_path: Path, entry: object, what: str) -> None:
    good = {"query": "good", "expected": "a"}
    listed = ",\n".join(json.dumps(one) for one in (good, entry, good))
    assert problems(written(tmp_path, f"[{listed}]")) == [f"2: {what}"]
    lines = "\n".join(json.dumps(one) for one in (good, entry, good))
    path = written(tmp_path, lines)
    assert problems(path) == [f"2: {what}"]
    # What is left has the ids that it would have had, and who wants none of it gets the first.
    assert [answer.query_id for answer in what_is_good(path)] == ["q001", "q003"]
    with pytest.raises(InputError) as raised:
        read_answers(path)
    assert str(raised.value) == f"{path}:2: {what}"


BEGIN = (
    'a table begins with query,result1,result2 and so on; JSON is [{"query": "…", "expected":'
    ' ["path"]}]'
)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", f"1: this is no answers file: there is nothing in it; {BEGIN}"),
        ("hello\n", f"1: this is no answers file: it begins with 'hello'; {BEGIN}"),
        (
            "how to sort,src/sort.py\n",
            f"1: this is no answers file: it begins with 'how to sort,src/sort.py'; {BEGIN}",
        ),
        (
            '{"judge_tui":1,"system":"new","settings":"0f"}\n{"query_id":"q1","query":"x"}\n',
            "1: this is what a live system answered, as collect keeps it, and not what is right;"
            f" give a file of right answers: {BEGIN}",
        ),
        (
            "\nquery,path\nx,a\n",
            "2: no column is called result1; there are 'query', 'path'; begin the table with"
            " query,result1,result2 and so on",
        ),
        (
            "question;result1\nx;a\n",
            "1: no column is called query; there are 'question', 'result1'; begin the table with"
            " query,result1,result2 and so on",
        ),
        (
            '[answer]\nquery = "x"\npattern = "a"\n',
            "1: not one list of tables; write each answer below [[answers]]",
        ),
        ("[]", ' there are no answers in it; write it as [{"query": "…", "expected": ["path"]}]'),
        (
            '[{"query": "x", "expected": "a"}\n{"query": "x", "expected": "a"}]',
            '2: not JSON: a comma is missing; write it as [{"query": "…", "expected": ["path"]}]',
        ),
        (
            '[{"query": "x", "expected": "a"}\n',
            '1: not JSON: the list has no end; write it as [{"query": "…", "expected": ["path"]}]',
        ),
        (
            '[{"query": "x",\n"expected": "a\n"}]',
            "2: not JSON: Invalid control character at; write it as"
            ' [{"query": "…", "expected": ["path"]}]',
        ),
        (
            '{"query": "x", "expected": "a"}\n{"query": \n',
            "2: not JSON: Expecting value; write one object a line",
        ),
        (
            'query,result1\nx,a\ny,"b\n',
            "3: the quote that opens here is never closed; close it; a quote within a cell is"
            ' written ""',
        ),
        (
            'query,result1\nx,a\ny,"b"c\n',
            "3: 'c' stands after the closing quote of a cell; write a quote within a cell as \"\"",
        ),
        (
            '[[answers]]\nquery = "x"\nexpected = \n',
            '3: not TOML: Invalid value; write it as: [[answers]] query = "…" pattern = "…"',
        ),
        (
            '[[a]]\nquery = "x"\nexpected = "a"\n[[b]]\nquery = "x"\nexpected = "a"\n',
            "1: not one list of tables; write each answer below [[answers]]",
        ),
    ],
)
def test_what_is_no_answers_file_is_told_where_it_ends_to_be_one(
    tmp_path: Path, text: str, what: str
) -> None:
    assert problems(written(tmp_path, text)) == [what]


def test_a_query_has_its_answers_in_one_place(tmp_path: Path) -> None:
    text = """\
{"query_id": "q2", "query": "x", "expected": "a"}
{"query": "y", "expected": "a"}
{"query_id": "q%202", "expected": "b"}
{"query_id": "q 2", "expected": "b"}
"""
    assert problems(written(tmp_path, text)) == [
        "4: query 'q%202' has answers in line 3 already; put them together, or give each query its"
        " own query_id",
    ]


def test_ids_of_places_do_not_hide_ids_of_the_file(tmp_path: Path) -> None:
    text = '{"query_id": "q002", "expected": "a"}\n{"query": "y", "expected": "a"}\n'
    (problem,) = problems(written(tmp_path, text))
    assert problem.startswith("2: query 'q002' has answers in line 1 already")


def test_bytes_that_are_no_text_are_told(tmp_path: Path) -> None:
    text = '{"query": "x", "expected": "a"}\n{"query": "caf\xe9", "expected": "a"}\n'
    found = problems(written(tmp_path, text.encode("latin-1")))
    assert found == [
        "2: byte 15 of the line (0xE9) is not valid UTF-8; save the file as UTF-8, e.g. with"
        " iconv -f cp1252 -t utf-8"
    ]


@pytest.mark.parametrize(
    "text",
    [
        '{"query_id": "q1", "text": "x", "expected": "a"}\n',
        '{"_id": "d1", "id": "d1", "text": "x", "patterns": ["a"]}\n',
        '{"query_id": "q1", "text": "x"}\n',
        '{"q1": {"d1": 1}}',
        "query_id,doc_id,score\nq,d,1\n",
        "q1\tthe query, result1\n",
        "q1 0 a 1\n",
        'theme = "nord"\n[keys]\n',
        '[[systems]]\nquery = "x"\n',
    ],
)
def test_files_of_other_kinds_are_none(tmp_path: Path, text: str) -> None:
    assert not is_answers(written(tmp_path, text))


def test_a_pattern_that_later_pythons_may_read_otherwise_is_taken_without_a_word(
    tmp_path: Path,
) -> None:
    # Warnings are errors in these tests.
    (answer,) = read_answers(written(tmp_path, json.dumps([{"query": "x", "pattern": "[[a]"}])))
    assert answer.truths[0].matches("b[")


@given(st.text(), st.lists(st.text(), min_size=1, max_size=3))
def test_any_text_is_read_or_told(
    tmp_path_factory: pytest.TempPathFactory, query: str, expected: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("any")
    record = {"query": query, "expected": expected, "patterns": expected}
    path = written(folder, json.dumps([record, {"query": "x", "expected": "a"}]))
    assert len(what_is_good(path)) == (1 if problems(path) else 2)


@given(st.binary(), st.sampled_from([b"", b"[{", b"query,result1\n", b"[[a]]\n", b'{"query":']))
def test_any_bytes_are_read_or_told(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, start: bytes
) -> None:
    path = written(tmp_path_factory.mktemp("bytes"), start + data)
    for problem in check_answers(path, root=path.parent):
        assert str(path) in str(problem)
    is_answers(path)


# The checkout.


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    root = tmp_path / "checkout"
    (root / "src").mkdir(parents=True)
    (root / "src/a.py").write_text("line\n" * 30)
    (root / "src/last.py").write_text("one\ntwo")
    (root / "empty.txt").write_text("")
    (root / "logo.png").write_bytes(b"\x89PNG\0\1")
    (root / "my file").write_text("x\n")
    (tmp_path / "secret").write_text("x\n")
    (root / "out").symlink_to(tmp_path / "secret")
    return root


def test_what_is_in_the_checkout_is_fine(tmp_path: Path, checkout: Path) -> None:
    there = [
        *("src/a.py", "./src/a.py:1-30", "src/a.py#L30", "src/last.py:2-2", "empty.txt"),
        *("logo.png", "my file", "src/a.py:3-4:2"),
    ]
    records = [{"query": "x", "expected": there, "pattern": "not looked for"}]
    assert check_answers(written(tmp_path, json.dumps(records)), root=checkout) == []


def test_codes_of_white_space_stand_for_it_as_they_do_in_runs(
    tmp_path: Path, checkout: Path
) -> None:
    (checkout / "with space").mkdir()
    (checkout / "with space" / "a b.md").write_text("1\n2\n3\n")
    (checkout / "100%20.md").write_text("1\n")
    cells = ["with%20space/a%20b.md", "with%20space/a%20b.md:2-3", "100%20.md:1"]
    path = written(tmp_path, json.dumps([{"query": "x", "expected": cells}]))
    assert check_answers(path, root=checkout) == []
    cells = ["with%20space/a%20b.md:2-4", "with%20space/c.md"]
    path = written(tmp_path, json.dumps([{"query": "x", "expected": cells}]))
    assert sorted(problem.what for problem in check_answers(path, root=checkout)) == [
        "'with%20space/a%20b.md:2-4': 'with space/a b.md' has 3 lines, not 4",
        "'with%20space/c.md': it is not there",
    ]


def test_lines_of_files_in_another_encoding_are_there_or_not(
    tmp_path: Path, checkout: Path
) -> None:
    (checkout / "latin.c").write_bytes("/* caf\u00e9 */\nint x;\n".encode("latin-1"))
    path = written(tmp_path, '[{"query": "a", "expected": ["latin.c:1-2", "latin.c"]}]')
    assert check_answers(path, root=checkout) == []
    path = written(tmp_path, '[{"query": "a", "expected": ["latin.c:2-3"]}]')
    (problem,) = check_answers(path, root=checkout)
    assert problem.what == "'latin.c:2-3': 'latin.c' has 2 lines, not 3"


def test_what_is_not_is_told_with_every_line(tmp_path: Path, checkout: Path) -> None:
    text = """\
query,result1,result2
one,src/a.py:20-31,src/a.py
two,src/b.py,./src/a.py#L20-L31
three,src,../secret
four,out,src\\a.py:1-2
five,logo.png:1-2,empty.txt:1-1
"""
    path = written(tmp_path, text)
    found = [
        (problem.line, problem.what, problem.mend) for problem in check_answers(path, root=checkout)
    ]
    assert {mend for _, _, mend in found} == {
        f"is {checkout} the checkout that the answers are about?"
    }
    assert sorted((line, what) for line, what, _ in found) == [
        (2, "'src/a.py:20-31': 'src/a.py' has 30 lines, not 31"),
        (3, "'./src/a.py#L20-L31': './src/a.py' has 30 lines, not 31"),
        (3, "'src/b.py': it is not there"),
        (4, "'../secret': it leads out of the folder"),
        (4, "'src': it is not a file"),
        (5, "'out': it leads out of the folder"),
        (5, "'src\\a.py:1-2': 'src\\a.py' is not there"),
        (6, "'empty.txt:1-1': 'empty.txt' has 0 lines, not 1"),
        (6, "'logo.png:1-2': 'logo.png' is binary"),
    ]


def test_a_path_is_to_be_written_as_ids_write_it(tmp_path: Path, checkout: Path) -> None:
    cells = ["src//a.py", "src/./a.py:1-2", "src/../src/a.py:3:2", "src/last.py/"]
    path = written(tmp_path, json.dumps([{"query": "x", "expected": cells}]))
    text = "a result is right by the same text alone, and paths are not written so"
    found = [str(one).partition(":1: ")[2] for one in check_answers(path, root=checkout)]
    assert found == [
        f"'src//a.py': {text}; write 'src/a.py'",
        f"'src/last.py/': {text}; write 'src/last.py'",
        f"'src/../src/a.py:3': {text}; write 'src/a.py:3'",
        f"'src/./a.py:1-2': {text}; write 'src/a.py:1-2'",
    ]


@pytest.mark.parametrize("has", ["\u00dc", "U\u0308"])
def test_a_file_is_there_whether_its_accents_are_composed_or_not(
    tmp_path: Path, checkout: Path, has: str
) -> None:
    (checkout / f"{has}bung").mkdir()
    (checkout / f"{has}bung" / "a.md").write_text("x\n")
    other = "U\u0308" if has == "\u00dc" else "\u00dc"
    cells = [f"{other}bung/a.md", f"{other}bung/a.md:1", f"{other}bung/b.md", f"{other}bung/a.md:2"]
    path = written(tmp_path, json.dumps([{"query": "x", "expected": cells}]))
    none, lines = (str(one) for one in check_answers(path, root=checkout))
    assert "b.md': it is not there; is " in none
    assert "has 1 line, not 2" in lines


def test_several_results_in_one_cell_are_told_apart(tmp_path: Path, checkout: Path) -> None:
    path = written(tmp_path, json.dumps([{"query": "x", "expected": ["src/a.py, src/last.py"]}]))
    (problem,) = check_answers(path, root=checkout)
    assert problem.mend == "if these are several results, give each a cell of its own"


def test_one_line_and_its_grade(tmp_path: Path) -> None:
    cells = [
        "a.py:12",
        "b.py:12:2",
        "c.py#L3-4:3",
        "d.py#L3C1-L4C2",
        "e:0",
        "f:12:x",
        "http://h:80/y",
    ]
    (answer,) = read_answers(written(tmp_path, json.dumps([{"query": "x", "expected": cells}])))
    assert told(answer) == [
        ("a.py:12", 1),
        ("b.py:12", 2),
        ("c.py#L3-4", 3),
        ("d.py#L3C1-L4C2", 1),
        ("e:0", 1),
        ("f:12:x", 1),
        ("http://h:80/y", 1),
    ]
    lines = [truth.place.lines for truth in answer.truths if truth.place]
    assert lines == [(12, 12), (12, 12), (3, 4), (3, 4), (0, 0), None, None]


@pytest.mark.parametrize(
    "cell",
    ["a.py:0", "a.py:000:2", "a.py:1-99999999999", "a.py:99999999999", "a.py:1-9999999999:2"],
)
def test_numbers_behind_a_file_that_are_no_lines_are_told(tmp_path: Path, cell: str) -> None:
    (problem,) = check_answers(written(tmp_path, f"query,result1\nx,{cell}\n"))
    assert problem.what == f"'{cell}' names no lines"
    assert problem.mend.startswith("lines count from 1, and have 9 digits at most: write path:st")


def test_zeros_before_a_line_play_no_part(tmp_path: Path) -> None:
    path = written(tmp_path, "query,result1,result2,result3\nx,a.py:007,b.py:007-010,c.py:07:2\n")
    (answer,) = read_answers(path)
    lines = [truth.place.lines for truth in answer.truths if truth.place]
    assert lines == [(7, 7), (7, 10), (7, 7)]


def test_a_grade_that_looks_like_a_column_is_told(tmp_path: Path) -> None:
    cells = "a.py:12:37,b.py:3:10,c.py:12-14:37,d.py:12:9"
    answers = read_answers(written(tmp_path, f"query,result1,result2,result3,result4\nx,{cells}\n"))
    assert cautions_of(answers) == (
        "line 2: 'a.py:12' has grade 37, more than the scale of any campaign goes to (and 1 more):"
        " leave it out if it is a column",
    )


def test_faults_of_the_file_are_told_among_them_by_line(tmp_path: Path, checkout: Path) -> None:
    text = "query,result1\none,src/a.py:5-3\ntwo,none\nthree,src/a.py:0-3\n"
    lines = [problem.line for problem in check_answers(written(tmp_path, text), root=checkout)]
    assert lines == [2, 3, 4]


def test_a_root_that_is_no_folder_is_told(tmp_path: Path) -> None:
    path = written(tmp_path, FORMS["csv"])
    (problem,) = check_answers(path, root=tmp_path / "none")
    assert (
        str(problem)
        == f"{tmp_path / 'none'}: there is no such folder; give the folder of the checkout"
    )


@pytest.mark.parametrize(
    ("cell", "mend"),
    [
        ("a.py:L10-L20", "write 'a.py:10-20'"),
        ("a.py:l10:2", "write 'a.py:10:2'"),
        ("a.py:12-", "write 'a.py:12', or with the last line 'a.py:12-LAST'"),
        ("a.py:12-:2", "write 'a.py:12:2', or with the last line 'a.py:12-LAST:2'"),
        ("a.py:10..20", "write 'a.py:10-20'"),
        ("a.py:10 - 20", "write 'a.py:10-20'"),
        ("a.py:10-L20:2", "write 'a.py:10-20:2'"),
        ("a.py:10:", "write 'a.py:10'"),
        ("src/a.py : 5-9", "write 'src/a.py:5-9'"),
        ("src/a.py :5-9", "write 'src/a.py:5-9'"),
        ("src/a.py: 5:2", "write 'src/a.py:5:2'"),
        ("src/a.py:5-9 : 2", "write 'src/a.py:5-9:2'"),
        ('"a.py:10,20"', "write 'a.py:10-20'"),
        ('"a.py:10-20,30-40"', "give 'a.py:10-20' and 'a.py:30-40' a cell each"),
    ],
)
def test_what_looks_like_lines_and_names_none_is_told(tmp_path: Path, cell: str, mend: str) -> None:
    path = written(tmp_path, f"query,result1\nhow,{cell}\n")
    shown = cell.strip('"')
    assert problems(path) == [
        f"2: '{shown}' names no lines; {mend}; an id that is written so takes a pattern"
    ]


def test_a_cell_may_be_longer_than_the_limit_of_the_standard_library(tmp_path: Path) -> None:
    limit = csv.field_size_limit()
    query = "very " * (limit // 5 + 1) + "long"
    path = written(tmp_path, f'query,result1\n"{query}",a.py\nx,b.py\n')
    first, second = read_answers(path)
    assert (first.query, second.query) == (query, "x")
    assert check_answers(path) == []
    assert csv.field_size_limit() == limit


def test_whole_grades_may_have_a_point_as_tables_write_them_beside_gaps(tmp_path: Path) -> None:
    """pandas makes numbers with a point of a column in which one cell is empty."""
    for text in (
        "query,result1,grade\nx,a.py,2.0\ny,b.py,\nz,c.py,3\n",
        '[{"query": "x", "expected": "a.py", "grade": 2.0}, {"query": "y", "expected": "b.py"},'
        ' {"query": "z", "expected": "c.py", "grade": 3}]',
    ):
        grades = [
            truth.grade
            for answer in read_answers(written(tmp_path, text))
            for truth in answer.truths
        ]
        assert grades == [2, 1, 3]


@pytest.mark.parametrize("grade", ["-1", "1.5", "+1", " 2", "x"])
def test_a_number_behind_lines_that_is_no_grade_is_told(tmp_path: Path, grade: str) -> None:
    lines = "5-9" if grade == "x" else "5"
    path = written(tmp_path, json.dumps([{"query": "how", "expected": f"a.py:{lines}:{grade}"}]))
    assert problems(path) == [
        f"1: grade '{grade}' of 'a.py:{lines}' is none; write a whole number from 0 to 1000"
    ]


def test_ids_that_only_look_a_little_like_lines_stay(tmp_path: Path) -> None:
    ids = [
        "a:0",
        "org.x:lib:1.2.3",
        "log:2020-10-20",
        "f:12:x",
        "Chapter: 12",
        "No. 3 : 12",
        f"n:{'9' * 20}",
    ]
    path = written(tmp_path, json.dumps([{"query": "how", "expected": ids}]))
    (answer,) = read_answers(path)
    assert [truth.written for truth in answer.truths] == ids
