"""Graded documents as arrays, in which a hundred thousand lines of a run are looked up at once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from judge_tui.arrays import Ints
from judge_tui.model import Qrels
from judge_tui.scoring.judged_lists import JudgedQueries

__all__ = [
    "Bytes",
    "JudgedIndex",
    "Words",
    "hashes",
    "heads",
    "query_hashes",
    "same_texts",
    "words_of",
]

Bytes: TypeAlias = NDArray[np.uint8]
Words: TypeAlias = NDArray[np.uint64]

WORD = 8
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio (Knuth, vol. 3, 6.4)
_SHIFT = np.uint64(29)

HEAD = np.array([(1 << (8 * size)) - 1 for size in range(WORD + 1)], dtype=np.uint64)
"""Masks that keep the first 0 to 8 bytes of a word."""


class JudgedIndex:
    """All (query, document) pairs with a grade, sorted by the hash of their ids.

    `queries`: id in UTF-8 -> row of the query in `known`. `numbers` (these rows) and `grades` are
    those of the pairs. Not to be used unless the hashes are `unique`.
    """

    def __init__(self, qrels: Qrels, known: JudgedQueries) -> None:
        self.known = known
        self.queries = {_encoded(query_id): row for query_id, row in known.row_of.items()}
        by_query = [qrels[query_id] for query_id in known.query_ids]
        sizes = [len(by_doc) for by_doc in by_query]
        docs = [doc for by_doc in by_query for doc in by_doc]
        grades = [grade for by_doc in by_query for grade in by_doc.values()]
        seeds = query_hashes(list(self.queries))
        self.numbers = np.repeat(np.arange(len(sizes)), sizes)
        text = "".join(docs)
        # Of ASCII a character is a byte, and ids need not be encoded one by one.
        ids = docs if text.isascii() else map(_encoded, docs)
        words, starts, lengths = _packed(_encoded(text), map(len, ids))
        keys = hashes(words, starts, lengths) ^ seeds[self.numbers]
        order = np.argsort(keys)
        self.keys = keys[order]
        # Two pairs of one hash could not be told apart by it. The odds are those of 64 bits.
        self.unique = not (self.keys[1:] == self.keys[:-1]).any()
        self.numbers = self.numbers[order]
        self.grades = np.array(grades, dtype=np.int64)[order]
        self._words, self._starts, self._lengths = words, starts[order], lengths[order]
        # Most documents of a run are not judged: one bit of a sieve says so for nearly all.
        bits = max(16, min(24, len(docs).bit_length() + 6))
        self._shift = np.uint64(64 - bits)
        self._sieve = np.zeros(1 << bits, dtype=bool)
        self._sieve[(keys >> self._shift).view(np.int64)] = True

    def find(self, keys: Words, words: Words, starts: Ints, lengths: Ints) -> tuple[Ints, Ints]:
        """Find the graded documents among n lines; returns the indices of the lines and of the
        pairs.

        `keys`: hash of the id, mixed with that of its query. `words`, `starts`, `lengths`: where
        the ids are, which are compared byte by byte. That the query is the same is not.
        """
        lines = np.flatnonzero(self._sieve[(keys >> self._shift).view(np.int64)])
        wanted = keys[lines]
        pairs = np.searchsorted(self.keys, wanted)
        pairs[pairs == len(self.keys)] = 0
        hit = self.keys[pairs] == wanted
        lines, pairs = lines[hit], pairs[hit]
        same = same_texts(
            (words, starts[lines], lengths[lines]),
            (self._words, self._starts[pairs], self._lengths[pairs]),
        )
        return lines[same], pairs[same]


def words_of(buffer: bytes | bytearray, size: int) -> Words:
    """View the eight bytes from each of the first `size` offsets on as a number, the first byte
    lowest."""
    return np.ndarray((size,), "<u8", buffer, 0, (1,))


def heads(words: Words, starts: Ints, lengths: Ints) -> Words:
    """Return the first eight bytes of n texts, zeros behind those that are shorter."""
    if int(lengths.min(initial=WORD)) >= WORD:
        return words[starts]
    return words[starts] & HEAD[np.minimum(lengths, WORD)]


def hashes(words: Words, starts: Ints, lengths: Ints) -> Words:
    """Return a hash of 64 bits for each of n texts, all of whose bytes count."""
    state = heads(words, starts, lengths) * _MULTIPLIER
    state ^= state >> _SHIFT
    for offset in range(WORD, int(lengths.max(initial=0)), WORD):
        rest = lengths - offset
        if int(rest.min()) > 0:
            state = _mixed(state, heads(words, starts + offset, rest))
        else:
            # A hash must not change with the length of the texts that happen to be beside it.
            more = np.flatnonzero(rest > 0)
            state[more] = _mixed(state[more], heads(words, starts[more] + offset, rest[more]))
    return state * _MULTIPLIER


def query_hashes(queries: list[bytes]) -> Words:
    """Return, for each query, what the hashes of its documents are mixed with."""
    if not queries:
        return np.empty(0, dtype=np.uint64)
    return hashes(*_packed(b"".join(queries), map(len, queries))) * _MULTIPLIER


def _mixed(state: Words, part: Words) -> Words:
    state = (state ^ part) * _MULTIPLIER
    state ^= state >> _SHIFT
    return state


def _encoded(text: str) -> bytes:
    # No file holds half a surrogate pair, but qrels that never were in one may.
    return text.encode("utf-8", "surrogatepass")


def _packed(text: bytes, sizes: Iterable[int]) -> tuple[Words, Ints, Ints]:
    """Texts that stand one after the other in one, by their sizes."""
    lengths = np.fromiter(sizes, dtype=np.int64)
    starts = np.cumsum(lengths) - lengths
    return words_of(text + bytes(WORD), len(text) + 1), starts, lengths


def same_texts(
    ours: tuple[Words, Ints, Ints], theirs: tuple[Words, Ints, Ints]
) -> NDArray[np.bool_]:
    """Tell which of n pairs of texts are equal, each side given by words, starts and lengths."""
    lengths = ours[2]
    same: NDArray[np.bool_] = lengths == theirs[2]
    for offset in range(0, int(lengths.max(initial=0)), WORD):
        rest = np.where(same, np.maximum(lengths - offset, 0), 0)
        left, right = (
            heads(words, np.where(rest > 0, starts + offset, 0), rest)
            for words, starts, _ in (ours, theirs)
        )
        same &= left == right
    return same
