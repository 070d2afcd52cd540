"""Rows of a table cut into cells, which may be quoted and then hold separators and line ends.

The standard library's `csv` says neither where a quote was opened nor how much of a file it has
swallowed since, and its limit for the size of a cell belongs to the whole process.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from judge_tui.formats.problems import Reporter, counted, decoded, quoted
from judge_tui.formats.source import UnreadableError

__all__ = ["is_whole", "row_cells"]

_OPENING = re.compile(r' *+"')
_BODY = re.compile(r'[^"]*+(?:""[^"]*+)*+')
_BLANKS = re.compile(r" *+")
_LONGEST = 1 << 24


def row_cells(
    path: str, lines: Iterator[tuple[int, bytes]], separator: str, report: Reporter
) -> Iterator[tuple[int, list[str]]]:
    """The cells of each row that is not blank, with the line on which it begins.

    Blanks before an opening quote and after a closing one are dropped, all others kept; a quote
    within an unquoted cell is a character like others. A row that is not UTF-8, or has text after
    a closing quote, is reported. Raises `UnreadableError`, with the line of the quote, for one that
    is never closed or still open 16 MB later: nothing can be said of the lines after it.
    """
    for line, raw in lines:
        if not raw.strip():
            continue
        text = decoded(raw, line, report)
        if text is None:
            continue
        if '"' in text:
            cells = _quoted(path, line, text, lines, separator, report)
            if cells is not None:
                yield line, cells
        else:
            yield line, text.removesuffix("\r").split(separator)


def is_whole(line: int, cells: list[str], width: int, report: Reporter) -> bool:
    """Whether a row has as many cells as the header; reported where it has not."""
    if len(cells) == width:
        return True
    report(
        line,
        f"{counted(len(cells), 'cell')}, but the header has {width}",
        "put a cell that holds the separator between quotes; complete a short row",
    )
    return False


def _quoted(
    path: str,
    line: int,
    text: str,
    lines: Iterator[tuple[int, bytes]],
    separator: str,
    report: Reporter,
) -> list[str] | None:
    """The cells of the row that begins with this line, which holds a quote."""
    begun, at = line, 0
    cells: list[str] = []
    sound = True
    while True:
        opening = _OPENING.match(text, at)
        if opening is None:
            end = text.find(separator, at)
            if end < 0:
                cells.append(text[at:].removesuffix("\r"))
                return cells if sound else None
            cells.append(text[at:end])
            at = end + 1
            continue
        opened, start, parts, size = line, opening.end(), [], 0
        while (end := _end(_BODY, text, start)) == len(text):
            parts += [text[start:], "\n"]
            size += len(text) + 1
            following = next(lines, None)
            if following is None or size > _LONGEST:
                state = "never closed" if following is None else "still open 16 MB later"
                raise UnreadableError(
                    path,
                    opened,
                    f"the quote that opens here is {state}",
                    'close it; a quote within a cell is written ""',
                )
            line, raw = following
            sound = decoded(raw, line, report) is not None and sound
            text, start = raw.decode("utf-8", "replace"), 0
        cells.append("".join([*parts, text[start:end]]).replace('""', '"'))
        at = _end(_BLANKS, text, end + 1)
        if text[at:] in ("", "\r"):
            return cells if sound else None
        if text[at] != separator:
            report(
                begun,
                f"{quoted(text[end + 1 :])} stands after the closing quote of a cell",
                'write a quote within a cell as ""',
            )
            return None
        at += 1


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    """Where a match of a pattern that can be empty ends."""
    match = pattern.match(text, at)
    return match.end() if match else at
