"""A document made ready in small steps: taken, searched, laid out."""

from __future__ import annotations

from time import perf_counter

from judge_tui.tui.document.finding import Finding
from judge_tui.tui.document.hits import Hits, Sought
from judge_tui.tui.document.rows import Rows
from judge_tui.tui.document.styled_text import StyledText

# Characters made ready at once: as many as take so long (seconds), whatever the kind of document.
# Laying out what is taken is fast for all of them.
_LEAST_STEP = 1000
_LEAST_LAID = 4096
_GREATEST_STEP = 32_768
_STEP_SECONDS = 0.004
_SEARCH_STEP = 65_536


class ReadyDocument:
    """The text of a document as far as it is ready, its rows, its marks, and what is found in it.

    A step takes a few milliseconds, so that keys can go between two of them.
    """

    def __init__(self, styled: StyledText, marks: Sought | None) -> None:
        self.styled = styled
        self.rows = Rows(None)
        self.marks = Hits(marks) if marks is not None else None
        self.finding: Finding | None = None
        self._step = _LEAST_STEP

    @property
    def text(self) -> str:
        """What is ready of the text; `rows.laid` tells how much of it stands in rows."""
        return self.styled.text

    @property
    def is_ready(self) -> bool:
        """Whether all of the text stands in rows."""
        return self.styled.done and self.rows.laid == len(self.text) and len(self.rows) > 0

    @property
    def is_searched(self) -> bool:
        """Whether nothing more can be found."""
        finding = self.finding
        return finding is None or (self.styled.done and finding.hits.searched == len(self.text))

    @property
    def is_settled(self) -> bool:
        """Whether there is nothing left to do."""
        return self.is_ready and self.is_searched

    @property
    def likely_rows(self) -> int:
        """How many rows there will be, if the rest is like the part that is ready."""
        if self.is_ready:
            return len(self.rows)
        return len(self.rows) * self.styled.likely_length // max(1, self.rows.laid)

    def lay_out(self, width: int, *, wraps: bool = True) -> None:
        """Begin with the rows anew, at a width in cells; unless the text `wraps`, a row for each of
        its lines, and only the program's own words at that width."""
        own = self.styled.own_to
        self.rows = Rows(width if wraps else None, head=own, head_width=width)

    def advance(self) -> int | None:
        """One step; the first row that changed, None where none did."""
        begun = perf_counter()
        takes = self.rows.laid == len(self.text) and not self.styled.done
        if takes:
            self.styled.take(self._step)
        text, is_end = self.text, self.styled.done
        if self.marks is not None and self.marks.searched < len(text):
            self.marks.extend(text, len(text), is_end=is_end)
        changed = None
        if self.rows.laid < len(text) or not len(self.rows):
            stop = self.rows.laid + max(_LEAST_LAID, self._step)
            changed = self.rows.extend(text, min(len(text), stop))
        if self.finding is not None:
            self.search(self.finding)
        used = perf_counter() - begun
        if used > _STEP_SECONDS:
            self._step = max(_LEAST_STEP, self._step // 2)
        elif used < _STEP_SECONDS / 2 and (takes or self.rows.laid < len(text)):
            self._step = min(_GREATEST_STEP, self._step * 2)
        return changed

    def search(self, finding: Finding) -> None:
        """One step of searching in what is ready."""
        hits, text = finding.hits, self.text
        if hits.searched < len(text):
            stop = min(len(text), hits.searched + _SEARCH_STEP)
            hits.extend(text, stop, is_end=self.styled.done and stop == len(text))
