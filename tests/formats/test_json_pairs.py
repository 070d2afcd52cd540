"""Runs and qrels as one JSON object, as ranx saves them; the standard library's json is the oracle.

ranx writes either with its `save("run.json")`: query_id -> doc_id -> number, on one line or
indented.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.errors import InputError
from judge_tui.formats import QrelsRow, RunRow, iter_qrels, iter_run, read_qrels, read_run
from judge_tui.formats.ids import as_field

RUN = {"q_1": {"d_12": 0.9, "d_23": 1e-7, "d 25": 7}, "q_2": {"d_12": -0.5, "d\u00e9": 12345.678}}
QRELS = {"q_1": {"d_12": 5, "d_25": 0}, "q 2": {"d_11": -1}}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "given.json"


@pytest.mark.parametrize("indent", [None, 0, 2])
@pytest.mark.parametrize("ascii_only", [True, False])
def test_what_ranx_saves_is_read(file: Path, indent: int | None, ascii_only: bool) -> None:
    file.write_text(json.dumps(RUN, indent=indent, ensure_ascii=ascii_only), encoding="utf-8")
    run = read_run(file)
    assert run.tag == "given"
    assert run.scores == {
        "q_1": {"d_12": 0.9, "d_23": 1e-7, "d%2025": 7.0},
        "q_2": {"d_12": -0.5, "d\u00e9": 12345.678},
    }
    file.write_text(json.dumps(QRELS, indent=indent), encoding="utf-8")
    assert read_qrels(file) == {"q_1": {"d_12": 5, "d_25": 0}, "q%202": {"d_11": -1}}


def test_rows_have_the_lines_of_their_ids(file: Path) -> None:
    file.write_text('\ufeff\n{"q1":\n{\n"d1"\n:\n1,\r\n"d2": 0}}\n', encoding="utf-8", newline="")
    assert list(iter_run(file)) == [
        RunRow(4, "q1", "d1", 1.0, None),
        RunRow(7, "q1", "d2", 0.0, None),
    ]
    assert list(iter_qrels(file)) == [QrelsRow(4, "q1", "d1", 1), QrelsRow(7, "q1", "d2", 0)]


def test_the_kind_asked_for_decides(file: Path) -> None:
    file.write_text('{"q": {"a": 1, "b": 2.0}}')
    assert read_qrels(file) == {"q": {"a": 1, "b": 2}}
    assert read_run(file, format="json").scores == {"q": {"a": 1.0, "b": 2.0}}
    file.write_text('{"q": {"a": 0.5}}')
    with pytest.raises(
        InputError, match=r":1: query 'q', document 'a': grade '0\.5' is not"
    ) as error:
        read_qrels(file)
    assert (
        error.value.mend == "write it in digits, like 2: of a scale such as 0, 0.5, 1 make 0, 1, 2"
    )


@pytest.mark.parametrize(
    ("content", "line", "expected"),
    [
        *(
            (
                f'{{"q": {{\n"d": {value}}}}}',
                2,
                f"query 'q', document 'd': score '{value}' is not a finite decimal number",
            )
            for value in (
                "NaN",
                "-Infinity",
                "1e999",
                "12abc",
                "0x1p3",
                "1_000",
                "null",
                "true",
                "٣",
            )
        ),
        (
            '{"q": {"c": 1,\n"d": "0.5"}}',
            2,
            "query 'q', document 'd' has a string, not a number; write JSON",
        ),
        ('{"q": {"c": 1,\n"d": [[1]]}}', 2, "query 'q', document 'd' has a list, not a number"),
        (
            '{"q": {"c": 1,\n"d": {"e": {}}}}',
            2,
            "query 'q', document 'd' has an object, not a number",
        ),
        ('{"q": {"c": 1},\n"r": 0.5}', 2, "query 'r' has 0.5, not an object of its documents"),
        ('{"q": {"c": 1},\n"r": [1]}', 2, "query 'r' has a list, not an object"),
        ('{"q": {"c": 1,\n"c": 2}}', 2, "document 'c' is already in query 'q', line 1; remove"),
        ('{"q": {"c": 1},\n"q": {"d": 1}}', 2, "query 'q' is already there, line 1; put all its"),
        ('{"q": {"c": 1,\n"": 2}}', 2, "the document has no id; give each document an id"),
        ('{"q": {"c": 1},\n" ": {}}', 2, "the query has no id"),
        ('{"q": {"c": 1,\n"\\ud800": 2}}', 2, "half a surrogate pair in document id "),
        ('{"q": {"c": 1,\n"a\\u0000": 2}}', 2, "document id 'a\0' holds a NUL character; remove"),
        ('{"q": {"c": 1,\n"\\x": 2}}', 2, "no escape of JSON in document id "),
        ('{"q": {"c": 1,\n"d: 2}}', 2, "not valid JSON: the string that begins here is not clos"),
        ('{"q": {"c": 1,\n"d\t": 2}}', 2, "not valid JSON: the string that begins here is not"),
        (
            '{"q": {"c": 1,\n}}',
            2,
            "not valid JSON: a document id in quotes is missing, at column 1",
        ),
        ('{"q": {"c": 1\n"d": 1}}', 2, "not valid JSON: ',' or '}' is missing, at column 1"),
        ('{"q": {"c": 1,\n"d" 1}}', 2, "not valid JSON: ':' is missing, at column 5"),
        (
            '{"q": {"c": 1,\n"d": }}',
            2,
            "not valid JSON: the value of query 'q', document 'd' is missing, at",
        ),
        ('{"q": {"c": 1}}\n{"r": {}}', 2, "not valid JSON: there is more after the object, at"),
        ('{"q": {"c": 1},\n"r": {"d": 1', 2, "not valid JSON: ',' or '}' is missing, at column 13"),
        ("{}\n", None, "the file holds no row of a run; was it written to the end?"),
    ],
)
def test_faults_are_named(file: Path, content: str, line: int | None, expected: str) -> None:
    file.write_text(content, encoding="utf-8")
    with pytest.raises(InputError) as error:
        read_run(file, format="json")
    place = f"{file}:{line}" if line else str(file)
    assert str(error.value).startswith(f"{place}: {expected}")
    assert error.value.mend


def test_every_problem_is_handed_over_and_the_rest_is_read(file: Path) -> None:
    file.write_text(
        '{\n"q1": {\n"a": 1,\n"b": null,\n"c": [{"x": [1, "]"]}, 2],\n"d": 2\n},\n'
        '"q2": "none",\n"q1": {"e": 1},\n"q3": {"\\udfff": 1, "f": 3}\n}\n'
    )
    problems: list[InputError] = []
    run = read_run(file, problems=problems.append)
    assert run.scores == {"q1": {"a": 1.0, "d": 2.0}, "q3": {"f": 3.0}}
    assert [problem.line for problem in problems] == [4, 5, 8, 9, 10]


@pytest.mark.parametrize(
    "content",
    [
        '{"q": {"d": ' + "[" * 200_000,
        '{"q": {"d": ' + '{"e":' * 200_000,
        '{"q": {"' + "x" * 5_000_000 + '": "' + "y" * 5_000_000 + '"}}',
        '{"q": {"d": ' + "9" * 100_000 + "}}",
        '{"q": {"d": 1, "' + "\\u0041" * 200_000,
    ],
)
def test_what_is_deep_or_long_is_refused_in_one_line(file: Path, content: str) -> None:
    file.write_text(content)
    for read in (read_run, read_qrels):
        problems: list[InputError] = []
        read(file, format="json", problems=problems.append)
        assert problems
        assert all(len(str(problem)) < 400 for problem in problems)


def test_what_is_not_utf8_is_named_with_line_and_byte(file: Path) -> None:
    file.write_bytes(b'{"q": {"a": 1,\n"d\xe9": 1}}')
    with pytest.raises(InputError, match=r":2: byte 3 of the line \(0xE9\) is not valid UTF-8"):
        read_run(file)


ID = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1).filter(
    lambda text: text.strip(" \t\n\r\v\f")
)


@given(
    run=st.dictionaries(
        ID,
        st.dictionaries(
            ID, st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=4
        ),
        min_size=1,
        max_size=3,
    ),
    indent=st.sampled_from([None, 1]),
    ascii_only=st.booleans(),
)
def test_what_the_standard_library_writes_is_read(
    tmp_path_factory: pytest.TempPathFactory,
    run: dict[str, dict[str, float]],
    indent: int | None,
    ascii_only: bool,
) -> None:
    file = tmp_path_factory.getbasetemp() / "written.json"
    file.write_text(json.dumps(run, indent=indent, ensure_ascii=ascii_only), encoding="utf-8")
    expected = {as_field(q): {as_field(d): s for d, s in docs.items()} for q, docs in run.items()}
    if len(expected) == len(run) and sum(map(len, expected.values())) == sum(
        map(len, run.values())
    ):
        assert read_run(file).scores == expected


@pytest.mark.parametrize("empty", ["q", "q 1"])
@pytest.mark.parametrize("more", ['"r": {"d": 2.5}, ', ""])
def test_a_query_without_documents_was_asked(file: Path, empty: str, more: str) -> None:
    file.write_text(f"{{{more}{json.dumps(empty)}: {{}}}}")
    run = read_run(file)
    assert run.scores == ({"r": {"d": 2.5}} if more else {})
    assert run.asked == {as_field(empty), *run.scores}
    # In qrels nothing is known of it.
    file.write_text(f'{{"r": {{"d": 2}}, {json.dumps(empty)}: {{}}}}')
    noted: list[str] = []
    assert read_qrels(file, noted=noted.append) == {"r": {"d": 2}}
    assert noted == ["1 query has no documents in the file"]
