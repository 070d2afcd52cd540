"""The fast reader of a block of a run: all lines at once with numpy, where the layout is plain.

Plain means: six fields on every line, one space or tab between them, LF or CRLF, and nothing else
that is white space. That is counted, not assumed; any other block is left to the exact reader.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from judge_tui.arrays import Floats, Ints
from judge_tui.formats.ids import has_other_white
from judge_tui.scan.blocks import Block
from judge_tui.scan.decimals import floats
from judge_tui.scan.judged_index import JudgedIndex, query_hashes
from judge_tui.scan.words import WORD, Words, hashes, heads, same_texts, words_of
from judge_tui.scoring.judged_lists import JudgedLists

_FIELDS = 6
_SPACE, _TAB, _LF, _CR = b" \t\n\r"


# The C library (glibc) hands arrays of this size back to the system when they are freed, and takes
# them anew, zeroed, page by page: a fifth of the time of a large run. Once a larger one was freed,
# which costs nothing as long as it is not touched, it keeps them.
np.empty(1 << 24, dtype=np.uint8)


class _OddError(Exception):
    """The block is not plain, or something in it is wrong."""


class FastBlock(NamedTuple):
    """The content of a block: the `lists` of its graded queries, the ids of its
    `ungraded_queries`, the `tag` of its first line, and how many `lines` it has."""

    lists: JudgedLists
    ungraded_queries: list[str]
    tag: str
    lines: int


class _Lines(NamedTuple):
    """n lines: the offsets and lengths of their doc_ids in the block, and their scores."""

    doc_starts: Ints
    doc_lengths: Ints
    scores: Floats


def read_fast(
    block: Block, index: JudgedIndex, *, precision: Literal[64, 32] = 64, any_tag: bool = False
) -> FastBlock | None:
    """Read the graded documents of a block; None where the exact reader has to.

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
    words = words_of(buffer, size)
    tag = _first_tag(block)
    ends, lengths = _fields(np.frombuffer(buffer, np.uint8, size))
    if not any_tag:
        _require_tag(words, ends[5] - lengths[5], lengths[5], tag)
    scores = floats(buffer, words, ends[4], lengths[4])
    if scores is None or not np.isfinite(scores).all():
        raise _OddError
    lines = _Lines(ends[2] - lengths[2], lengths[2], scores)
    queries, counts, lines = _by_query(buffer, words, ends[0] - lengths[0], lengths[0], lines)
    keys = hashes(words, lines.doc_starts, lines.doc_lengths)
    keys ^= np.repeat(query_hashes(queries), counts)
    _refuse_again(keys)
    if precision == 32:
        with np.errstate(over="ignore"):
            lines = lines._replace(scores=lines.scores.astype(np.float32))

    hits, pairs = index.find(keys, words, lines.doc_starts, lines.doc_lengths)
    first = np.cumsum(counts) - counts
    of_query = np.searchsorted(first, hits, side="right") - 1
    rows = np.array([index.queries.get(query, -1) for query in queries], dtype=np.int64)
    right = rows[of_query] == index.numbers[pairs]
    if not right.all():
        hits, pairs, of_query = hits[right], pairs[right], of_query[right]
    ranks = _Ranking(words, lines, first, counts).ranks(hits, of_query)
    order = np.lexsort((ranks, of_query))
    judged = rows >= 0
    number = np.cumsum(judged) - 1  # of each query's list
    return FastBlock(
        JudgedLists.of_hits(
            number[of_query[order]],
            ranks[order],
            index.grades[pairs][order],
            counts[judged],
            rows[judged],
            index.judged_queries,
        ),
        [queries[at].decode() for at in np.flatnonzero(~judged).tolist()],
        tag.decode(),
        len(keys),
    )


def _by_query(
    buffer: bytearray, words: Words, starts: Ints, lengths: Ints, lines: _Lines
) -> tuple[list[bytes], Ints, _Lines]:
    """Return the queries, how many lines each has, and the lines query by query."""
    first = _changes(words, starts, lengths)
    spans = zip(starts[first].tolist(), lengths[first].tolist(), strict=True)
    queries = [bytes(buffer[start : start + length]) for start, length in spans]
    numbers = {query: number for number, query in enumerate(dict.fromkeys(queries))}
    if any(query.startswith(b"#") for query in numbers):
        raise _OddError  # a comment
    counts = np.diff(np.append(first, len(starts)))
    if len(numbers) < len(queries):
        of_line = np.repeat([numbers[query] for query in queries], counts)
        order = np.argsort(of_line, kind="stable")
        lines = _Lines(lines.doc_starts[order], lines.doc_lengths[order], lines.scores[order])
        counts = np.bincount(of_line)
    return list(numbers), counts, lines


def _refuse_again(keys: Words) -> None:
    """Raise where a query has a document twice, unless two ids have one hash."""
    # Half of the bits nearly always tell all apart, and are sorted in half the time.
    for part in ((keys >> np.uint64(32)).astype(np.uint32), keys):
        ordered = np.sort(part)
        if not (ordered[1:] == ordered[:-1]).any():
            return
    raise _OddError


class _Ranking:
    """The ranks of lines in trec_eval's order: score descending, then doc_id descending."""

    def __init__(self, words: Words, lines: _Lines, starts: Ints, counts: Ints) -> None:
        self.words, self.lines, self.starts = words, lines, starts
        # A run is nearly always in order already: nothing is sorted before that is looked at.
        self.order: Ints | None = None
        self.position: Ints | None = None
        first, scores = starts[1:], lines.scores
        rising = scores[1:] > scores[:-1]
        rising[first - 1] = False
        if rising.any():
            self.order = np.lexsort((-scores, np.repeat(np.arange(len(counts)), counts)))
            self.position = np.empty(len(scores), dtype=np.int64)
            self.position[self.order] = np.arange(len(scores))
            scores = scores[self.order]
        self.tied = np.zeros(len(scores) + 1, dtype=bool)
        np.equal(scores[1:], scores[:-1], out=self.tied[1:-1])
        self.tied[first] = False

    def ranks(self, lines: Ints, of_query: Ints) -> Ints:
        """Return the ranks of some lines, from 1; `of_query` is the index of each line's query."""
        at = lines if self.position is None else self.position[lines]
        ranks = at - self.starts[of_query] + 1
        inside = np.flatnonzero(self.tied[at] | self.tied[at + 1])
        if len(inside):
            ranks[inside] += self._steps_in_ties(at[inside])
        return ranks

    def _steps_in_ties(self, at: Ints) -> Ints:
        """Return how far the tie-break moves the lines at the positions `at`, all of them in groups
        of ties."""
        begins = np.flatnonzero(~self.tied)  # the last is the end of all
        # `np.unique` would import numpy.ma, a tenth of a short command's time.
        groups = np.array(sorted({*(np.searchsorted(begins, at, side="right") - 1).tolist()}))
        sizes = begins[groups + 1] - begins[groups]
        offsets = np.cumsum(sizes) - sizes
        members = np.arange(int(sizes.sum())) + np.repeat(begins[groups] - offsets, sizes)
        rows = members if self.order is None else self.order[members]
        starts, lengths = self.lines.doc_starts[rows], self.lines.doc_lengths[rows]
        by = []
        for offset in range(0, int(lengths.max()), WORD):
            rest = np.maximum(lengths - offset, 0)
            word = heads(self.words, np.where(rest > 0, starts + offset, 0), rest)
            if (word != word[0]).any():  # ids begin alike more often than not
                by.append(~word.byteswap())  # as bytes compare, and descending
        # Numbers of few bits are sorted faster.
        numbers = np.arange(len(groups), dtype=np.min_scalar_type(len(groups)))
        new = np.lexsort([*reversed(by), np.repeat(numbers, sizes)])
        moved = np.empty(len(members), dtype=np.int64)
        moved[new] = members
        return moved[np.searchsorted(members, at)] - at


def _fields(text: NDArray[np.uint8]) -> tuple[Ints, Ints]:
    """Return the ends and the lengths of the fields of n lines, 6 x n each."""
    white = np.flatnonzero(text <= _SPACE)
    for returns in (0, 1):
        number, rest = divmod(len(white), _FIELDS + returns)
        if rest:
            continue
        columns = np.ascontiguousarray(white.reshape(number, _FIELDS + returns).T)
        ends, feeds = columns[:_FIELDS], columns[-1]
        if not (text[feeds] == _LF).all():
            continue
        if returns and not ((text[ends[-1] + 1] == _LF) & (text[ends[-1]] == _CR)).all():
            continue
        spaces = int(np.count_nonzero(text == _SPACE))
        if spaces != (_FIELDS - 1) * number:
            spaces += int(np.count_nonzero(text == _TAB))
        if spaces != (_FIELDS - 1) * number:
            continue
        lengths = np.empty_like(ends)
        lengths[0, 0] = ends[0, 0]
        np.subtract(ends[0, 1:], feeds[:-1] + 1, out=lengths[0, 1:])
        np.subtract(ends[1:], ends[:-1] + 1, out=lengths[1:])
        # An empty field, or a blank line, shows as a field without a byte.
        if lengths.min() > 0:
            return ends, lengths
    raise _OddError


def _require_tag(words: Words, starts: Ints, lengths: Ints, tag: bytes) -> None:
    if not (lengths == len(tag)).all():
        raise _OddError
    for offset in range(0, len(tag), WORD):
        piece = tag[offset : offset + WORD]
        mask = np.uint64((1 << (8 * len(piece))) - 1)
        differ = words[starts + offset] ^ np.uint64(int.from_bytes(piece, "little"))
        if np.bitwise_or.reduce(differ) & mask:
            raise _OddError


def _changes(words: Words, starts: Ints, lengths: Ints) -> Ints:
    """Return the lines whose query is not that of the line before; the first line always."""
    begin = words[starts]
    # What stands behind a short id is a separator and then, nearly always, the same on each line.
    differ = np.flatnonzero(begin[1:] != begin[:-1])
    if len(differ) > len(starts) // 8 or int(lengths.max()) >= WORD:
        differ = np.arange(len(starts) - 1)
    before, after = ((words, starts[lines], lengths[lines]) for lines in (differ, differ + 1))
    differ = differ[~same_texts(before, after)]
    return np.concatenate(([0], differ + 1))


def _refuse_odd_text(block: Block) -> None:
    """Raise for what is not UTF-8, and for white space that separates no fields. Of ASCII, where
    there is none but in control characters, `_fields` counts it."""
    if block.buffer.isascii():
        return
    with memoryview(block.buffer) as view, view[: block.size] as text:
        try:
            if has_other_white(str(text, "utf-8")):
                raise _OddError
        except UnicodeDecodeError:
            raise _OddError from None


def _first_tag(block: Block) -> bytes:
    fields = bytes(memoryview(block.buffer)[: block.buffer.find(b"\n")]).split()
    if len(fields) != _FIELDS:
        raise _OddError
    return fields[-1]
