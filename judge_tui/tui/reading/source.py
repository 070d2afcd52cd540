"""Source code, and other lines of files: numbered, highlighted, with their context set apart."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.formats.excerpt import Excerpt
from judge_tui.tui.reading.highlighting import highlighted
from judge_tui.tui.reading.plain import Shown
from judge_tui.tui.reading.reading import Part, Span
from judge_tui.tui.reading.sheet import RULE
from judge_tui.tui.reading.streamed import Piece, StreamedReading

HIGHLIGHTED = 100_000
"""In characters: what comes further down has no colours, so that going there takes no time."""

_STEP = 1000
_CONTEXT = "context"


def source_reading(
    text: str, language: str, *, first_line: int | None, excerpt: Excerpt | None = None
) -> StreamedReading:
    """Text as it stands, highlighted where `language` has a lexer.

    The lines are numbered from `first_line`, unless it is None. Those of the `excerpt` stand
    around them.
    """
    if excerpt is None:
        text = text.rstrip("\r\n")
        last_line = None if first_line is None else first_line + text.count("\n")
        return StreamedReading(_pieces(text, language), first_line=first_line, last_line=last_line)
    own = without_line_end(text)
    before, after = excerpt.before, without_line_end(excerpt.after)
    # In the context stands whether the text begins within a string or a comment.
    context = Shown(before).take(len(before) + 1).text
    pieces = _pieces(own, language, context)
    return framed(pieces, before, after, own_lines=own.count("\n") + 1, first_line=first_line)


def framed(
    pieces: Iterator[Piece],
    before: str,
    after: str,
    *,
    own_lines: int | None = None,
    first_line: int | None = None,
) -> StreamedReading:
    """A document between the lines that stand before and after it, with a thin rule between.

    Lines are numbered if `first_line`, that of what stands before, is given, and `own_lines`, how
    many the document has.
    """
    above = before.count("\n")
    start_line = above + 1 if before else 0
    parts = _framed(pieces, before, without_line_end(after))
    if first_line is None or own_lines is None:
        return StreamedReading(parts, start_line=start_line)
    return StreamedReading(
        parts,
        first_line=first_line,
        last_line=first_line + above + own_lines + after.count("\n"),
        start_line=start_line,
        unnumbered=(above,) * bool(before) + (start_line + own_lines,) * bool(after),
    )


def without_line_end(text: str) -> str:
    """`text` without the end of its last line; empty lines before that stay."""
    return text.removesuffix("\n").removesuffix("\r")


def _framed(pieces: Iterator[Piece], before: str, after: str) -> Iterator[Piece]:
    all_of_it = 1.0 if not after else 0.999
    if before:
        yield _context(before, "", RULE + "\n"), 0.0
    for part, done in pieces:
        yield part, done * all_of_it
    if after:
        yield _context(after, "\n" + RULE + "\n", ""), 1.0


def _context(text: str, above: str, below: str) -> Part:
    """A few lines of context, and the rule above or below them."""
    shown = Shown(text).take(len(text) + 1).text
    rule, end = len(above), len(above) + len(shown)
    spans: list[Span] = [(rule, end, _CONTEXT)]
    if above:
        spans.insert(0, (1, rule - 1, "rule"))
    if below:
        spans.append((end, end + len(below) - 1, "rule"))
    return Part(above + shown + below, tuple(spans))


def _pieces(text: str, language: str, context: str = "") -> Iterator[Piece]:
    """The text in small pieces; `context`, which is visible, is read by the lexer only."""
    shown = Shown(text)
    if not language:
        yield from _plain(shown)
        return
    head = shown.take(HIGHLIGHTED).text
    taken = shown.done
    at = 0
    for reached, spans in highlighted(context + head, language):
        # Of spans of the context, what reaches into the text.
        end = reached - len(context)
        own = [(left - len(context), right - len(context), style) for left, right, style in spans]
        for stop in [*range(at + _STEP, end - _STEP, _STEP), end]:
            if stop > at:
                yield _cut(head, own, at, stop), stop / len(head) * taken
                at = stop
    for stop in [*range(at + _STEP, len(head), _STEP), len(head)]:
        if stop > at:
            yield Part(head[at:stop]), stop / len(head) * taken
            at = stop
    yield from _plain(shown)


def _plain(shown: Shown) -> Iterator[Piece]:
    while (part := shown.take(_STEP)).text:
        yield part, shown.done


def _cut(text: str, spans: list[Span], start: int, stop: int) -> Part:
    held = tuple(
        (max(left, start) - start, min(right, stop) - start, style)
        for left, right, style in spans
        if left < stop and right > start
    )
    return Part(text[start:stop], held)
