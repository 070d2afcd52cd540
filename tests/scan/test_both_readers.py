"""Two readers of blocks, one that reads line by line: whatever the bytes are, they see the same.

The line reader (`iter_rows`) is the oracle: it takes one line at a time, with `split` and `float`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np
import pytest
from hypothesis import event, example, given
from hypothesis import strategies as st

from judge_tui.errors import InputError
from judge_tui.formats.check import check_file
from judge_tui.formats.judgments import report_other_tag
from judge_tui.formats.problems import Reporter
from judge_tui.formats.registry import format_named
from judge_tui.formats.rows import iter_rows
from judge_tui.formats.trec import RunLines
from judge_tui.formats.whole_files import read_run
from judge_tui.model import Run, rank
from judge_tui.scan import exact as exact_module
from judge_tui.scan import fast as fast_module
from judge_tui.scan import judged_index
from judge_tui.scan import scan as scan_module
from judge_tui.scan.blocks import PADDING, Block
from judge_tui.scan.exact import read_lines
from judge_tui.scan.fast import read_fast
from judge_tui.scan.scan import GradeLookup, scan_run, scan_scores
from judge_tui.scan.words import hashes
from judge_tui.scoring import JudgedLists
from tests.scan.generated_runs import ANY_BYTES, GRADES, tidy_runs, touched_runs, untidy_runs

Qrels: TypeAlias = Mapping[str, Mapping[str, int]]
Lists: TypeAlias = dict[str, tuple[list[int], list[int], int]]
"""The ranks, the grades and the number of results of each list."""

Found: TypeAlias = tuple[Lists, list[str], str | None]
Precision: TypeAlias = Literal[32, 64]

BLOCKS = st.sampled_from([1, 60, 300, 1 << 20])
PRECISIONS = st.sampled_from([32, 64])


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("readers") / "a.run"


def block_of(data: bytes, behind: bytes = b"") -> Block:
    """A block as `blocks` makes it: what is behind its end is left from another."""
    lines = data if data.endswith(b"\n") else data + b"\n"
    return Block(bytearray(lines + behind[:PADDING].ljust(PADDING, b"\0")), len(lines))


def lists_of(lists: JudgedLists) -> Lists:
    queries = [lists.queries.query_ids[row] for row in lists.query.tolist()]
    assert len({*queries}) == len(queries)
    pooled = [(*hit, -1) for hit in zip(lists.pooled_list, lists.pooled_rank, strict=True)]
    hits = sorted([*zip(lists.list, lists.rank, lists.grade, strict=True), *pooled])
    return {
        query_id: (
            [int(rank) for one, rank, _ in hits if one == at],
            [int(grade) for one, _, grade in hits if one == at],
            int(lists.retrieved[at]),
        )
        for at, query_id in enumerate(queries)
    }


def by_lines(
    file: Path, qrels: Qrels, precision: Precision = 64, any_tag: bool = False
) -> Found | InputError:
    """What is to be seen, or the error, one line at a time."""
    scores: dict[str, dict[str, float]] = {}
    first = None
    try:
        for row in iter_rows("run", file, "trec"):
            first = first or row
            if row.tag and row.tag != first.tag and not any_tag:
                report_other_tag(row.line, row.tag, first.tag or "", first.line, Reporter(file))
            with np.errstate(over="ignore"):
                score = float(np.float32(row.score)) if precision == 32 else row.score
            scores.setdefault(row.query_id, {})[row.doc_id] = score
    except InputError as error:
        return error
    lists: Lists = {}
    known = {query_id for query_id, grades in qrels.items() if grades}
    for query_id in scores.keys() & known:
        hits = [
            (place, max(-1, qrels[query_id][doc_id]))  # below 0 grades are alike
            for place, doc_id in enumerate(rank(scores[query_id]), 1)
            if doc_id in qrels[query_id]
        ]
        lists[query_id] = [p for p, _ in hits], [g for _, g in hits], len(scores[query_id])
    others = [query_id for query_id in scores if query_id not in known]
    return lists, others, first and first.tag


def read_fastly(data: bytes, qrels: Qrels, precision: Precision, any_tag: bool) -> Found | None:
    """What the fast reader sees."""
    block = block_of(data, behind=data[::-1])
    found = read_fast(block, GradeLookup(qrels).index, precision=precision, any_tag=any_tag)
    if found is None:
        return None
    assert found.lines == bytes(block).count(b"\n")
    return lists_of(found.lists), found.ungraded_queries, found.tag


def read_exactly(data: bytes, qrels: Qrels, precision: Precision, any_tag: bool) -> Found | None:
    """What the exact reader sees."""
    lines = RunLines(Reporter("a"), any_tag=any_tag)
    try:
        read_lines(lines, data, "a")
    except InputError:
        return None
    scores = {
        query_id: dict(zip(docs, lines.values[query_id], strict=True))
        for query_id, docs in lines.lines.items()
    }
    run = scan_scores(Run("", scores), GradeLookup(qrels, precision))
    return lists_of(run.lists), list(run.ungraded_queries), lines.tag or None


def read(
    data: bytes,
    qrels: Qrels,
    precision: Precision = 64,
    any_tag: bool = False,
) -> tuple[Found | None, Found | None]:
    """What the fast and what the exact reader see."""
    fast = read_fastly(data, qrels, precision, any_tag)
    return fast, read_exactly(data, qrels, precision, any_tag)


def lists_seen(data: bytes, qrels: Qrels, *, any_tag: bool = False) -> Lists:
    """The lists that both readers see."""
    fast, exact = read(data, qrels, any_tag=any_tag)
    assert fast == exact
    assert fast
    return fast[0]


@contextmanager
def in_blocks(size: int) -> Iterator[None]:
    """A file is read so many bytes at a time, whatever it looks like."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scan_module, "BLOCK", size)
        patch.setattr(exact_module, "_PIECE", size)
        patch.setattr(scan_module, "format_for", lambda *_: format_named("run", "trec"))
        yield


@given(tidy_runs(), GRADES, PRECISIONS, st.booleans())
@example(b"q1 Q0 d1 1 1 t\n", {"q1": {"d1": 1, "an-id-of-more-than-8": 1}}, 64, False)
@example(b"q1 Q0 d1 1 1 t\n", {"q1": {"d1": 1}, "a-long-query": {"d1": 2}}, 64, False)
def test_both_read_a_plain_layout_and_see_what_its_lines_say(
    file: Path, data: bytes, qrels: Qrels, precision: Precision, any_tag: bool
) -> None:
    file.write_bytes(data)
    expected = by_lines(file, qrels, precision, any_tag)
    assert read(data, qrels, precision, any_tag) == (expected, expected)


@given(
    st.one_of(touched_runs(), touched_runs(), untidy_runs(), ANY_BYTES),
    GRADES,
    PRECISIONS,
    st.booleans(),
)
def test_any_bytes_are_seen_as_their_lines_are_or_not_at_all(
    file: Path, data: bytes, qrels: Qrels, precision: Precision, any_tag: bool
) -> None:
    # A mark at the begin of a file is dropped before its text is cut into blocks.
    data = data.removeprefix(b"\xef\xbb\xbf")
    file.write_bytes(b"\xef\xbb\xbf" + data)
    expected = by_lines(file, qrels, precision, any_tag)
    fast, exact = read(data, qrels, precision, any_tag)
    event(f"fast: {'left' if fast is None else 'read'}")
    event(f"exact: {'refused' if exact is None else 'read'}")
    if isinstance(expected, InputError):
        assert fast is None
        assert exact in (None, ({}, [], None))  # nothing at all is refused by who asked
        return
    assert exact == expected
    if fast is not None:
        assert fast == expected


# A piece ends at an empty line.
@example(b"q1 Q0 d1 1 2 t\n\nq1 Q0 d2 1 nan t\n", {}, 64, None, 15)
@given(
    st.one_of(tidy_runs(), touched_runs(), untidy_runs(), ANY_BYTES),
    GRADES,
    PRECISIONS,
    st.sampled_from([None, "mine"]),
    BLOCKS,
)
def test_a_file_is_seen_in_blocks_as_line_by_line_or_refused_with_the_same_words(
    file: Path, data: bytes, qrels: Qrels, precision: Precision, tag: str | None, size: int
) -> None:
    file.write_bytes(data)
    expected = by_lines(file, qrels, precision, any_tag=tag is not None)
    scan = GradeLookup(qrels, precision)
    if isinstance(expected, InputError):
        event("refused")
        with in_blocks(size), pytest.raises(InputError) as error:
            scan_run(file, scan, tag=tag)
        assert str(error.value) == str(expected)
        return
    event("read")
    with in_blocks(size):
        found = scan_run(file, scan, tag=tag)
    assert lists_of(found.lists) == expected[0]
    assert sorted(found.ungraded_queries) == sorted(expected[1])
    assert found.tag == (tag or expected[2] or "a")


@given(st.one_of(touched_runs(), untidy_runs(), ANY_BYTES), st.sampled_from([None, "mine"]))
def test_a_run_read_as_a_whole_is_what_its_lines_are(
    file: Path, data: bytes, tag: str | None
) -> None:
    file.write_bytes(data)
    expected = by_lines(file, {}, any_tag=tag is not None)
    problems = check_file(file, format="run:trec")
    if isinstance(expected, InputError):
        with pytest.raises(InputError) as error:
            read_run(file, tag=tag, format="trec")
        assert str(error.value) == str(expected)
        assert tag is not None or str(problems[0]) == str(expected)
        return
    run = read_run(file, tag=tag, format="trec")
    assert tag is not None or problems == []
    scores: dict[str, dict[str, float]] = {}
    for row in iter_rows("run", file, "trec"):
        scores.setdefault(row.query_id, {})[row.doc_id] = row.score
    assert run.scores == scores
    assert run.tag == (tag or expected[2] or "a")


# Of one judged document and one line all hashes are alike, and the ids are not.
@example(data=b"q1 Q0 x 1 2 t\n", qrels={"q1": {"a": 1}}, bits=0)
@given(tidy_runs(), GRADES, st.sampled_from([0, 6, 12]))
def test_a_poor_hash_costs_time_and_not_truth(
    file: Path, data: bytes, qrels: Qrels, bits: int
) -> None:
    file.write_bytes(data)
    expected = by_lines(file, qrels)
    with pytest.MonkeyPatch.context() as patch:
        for module in (judged_index, fast_module):
            patch.setattr(
                module, "hashes", lambda *args: hashes(*args) & np.uint64((1 << bits) - 1)
            )
        fast, _ = read(data, qrels)
        index = GradeLookup(qrels).index
    event(f"{bits} bits, {'left' if fast is None else 'read'}")
    assert fast is None or (fast == expected and index.unique)


NO_SCORES = [b"nan", b"inf", b"-Infinity", b"1e400", b"-1e309", b"1_0", b"0x1p3", b"1,5", b"-"]

# All of them have as many separators as the lines of a plain layout have.
ALMOST_PLAIN = [
    [b"q1 Q0 d1  2.5 t\n", b"q1 Q0 d2  1.5 t\n"],
    [b" Q0 d1 1 2.5 t\n", b" Q0 d2 1 1.5 t\n"],
    [b"q1 Q0 d1 1 2.5 \n", b"q1 Q0 d2 1 1.5 \n"],
    [b"q1 Q0 d1 1 2.5\n", b"q1 Q0 d2 1 1.5 t more\n"],
    [b"q1 Q0 d1 1 2.5 t more\n", b"q1 Q0 d2 1 1.5\n"],
    [b"q1 Q0 d1 1 2.5 t\rx\n", b"q1  d2 1 1.5 t\r\n"],
    [b"q1 Q0 d1 1 2.5 t\rx\n", b"q1 Q0 d2 1 1.5 t\rx\n"],
    [b"q1 Q0 d1 1 2.5 t\r\n", b"q1 Q0 d2 1 1.5 t \n"],
    [b"q1 Q0 d1 1 2.5 t\r\n", b"q1 Q0 d2 1 1.5 t\n", b"\r\n"],
    [b"q1 Q0 d1 1 2.5\x0bt\n", b"q1 Q0 d2 1 1.5\x0ct\n"],
    [b"q1 Q0 d1 1 2.5\x1ct\n", b"q1 Q0 d2 1 1.5\x1ft\n"],
    [b"q1 Q0 d1 1 2.5\0t\n", b"q1 Q0 d2 1 1.5\0t\n"],
    [b"q1 Q0 d1\0 1 2.5 t\n", b"q1 Q0 d2 1 1.5 t\n"],
    [b"q1 Q\0 d1 1 2.5 t\n", b"q1 Q0 d2 1 1.5 t\n"],
    [b"q1 Q0 d1\xff 1 2.5 t\n", b"q1 Q0 d2 1 1.5 t\n"],
    [b"q\xe9 Q0 d1 1 2.5 t\n", b"q1 Q0 d2 1 1.5 t\n"],
    [b"q1 Q0 \xed\xa0\x80 1 2.5 t\n", b"q1 Q0 d2 1 1.5 t\n"],
    [b"q1 Q0 d1 1 2.5 t\n", b"\n", b"\n", b"\n", b"\n", b"\n", b"\n"],
    [b"q1 Q0 d1\r1 2.5 t\n", b"q1 Q0 d2\r1 1.5 t\n"],
    *[[b"q1 Q0 d1 1 2.5 t\n", b"q1 Q0 d2 1 %s t\n" % score] for score in NO_SCORES],
]


@pytest.mark.parametrize("first", [b"", b"q1 Q0 d0 1 9 t\n", b"q1 Q0 d0 1 9 t\r\n"])
@pytest.mark.parametrize("lines", ALMOST_PLAIN)
def test_what_is_almost_plain_is_no_other_run(file: Path, lines: list[bytes], first: bytes) -> None:
    data = first + b"".join(lines)
    file.write_bytes(data)
    qrels = {"q1": {"d1": 1, "d2": 2}, "Q0": {"1": 1, "d1": 1}}
    for any_tag in (False, True):
        expected = by_lines(file, qrels, any_tag=any_tag)
        for found in read(data, qrels, any_tag=any_tag):
            assert found is None or (not isinstance(expected, InputError) and found == expected)


@pytest.mark.parametrize(
    ("tag", "other"),
    [
        (b"t", b"tx"),
        (b"tx", b"t"),
        (b"8-bytes!", b"8-bytes!!"),
        (b"9-bytes!!", b"9-bytes!?"),
        (b"a-tag-of-20-bytes-one", b"a-tag-of-20-bytes-two"),
        (b"one", b"two"),
    ],
)
def test_two_tags_are_two_however_alike(tag: bytes, other: bytes) -> None:
    data = b"q1 Q0 d1 1 2 %s\nq1 Q0 d2 1 1 %s\n" % (tag, other)
    qrels = {"q1": {"d2": 1}}
    assert read(data, qrels) == (None, None)
    assert lists_seen(data, qrels, any_tag=True) == {"q1": ([2], [1], 2)}


def test_the_last_of_one_query_and_the_first_of_the_next_are_not_tied() -> None:
    data = b"q1 Q0 a 1 1 t\nq2 Q0 b 1 1 t\nq3 Q0 c 1 1 t\n"
    for query, doc in (("q1", "a"), ("q2", "b"), ("q3", "c")):
        assert lists_seen(data, {query: {doc: 1}}) == {query: ([1], [1], 1)}


def test_a_hash_that_two_queries_share_does_not_make_them_one() -> None:
    with pytest.MonkeyPatch.context() as patch:
        for module in (judged_index, fast_module):
            patch.setattr(
                module, "query_hashes", lambda queries: np.zeros(len(queries), dtype=np.uint64)
            )
        seen = lists_seen(
            b"q1 Q0 d1 1 1 t\nq2 Q0 d2 1 1 t\nq3 Q0 d3 1 1 t\n",
            {"q1": {"d2": 1}, "q2": {"d1": 1}, "q3": {"d3": 1}},
        )
    nothing = ([], [], 1)
    assert seen == {"q1": nothing, "q2": nothing, "q3": ([1], [1], 1)}


def test_ids_that_share_a_hash_leave_all_to_the_exact_reader() -> None:
    # Texts are padded with NUL, which no file holds, but a mapping can.
    index = GradeLookup({"q1": {"d1": 1, "d1\0": 2}}).index
    assert not index.unique
    assert read_fast(block_of(b"q1 Q0 d1 1 1 t\n"), index) is None


TIES = [
    b"a-very-long-document-1",
    b"a-very-long-document-10",
    b"a-very-long-document-2",
    b"a-very-l",
    b"b",
    "é".encode(),
    b"\x7f",
]


@given(st.permutations(TIES), st.sampled_from([b"1", b"1.0", b"-0.0"]))
def test_ties_are_in_descending_order_of_bytes(order: list[bytes], score: bytes) -> None:
    data = b"".join(b"q1 Q0 %s 1 %s t\n" % (doc, score) for doc in order)
    grades = {doc.decode(): place for place, doc in enumerate(TIES)}
    expected = sorted(TIES, reverse=True)
    places = [TIES.index(doc) for doc in expected]
    assert lists_seen(data, {"q1": grades})["q1"][1] == places
