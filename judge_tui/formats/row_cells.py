"""Rows of a table cut into cells, which may be quoted and then hold separators and line ends.

Whose the quotes around a cell are, of the text or of the program that wrote it, nothing says. With
commas and semicolons they are always taken for the program's. Where they are `as_needed`, which is
for who calls to say, a cell keeps those that it does not need: spreadsheets and `csv` put quotes
around a cell between tabs that holds a tab, a line end, a quote, which they double, or a comma, as
Excel does; and around all, the names in the header among them, or around none. Logs of searches,
and what Google Sheets writes, have the quotes that somebody typed. A row that has two cells or more
in quotes, and beside them numbers alone, is of a program that quotes every text.

The standard library's `csv` says neither where a quote was opened nor how much of a file it has
swallowed since, and its limit for the size of a cell belongs to the whole process.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from judge_tui.formats.problems import Reporter, counted, decoded, quoted
from judge_tui.formats.source import UnreadableError

__all__ = ["is_whole", "needs_quotes", "row_cells"]

_OPENING = re.compile(r' *+"')
_BODY = re.compile(r'[^"]*+(?:""[^"]*+)*+')
_BLANKS = re.compile(r" *+")
_LONGEST = 1 << 24
_NEEDS_QUOTES = re.compile('[",;\\t\\n]')
_NO_TEXT = re.compile(r"\s*[-+]?[\d.,]*\s*")


def row_cells(
    path: str,
    lines: Iterator[tuple[int, bytes]],
    separator: str,
    report: Reporter,
    *,
    as_needed: bool = False,
) -> Iterator[tuple[int, list[str]]]:
    """The cells of each row that is not blank, with the line on which it begins.

    Blanks before an opening quote and after a closing one are dropped, all others kept; a quote
    within an unquoted cell is a character like others. A row that is not UTF-8, or has text after
    a closing quote, is reported; where quotes are `as_needed`, such a cell is as it stands, unless
    it holds the separator or a line end. Raises `UnreadableError`, with the line of the quote, for
    one that is never closed or still open 16 MB later: nothing can be said of the lines after it.
    """
    for line, raw in lines:
        if not raw.strip():
            continue
        text = decoded(raw, line, report)
        if text is None:
            continue
        if '"' in text:
            cells = _quoted(path, line, text, lines, separator, report, as_needed)
            if cells is not None:
                yield line, cells
        else:
            yield line, text.removesuffix("\r").split(separator)


def needs_quotes(text: str) -> bool:
    """Whether programs that write tables put quotes around a cell that says this; or nothing, which
    nobody means in quotes."""
    return not text.strip() or _NEEDS_QUOTES.search(text) is not None


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
    as_needed: bool,
) -> list[str] | None:
    """The cells of the row that begins with this line, which holds a quote."""
    begun, at = line, 0
    cells = _Cells(as_needed)
    sound = True
    while True:
        opening = _OPENING.match(text, at)
        if opening is None:
            stop = _stop(text, separator, at)
            cells.add(text[at:stop])
        else:
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
            inside = "".join([*parts, text[start:end]]).replace('""', '"')
            closed = _end(_BLANKS, text, end + 1)
            stop = _stop(text, separator, closed)
            if closed == stop:
                cells.add_quoted(inside)
            elif as_needed and not parts and separator not in inside:
                cells.add(text[at:stop])
            else:
                report(
                    begun,
                    f"{quoted(text[end + 1 :])} stands after the closing quote of a cell",
                    'write a quote within a cell as ""',
                )
                return None
        if not text.startswith(separator, stop):
            return cells.meant() if sound else None
        at = stop + 1


class _Cells:
    """The cells of a row, as a program means them that puts quotes around any, and as one does that
    puts them around those alone that need them."""

    def __init__(self, as_needed: bool) -> None:
        self._of_any: list[str] = []
        self._of_needed: list[str] = []
        self._as_needed = as_needed
        self._in_quotes = 0
        self._are_all_in_quotes = True

    def add(self, cell: str) -> None:
        self._of_any.append(cell)
        self._of_needed.append(cell)
        if _NO_TEXT.fullmatch(cell) is None:
            self._are_all_in_quotes = False

    def add_quoted(self, inside: str) -> None:
        self._of_any.append(inside)
        self._of_needed.append(inside if needs_quotes(inside) else f'"{inside}"')
        self._in_quotes += 1

    def meant(self) -> list[str]:
        quotes_texts = self._are_all_in_quotes and self._in_quotes > 1
        return self._of_needed if self._as_needed and not quotes_texts else self._of_any


def _stop(text: str, separator: str, at: int) -> int:
    """Where the cell ends that goes on here."""
    found = text.find(separator, at)
    return found if found >= 0 else max(at, len(text.removesuffix("\r")))


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    """Where a match of a pattern that can be empty ends."""
    match = pattern.match(text, at)
    return match.end() if match else at
