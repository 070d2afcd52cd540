"""Runs and qrels: the untidiness that is read.

Expected values are those written into the files, by the layouts of trec_eval's README.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from judge_tui.errors import InputError
from judge_tui.formats.check import check_file
from judge_tui.formats.judgments import QrelsRow, RunRow
from judge_tui.formats.rows import iter_qrels, iter_rows
from judge_tui.formats.whole_files import read_qrels, read_run


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "file"


def test_an_untidy_run_is_the_same_run(file: Path) -> None:
    tidy = "q1 Q0 d1 1 2.5 bm25\nq1 Q0 d2 2 -1e-3 bm25\nq1 Q0 d3 3 .5 bm25\nq2 Q0 d1 1 7 bm25\n"
    untidy = (
        b"\xef\xbb\xbfq1\tQ0\td1\t1\t2.5\tbm25\r\n"
        b"\r\n  \t \n"
        b"  q2   Q0  d1 first +7.0 bm25\n"
        b"q1 whatever d2 - -1E-3 bm25\n"
        b"q1 Q0 d3 3 .5 bm25 seventh 8th 9"
    )
    for content in (tidy.encode(), untidy):
        file.write_bytes(content)
        run = read_run(file)
        assert run.tag == "bm25"
        assert run.scores == {"q1": {"d1": 2.5, "d2": -0.001, "d3": 0.5}, "q2": {"d1": 7.0}}
    rows = list(iter_rows("run", file))
    assert rows[0] == RunRow(1, "q1", "d1", 2.5, "bm25")
    assert [(row.line, row.tag) for row in rows[1:]] == [(4, "bm25"), (5, "bm25"), (6, "bm25")]


def test_untidy_qrels_are_the_same(file: Path) -> None:
    """With zeros behind a point as Quepid writes ratings, and as trec_eval's atol reads them."""
    expected = {"q1": {"d1": 1, "d2": -1, "d3": 0}, "q2": {"d1": 12}}
    file.write_text("q1 0 d1 1\nq1 0 d2 -1\nq1 0 d3 0\nq2 0 d1 12\n")
    assert read_qrels(file) == expected
    file.write_bytes(
        b"\xef\xbb\xbfq1\t0\td1\t1.\r\n\n  q2  Q0  d1  +12.00\nq1 iter d2 -1\n \nq1 0 d3 00"
    )
    assert read_qrels(file) == expected
    assert next(iter_qrels(file)) == QrelsRow(1, "q1", "d1", 1)
    file.write_text("q1 0 d1 2147483647\nq1 0 d2 -2147483648\n")
    assert read_qrels(file) == {"q1": {"d1": 2**31 - 1, "d2": -(2**31)}}


@pytest.mark.parametrize("comment", ["# q1 0 d9 3", "#q1 Q0 d9 1 9 t", " \t# a", "#"])
def test_lines_that_begin_with_a_number_sign_are_comments(file: Path, comment: str) -> None:
    # As in trec_eval 10: get_trec_results.c, get_qrels.c.
    lines = ["q1 Q0 d1 1 2.5 #t", "q1 Q0 #d 2 1.5 #t", "q2 # d1 1 1 #t"]
    file.write_text("".join(f"{comment}\n{line}\n" for line in lines))
    run = read_run(file)
    assert (run.tag, run.scores) == ("#t", {"q1": {"d1": 2.5, "#d": 1.5}, "q2": {"d1": 1.0}})
    assert [row.line for row in iter_rows("run", file)] == [2, 4, 6]
    file.write_text(f"{comment}\nq1 0 d1 1\n{comment}\nq1 # #d 2\n{comment}")
    assert read_qrels(file) == {"q1": {"d1": 1, "#d": 2}}
    assert [row.line for row in iter_qrels(file)] == [2, 4]


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
    with pytest.raises(InputError, match=r":3: .* line 1;"):
        read_run(file)
    assert read_run(file, tag="mine").scores == {"q1": dict.fromkeys(["d1", "d2", "d3", "d4"], 2.5)}
    assert [problem.line for problem in check_file(file)] == [3]


def test_scores_whose_sum_overflows_are_fine(file: Path) -> None:
    file.write_text("q1 Q0 d1 1 1.7e308 t\nq1 Q0 d2 2 1.7e308 t\n")
    assert read_run(file).scores == {"q1": {"d1": 1.7e308, "d2": 1.7e308}}


PARTS = [
    st.sampled_from([b"q1", b"q2"]),
    st.sampled_from([b"d1", b"d2", b"d3", b"d\xff"]),
    st.sampled_from([b"1", b"0", b"-1", b"+1", b"100", b"1.0", b"1_0", b"1 2", b""]),
]


@example(lines=[b"q1 0 d1 1", b"#q1 0 d2 1"])
@example(lines=["q1 0 d\xa01 1".encode()])
@example(lines=["q\x85 0 d1 1".encode()])
@given(lines=st.lists(st.tuples(*PARTS).map(b"%s 0 %s %s".__mod__), max_size=5))
def test_the_quick_and_the_exact_reader_of_qrels_agree(
    tmp_path_factory: pytest.TempPathFactory, lines: list[bytes]
) -> None:
    file = tmp_path_factory.getbasetemp() / "some.qrels"
    file.write_bytes(b"\n".join(lines))
    problems: list[InputError] = []
    exact: dict[str, dict[str, int]] = {}
    for row in iter_qrels(file, problems=problems.append):
        exact.setdefault(row.query_id, {})[row.doc_id] = row.grade
    if not problems:
        assert read_qrels(file) == exact
        return
    with pytest.raises(InputError) as error:
        read_qrels(file)
    assert str(error.value) == str(problems[0])
