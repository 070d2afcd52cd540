"""The fast reader of a block of a run: all lines at once with numpy, where the layout is plain.

Plain means: as many fields on every line, six or more, one space or tab between them, LF or CRLF,
and nothing else that is white space. That is counted, not assumed; any other block is left to the
exact reader.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from judge_tui.arrays import Floats, Ints
from judge_tui.formats.ids import has_other_white
from judge_tui.scan.blocks import PADDING, Block
from judge_tui.scan.decimals import floats
from judge_tui.scan.judged_hits import JudgedHits
from judge_tui.scan.judged_index import (
    Bytes,
    JudgedIndex,
    Words,
    hashes,
    heads,
    query_hashes,
    same_texts,
    words_of,
)

__all__ = ["FastBlock", "read_fast"]

_PART = 1 << 19
"""Bytes looked at in one go: what is worked out from them stays in the processor's cache."""

_FIELDS = 6
_SPACE, _TAB, _LF, _CR = b" \t\n\r"


# The C library (glibc) hands arrays of this size back to the system when they are freed, and takes
# them anew, zeroed, page by page: a fifth of the time of a large run. Once a larger one was freed,
# which costs nothing as long as it is not touched, it keeps them.
np.empty(1 << 24, dtype=np.uint8)


class _OddError(Exception):
    """The block is not plain, or something in it is wrong."""


class FastBlock(NamedTuple):
    """What a block holds: the hits of its judged queries, the ids of the others, the tag of its
    first line, and how many lines it has."""

    hits: JudgedHits
    others: list[str]
    tag: str
    lines: int


class _Lines(NamedTuple):
    """n lines: where the fields are, in bytes from the begin of the block, and what they hold."""

    query_starts: Ints
    query_lengths: Ints
    doc_starts: Ints
    doc_lengths: Ints
    scores: Floats


class _Part(NamedTuple):
    """What one part of a block adds to it."""

    queries: list[bytes]
    counts: list[int]
    keys: Words
    doc_starts: Ints
    doc_lengths: Ints
    scores: Floats
    lines: Ints
    pairs: Ints


def read_fast(
    block: Block, index: JudgedIndex, *, precision: Literal[64, 32] = 64, any_tag: bool = False
) -> FastBlock | None:
    """The block in the light of its grades, or None where the exact reader has to be asked.

    `precision`: bits that scores are rounded to. `any_tag`: the lines may have different tags.
    """
    if not index.unique:
        return None
    try:
        return _read(block, index, precision=precision, any_tag=any_tag)
    except _OddError:
        return None


def _read(
    block: Block, index: JudgedIndex, *, precision: Literal[64, 32], any_tag: bool
) -> FastBlock:
    buffer, size = block
    _refuse_odd_text(block)
    words = words_of(buffer, size + PADDING - 8)
    fields = _first_line(block)
    tag = b"" if any_tag else fields[_FIELDS - 1]
    parts: list[_Part] = []
    begin = lines = 0
    while begin < size:
        end = _end_of_part(block, begin)
        part = _part(block, words, begin, end, len(fields), tag, lines, index)
        parts.append(part)
        lines += len(part.keys)
        begin = end

    queries, counts = _joined(parts)
    scores = np.concatenate([part.scores for part in parts])
    _refuse_odd_lists(queries, parts, scores)
    if precision == 32:
        with np.errstate(over="ignore"):
            scores = scores.astype(np.float32)
    hits = np.concatenate([part.lines for part in parts])
    pairs = np.concatenate([part.pairs for part in parts])

    starts = np.cumsum(counts) - counts
    of_query = np.searchsorted(starts, hits, side="right") - 1
    places = np.array([index.queries.get(query, -1) for query in queries], dtype=np.int64)
    right = places[of_query] == index.numbers[pairs]
    if not right.all():
        hits, pairs, of_query = hits[right], pairs[right], of_query[right]
    ranking = _Ranking(words, parts, scores, starts, counts)
    ranks = ranking.ranks(hits, of_query)
    order = np.lexsort((ranks, of_query))
    judged = places >= 0
    sizes = np.bincount(of_query, minlength=len(queries))[judged]
    return FastBlock(
        JudgedHits(
            places[judged],
            np.concatenate(([0], np.cumsum(sizes))),
            ranks[order],
            index.grades[pairs][order],
            counts[judged],
        ),
        [queries[place].decode() for place in np.flatnonzero(~judged).tolist()],
        fields[_FIELDS - 1].decode(),
        lines,
    )


def _refuse_odd_lists(queries: Sequence[bytes], parts: Sequence[_Part], scores: Floats) -> None:
    if len(set(queries)) != len(queries):
        raise _OddError  # not contiguous
    if any(query.startswith(b"#") for query in queries):
        raise _OddError  # a comment
    keys = np.sort(np.concatenate([part.keys for part in parts]))
    if (keys[1:] == keys[:-1]).any():
        raise _OddError  # a document twice, unless two ids have one hash
    if not np.isfinite(scores).all():
        raise _OddError


class _Ranking:
    """Where lines stand in trec_eval's order: score descending, then doc_id descending."""

    def __init__(
        self, words: Words, parts: list[_Part], scores: Floats, starts: Ints, counts: Ints
    ) -> None:
        self.words, self.scores, self.starts = words, scores, starts
        self.doc_starts = np.concatenate([part.doc_starts for part in parts])
        self.doc_lengths = np.concatenate([part.doc_lengths for part in parts])
        # A run is nearly always in order already: nothing is sorted before that is looked at.
        self.order: Ints | None = None
        self.place: Ints | None = None
        first = starts[1:]
        rising = scores[1:] > scores[:-1]
        rising[first - 1] = False
        if rising.any():
            self.order = np.lexsort((-scores, np.repeat(np.arange(len(counts)), counts)))
            self.place = np.empty(len(scores), dtype=np.int64)
            self.place[self.order] = np.arange(len(scores))
            self.scores = scores = scores[self.order]
        self.tied = np.zeros(len(scores) + 1, dtype=bool)
        np.equal(scores[1:], scores[:-1], out=self.tied[1:-1])
        self.tied[first] = False

    def ranks(self, lines: Ints, of_query: Ints) -> Ints:
        """The ranks of some lines, from 1; `of_query` is the place of each line's query."""
        at = lines if self.place is None else self.place[lines]
        ranks = at - self.starts[of_query] + 1
        inside = np.flatnonzero(self.tied[at] | self.tied[at + 1])
        if len(inside):
            ranks[inside] += self._steps_in_ties(at[inside])
        return ranks

    def _steps_in_ties(self, at: Ints) -> Ints:
        """How far the tie-break moves lines from the places `at`, all of them in groups of ties."""
        begins = np.flatnonzero(~self.tied[:-1])
        ends = np.append(begins[1:], len(self.scores))
        groups = np.flatnonzero(np.bincount(np.searchsorted(begins, at, side="right") - 1))
        sizes = ends[groups] - begins[groups]
        offsets = np.cumsum(sizes) - sizes
        members = np.arange(int(sizes.sum())) + np.repeat(begins[groups] - offsets, sizes)
        rows = members if self.order is None else self.order[members]
        starts, lengths = self.doc_starts[rows], self.doc_lengths[rows]
        by = []
        for offset in range(0, int(lengths.max()), 8):
            rest = np.maximum(lengths - offset, 0)
            word = heads(self.words, np.where(rest > 0, starts + offset, 0), rest)
            if (word != word[0]).any():  # ids begin alike more often than not
                by.append(~word.byteswap())  # as bytes compare, and descending
        new = np.lexsort([*reversed(by), np.repeat(np.arange(len(groups)), sizes)])
        moved = np.empty(len(members), dtype=np.int64)
        moved[new] = members
        return moved[np.searchsorted(members, at)] - at


def _part(
    block: Block,
    words: Words,
    begin: int,
    end: int,
    width: int,
    tag: bytes,
    lines_before: int,
    index: JudgedIndex,
) -> _Part:
    lines = _lines(block, words, begin, end, width, tag)
    starts, lengths = lines.query_starts, lines.query_lengths
    first = _changes(words, starts, lengths)
    spans = zip(starts[first].tolist(), lengths[first].tolist(), strict=True)
    queries = [bytes(block.buffer[start : start + length]) for start, length in spans]
    counts = np.diff(np.append(first, len(starts)))
    keys = hashes(words, lines.doc_starts, lines.doc_lengths)
    keys ^= np.repeat(query_hashes(queries), counts)
    hits, pairs = index.find(keys, words, lines.doc_starts, lines.doc_lengths)
    return _Part(
        queries,
        counts.tolist(),
        keys,
        lines.doc_starts,
        lines.doc_lengths,
        lines.scores,
        hits + lines_before,
        pairs,
    )


def _lines(block: Block, words: Words, begin: int, end: int, width: int, tag: bytes) -> _Lines:
    text = np.frombuffer(block.buffer, dtype=np.uint8, count=end - begin, offset=begin)
    columns = _white(text, width)
    ends = columns[-1]
    starts = np.empty(len(ends), dtype=np.int64)
    starts[0] = 0
    starts[1:] = ends[:-1]
    starts[1:] += 1
    query_lengths = columns[0] - starts
    doc_starts = columns[1] + (begin + 1)
    doc_lengths = columns[2] - columns[1]
    doc_lengths -= 1
    score_lengths = columns[4] - columns[3]
    score_lengths -= 1
    if tag:
        _require_tag(words, columns[4] + (begin + 1), columns[5] - columns[4] - 1, tag)
    if width > _FIELDS:
        # With more, white space in an id is the suspicion: then the fourth field is no rank.
        rank_lengths = columns[3] - columns[2] - 1
        ranks = floats(block.buffer, words, columns[3] + begin, rank_lengths)
        if ranks is None or not np.isfinite(ranks).all():
            raise _OddError
    starts += begin
    scores = floats(block.buffer, words, columns[4] + begin, score_lengths)
    if scores is None:
        raise _OddError
    return _Lines(starts, query_lengths, doc_starts, doc_lengths, scores)


def _white(text: Bytes, fields: int) -> NDArray[np.int64]:
    """Where the fields of n lines end: `fields` x n, one more where lines end in CRLF."""
    mask = text <= _SPACE
    white = np.flatnonzero(mask)
    spaces = int(np.count_nonzero(text == _SPACE))
    # An empty field, or a blank line, shows as two of them side by side.
    beside = int(np.count_nonzero(mask[1:] & mask[:-1])) + int(mask[0])
    for width, returns in ((fields, 0), (fields + 1, 1)):
        number, rest = divmod(len(white), width)
        if rest or beside != returns * number:
            continue
        columns = np.ascontiguousarray(white.reshape(number, width).T)
        if not (text[columns[-1]] == _LF).all():
            continue
        if returns and not (
            (text[columns[-2]] == _CR).all() and (columns[-1] == columns[-2] + 1).all()
        ):
            continue
        if spaces != (fields - 1) * number:
            spaces += int(np.count_nonzero(text == _TAB))
        if spaces == (fields - 1) * number:
            return columns
    raise _OddError


def _require_tag(words: Words, starts: Ints, lengths: Ints, tag: bytes) -> None:
    if not (lengths == len(tag)).all():
        raise _OddError
    for offset in range(0, len(tag), 8):
        piece = tag[offset : offset + 8]
        mask = np.uint64((1 << (8 * len(piece))) - 1)
        if not (
            (words[starts + offset] & mask) == np.uint64(int.from_bytes(piece, "little"))
        ).all():
            raise _OddError


def _changes(words: Words, starts: Ints, lengths: Ints) -> Ints:
    """The lines whose query is not that of the line before; the first line always."""
    begin = words[starts]
    # What stands behind a short id is a separator and then, nearly always, the same on each line.
    differ = np.flatnonzero(begin[1:] != begin[:-1])
    if len(differ) > len(starts) // 8 or int(lengths.max()) >= 8:
        differ = np.arange(len(starts) - 1)
    before, after = ((words, starts[lines], lengths[lines]) for lines in (differ, differ + 1))
    differ = differ[~same_texts(before, after)]
    return np.concatenate(([0], differ + 1))


def _joined(parts: list[_Part]) -> tuple[list[bytes], Ints]:
    """The queries of all parts with their numbers of lines; one may go on in the next part."""
    queries: list[bytes] = []
    counts: list[int] = []
    for part in parts:
        for query, count in zip(part.queries, part.counts, strict=True):
            if queries and queries[-1] == query:
                counts[-1] += count
            else:
                queries.append(query)
                counts.append(count)
    return queries, np.array(counts, dtype=np.int64)


def _refuse_odd_text(block: Block) -> None:
    """Raise where there is a NUL, what is not UTF-8, or white space that separates no fields."""
    with memoryview(block.buffer) as view, view[: block.size] as text:
        if block.buffer.find(b"\0", 0, block.size) >= 0:
            raise _OddError
        try:
            if has_other_white(str(text, "utf-8")):
                raise _OddError
        except UnicodeDecodeError:
            raise _OddError from None


def _first_line(block: Block) -> list[bytes]:
    fields = bytes(memoryview(block.buffer)[: block.buffer.find(b"\n")]).split()
    if len(fields) < _FIELDS:
        raise _OddError
    return fields


def _end_of_part(block: Block, begin: int) -> int:
    end = begin + _PART
    if end >= block.size:
        return block.size
    return block.buffer.rfind(b"\n", begin, end) + 1 or block.buffer.find(b"\n", end) + 1
