"""Where a text is in a document."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from textual.content import Content

from judge_tui.tui.widgets.document_lines import Place, Row

_HIT = "not dim reverse $text-warning"
_HERE = "not dim reverse bold underline $text-error"


class Hits:
    """All places that have the text, and the one that was gone to last; case counts where the text
    has a capital."""

    def __init__(self, lines: Sequence[Content] = (), text: str = "") -> None:
        flags = 0 if any(char.isupper() for char in text) else re.IGNORECASE
        found = re.compile(re.escape(text), flags).finditer
        self._rows = [
            Row(number, *match.span())
            for number, line in enumerate(lines)
            for match in found(line.plain)
        ]
        self._at: int | None = None

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def here(self) -> Row | None:
        """The one that was gone to last."""
        return None if self._at is None else self._rows[self._at]

    @property
    def number(self) -> int:
        """Which of them that is, from 1 on."""
        return 0 if self._at is None else self._at + 1

    @property
    def places(self) -> list[Place]:
        """Where they begin."""
        return [row[:2] for row in self._rows]

    def go(self, by: int, top: Place) -> Row:
        """The next one, or the one before: seen from the last one, or from `top` where there is
        none."""
        at = bisect_left(self._rows, top) - (by < 0) if self._at is None else self._at + by
        self._at = at % len(self._rows)
        return self._rows[self._at]

    def leave(self) -> None:
        """The last one is not in sight any more."""
        self._at = None

    def spans(self, line: int, end: int) -> Iterator[tuple[int, int, str]]:
        """Those in a line that begin before an offset, and how they look."""
        first = bisect_left(self._rows, (line, 0))
        for at in range(first, bisect_left(self._rows, (line, end))):
            yield *self._rows[at][1:3], _HERE if at == self._at else _HIT
