"""Runs and qrels: the untidiness that is read, and the faults that are named.

Expected values are those written into the files, by the layouts of trec_eval's README.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.errors import InputError, UsageError
from judge_tui.formats.recognition import recognise
from judge_tui.formats.rows import iter_qrels, iter_rows
from judge_tui.formats.trec import QrelsRow, RunRow
from judge_tui.formats.whole_files import read_qrels, read_run


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "given"


def test_a_tidy_run(file: Path) -> None:
    file.write_text("q1 Q0 d1 1 2.5 bm25\nq1 Q0 d2 2 -1e-3 bm25\nq2 Q0 d1 1 7 bm25\n")
    run = read_run(file)
    assert run.tag == "bm25"
    assert run.scores == {"q1": {"d1": 2.5, "d2": -0.001}, "q2": {"d1": 7.0}}


def test_an_untidy_run_is_the_same_run(file: Path) -> None:
    file.write_bytes(
        b"\xef\xbb\xbfq1\tQ0\td1\t1\t2.5\tbm25\r\n"
        b"\r\n  \t \n"
        b"  q2   Q0  d1 first +7.0 bm25\n"
        b"q1 whatever d2 - -1E-3 bm25\n"
        b"q1 Q0 d3 3 .5 bm25 seventh"
    )
    run = read_run(file)
    assert run.tag == "bm25"
    assert run.scores == {"q1": {"d1": 2.5, "d2": -0.001, "d3": 0.5}, "q2": {"d1": 7.0}}
    rows = list(iter_rows("run", file))
    assert rows[0] == RunRow(1, "q1", "d1", 2.5, "bm25")
    assert [(row.line, row.tag) for row in rows[1:]] == [(4, "bm25"), (5, "bm25"), (6, "bm25")]


def test_what_follows_the_sixth_field_is_ignored_as_in_trec_eval(file: Path) -> None:
    file.write_text("q1 Q0 d1 1 2.5 my own tag\nq1 Q0 d2 2 1.5 my\nq1 Q0 d3 3 .5 my 1 2 3 4\n")
    run = read_run(file)
    assert (run.tag, run.scores) == ("my", {"q1": {"d1": 2.5, "d2": 1.5, "d3": 0.5}})
    assert recognise(file) == ("run", "trec")


@pytest.mark.parametrize("comment", ["# q1 0 d9 3", "#q1 Q0 d9 1 9 t", " \t# a", "#"])
def test_lines_that_begin_with_a_number_sign_are_comments(file: Path, comment: str) -> None:
    # As in trec_eval 10: get_trec_results.c, get_qrels.c.
    lines = ["q1 Q0 d1 1 2.5 #t", "q1 Q0 #d 2 1.5 #t", "q2 # d1 1 1 #t"]
    file.write_text("".join(f"{comment}\n{line}\n" for line in lines))
    run = read_run(file)
    assert (run.tag, run.scores) == ("#t", {"q1": {"d1": 2.5, "#d": 1.5}, "q2": {"d1": 1.0}})
    assert recognise(file) == ("run", "trec")
    assert [row.line for row in iter_rows("run", file)] == [2, 4, 6]
    file.write_text(f"{comment}\nq1 0 d1 1\n{comment}\nq1 # #d 2\n{comment}")
    assert read_qrels(file) == {"q1": {"d1": 1, "#d": 2}}
    assert [row.line for row in iter_qrels(file)] == [2, 4]
    file.write_text(f"{comment}\n" * 3)
    for read in (read_run, read_qrels):
        with pytest.raises(InputError, match="holds no row of"):
            read(file, format="trec")


def test_a_run_whose_tag_is_the_name_of_a_column_has_no_header(file: Path) -> None:
    file.write_text("q0\tQ0\td1\t1\t2.5\ttag\nq0\tQ0\td2\t2\t1.5\ttag\n")
    assert read_run(file).tag == "tag"


def test_ids_are_split_at_ascii_white_space_alone_and_not_decoded(file: Path) -> None:
    file.write_text("q\u00a01 Q0 d%201\u2028 1 1 t\u3000\n", encoding="utf-8")
    run = read_run(file)
    assert run.tag == "t\u3000"
    assert run.scores == {"q%C2%A01": {"d%201%E2%80%A8": 1.0}}


@pytest.mark.parametrize(
    ("name", "tag"),
    [
        ("bm25.run", "bm25"),
        ("bm25.v2.run.gz", "bm25.v2"),
        ("BM25.TXT.ZST", "BM25"),
        ("b.run.zip", "b"),
        ("plain", "plain"),
        (".run", ".run"),
    ],
)
def test_a_run_without_tags_is_named_by_its_file(tmp_path: Path, name: str, tag: str) -> None:
    file = tmp_path / name
    file.write_text("q1 Q0 d1 1 2.5\n")
    assert read_run(file).tag == tag
    assert read_run(file, tag="mine").tag == "mine"


def test_two_tags_are_an_error_unless_the_run_is_named(file: Path) -> None:
    file.write_text("q1 Q0 d1 1 2.5 a\nq1 Q0 d2 1 2.5 a\nq1 Q0 d3 1 2.5 b\nq1 Q0 d4 1 2.5 c\n")
    with pytest.raises(InputError) as error:
        read_run(file)
    assert str(error.value).startswith(f"{file}:3: tag 'b', but 'a' on line 1; ")
    assert read_run(file, tag="mine").scores == {"q1": dict.fromkeys(["d1", "d2", "d3", "d4"], 2.5)}
    problems: list[InputError] = []
    assert len(read_run(file, problems=problems.append).scores["q1"]) == 4
    assert [problem.line for problem in problems] == [3]


@pytest.mark.parametrize(
    "score",
    [
        "12abc",
        "0x1p3",
        "1_000",
        "nan",
        "-NaN",
        "inf",
        "-Infinity",
        "1e999",
        "1,5",
        "٣",
        "--1",
    ],
)
def test_scores_that_are_no_numbers(file: Path, score: str) -> None:
    file.write_text(f"q1 Q0 d1 1 3 t\nq1 Q0 d2 2 {score} t\n", encoding="utf-8")
    with pytest.raises(InputError) as error:
        read_run(file)
    assert str(error.value) == (
        f"{file}:2: score '{score}' is not a finite decimal number; write it like 12.5 or 1.25e1"
    )


def test_scores_whose_sum_overflows_are_fine(file: Path) -> None:
    file.write_text("q1 Q0 d1 1 1.7e308 t\nq1 Q0 d2 2 1.7e308 t\n")
    assert read_run(file).scores == {"q1": {"d1": 1.7e308, "d2": 1.7e308}}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("q1", "1 field; a line of a run has 6 (query_id Q0 doc_id rank score tag)"),
        ("q1,Q0,d1,1,2.5,t", "1 field; a line of a run has 6"),
        ("q1 Q0 d1 1", "4 fields; a line of a run has 6"),
        ("q1 Q0 my doc 1 2.5 t", "7 fields, of which the rank 'doc' is not a number"),
        ("q1 Q0 my own doc 1 2.5 t", "8 fields, of which the rank 'own' is not a number"),
        ("q1 Q0 d1 2 2.5 t", "document 'd1' is already in query 'q1', line 1"),
    ],
)
def test_lines_that_are_no_line_of_a_run(file: Path, line: str, expected: str) -> None:
    file.write_text(f"q1 Q0 d1 1 3 t\n\nq2 Q0 d1 1 3 t\n{line}\nq3 Q0 d1 1 3 t\n")
    for read in (read_run, lambda path: list(iter_rows("run", path))):
        with pytest.raises(InputError) as error:
            read(file)
        assert str(error.value).startswith(f"{file}:4: {expected}")


@pytest.mark.parametrize(
    "line", [b"q\xff Q0 d1 1 2 t", b"q1 Q0 d\xff 1 2 t", b"q1 Q0 d 1 2 t\xff", b"q1 Q0 \xff 1 2"]
)
def test_ids_that_are_not_utf8_are_named_with_line_and_byte(file: Path, line: bytes) -> None:
    file.write_bytes(b"q1 Q0 d1 1 3 t\n" + line + b"\n")
    with pytest.raises(InputError) as error:
        read_run(file)
    assert str(error.value).startswith(
        f"{file}:2: byte {line.index(255) + 1} of the line (0xFF) is not valid UTF-8; "
    )


def test_every_problem_is_handed_over_and_the_rest_is_read(file: Path) -> None:
    file.write_text("q1 Q0 d1 1 x t\nq1 Q0 d2 1 2 t\nq1 Q0 d2 1 2 t\nq1 Q0\nq1 Q0 d3 1 1 t\n")
    problems: list[InputError] = []
    run = read_run(file, problems=problems.append)
    assert run.scores == {"q1": {"d2": 2.0, "d3": 1.0}}
    assert [problem.line for problem in problems] == [1, 3, 4]


def test_foreign_text_is_cut_in_messages(file: Path) -> None:
    file.write_text(f"q1 Q0 d1 1 {'x' * 1000} t\nq1 Q0 d2 1 1 t\nq1 Q0 d3 1 1 t\n")
    with pytest.raises(InputError) as error:
        read_run(file)
    assert f"score '{'x' * 59}…' is" in str(error.value)


def test_qrels_tidy_and_untidy(file: Path) -> None:
    expected = {"q1": {"d1": 1, "d2": -1, "d3": 0}, "q2": {"d1": 12}}
    file.write_text("q1 0 d1 1\nq1 0 d2 -1\nq1 0 d3 0\nq2 0 d1 12\n")
    assert read_qrels(file) == expected
    file.write_bytes(
        b"\xef\xbb\xbfq1\t0\td1\t1\r\n\n  q2  Q0  d1  +12\nq1 iter d2 -1\n \nq1 0 d3 00"
    )
    assert read_qrels(file) == expected
    assert next(iter_qrels(file)) == QrelsRow(1, "q1", "d1", 1)


@pytest.mark.parametrize(
    "grade",
    [
        "1.5",
        ".0",
        "1.0e0",
        "1_0",
        "x",
        "0x1",
        "--1",
        "+",
        "1e2",
        "٣",
        "2147483648",
        "-2147483649",
        "9" * 5000,
    ],
)
def test_grades_that_are_no_integers(file: Path, grade: str) -> None:
    file.write_text(f"q1 0 d1 1\nq1 0 d2 {grade}\n", encoding="utf-8")
    with pytest.raises(InputError) as error:
        read_qrels(file)
    assert str(error.value).startswith(f"{file}:2: grade '{grade[:50]}")
    assert "is not a whole number of 32 bits; write it in digits" in str(error.value)


def test_zeros_behind_a_point_are_as_good_as_none(file: Path) -> None:
    """As Quepid writes ratings for TREC, and as trec_eval's atol reads them."""
    file.write_text("1 0 11 3.0\n\n1 0 1895 0.0\n\n2 0 5 -1.\n2 0 6 +2.00\n")
    expected = {"1": {"11": 3, "1895": 0}, "2": {"5": -1, "6": 2}}
    assert read_qrels(file) == expected
    assert [row.grade for row in iter_qrels(file)] == [3, 0, -1, 2]
    assert recognise(file) == ("qrels", "trec")


def test_the_greatest_and_the_least_grade(file: Path) -> None:
    file.write_text("q1 0 d1 2147483647\nq1 0 d2 -2147483648\n")
    assert read_qrels(file) == {"q1": {"d1": 2**31 - 1, "d2": -(2**31)}}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("q1 0 d2", "3 fields; a line of qrels has 4 (query_id 0 doc_id grade)"),
        ("q1 0 my doc 1", "5 fields; a line of qrels has 4"),
        ("q1 0 d1 0", "document 'd1' is already in query 'q1', line 1"),
    ],
)
def test_lines_that_are_no_line_of_qrels(file: Path, line: str, expected: str) -> None:
    file.write_text(f"q1 0 d1 1\nq2 0 d1 1\n{line}\n")
    for read in (read_qrels, lambda path: list(iter_qrels(path))):
        with pytest.raises(InputError) as error:
            read(file)
        assert str(error.value).startswith(f"{file}:3: {expected}")


def test_qrels_that_are_not_utf8(file: Path) -> None:
    file.write_bytes(b"q1 0 d1 1\nq1 0 d\xe9 1\n")
    with pytest.raises(InputError, match=r":2: byte 7 of the line \(0xE9\) is not valid UTF-8"):
        read_qrels(file)


def test_an_unknown_format_is_refused_at_once(file: Path) -> None:
    for read in (iter_qrels, read_run, read_qrels):
        file.write_text("q1 0 d1 1\n")
        with pytest.raises(UsageError, match=r"'tsv' is no format of .*; use trec or "):
            read(file, format="tsv")


@given(
    lines=st.lists(
        st.builds(
            lambda q, d, g: b"%s 0 %s %s" % (q, d, g),
            st.sampled_from([b"q1", b"q2"]),
            st.sampled_from([b"d1", b"d2", b"d3", b"d\xff"]),
            st.sampled_from([b"1", b"0", b"-1", b"+1", b"100", b"1.0", b"1_0", b"1 2", b""]),
        ),
        max_size=5,
    )
)
def test_the_quick_and_the_exact_reader_of_qrels_agree(
    tmp_path_factory: pytest.TempPathFactory, lines: list[bytes]
) -> None:
    file = tmp_path_factory.mktemp("agree") / "some.qrels"
    file.write_bytes(b"\n".join(lines))
    problems: list[InputError] = []
    exact = read_qrels(file, problems=problems.append)
    if not problems:
        assert read_qrels(file) == exact
        return
    with pytest.raises(InputError) as error:
        read_qrels(file)
    assert str(error.value) == str(problems[0])
