"""What keeps a corpus of millions cheap: lines of unwanted documents are dropped before they are
parsed, and ids that have come before take little memory.

Of 8.8 million passages a campaign keeps those that its runs retrieved. Their ids are known, and
most files have the id in front: a line whose id is not among them need not be parsed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import islice
from operator import index
from typing import SupportsIndex

from judge_tui.errors import UsageError
from judge_tui.formats.ids import id_in

IdOf = Callable[[bytes], bytes | None]
"""The id of the document on a line, as it stands there; None where a look does not tell."""

_BITS_PER_ID = 64
_LEAST_BITS = 1 << 16
_TELL_EVERY = 1 << 14


class Sieve:
    """Lets lines pass whose documents are among `ids`, and counts the others in `left_out`.

    An id takes 8 bytes, however long it is, and one line in 64 passes that is not wanted: who uses
    it looks again at what passes. `on_left_out` is called now and then with the number of lines
    left out.
    """

    def __init__(
        self, ids: Iterable[str], *, count: int, on_left_out: Callable[[int], None]
    ) -> None:
        self.left_out = 0
        self._on_left_out = on_left_out
        size = max(_LEAST_BITS, _BITS_PER_ID * count)
        self._mask = (1 << (size - 1).bit_length()) - 1
        self._bits = bytearray((self._mask + 1) // 8)
        for doc_id in ids:
            bit = hash(doc_id.encode()) & self._mask
            self._bits[bit >> 3] |= 1 << (bit & 7)

    def passing(
        self, lines: Iterable[tuple[int, bytes]], id_of: IdOf
    ) -> Iterator[tuple[int, bytes]]:
        """Yield the lines that may be wanted, with their numbers.

        The first one is always among them: what is wrong with it is wrong with all the file.
        """
        bits, mask = self._bits, self._mask
        lines = iter(lines)
        yield from islice(lines, 1)
        for numbered in lines:
            doc_id = id_of(numbered[1])
            if doc_id is not None and (b" " in doc_id or not doc_id.isascii()):
                doc_id = _as_read(doc_id)
            if doc_id is not None:
                bit = hash(doc_id) & mask
                if not bits[bit >> 3] & (1 << (bit & 7)):
                    self.left_out += 1
                    if self.left_out % _TELL_EVERY == 0:
                        self._on_left_out(self.left_out)
                    continue
            yield numbered


def _as_read(doc_id: bytes) -> bytes | None:
    """Return an id as readers have it; None where it is none."""
    try:
        return id_in(doc_id.decode()).encode()
    except (UnicodeDecodeError, UsageError):
        return None


_BUCKET_BITS = 16
_PRINT = 6
_LINE = 5
_RECORD = _PRINT + _LINE


class FirstLines:
    """The line on which each key came first.

    A corpus of millions is streamed through here, so a key costs about 12 bytes, where a dict of
    strings costs 130: it is known by the 64 bits of its hash alone, 16 of which choose a bucket and
    48 of which lie in it. Among ten million ids the odds of taking two for one are 3 in a million.
    """

    def __init__(self) -> None:
        self._buckets: defaultdict[int, bytearray] = defaultdict(bytearray)

    def add(self, key: Hashable, line: SupportsIndex) -> int | None:
        """Return the line on which `key` came first; None where that is this one."""
        value = hash(key) & 0xFFFF_FFFF_FFFF_FFFF
        bucket = self._buckets[value & ((1 << _BUCKET_BITS) - 1)]
        mark = (value >> _BUCKET_BITS).to_bytes(_PRINT, "little")
        at = bucket.find(mark)
        while at >= 0:
            if at % _RECORD == 0:
                return int.from_bytes(bucket[at + _PRINT : at + _RECORD], "little")
            at = bucket.find(mark, at + 1)
        bucket += mark + index(line).to_bytes(_LINE, "little")
        return None
