"""The columns of answers in a table: what each is called, and what it holds."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from itertools import islice

from judge_tui.formats.columns import DOCUMENT, folded

__all__ = ["KNOWN_COLUMNS", "Columns", "columns_in"]

_DELIMITERS = (",", ";", "\t")
# As Excel has it above a table, to be told what stands between the columns.
_SEPARATOR = re.compile(r'\s*"?sep=(?:.|\\t)"?[,;\t]*\s*', re.IGNORECASE)
_NUMBERED = re.compile("_*[0-9]*")
_NAMES = {
    **dict.fromkeys(("query_id", "id", "qid", "q_id"), "query_id"),
    **dict.fromkeys(("query", "grade", "class", "subset")),
}
_RESULTS = {
    **dict.fromkeys(("result", "results", "expected"), "expected"),
    **dict.fromkeys(("pattern", "patterns"), "pattern"),
}

KNOWN_COLUMNS = ", ".join(
    (
        *dict.fromkeys(meant or name for name, meant in _NAMES.items()),
        f"result1, result2, … or {', '.join(dict.fromkeys(_RESULTS.values()))}",
    )
)
"""The names that a table may have, as they are told."""


@dataclass(frozen=True, slots=True)
class Columns:
    """The first row of a table: in which line it stands (from 1), the `delimiter`, the names as
    they are `written`, and what each holds as an answer in JSON has it (`meant`): several may be
    expected, or a pattern; "" where a cell is blank, None where it is none of these."""

    line: int
    delimiter: str
    written: tuple[str, ...]
    meant: tuple[str | None, ...]

    @property
    def asks(self) -> bool:
        """Whether a column tells the query."""
        return "query" in self.meant or "query_id" in self.meant

    @property
    def says(self) -> bool:
        """Whether a column tells what is right."""
        return "expected" in self.meant or "pattern" in self.meant

    @property
    def has_documents(self) -> bool:
        """Whether a column holds doc_ids, as tables of runs and grades have them."""
        return not set(DOCUMENT.names).isdisjoint(map(folded, self.written))


def columns_in(text: str) -> Columns | None:
    """The header of a table that begins like this, by the delimiter that shows most known names;
    None where no line is one of at least two cells."""
    held = ((number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip())
    lines = list(islice(held, 2))
    if lines and _SEPARATOR.fullmatch(lines[0][1]):
        del lines[0]
    if not lines or lines[0][1].lstrip().startswith(("#", "[", "{")):
        return None
    number, line = lines[0]
    found = [_cut(number, line.rstrip("\r"), delimiter) for delimiter in _DELIMITERS]
    best = max(found, key=lambda one: (sum(map(bool, one.meant)), len(one.written)))
    return best if len(best.written) > 1 else None


def _cut(number: int, line: str, delimiter: str) -> Columns:
    try:
        (cells,) = csv.reader([line], delimiter=delimiter, strict=True)
    except (csv.Error, ValueError):
        cells = []
    written = tuple(cell.strip() for cell in cells)
    return Columns(number, delimiter, written, tuple(map(_meaning, written)))


def _meaning(written: str) -> str | None:
    name = folded(written)
    if name in _NAMES:
        return _NAMES[name] or name
    for begin, meaning in _RESULTS.items():
        if name.startswith(begin) and _NUMBERED.fullmatch(name[len(begin) :]):
            return meaning
    return None if name else ""
