"""The text of a reading as far as it was taken, with its styles and the numbers of its lines."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from time import perf_counter

from judge_tui.tui.reading import Reading, Span
from judge_tui.visible import visible

Run = tuple[int, int, tuple[str, ...]]
"""Start and end of a stretch of text, and the styles that it is drawn in, the last one on top."""

# One piece of most readings, and often a screen; the view takes more where it has to.
_FIRST_STEP = 1000
_STEP = 4096


class StyledText:
    """A head, which is foreign text, an empty line, and the text of a reading.

    `note` stands in the place of a text without ink: spaces of any kind and the empty Braille cell
    are nothing to see. `begun` tells when (`perf_counter`) the first part was asked for.
    """

    def __init__(self, reading: Reading, *, head: str = "", note: str = "") -> None:
        self.begun = perf_counter()
        self._reading = reading
        self._starts = array("I")
        self._ends = array("I")
        self._looks = array("I")
        # The combinations of styles that occur, each kept once.
        self._kinds: dict[tuple[str, ...], int] = {}
        self._kind_names: list[tuple[str, ...]] = []
        self._lines = array("I")
        self.has_ink = False
        head = visible(head).strip("\n")
        self.text = f"{head}\n\n" if head else ""
        self._body = len(self.text)
        # Whether lines have numbers, for which room is kept.
        self.is_numbered = reading.first_line is not None
        if self.is_numbered:
            self._lines.append(self._body)
        step = _FIRST_STEP
        while not self.has_ink and reading.done < 1:
            self.take(step)
            step = _STEP
        if not self.has_ink:
            self._put_note(head, note)

    @property
    def done(self) -> bool:
        """Whether all of the reading was taken."""
        return self._reading.done >= 1

    @property
    def own_to(self) -> int:
        """Where the program's own words end, which are always wrapped: the head, or all of it where
        a note stands in the place of a text."""
        return self._body if self.has_ink else len(self.text)

    @property
    def likely_length(self) -> int:
        """How long the text will be, if the rest is like the part that was taken."""
        return int(len(self.text) / max(self._reading.done, 0.001))

    def first_row(self) -> int:
        """Where the line starts that one begins with, 0 for the first; taken as far as that."""
        at = self._body
        for _ in range(self._reading.start_line):
            while (end := self.text.find("\n", at)) < 0 and not self.done:
                self.take(_STEP)
            if end < 0:
                return 0
            at = end + 1
        return at if self._reading.start_line else 0

    @property
    def number_width(self) -> int:
        """Room for the greatest line number; 0 where lines are not numbered."""
        first, last = self._reading.first_line, self._reading.last_line
        return len(str(max(first, last or 0))) if first is not None else 0

    def take(self, step: int) -> None:
        """Take the next part of the reading, of about so many characters."""
        at = len(self.text)
        part = self._reading.take(step)
        self.text += part.text
        self.has_ink = self.has_ink or bool(part.text.replace("\u2800", "").strip())
        for start, end, names in _flat(part.spans):
            self._add(at + start, at + end, names)
        if self.is_numbered:
            line = part.text.find("\n") + 1
            while line:
                self._lines.append(at + line)
                line = part.text.find("\n", line) + 1

    def runs(self, start: int, end: int) -> Iterator[Run]:
        """The styled stretches in `text[start:end]`, cut at its borders."""
        run = bisect_right(self._ends, start)
        while run < len(self._starts) and self._starts[run] < end:
            yield (
                max(start, self._starts[run]),
                min(end, self._ends[run]),
                self._kind_names[self._looks[run]],
            )
            run += 1

    def number(self, offset: int) -> int | None:
        """The number of the line that starts at an offset; None where none does."""
        line = bisect_left(self._lines, offset)
        first = self._reading.first_line
        if first is None or line == len(self._lines) or self._lines[line] != offset:
            return None
        unnumbered = self._reading.unnumbered
        if line in unnumbered:
            return None
        return first + line - bisect_left(unnumbered, line)

    def _put_note(self, head: str, note: str) -> None:
        self.text = f"{head}\n\n{note}" if head and note else head or note
        self.is_numbered = False
        for column in (self._starts, self._ends, self._looks, self._lines):
            del column[:]
        self._add(len(self.text) - len(note), len(self.text), ("note",))

    def _add(self, start: int, end: int, names: tuple[str, ...]) -> None:
        if names not in self._kinds:
            self._kinds[names] = len(self._kind_names)
            self._kind_names.append(names)
        self._starts.append(start)
        self._ends.append(end)
        self._looks.append(self._kinds[names])


def _flat(spans: Sequence[Span]) -> Iterator[Run]:
    """Spans, in order of their starts, as stretches that do not overlap."""
    active: list[Span] = []
    at = reach = 0
    for span in spans:
        start, end, _ = span
        if start >= reach:
            yield from _until(reach, at, active)
            active = [span]
            reach = end
        else:
            yield from _until(start, at, active)
            active.append(span)
            reach = max(reach, end)
        at = start
    yield from _until(reach, at, active)


def _until(stop: int, at: int, active: list[Span]) -> Iterator[Run]:
    """The stretches from `at` to `stop`; spans that ended are taken out of `active`."""
    if len(active) == 1:
        _, end, name = active[0]
        if at < min(stop, end):
            yield at, min(stop, end), (name,)
        return
    while active and at < stop:
        active[:] = [span for span in active if span[1] > at]
        if not active:
            return
        end = min(stop, *(span[1] for span in active))
        # A style within itself is that style: there are never more kinds than styles allow.
        yield at, end, tuple(dict.fromkeys(reversed([span[2] for span in active])))[::-1]
        at = end
