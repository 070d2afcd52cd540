"""Queries in their three formats."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge_tui.errors import InputError
from judge_tui.formats.recognition import recognise
from judge_tui.formats.rows import iter_queries
from judge_tui.formats.whole_files import read_queries
from judge_tui.model import Query

TOPICS = """\
<top>

<num> Number: 301
<title> International
 Organized Crime

<desc> Description:
Identify organizations that participate.

<narr> Narrative:
A relevant document must, as a minimum,
identify the organization &amp; the <b>activity</b>.

<con> Concept(s):
1. drugs
</top>
<top>
<num> Number: 302 </num>
<desc> Description: Is the disease under control? </desc>
<top><num>303<title>Topic: Hubble</title></top>
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "given"


def test_tab_separated_queries(file: Path) -> None:
    file.write_bytes("\ufeffq1\thow do I read a CSV file\r\n\nq 2\t caf\u00e9 ".encode())
    assert list(iter_queries(file)) == [
        (1, Query("q1", "how do I read a CSV file")),
        (3, Query("q%202", " caf\u00e9 ")),
    ]


@pytest.mark.parametrize("line", ['{"query_id": " q 2\\n", "text": "t"}', " q 2 \tt"])
def test_white_space_around_an_id_is_none_of_it(file: Path, line: str) -> None:
    file.write_text(f"{line}\n")
    assert read_queries(file) == [Query("q%202", "t")]


def test_json_queries_may_have_their_text_as_query_where_answers_have_it(file: Path) -> None:
    file.write_text(
        '{"query_id": "q1", "query": "a", "class": "d"}\n'
        '{"id": "q2", "query": " a b", "text": "a  b "}\n'
        '{"id": "q3", "text": "c", "query": {"x": 1}, "metadata": {"kind": "k"}}\n'
        '{"id": "q4", "text": null, "query": "d", "metadata": {"query": "other"}}\n'
    )
    assert read_queries(file) == [
        Query("q1", "a", query_class="d"),
        Query("q2", "a  b "),
        Query("q3", "c", meta={"query": {"x": 1}, "kind": "k"}),
        Query("q4", "d", meta={"query": "other"}),
    ]


def test_text_and_query_say_the_same(file: Path) -> None:
    file.write_text('{"query_id": "q1", "text": "a", "query": "b"}\n')
    with pytest.raises(InputError) as raised:
        read_queries(file)
    assert str(raised.value).endswith(
        ":1: 'text' is 'a', and 'query' is 'b'; say what was searched for once, and call the other"
        " key otherwise"
    )


DEMANDING = '{"query_id": "q1", "query": "a", "prefer": {"better": "x", "worse": "y"}}'
PLAIN = '{"query_id": "q2", "query": "b", "class": "lookup"}'
RIGHT = '{"query_id": "q3", "query": "c", "expected": "d"}'


@pytest.mark.parametrize(
    ("lines", "format"),
    [
        ((DEMANDING, PLAIN), "jsonl"),
        ((PLAIN, DEMANDING), "jsonl"),
        ((PLAIN, PLAIN.replace("q2", "q4")), "jsonl"),
        # Where every query says what is to come, it may be scored by that alone.
        ((DEMANDING,), "answers"),
        ((DEMANDING, RIGHT), "answers"),
        # What is right stands nowhere but in answers: in one line none is a mistake.
        ((PLAIN, RIGHT), "answers"),
        ((DEMANDING, PLAIN, RIGHT), "answers"),
    ],
)
def test_queries_that_demand_something_are_told_from_answers(
    file: Path, lines: tuple[str, ...], format: str
) -> None:
    file.write_text("\n".join(lines) + "\n")
    assert recognise(file) == ("queries", format)
    if format == "jsonl":
        first = next(query for query in read_queries(file) if query.query_id != "q2")
        demanded = {"prefer": {"better": "x", "worse": "y"}} if DEMANDING in lines else {}
        assert first.meta == demanded


def test_json_queries(file: Path) -> None:
    file.write_text(
        '{"query_id": "q1", "text": "a", "description": "b", "narrative": "c", "class": "d"}\n'
        '{"_id": "q2", "text": "e", "metadata": {"x": [1, null]}, "narrative": null}\n'
        '{"id": 3, "text": "\\ud83d\\ude00\\u2028", "query_id": null}\n'
    )
    assert read_queries(file) == [
        Query("q1", "a", "b", "c", "d"),
        Query("q2", "e", meta={"x": [1, None]}),
        Query("3", "\U0001f600\u2028"),
    ]


def test_trec_topics_with_and_without_closing_tags(file: Path) -> None:
    file.write_text(TOPICS)
    found = list(iter_queries(file))
    assert [line for line, _ in found] == [1, 17, 20]
    first, second, third = (query for _, query in found)
    assert first.query_id == "301"
    assert first.text == "International Organized Crime"
    assert first.description == "Identify organizations that participate."
    assert first.narrative == (
        "A relevant document must, as a minimum,\nidentify the organization & the <b>activity</b>."
    )
    assert first.meta == {"con": "1. drugs"}
    # A topic without a title, as all of TREC-4, is asked by its description.
    assert (second.query_id, second.text) == ("302", "Is the disease under control?")
    assert (third.query_id, third.text) == ("303", "Hubble")


@pytest.mark.parametrize(
    ("content", "line", "expected"),
    [
        ("q1\ta\nq2\n", 2, "1 tab-separated field; a line has 2 (id<TAB>text); put one tab"),
        ("q1\ta\nq2\tb\tc\nq3\td\n", 2, "3 tab-separated fields; a line has 2"),
        ("q1\ta\n\tb\n", 2, "the query has no id; give each query an id"),
        ("q1\ta\nq2\t \n", 2, "query 'q2' has no text"),
        ("q1\ta\nq2\tb\nq1\tc\n", 3, "query id 'q1' is already on line 1; give each query"),
        ('{"id": "q1", "text": "a"}\n{"id": "q1", "text": "b"}\n', 2, "query id 'q1' is already"),
        ('{"id": "q1", "text": "a"}\n{"text": "b"}\n', 2, "no id: none of 'query_id', '_id', 'id'"),
        ('{"id": "", "text": "a"}\n', 1, "the query has no id"),
        ('{"id": "a\\u0000", "text": "a"}\n', 1, "query id 'a\\x00' holds a NUL character"),
        ('{"id": true, "text": "a"}\n', 1, "'id' is true, not a string; write the id"),
        ('{"id": 1.5, "text": "a"}\n', 1, "'id' is a number, not a string"),
        ('{"id": ["q"], "text": "a"}\n', 1, "'id' is a list, not a string"),
        ('{"id": "q1"}\n', 1, "query 'q1' has no text"),
        ('{"id": "q1", "text": ["a"]}\n', 1, "'text' is a list, not a string; write 'text' as one"),
        ('{"id": "q1", "text": "a", "class": {}}\n', 1, "'class' is an object, not a string"),
        ('{"id": "q1", "text": "\\ud800"}\n', 1, "half a surrogate pair (\\ud800) in a string"),
        ('{"id": "q1", "text": "a", "\\udfff": 1}\n', 1, "half a surrogate pair (\\udfff)"),
        ('{"id": "q1", "text": "a", "m": [{"n": "x\\udc00"}]}\n', 1, "half a surrogate pair"),
        ('{"id": "q1", "text": "a"\n', 1, "not valid JSON: Expecting ',' delimiter at column 25"),
        ('{"id": "q1", "text": NaN}\n', 1, "'NaN' is not a finite number"),
        ('{"id": "q1", "text": "a", "m": 1e999}\n', 1, "'1e999' is not a finite number"),
        ('{"id": "q1", "text": "a", "m": ' + "9" * 5000 + "}\n", 1, "a number of too many digits"),
        ('{"id": "q1", "m": ' + "[" * 100 + "]" * 100 + "}\n", 1, "JSON nested deeper than 100"),
        ('{"id": "q1", "m": ' + "[" * 100_000 + "\n", 1, "JSON nested deeper than 100 levels"),
        ('{"id": "q1", "text": "a"}\n[1]\n', 2, "this is a list, not a JSON object; write one"),
        ('{"id": "q1", "text": "a"}\n"x"\n', 2, "this is a string, not a JSON object"),
        ("<top>\n<num> Number: 1\n<title> a\n</top>\nstray\n", 5, "text 'stray' outside <top>"),
        ("<top>\n<title> a\n</top>\n", 1, "the query has no id"),
        ("\n<top>\n<num> 1\n</top>\n", 2, "query '1' has no text"),
        ("<top>\n<num> Number: 1 a\n</top>\n", 1, "the topic's number '1 a' has white space in it"),
        ("<top><num>1<title>a<top><num>1<title>b\n", 1, "query id '1' is already on line 1"),
        ("<topics>\n<topic><query>a</query></topic></topics>", 2, "the query has no id"),
        ('<topics>\n<topic number="1"/></topics>', 2, "query '1' has no text"),
        ("<topics><topic>\n<query>a & b</query>", 2, "not valid XML: not well-formed"),
        ("<topics>\n<topic><number>1</topic>", 2, "not valid XML: mismatched tag at column 19"),
        ("<topics><topic>\n<query>a", 2, "not valid XML: no element found"),
        ('<!DOCTYPE t [\n<!ENTITY e "x">]>\n<topic/>', 2, "the document type has an entity, 'e'"),
        ('<!DOCTYPE t SYSTEM "x">\n<topic>&nbsp;</topic>', 2, "has an entity, 'nbsp'"),
        (
            "query_id\tbody\nq1\ta\n",
            1,
            "this is a table with the columns 'query_id', 'body', not a queries file",
        ),
        ("", None, "the file is empty; was it written to the end?"),
        ("\n \r\n\t\n", None, "the file holds only blank lines"),
    ],
)
def test_faults_are_named(file: Path, content: str, line: int | None, expected: str) -> None:
    file.write_text(content, encoding="utf-8", newline="")
    with pytest.raises(InputError) as error:
        read_queries(file)
    place = f"{file}:{line}" if line else str(file)
    assert str(error.value).startswith(f"{place}: ")
    assert expected in str(error.value)
    assert error.value.mend


@pytest.mark.parametrize(
    "before", [b"q1\ta\n", b'{"id": "q1", "text": "a"}\n', b"<top><num>1<title>a</top>\n"]
)
def test_text_that_is_not_utf8_is_named_with_line_and_byte(file: Path, before: bytes) -> None:
    file.write_bytes(before + b"q2\tna\xefve\n")
    with pytest.raises(InputError) as error:
        read_queries(file)
    assert str(error.value).startswith(
        f"{file}:2: byte 6 of the line (0xEF) is not valid UTF-8; save the file as UTF-8"
    )


def test_every_problem_is_handed_over_and_the_rest_is_read(file: Path) -> None:
    file.write_bytes(b'{"id": 1, "text": "a"}\n{"id": 1, "text": "b"}\n{\xff}\n{"id": 2}\n')
    problems: list[InputError] = []
    assert read_queries(file, problems=problems.append) == [Query("1", "a")]
    assert [problem.line for problem in problems] == [2, 3, 4]


def test_a_topic_with_a_line_that_is_not_utf8_is_left_out(file: Path) -> None:
    file.write_bytes(b"<top><num>1\n<title>a\n<narr>\xff\n<top><num>2<title>b\n")
    problems: list[InputError] = []
    assert read_queries(file, problems=problems.append) == [Query("2", "b")]
    assert [problem.line for problem in problems] == [3]


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("<top><num>1<title>a</top>\n<top><num>2<title>b<narr>only the beg", 2),
        ("<top><num>1<title>a<narr>only the beg", 1),
    ],
)
def test_a_topics_file_that_was_cut_off_is_refused(file: Path, content: str, line: int) -> None:
    file.write_text(content)
    with pytest.raises(InputError, match=rf":{line}: <top> without </top>.*is the file whole"):
        read_queries(file)


def test_the_format_can_be_forced_where_it_fits(file: Path) -> None:
    file.write_text('{"id": "q1", "text": "a"}\n{"id":\t"q2", "text": "b"}\n')
    assert [query.query_id for query in read_queries(file)] == ["q1", "q2"]
    file.write_text("{q1}\ttext of q1\n")
    assert read_queries(file, format="tsv") == [Query("{q1}", "text of q1")]
    file.write_text("q1\ttext\n")
    with pytest.raises(InputError, match=r":1: not valid JSON: "):
        read_queries(file, format="jsonl")
