"""Texts in a buffer, looked at eight bytes at a time: n of them at once, by their starts and
lengths."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from judge_tui.arrays import Bools, Ints

Words: TypeAlias = NDArray[np.uint64]
"""The number that eight bytes are, the first byte lowest."""

WORD = 8
"""The bytes of a word."""

MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
"""By which hashes are multiplied: 2^64 / golden ratio (Knuth, vol. 3, 6.4)."""

_SHIFT = np.uint64(29)

_HEAD = np.array([(1 << (8 * size)) - 1 for size in range(WORD + 1)], dtype=np.uint64)
"""Masks that keep the first 0 to 8 bytes of a word."""


def words_of(buffer: bytes | bytearray, size: int) -> Words:
    """View the word that begins at each of the first `size` bytes; the last goes on behind them."""
    return np.ndarray((size,), "<u8", buffer, 0, (1,))


def packed(text: bytes, sizes: Iterable[int]) -> tuple[Words, Ints, Ints]:
    """Return words, starts and lengths of texts that stand one after the other in one, by their
    sizes."""
    lengths = np.fromiter(sizes, dtype=np.int64)
    starts = np.cumsum(lengths) - lengths
    return words_of(text + bytes(WORD), len(text) + 1), starts, lengths


def heads(words: Words, starts: Ints, lengths: Ints) -> Words:
    """Return the first eight bytes of n texts, zeros behind those that are shorter."""
    if int(lengths.min(initial=WORD)) >= WORD:
        return words[starts]
    return words[starts] & _HEAD[np.minimum(lengths, WORD)]


def hashes(words: Words, starts: Ints, lengths: Ints) -> Words:
    """Return a hash of 64 bits for each of n texts, all of whose bytes count."""
    state = heads(words, starts, lengths) * MULTIPLIER
    state ^= state >> _SHIFT
    for offset in range(WORD, int(lengths.max(initial=0)), WORD):
        rest = lengths - offset
        if int(rest.min()) > 0:
            state = _mixed(state, heads(words, starts + offset, rest))
        else:
            # A hash must not change with the length of the texts that happen to be beside it.
            more = np.flatnonzero(rest > 0)
            state[more] = _mixed(state[more], heads(words, starts[more] + offset, rest[more]))
    return state * MULTIPLIER


def _mixed(state: Words, part: Words) -> Words:
    state = (state ^ part) * MULTIPLIER
    state ^= state >> _SHIFT
    return state


def same_texts(ours: tuple[Words, Ints, Ints], theirs: tuple[Words, Ints, Ints]) -> Bools:
    """Tell which of n pairs of texts are equal, each side given by words, starts and lengths."""
    lengths = ours[2]
    same: Bools = lengths == theirs[2]
    for offset in range(0, int(lengths.max(initial=0)), WORD):
        rest = np.where(same, np.maximum(lengths - offset, 0), 0)
        left, right = (
            heads(words, np.where(rest > 0, starts + offset, 0), rest)
            for words, starts, _ in (ours, theirs)
        )
        same &= left == right
    return same
