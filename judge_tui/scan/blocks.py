"""A run file in blocks of whole queries, so that memory follows the block and not the file."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import NamedTuple

from judge_tui.formats.urls import open_bytes
from judge_tui.scan.words import WORD

BLOCK = 1 << 20
"""The size of a block in bytes: what is worked out of it fits into the processor's cache."""

PADDING = WORD - 1
"""Bytes behind a block that mean nothing: the word that begins at its last byte ends there."""

_AHEAD = 1 << 20
"""Bytes that are searched for the next query where a file is divided."""

_ID = 1 << 12
"""Bytes of a line that are searched for its query."""


class Block(NamedTuple):
    """Whole lines of whole queries: the first `size` bytes of `buffer`, the last a line feed.

    The buffer is filled anew for the next block: what is to stay must be copied out of it.
    """

    buffer: bytearray
    size: int

    def __bytes__(self) -> bytes:
        return bytes(memoryview(self.buffer)[: self.size])


def blocks(
    read_into: Callable[[memoryview], int], size: int, *, whole: bool = False
) -> Iterator[Block]:
    """Cut what `read_into` gives into blocks of about `size` bytes, or not at all (`whole`).

    `read_into` fills the memory it is given as far as it can and says how much it was; 0 is the
    end. A query that is larger than a block makes that block larger.
    """
    buffer = bytearray(size + PADDING)
    filled = 0
    while True:
        room, count = len(buffer) - PADDING, 1
        with memoryview(buffer) as view:
            while count and filled < room:
                count = read_into(view[filled:room])
                filled += count
        cut = 0 if whole else _end_of_queries(buffer, filled)
        if not count:
            if filled:
                if buffer[filled - 1] != 0x0A:
                    buffer[filled] = 0x0A
                    filled += 1
                yield Block(buffer, filled)
            return
        if not cut:
            buffer = buffer + bytes(len(buffer))
            continue
        yield Block(buffer, cut)
        rest = filled - cut
        buffer[:rest] = buffer[cut:filled]
        filled = rest


def split_points(path: str | os.PathLike[str], start: int, parts: int) -> list[int]:
    """Offsets that divide a plain file, from `start` on, into about `parts` of whole queries.

    The first is `start`, the last the size of the file; there are fewer where it cannot be divided.
    """
    points = [start]
    with open_bytes(path) as file:
        end = file.seek(0, os.SEEK_END)
        for part in range(1, parts):
            near = start + (end - start) * part // parts
            file.seek(near)
            found = _begin_of_query(file.read(_AHEAD))
            if found and points[-1] < near + found:
                points.append(near + found)
    return [*points, end]


def _end_of_queries(buffer: bytearray, filled: int) -> int:
    """Return the offset of the last query in the buffer, which may go on behind it; 0 if it may be
    the only one."""
    high = end = buffer.rfind(b"\n", 0, filled) + 1
    last: list[bytes] = []
    while high and not last:
        high = buffer.rfind(b"\n", 0, high - 1) + 1
        last = _query_at(buffer, high, end)
    low = 0
    if not high or _query_at(buffer, low, end) == last:
        return 0
    # The query of the line at `high` is the last one, and that of the line at `low` is not.
    while True:
        middle = buffer.rfind(b"\n", low, (low + high) // 2) + 1
        middle = middle or buffer.find(b"\n", low) + 1
        if middle == high:
            return high
        if _query_at(buffer, middle, end) == last:
            high = middle
        else:
            low = middle


def _query_at(buffer: bytearray, at: int, end: int) -> list[bytes]:
    """Return the query of the first line from the offset `at` on that is not blank."""
    return bytes(memoryview(buffer)[at : min(at + _ID, end)]).split(None, 1)[:1]


def _begin_of_query(data: bytes) -> int:
    """Return the offset in `data`, which begins anywhere in a line, at which a query begins; 0 if
    none does."""
    at = data.find(b"\n") + 1
    first = None
    for line in data[at:].split(b"\n")[:-1] if at else ():
        query = line.split(None, 1)[:1]
        if first and query and query != first:
            return at
        first = first or query
        at += len(line) + 1
    return 0
