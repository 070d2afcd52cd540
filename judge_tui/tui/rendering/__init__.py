"""Documents as lines of styled text, made as they are asked for.

Whatever the length of a document, its first lines come at once. Plain text and code stay as they
stand; Markdown and HTML are rendered, unless they are asked for raw.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field

from textual.content import Content

from judge_tui.formats.checkout import KEY, Excerpt
from judge_tui.model import Document, lines_named
from judge_tui.tui.rendering.code import highlighted_lines, plain_lines
from judge_tui.tui.rendering.kinds import nature_of
from judge_tui.tui.rendering.line_writer import RULE, Piece
from judge_tui.tui.rendering.query_terms import query_terms
from judge_tui.visible import visible_line

__all__ = ["Piece", "Rendering", "query_terms", "render"]

BROKEN_OFF = "[what comes here cannot be rendered; the raw document has it]"
_WIDTH = 76
_WIDEST_KEY = 24


@dataclass(slots=True)
class Rendering:
    """A document as lines of visible text, styled with the theme's variables; read as needed.

    `first_number`, `last_number`: those of the lines where lines are numbered. `start_line`: the
    line to begin at, since the context of a checkout stands above it. A `Piece` goes on from the
    line before it.
    """

    lines: Iterator[Content]
    first_number: int | None = None
    last_number: int | None = None
    start_line: int = 0
    numbers: list[int | None] = field(default_factory=list)

    def number(self, line: int) -> int | None:
        """The number of a line that was read, counted from 0; None where it has none."""
        return self.numbers[line] if line < len(self.numbers) else None


def render(document: Document, *, raw: bool = False, width: int = _WIDTH) -> Rendering:
    """How a document is read: its address and metadata, then Markdown and HTML rendered, or with
    `raw` as they stand.

    Source code is highlighted, and numbered like all lines of files; what is read from a checkout
    stands between the lines around it. Tables have room in `width` cells.
    """
    kind, language = nature_of(document)
    excerpt = Excerpt.of(document.meta)
    rendering = Rendering(iter(()))
    if excerpt is None:
        before, text, after = "", document.text.rstrip("\r\n"), ""
    else:
        before, text = excerpt.before, _without_end(document.text)
        after = _without_end(excerpt.after)
    if raw or kind not in ("markdown", "html"):
        body = highlighted_lines(text, language, before)
        if excerpt is not None:
            rendering.first_number = excerpt.first_line
        elif kind == "code":
            _, lines = lines_named(document.doc_id)
            rendering.first_number = max(1, lines[0]) if lines else 1
    else:
        body = _rendered(document, kind, text, width)
    if rendering.first_number is not None:
        count = before.count("\n") + text.count("\n") + bool(after) + after.count("\n")
        rendering.last_number = rendering.first_number + count
    head = _metadata(document)
    rendering.start_line = len(head) + before.count("\n") + 1 if before else 0
    rendering.lines = _lines(rendering, head, before, body, after)
    return rendering


def _rendered(document: Document, kind: str, text: str, width: int) -> Iterator[Content]:
    if not text.isascii():
        # Parsers take no lone surrogates.
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    # Imported where it is needed: most documents are plain text, and start-up counts.
    from judge_tui.tui.rendering import markup  # noqa: PLC0415

    lines = markup.markdown_lines if kind == "markdown" else markup.html_lines
    yield from lines(text, width, titled=bool(document.title))


def _lines(
    rendering: Rendering, head: list[Content], before: str, body: Iterator[Content], after: str
) -> Iterator[Content]:
    """All lines, with a thin rule between a document and its context; noting the numbers of those
    that are lines of the file."""
    number = rendering.first_number
    for lines, are_own in (
        (head, False),
        (plain_lines(_without_end(before), "dim") if before else (), True),
        ([RULE] if before else (), False),
        (_safe(body), True),
        ([RULE] if after else (), False),
        (plain_lines(after, "dim") if after else (), True),
    ):
        for line in lines:
            if number is not None:
                is_numbered = are_own and not isinstance(line, Piece)
                rendering.numbers.append(number if is_numbered else None)
                number += is_numbered
            yield line


def _safe(lines: Iterator[Content]) -> Iterator[Content]:
    """The same lines, up to where making them fails: a judge who could not get past a document
    would be kept from all that come after it."""
    try:
        yield from lines
    except Exception:
        yield Content.styled(BROKEN_OFF, "italic dim")


def _metadata(document: Document) -> list[Content]:
    """Address and metadata as lines `key: value`, the values below each other, and a blank line.

    Nested values stand as JSON. Where a document was read from in a checkout is left out.
    """
    meta = {"url": document.url} if document.url else {}
    meta |= document.meta
    if Excerpt.of(meta) is not None:
        del meta[KEY]
    lines: list[Content] = []
    width = min(_WIDEST_KEY, max((len(visible_line(key)) for key in meta), default=0)) + 2
    for key, value in meta.items():
        name = f"{visible_line(key)}:"
        text = (
            value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
        )
        text = f"{name:<{width}}" + text.strip("\r\n").replace("\n", "\n" + " " * width)
        first, *others = plain_lines(text)
        lines += (first.stylize("dim", 0, len(name)), *others)
    return [*lines, Content("")] if lines else []


def _without_end(text: str) -> str:
    """`text` without the end of its last line; empty lines before that stay."""
    return text.removesuffix("\n").removesuffix("\r")
