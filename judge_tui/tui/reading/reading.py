"""The shape that all readings have, whatever the kind of document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

Span = tuple[int, int, str]
"""Start and end in the text of its part, and the name of a style, such as `heading` or `keyword`.

The view knows how each of them looks (`widgets.document_looks`).
"""


@dataclass(frozen=True, slots=True)
class Part:
    """The next piece of what is shown: visible text (`visible.visible`) and its styles.

    `spans` are in order of their starts; where two overlap, the later one is drawn over the
    earlier one. They never reach beyond the part. Parts follow each other without a seam: a part
    may end in the middle of a line.
    """

    text: str
    spans: tuple[Span, ...] = ()


class Reading(Protocol):
    """One document, made ready from its beginning to its end."""

    @property
    def done(self) -> float:
        """How much of the document was taken, from 0 to 1; 1 exactly at its end."""

    @property
    def first_line(self) -> int | None:
        """The number of the first line where lines are numbered, else None."""

    @property
    def last_line(self) -> int | None:
        """The number of the last line, or a greater one, where lines are numbered, else None.

        Room for the numbers is kept for it, so that nothing moves while the rest is made ready.
        """

    @property
    def start_line(self) -> int:
        """The index of the line to begin with: what stands above it is context. 0 where none is.

        Lines are counted from 0 in the text of the reading.
        """

    @property
    def unnumbered(self) -> tuple[int, ...]:
        """The indices of the lines that are no lines of the document, such as the rules between
        context and document: they have no number, and the numbers go on after them."""

    def take(self, step: int) -> Part:
        """The next part, of about `step` characters; empty only at the end."""
