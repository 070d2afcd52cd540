"""Files in blocks: nothing is lost or cut in two, however large a block is and wherever it ends."""

from __future__ import annotations

import io
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.scan import blocks as module
from judge_tui.scan.blocks import PADDING, blocks, split_points
from judge_tui.scan.words import words_of
from tests.scan.generated_runs import ANY_BYTES, tidy_runs, touched_runs, untidy_runs

lines_of_few_queries = st.lists(
    st.sampled_from(
        [b"q1 a\n", b"q1\tb\n", b" q1 c\r\n", b"q2 d\n", b"q10 e\n", b"\n", b" \t\r\n", b"q2\n"]
    ),
    max_size=30,
).map(b"".join)
files = st.one_of(
    lines_of_few_queries,
    lines_of_few_queries.map(lambda data: data.removesuffix(b"\n")),
    st.one_of(tidy_runs(), touched_runs(), untidy_runs()),
    ANY_BYTES,
)


def queries_of(data: bytes) -> list[bytes]:
    """The query of every line that is not blank."""
    return [line.split()[0] for line in data.split(b"\n") if line.split()]


def giving(data: bytes, most: int) -> Callable[[memoryview], int]:
    """A file that gives up to `most` bytes at a time, as a pipe does."""
    file = io.BytesIO(data)
    return lambda view: file.readinto(view[:most])


@given(files, st.integers(1, 100), st.sampled_from([1, 7, 1 << 20]), st.sampled_from([9, 1 << 12]))
def test_blocks_are_the_file_cut_between_queries(
    data: bytes, size: int, most: int, id_size: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_ID", id_size)
        cut = [(bytes(block), len(block.buffer)) for block in blocks(giving(data, most), size)]
    parts = [part for part, _ in cut]
    whole = data if not data or data.endswith(b"\n") else data + b"\n"
    assert b"".join(parts) == whole
    assert all(part.endswith(b"\n") for part in parts)
    assert all(held >= len(part) + PADDING for part, held in cut)
    for before, after in pairwise(filter(None, map(queries_of, parts))):
        assert before[-1] != after[0]


def test_what_is_held_follows_the_block_and_not_the_file() -> None:
    line = b"q%d Q0 document 1 1.5 tag\n"
    data = b"".join(line % (number // 10) for number in range(5000))
    held = {len(block.buffer) for block in blocks(giving(data, 1 << 16), 1000)}
    assert held == {1000 + PADDING}


def test_a_word_begins_at_each_byte_of_a_block_that_fills_its_buffer() -> None:
    line = b"q1 Q0 document 1 1.5 tag"
    (block,) = blocks(giving(line, 7), len(line) + 1)
    assert bytes(block) == line + b"\n"
    words = words_of(block.buffer, block.size)
    assert words[-1] & np.uint64(0xFF) == ord("\n")


def test_a_query_that_is_larger_than_a_block_is_whole() -> None:
    small, large, rest = b"q1 a\n", b"q2 b\n" * 1000, b"q3 c\n" * 2000
    cut = [bytes(block) for block in blocks(giving(small + large + rest, 512), 100)]
    assert cut == [small, large, rest]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("parts") / "a.run"


@given(files, st.integers(1, 6), st.booleans(), st.sampled_from([16, 64, 1 << 20]))
def test_parts_are_the_file_cut_between_queries(
    file: Path, data: bytes, parts: int, mark: bool, ahead: int
) -> None:
    start = 3 * mark
    file.write_bytes(b"\xef\xbb\xbf"[:start] + data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_AHEAD", ahead)
        points = split_points(file, start, parts)
    assert points[0] == start
    assert points[-1] == start + len(data)
    assert len(points) <= parts + 1
    found = [data[begin - start : end - start] for begin, end in pairwise(points)]
    assert all(found) or not data
    assert b"".join(found) == data
    for before, after in pairwise(found):
        assert before.endswith(b"\n")
        assert queries_of(before)[-1] != queries_of(after)[0]


def test_a_file_of_many_queries_has_as_many_parts_as_asked_for(file: Path) -> None:
    file.write_bytes(b"".join(b"q%d Q0 d 1 1 t\n" % (number // 3) for number in range(3000)))
    points = split_points(file, 0, 4)
    sizes = [end - begin for begin, end in pairwise(points)]
    assert len(sizes) == 4
    assert max(sizes) - min(sizes) < 150


@pytest.mark.parametrize("data", [b"q1 Q0 d 1 1 t\n" * 50, b"q1 Q0 d 1 1 t", b"\n" * 50, b"x" * 50])
def test_a_file_of_one_query_is_not_divided(file: Path, data: bytes) -> None:
    file.write_bytes(data)
    assert split_points(file, 0, 4) == [0, len(data)]
