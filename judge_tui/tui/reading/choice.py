"""Which reading a document gets."""

from __future__ import annotations

from judge_tui.formats.excerpt import Excerpt
from judge_tui.model import Document, lines_named
from judge_tui.tui.reading.kinds import nature_of
from judge_tui.tui.reading.plain import PlainReading
from judge_tui.tui.reading.reading import Reading


def has_rendering(document: Document) -> bool:
    """Whether the document looks otherwise as it is meant to be read than its source does."""
    return nature_of(document).kind in ("markdown", "html")


def reading_of(document: Document, *, raw: bool = False, room: int = 0) -> Reading:
    """How a document is read: Markdown and HTML rendered, or with `raw` as they stand.

    Source code is highlighted, and numbered like all lines of files; what is read from a checkout
    stands between the lines around it. `room` is how many cells a line has on the screen, 0 where
    that is not known: tables that are wider are not aligned.
    """
    kind, language = nature_of(document)
    excerpt = Excerpt.of(document.meta)
    if excerpt is None and kind == "text":
        return PlainReading(document.text)
    # Imported where they are needed: most documents are plain text, and start-up counts.
    if kind == "markdown" and not raw:
        from judge_tui.tui.reading.markdown import markdown_reading  # noqa: PLC0415

        return markdown_reading(document.text, excerpt, room=room)
    if kind == "html" and not raw:
        from judge_tui.tui.reading.html import html_reading  # noqa: PLC0415

        return html_reading(document.text, excerpt, titled=bool(document.title), room=room)
    from judge_tui.tui.reading.source import source_reading  # noqa: PLC0415

    first_line = None
    if excerpt is not None:
        first_line = excerpt.first_line
    elif kind == "code":
        _, lines = lines_named(document.doc_id)
        first_line = max(1, lines[0]) if lines else 1
    return source_reading(document.text, language, first_line=first_line, excerpt=excerpt)
