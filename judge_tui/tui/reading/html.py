"""HTML as the text that its readers see, without what only browsers need."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from judge_tui.formats.excerpt import Excerpt
from judge_tui.tui.reading.html_writer import HtmlWriter
from judge_tui.tui.reading.source import framed
from judge_tui.tui.reading.streamed import Piece, StreamedReading

_STEP = 1000
_FED = 4096


def html_reading(
    text: str, excerpt: Excerpt | None = None, *, titled: bool = False, room: int = 0
) -> StreamedReading:
    """HTML parsed and written as far as it is read; its <title> stands above unless `titled`."""
    pieces = _pieces(text, titled=titled, room=room)
    if excerpt is None:
        return StreamedReading(pieces)
    return framed(pieces, excerpt.before, excerpt.after)


def _pieces(text: str, *, titled: bool, room: int) -> Iterator[Piece]:
    # Imported when a document is HTML: it costs more than painting one.
    from lxml import etree  # noqa: PLC0415

    writer = HtmlWriter(titled=titled, room=room)
    # The text is decoded already, whatever the page says of its encoding.
    parser = etree.HTMLParser(target=writer, encoding="utf-8", huge_tree=True)
    for at in range(0, len(text), _FED):
        parser.feed(text[at : at + _FED].encode("utf-8", "replace"))
        if writer.sheet.length >= _STEP:
            yield writer.sheet.part(), min((at + _FED) / len(text), 0.999)
    # Where there is no element, the parser says that this is no page; its text is written anyway.
    with suppress(etree.LxmlError):
        parser.close()
    if writer.sheet.length:
        yield writer.sheet.part(), 1.0
