"""HTML as the text that its readers see, without what only browsers need."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress

from lxml import etree
from textual.content import Content

from judge_tui.tui.rendering.elements import ElementWriter

_FED = 4096


def html_lines(text: str, writer: ElementWriter) -> Iterator[Content]:
    """The lines of a page or a part of one, parsed as far as they are asked for."""
    # The text is decoded already, whatever the page says of its encoding.
    parser = etree.HTMLParser(target=_Target(writer), encoding="utf-8", huge_tree=True)
    for at in range(0, len(text), _FED):
        parser.feed(text[at : at + _FED].replace("\0", "\ufffd").encode())
        yield from writer.take()
    # Where there is no element, the parser says that this is no page; its text is written anyway.
    with suppress(etree.LxmlError):
        parser.close()
    yield from writer.take()


class _Target:
    """What lxml calls."""

    def __init__(self, writer: ElementWriter) -> None:
        self._writer = writer
        self.data = writer.text

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        self._writer.start(tag, attributes)

    def end(self, tag: str) -> None:
        self._writer.end()

    def close(self) -> None:
        """Nothing is held back."""
