"""A run in a table, cut into columns a megabyte at a time: several times as fast as row by row.

Only where it is plain: no quotes, no blanks in ids, one tag, the scores or ranks of each query
without a fault. Anything else is for who reads row by row (`csv_run`), and can say what it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import compress, pairwise
from operator import ne
from typing import NamedTuple

from judge_tui.formats.columns import DOCUMENT, QUERY, RANK, SCORE, TAG
from judge_tui.formats.ids import has_other_white
from judge_tui.formats.plain_lists import Columns, Lists
from judge_tui.formats.problems import Reporter
from judge_tui.formats.sample import Sample
from judge_tui.formats.source import Source
from judge_tui.formats.table import Table, header_of

__all__ = ["OddTableError", "lists_of_ranking", "lists_of_table"]

_WHITE = (b" ", b"\t", b"\v", b"\f")
_LONGEST_RANK = 16


class OddTableError(Exception):
    """The table is not plain, or something in it is wrong."""


class _Layout(NamedTuple):
    """Where the columns are; `tag` is None where there is none or it plays no part."""

    skipped: int
    separator: bytes
    width: int
    query: int
    doc: int
    number: int
    by_rank: bool
    tag: int | None


_RANKING = _Layout(0, b"\t", 3, 0, 1, 2, True, None)


def lists_of_table(source: Source, *, any_tag: bool = False) -> Iterator[Lists]:
    """The lists of a run, each query whole unless others stand between its rows.

    Raises `OddTableError`, and `UnreadableError` as `Source.pieces` and the header do.
    """
    yield from _lists(source, _layout(source, any_tag=any_tag))


def lists_of_ranking(source: Source) -> Iterator[Lists]:
    """The same of a query, a document and a rank between tabs, without a header."""
    yield from _lists(source, _RANKING)


def _lists(source: Source, layout: _Layout) -> Iterator[Lists]:
    ranked = _Ranks() if layout.by_rank else None
    pending: tuple[bytes, Columns] | None = None
    tag: bytes | None = None
    for text in _texts(source, layout.skipped):
        columns, its_tag = _cut(text, layout)
        if tag not in (None, its_tag):
            raise OddTableError
        tag = its_tag
        found: dict[bytes, Columns] = {}
        if pending:
            found[pending[0]] = pending[1]
        for query, docs, numbers in _queries(*columns):
            held = found.setdefault(query, ([], []))
            held[0].extend(docs)
            held[1].extend(numbers)
        # The last query may go on in the next piece. (Of one that came before, that is told there.)
        last = columns[0][-1]
        pending = last, found.pop(last)
        yield Lists(ranked.scores(found) if ranked else found, tag)
    if pending and tag is not None:
        found = dict([pending])
        yield Lists(ranked.scores(found) if ranked else found, tag)


def _layout(source: Source, *, any_tag: bool) -> _Layout:
    sample = Sample(source)
    header = header_of(sample)
    # A name between quotes may go on in the next line.
    if header is None or sample.first.count(b'"') % 2:
        raise OddTableError
    table = Table(source.path, header, iter(()), Reporter(source.path))
    return _Layout(
        header.line,
        header.separator.encode(),
        len(header.written),
        table.place(QUERY),
        table.place(DOCUMENT),
        table.place(SCORE, RANK),
        not header.has(SCORE),
        table.place(TAG) if header.has(TAG) and not any_tag else None,
    )


def _texts(source: Source, skipped: int) -> Iterator[bytes]:
    """The rows as bytes, whole lines each, behind as many lines as are to be skipped."""
    parts: list[bytes] = []
    for piece in source.pieces():
        end = piece.rfind(b"\n") + 1
        if not end:
            parts.append(piece)
            continue
        text = b"".join([*parts, piece[:end]])
        parts = [piece[end:]]
        while skipped and text:
            text = text[text.find(b"\n") + 1 :]
            skipped -= 1
        if text:
            yield text
    text = b"".join(parts)
    if text and not skipped:
        yield text + b"\n"


def _cut(text: bytes, layout: _Layout) -> tuple[tuple[list[bytes], ...], bytes]:
    """The queries, documents and numbers of all rows, and their tag."""
    if b"\r" in text:
        text = text.replace(b"\r\n", b"\n")
    if b'"' in text or b"\r" in text or not _is_utf8(text):
        raise OddTableError
    rows, width = text.count(b"\n"), layout.width
    # A line end stays with the last cell, where a number takes no harm from it.
    cells = text.replace(b"\n", b"\n" + layout.separator).split(layout.separator)
    ends = cells[width - 1 :: width]
    if len(cells) != rows * width + 1 or b"".join(ends).count(b"\n") != rows:
        raise OddTableError
    cells.pop()
    white = [mark for mark in _WHITE if mark in text]
    guarded = b"'" in text
    queries, docs = (
        _ids(cells, place, width, white, guarded=guarded) for place in (layout.query, layout.doc)
    )
    numbers = cells[layout.number :: width]
    tag = b""
    if layout.tag is not None:
        tags = _column(cells, layout.tag, width)
        tag = tags[0]
        if tags.count(tag) != rows or tag.decode().strip().encode() != tag:
            raise OddTableError
    return (queries, docs, numbers), tag


def _ids(
    cells: list[bytes], place: int, width: int, white: Sequence[bytes], *, guarded: bool
) -> list[bytes]:
    ids = _column(cells, place, width)
    if not all(ids):
        raise OddTableError
    if guarded and any(one.startswith(b"'") for one in ids):
        raise OddTableError
    joined = b"".join(ids)
    if any(mark in joined for mark in white) or has_other_white(joined.decode()):
        raise OddTableError
    return ids


def _column(cells: list[bytes], place: int, width: int) -> list[bytes]:
    column = cells[place::width]
    return b"".join(column).split(b"\n")[:-1] if place == width - 1 else column


def _queries(
    queries: list[bytes], docs: list[bytes], numbers: list[bytes]
) -> Iterator[tuple[bytes, list[bytes], list[bytes]]]:
    """The rows of each query that stand together."""
    changes = compress(range(1, len(queries)), map(ne, queries[1:], queries))
    for begin, end in pairwise([0, *changes, len(queries)]):
        yield queries[begin], docs[begin:end], numbers[begin:end]


class _Ranks:
    """Ranks made scores, for a table that has none: in no query may one come twice."""

    def __init__(self) -> None:
        self._done: set[bytes] = set()

    def scores(self, found: dict[bytes, Columns]) -> dict[bytes, Columns]:
        """The same lists with the negative ranks in place of the ranks."""
        if not self._done.isdisjoint(found):
            raise OddTableError
        self._done.update(found)
        return {query: (docs, _negative(cells)) for query, (docs, cells) in found.items()}


def _negative(cells: list[bytes]) -> list[bytes]:
    ranks = [cell.rstrip(b"\n") for cell in cells]
    digits = b"".join(ranks).isdigit() and all(ranks) and max(map(len, ranks)) <= _LONGEST_RANK
    if not digits or len(set(map(int, ranks))) != len(ranks):
        raise OddTableError
    return [b"-" + rank for rank in ranks]


def _is_utf8(text: bytes) -> bool:
    if text.isascii():
        return True
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True
