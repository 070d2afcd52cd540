"""Markdown, lightly rendered: what its marks mean is drawn, and nothing of its text is lost."""

from __future__ import annotations

import re
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
    from markdown_it.rules_block import StateBlock
    from markdown_it.token import Token

_STEP = 1000
_BETWEEN_CELLS = re.compile(r"(?<!\\)\|")
_LONGEST = 0.2
"""In seconds of processor time for a segment, which usually takes three thousandths."""


def markdown_reading(
    text: str, excerpt: Excerpt | None = None, *, room: int = 0
) -> StreamedReading:
    """Markdown rendered segment by segment; what cannot be stays as it is."""
    pieces = _pieces(text.replace("\r\n", "\n").rstrip("\n"), room)
    if excerpt is None:
        return StreamedReading(pieces)
    return framed(pieces, excerpt.before, excerpt.after)


def _pieces(text: str, room: int) -> Iterator[Piece]:
    writer = _Writer(addresses(text), room)
    for segment in segments(text):
        for at in writer.write(text, segment):
            if writer.sheet.length >= _STEP:
                yield writer.sheet.part(), min(at / len(text), 0.999)
    if writer.sheet.length:
        yield writer.sheet.part(), 1.0


class _Writer:
    """Writes segments on a sheet, as fast as what is written is taken."""

    def __init__(self, addresses: Mapping[str, str], room: int) -> None:
        self.sheet = Sheet(room)
        self._references = _references(addresses)
        self._code = CodeBlocks(self.sheet)
        self._styles: tuple[str, ...] = ()
        self._rows: list[list[Cell]] = []
        self._heads = 0
        self._right = set[int]()
        self._uneven: list[str] = []

    def write(self, text: str, segment: Segment) -> Iterator[int]:
        """Write a segment; now and then the offset in `text` up to which it is taken."""
        what, start, end, info, tight = segment
        if tight:
            self.sheet.end_line()
        else:
            self.sheet.gap()
        tokens = self._parsed(text[start:end]) if what == "blocks" else None
        if what == "fence":
            for taken in self._code.write(text[start:end].removesuffix("\n"), info):
                yield start + taken
        elif tokens is None:
            yield from self._as_it_stands(text, start, end, ("faint",) * (what == "front"))
        else:
            for part in self._write_blocks(tokens, text[start:end].split("\n")):
                yield start + int(part * (end - start))

    def _parsed(self, text: str) -> list[Token] | None:
        """The blocks of a text; None where it cannot be taken apart, or not in time."""
        try:
            with at_most(_LONGEST):
                tokens = _parser().parse(text, {"references": self._references})
        except TooSlowError:
            return None
        # What is nested deeper than it follows, the parser drops.
        too_deep = any(token.level >= _parser().options["maxNesting"] - 1 for token in tokens)
        return None if too_deep else tokens

    def _as_it_stands(
        self, text: str, start: int, end: int, styles: tuple[str, ...]
    ) -> Iterator[int]:
        for at in range(start, end, _STEP):
            stop = min(at + _STEP, end)
            self.sheet.write(text[at:stop], styles)
            yield stop

    def _write_blocks(self, tokens: list[Token], lines: list[str]) -> Iterator[float]:
        """Write the blocks that `lines` hold; now and then how much of them, from 0 to 1."""
        before = ""
        for number, token in enumerate(tokens, start=1):
            begins_block = token.level == 0 and token.nesting >= 0 and token.type != "inline"
            if begins_block and before and token.type == before == "definition":
                self.sheet.end_line()
            elif begins_block and before:
                self.sheet.gap()
            before = token.type
            if token.type in ("fence", "code_block"):
                for _ in self._code.write(token.content.removesuffix("\n"), token.info):
                    yield number / len(tokens)
            else:
                if token.type == "table_open" and token.map:
                    self._uneven = _uneven(lines[token.map[0] : token.map[1]])
                self._write_token(token)
                yield number / len(tokens)

    def _write_token(self, token: Token) -> None:
        match token.type:
            case "inline" if self._rows:
                self._rows[-1].append(list(inline_runs(token.children or [])))
            case "inline":
                self.sheet.write_runs(inline_runs(token.children or [], self._styles))
            case "paragraph_open" if token.hidden:
                self.sheet.end_line()
            case "paragraph_open" if token.level:
                self.sheet.gap()
            case "heading_open":
                self._begin_heading(token)
            case "heading_close":
                self._styles = ()
                self.sheet.end_line()
            case "list_item_open":
                mark = f"{token.info}{token.markup} " if token.info else "• "
                self.sheet.end_line()
                self.sheet.indent(" " * len(mark), first=mark, style="list")
            case "blockquote_open":
                if token.level:
                    self.sheet.gap()
                self.sheet.indent("▏ ", style="quote")
            case "list_item_close" | "blockquote_close":
                self.sheet.outdent()
                self.sheet.end_line()
            case "hr":
                self.sheet.end_line()
                self.sheet.write(RULE, ("rule",))
                self.sheet.end_line()
            case "definition":
                self._definition(token)
            case "html_block":
                self.sheet.end_line()
                self.sheet.write(token.content.rstrip("\n"), ("faint",))
            case _:
                self._write_table_token(token)

    def _begin_heading(self, token: Token) -> None:
        if token.level:
            self.sheet.gap()
        self._styles = ("title" if token.tag == "h1" else "heading",)

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
                if self._uneven:
                    self.sheet.end_line()
                    self.sheet.write("\n".join(self._uneven))
                else:
                    write_table(self.sheet, self._rows, heads=self._heads, right=self._right)
                self._rows = []


def _references(addresses: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """The same as the parser keeps them."""
    from markdown_it.common.utils import normalizeReference  # noqa: PLC0415 - see `_parser`

    return {
        normalizeReference(name): {"title": "", "href": address}
        for name, address in addresses.items()
    }


def _uneven(lines: list[str]) -> list[str]:
    """The lines of a table where a row has more cells than the head: a parser drops those."""
    counts = [len(_BETWEEN_CELLS.findall(line.strip().strip("|"))) for line in lines]
    return lines if max(counts) > counts[0] else []


@cache
def _parser() -> MarkdownIt:
    # Imported when a document is Markdown: it costs as much as painting one.
    from markdown_it import MarkdownIt  # noqa: PLC0415

    parser = MarkdownIt("commonmark", {"inline_definitions": True})
    parser.block.ruler.at("reference", _reference)
    return parser.enable(["table", "strikethrough"])


def _reference(state: StateBlock, line: int, end: int, silent: bool) -> bool:
    """The parser's rule for addresses, but for footnotes, which are paragraphs like others."""
    from markdown_it.rules_block import reference  # noqa: PLC0415 - see `_parser`

    if state.src.startswith("[^", state.bMarks[line] + state.tShift[line]):
        return False
    return reference(state, line, end, silent)
