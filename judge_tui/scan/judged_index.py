"""Graded documents as arrays, in which a hundred thousand lines of a run are looked up at once."""

from __future__ import annotations

import numpy as np

from judge_tui.arrays import Ints
from judge_tui.model import Qrels
from judge_tui.scan.words import MULTIPLIER, Words, hashes, packed, same_texts
from judge_tui.scoring.judged_lists import JudgedQueries


class JudgedIndex:
    """All (query, document) pairs with a grade, sorted by the hash of their ids.

    `queries`: id in UTF-8 -> row of the query in `judged_queries`. `numbers` (these rows) and
    `grades` are those of the pairs. Not to be used unless the hashes are `unique`.
    """

    def __init__(self, qrels: Qrels, known: JudgedQueries) -> None:
        self.judged_queries = known
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
        words, starts, lengths = packed(_encoded(text), map(len, ids))
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


def query_hashes(queries: list[bytes]) -> Words:
    """Return, for each query, what the hashes of its documents are mixed with."""
    if not queries:
        return np.empty(0, dtype=np.uint64)
    return hashes(*packed(b"".join(queries), map(len, queries))) * MULTIPLIER


def _encoded(text: str) -> bytes:
    # No file holds half a surrogate pair, but qrels that never were in one may.
    return text.encode("utf-8", "surrogatepass")
