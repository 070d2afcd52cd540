"""Markdown, lightly rendered: what its marks mean is drawn, and nothing of its text is lost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING

from judge_tui.formats.excerpt import Excerpt
from judge_tui.tui.reading.allowance import TooSlowError, at_most
from judge_tui.tui.reading.code_blocks import CodeBlocks
from judge_tui.tui.reading.markdown_inline import inline_runs
from judge_tui.tui.reading.markdown_segments import Segment, addresses, segments
from judge_tui.tui.reading.sheet import RULE, Sheet
from judge_tui.tui.reading.source import framed
from judge_tui.tui.reading.streamed import Piece, StreamedReading
from judge_tui.tui.reading.tables import Cell, write_table

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

__all__ = ["markdown_reading"]

_STEP = 1000
_LONGEST = 0.2
"""In seconds of processor time for a segment, which usually takes three thousandths."""


def markdown_reading(text: str, excerpt: Excerpt | None = None) -> StreamedReading:
    """Markdown rendered segment by segment; what cannot be stays as it is."""
    pieces = _pieces(text.replace("\r\n", "\n").rstrip("\n"))
    if excerpt is None:
        return StreamedReading(pieces)
    return framed(pieces, excerpt.before, excerpt.after)


def _pieces(text: str) -> Iterator[Piece]:
    writer = _Writer(addresses(text))
    for segment in segments(text):
        for at in writer.write(text, segment):
            if writer.sheet.length >= _STEP:
                yield writer.sheet.part(), min(at / len(text), 0.999)
    if writer.sheet.length:
        yield writer.sheet.part(), 1.0


class _Writer:
    """Writes segments on a sheet, as fast as what is written is taken."""

    def __init__(self, addresses: Mapping[str, str]) -> None:
        self.sheet = Sheet()
        self._addresses = addresses
        self._code = CodeBlocks(self.sheet)
        self._styles: tuple[str, ...] = ()
        self._rows: list[list[Cell]] = []
        self._heads = 0
        self._right = set[int]()

    def write(self, text: str, segment: Segment) -> Iterator[int]:
        """Write a segment; now and then the offset in `text` up to which it is taken."""
        what, start, end, language, tight = segment
        if not tight:
            self.sheet.gap()
        if what == "fence":
            for taken in self._code.write(text[start:end].removesuffix("\n"), language):
                yield start + taken
            return
        tokens = self._parsed(text[start:end]) if what == "blocks" else None
        if tokens is None:
            yield from self._as_it_stands(text, start, end, ("faint",) * (what == "front"))
            return
        for token in tokens:
            if token.type in ("fence", "code_block"):
                for _ in self._code.write(token.content.removesuffix("\n"), token.info):
                    yield start
            else:
                self._write_token(token)
                yield start

    def _parsed(self, text: str) -> list[Token] | None:
        """The blocks of a text; None where taking it apart takes too long."""
        references = {
            name: {"title": "", "href": address} for name, address in self._addresses.items()
        }
        try:
            with at_most(_LONGEST):
                return _parser().parse(text, {"references": references})
        except TooSlowError:
            return None

    def _as_it_stands(
        self, text: str, start: int, end: int, styles: tuple[str, ...]
    ) -> Iterator[int]:
        for at in range(start, end, _STEP):
            self.sheet.write(text[at : min(at + _STEP, end)], styles)
            yield at

    def _write_token(self, token: Token) -> None:
        match token.type:
            case "inline" if self._rows:
                self._rows[-1].append(list(inline_runs(token.children or [])))
            case "inline":
                self.sheet.write_runs(inline_runs(token.children or [], self._styles))
            case "paragraph_open" if token.hidden:
                self.sheet.end_line()
            case "paragraph_open" | "bullet_list_open" | "ordered_list_open" if token.level == 0:
                self.sheet.gap()
            case "heading_open":
                self._begin_heading(token)
            case "heading_close":
                self._styles = ()
                self.sheet.gap()
            case "list_item_open":
                mark = f"{token.info}{token.markup} " if token.info else "• "
                self.sheet.end_line()
                self.sheet.indent(" " * len(mark), first=mark, style="list")
            case "blockquote_open":
                self.sheet.gap()
                self.sheet.indent("▏ ", style="quote")
            case "list_item_close" | "blockquote_close":
                self.sheet.outdent()
                self.sheet.end_line()
            case "hr":
                self.sheet.gap()
                self.sheet.write(RULE, ("rule",))
                self.sheet.gap()
            case "definition":
                self._definition(token)
            case "html_block":
                self.sheet.gap()
                self.sheet.write(token.content.rstrip("\n"), ("faint",))
            case _:
                self._write_table_token(token)
        if token.nesting < 0 and token.level == 0:
            self.sheet.gap()

    def _begin_heading(self, token: Token) -> None:
        self.sheet.gap()
        self._styles = ("heading",)
        # The first level is one of a kind; of the others one could not see which it is.
        if token.tag != "h1":
            self.sheet.write("#" * int(token.tag[1:]) + " ", ("faint",))

    def _definition(self, token: Token) -> None:
        title = f' "{token.meta["title"]}"' if token.meta.get("title") else ""
        self.sheet.end_line()
        self.sheet.write(f"[{token.meta['label']}]: {token.meta['url']}{title}", ("faint",))
        self.sheet.end_line()

    def _write_table_token(self, token: Token) -> None:
        match token.type:
            case "table_open":
                self._rows, self._heads = [], 0
                self._right.clear()
            case "tr_open":
                self._rows.append([])
            case "th_open" if "right" in str(token.attrs.get("style", "")):
                self._right.add(len(self._rows[-1]))
            case "thead_close":
                self._heads = len(self._rows)
            case "table_close":
                write_table(self.sheet, self._rows, heads=self._heads, right=self._right)
                self._rows = []


@cache
def _parser() -> MarkdownIt:
    # Imported when a document is Markdown: it costs as much as painting one.
    from markdown_it import MarkdownIt  # noqa: PLC0415

    return MarkdownIt("commonmark", {"inline_definitions": True}).enable(["table", "strikethrough"])
