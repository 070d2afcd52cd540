"""Code within a rendered document."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.formats.languages import language_named
from judge_tui.tui.reading.highlighting import highlighted
from judge_tui.tui.reading.sheet import Sheet
from judge_tui.tui.reading.source import HIGHLIGHTED

_STEP = 1000
_CODE = ("code",)


class CodeBlocks:
    """Writes the code blocks of one document on its sheet, highlighted as long as they are few."""

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet
        self._left = HIGHLIGHTED

    def write(self, text: str, info: str = "") -> Iterator[int]:
        """Write a block of its own, indented; how much of it is written, now and then.

        `info` begins with the language; one that is not known is written above.
        """
        self._sheet.gap()
        self._sheet.indent("  ")
        at = 0
        language = language_named(info.partition(" ")[0].strip("{}.")) if info else ""
        if info and not language:
            self._sheet.write(info, ("faint",))
            self._sheet.end_line()
        if language and len(text) <= self._left:
            self._left -= len(text)
            for reached, spans in highlighted(text, language):
                for start, end, style in spans:
                    self._sheet.write(text[at:start], _CODE)
                    self._sheet.write(text[start:end], (*_CODE, style))
                    at = end
                self._sheet.write(text[at:reached], _CODE)
                at = reached
                yield at
        for start in range(at, len(text), _STEP):
            self._sheet.write(text[start : start + _STEP], _CODE)
            yield min(start + _STEP, len(text))
        self._sheet.outdent()
        self._sheet.gap()
