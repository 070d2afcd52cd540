"""The exact reader of a block of a run: any layout, a line at a time, and FILE:LINE for a fault."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from judge_tui.formats.compression import refuse_nul
from judge_tui.formats.problems import Reporter
from judge_tui.formats.trec import RunLines

_PIECE = 1 << 20
"""Bytes that are cut into lines at once."""


class QueryAgainError(Exception):
    """A query of an earlier block comes again: its results have to be read together."""


def read_lines(
    text: bytes,
    path: str,
    *,
    first_line: int = 1,
    tag: str | None = None,
    tag_line: int = 0,
    any_tag: bool = False,
    came_before: Callable[[str], bool] = lambda _: False,
) -> RunLines:
    """Read the lines of `text`, the first of which has the number `first_line`.

    `tag`, `tag_line`: those of the lines before, as in `RunLines`; `came_before`: whether they had
    a query. Raises `InputError` for the first fault of the file, and `QueryAgainError`.
    """
    lines = _BlockLines(Reporter(path), any_tag=any_tag)
    lines.tag, lines.tag_line, lines.came_before = tag, tag_line, came_before
    nul = text.find(b"\0")
    end = len(text) if nul < 0 else text.rfind(b"\n", 0, nul) + 1
    for piece in _pieces(text[:end]):
        lines.read(piece, first_line)
        first_line += piece.count(b"\n") + 1
    if nul >= 0:
        refuse_nul(path, text[end:], first_line - 1)
    return lines


class _BlockLines(RunLines):
    came_before: Callable[[str], bool]

    def lists_of(self, query_id: str) -> tuple[dict[str, int], list[float]]:
        if self.came_before(query_id):
            raise QueryAgainError
        return super().lists_of(query_id)


def _pieces(text: bytes) -> Iterator[bytes]:
    begin = 0
    while begin < len(text):
        end = text.find(b"\n", begin + _PIECE)
        end = len(text) if end < 0 else end
        yield text[begin:end].removesuffix(b"\n")
        begin = end + 1
