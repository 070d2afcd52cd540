"""A reading from a generator that makes the document ready piece by piece."""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

from judge_tui.tui.reading.reading import Part, Span

Piece = tuple[Part, float]
"""A small part, and how much of the document is taken with it, from 0 to 1."""

_LONGEST = 0.002
"""In seconds: a part that takes longer to make than this ends early, so that keys go first."""

BROKEN_OFF = "[what comes here cannot be rendered; the raw document has it]"


class StreamedReading:
    """The pieces of a generator, joined to parts of the size that is asked for.

    The pieces have to be small, about 1,000 characters, and none of them empty. Where making one
    fails, the reading ends with `BROKEN_OFF`: a judge who could not get past a document would be
    kept from all that come after it.
    """

    def __init__(
        self,
        pieces: Iterator[Piece],
        *,
        first_line: int | None = None,
        last_line: int | None = None,
        start_line: int = 0,
        unnumbered: tuple[int, ...] = (),
    ) -> None:
        self.first_line = first_line
        self.last_line = last_line
        self.start_line = start_line
        self.unnumbered = unnumbered
        self.done = 0.0
        self._pieces = pieces

    def take(self, step: int) -> Part:
        begun = perf_counter()
        parts: list[Part] = []
        length = 0
        while self.done < 1 and length < step:
            part, self.done = self._next()
            parts.append(part)
            length += len(part.text)
            if perf_counter() - begun > _LONGEST:
                break
        return joined(parts)

    def _next(self) -> Piece:
        try:
            return next(self._pieces, (Part(""), 1.0))
        except Exception:
            said = f"\n{BROKEN_OFF}\n"
            return Part(said, ((1, len(said) - 1, "note"),)), 1.0


def joined(parts: list[Part]) -> Part:
    """Parts that follow each other, as one."""
    if len(parts) == 1:
        return parts[0]
    spans: list[Span] = []
    at = 0
    for part in parts:
        spans += ((at + start, at + end, style) for start, end, style in part.spans)
        at += len(part.text)
    return Part("".join(part.text for part in parts), tuple(spans))
