"""What the elements of a document look like, whether they came as Markdown or as HTML."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from textual.content import Content

from judge_tui.tui.rendering.line_writer import RULE, LineWriter
from judge_tui.tui.rendering.tables import Cell, column_widths, table_lines


def _names(words: str) -> frozenset[str]:
    return frozenset(words.split())


CODE = "$text-success"
LINK = "underline $text-primary"

_STYLES = {
    **dict.fromkeys(("b", "strong", "mark", "dt", "th", "summary", "legend"), "bold"),
    **dict.fromkeys(("i", "em", "cite", "dfn", "var", "address", "caption"), "italic"),
    **dict.fromkeys(("code", "kbd", "samp", "tt", "pre", "listing", "xmp"), CODE),
    **dict.fromkeys(("h1", "title"), "bold underline $text-primary"),
    **dict.fromkeys(("h2", "h3", "h4", "h5", "h6"), "bold $text-primary"),
    **dict.fromkeys(("s", "strike", "del"), "strike $text-error"),
    "blockquote": "italic",
    "a": LINK,
    "ins": "underline $text-success",
}

_LEFT_OUT = _names(
    "applet audio base canvas datalist embed frame iframe link map meta noframes noscript object"
    " param script select source style svg template track video"
)
# Elements with a blank line around them, and those that only begin and end a line.
_APART = _names(
    "blockquote details dl fieldset figure h1 h2 h3 h4 h5 h6 hr listing ol p pre table title ul xmp"
    " menu dir plaintext"
)
_LINES = _names(
    "address article aside body caption center dd div dt figcaption footer form header hgroup"
    " html legend li main nav section summary tbody td tfoot th thead tr"
)
_LISTS = _names("ul ol menu dir")
INLINE = _names(
    "a abbr b bdi bdo big br cite code data del dfn em font i img ins kbd mark q s samp small span"
    " strike strong sub sup time tt u var wbr"
)
KNOWN = INLINE | _APART | _LINES | _LEFT_OUT | _LISTS | {"head", "colgroup", "col"}

_MOST_STYLES = 6
_SPACE = re.compile(r"[ \t\n\f\r]+")
_HIDDEN = re.compile(r"display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}hidden", re.IGNORECASE)
_NUMBER = re.compile(r"[0-9]{1,9}")

# A table with more characters in a cell, or cells in a row, lays out a page, and is no table to its
# readers. Of one with more rows, the first ones are drawn before the rest is read.
_LONGEST_CELL = 400
_MOST_CELLS = 50
_MOST_ROWS = 50


class ElementWriter:
    """Writes elements one after the other, as far as a reader would see them.

    Elements end in the opposite order of their beginning. `lines`: the page, or the cell of a table
    that text is written to.
    """

    def __init__(self, width: int, *, titled: bool = False) -> None:
        self.lines = LineWriter()
        self.right: Sequence[int] = ()
        """The columns of the table whose cells stand at the right."""
        self._page = self.lines
        self._width = width
        self._left_out_here = _LEFT_OUT | {"title"} if titled else _LEFT_OUT
        self._left_out = 0
        self._open: list[str] = []
        self._styles: list[str] = []
        self._as_it_stands = 0
        self._just_begun = False
        self._blank = False
        self._lists: list[int | None] = []
        # The rows of the innermost table, as long as it may be one.
        self._rows: list[list[Cell]] | None = None
        self._widths: list[int] = []
        self._length = 0

    def take(self) -> list[Content]:
        """The lines that were ended since the last ones were taken."""
        if self._length > _LONGEST_CELL:
            self._give_up_table()
        return self._page.take()

    def finish(self) -> list[Content]:
        """The rest of the lines: elements that are open end."""
        while self._open or self._left_out:
            self.end()
        self._page.end_line()
        return self._page.take()

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """An element begins."""
        if self._left_out or tag in self._left_out_here or _is_hidden(attributes):
            self._left_out += 1
            return
        self._space(tag)
        self._begin(tag, attributes)
        self._open.append(tag)
        if tag in _STYLES:
            self._styles.append(_STYLES[tag])

    def end(self) -> None:
        """The innermost element ends."""
        if self._left_out:
            self._left_out -= 1
        elif self._open:
            tag = self._open.pop()
            if tag in _STYLES:
                self._styles.pop()
            self._end(tag)
            self._space(tag)

    def text(self, text: str, style: str = "") -> None:
        """Text between tags: what is blank in it is one space, but in `pre`."""
        if self._left_out:
            return
        if self._as_it_stands:
            # A line end right behind <pre> is not part of it.
            self.verbatim(text.removeprefix("\n") if self._just_begun else text, style)
            self._just_begun = False
            return
        body = _SPACE.sub(" ", text)
        words = body.strip(" ")
        if words:
            if (self._blank or body[0] == " ") and not self.lines.at_line_start:
                # A blank in front of a link is not underlined with it.
                self.lines.write(" ")
            self.verbatim(words, style)
        self._blank = body.endswith(" ") or (self._blank and not words)

    def verbatim(self, text: str, style: str = "") -> None:
        """Text as it stands, its blanks and line ends with it."""
        styles = dict.fromkeys((*self._styles[-_MOST_STYLES:], style))
        self.lines.write(text, " ".join(filter(None, styles)))
        if self.lines is not self._page:
            self._length += len(text)

    def line(self) -> None:
        """What comes next begins a line."""
        self.lines.end_line()
        self._blank = False

    def _space(self, tag: str) -> None:
        """Around an element is a blank line, or the end of one."""
        if tag in _LINES or (tag in _LISTS and self._lists):
            self.line()
        elif tag in _APART:
            self.lines.gap()
            self._blank = False

    def _begin(self, tag: str, attributes: Mapping[str, str]) -> None:
        lines = self.lines
        match tag:
            case "br" if lines.at_line_start:
                lines.gap()
            case "br":
                self.line()
            case "img" if description := attributes.get("alt", "").strip():
                self.text(f"[image: {description}]", "italic")
            case "hr":
                lines.put([RULE])
            case "q":
                self.text("“")
            case "ul" | "ol" | "menu" | "dir":
                self._lists.append(_number(attributes.get("start", ""), 1) if tag == "ol" else None)
            case "li":
                number = self._lists[-1] if self._lists else None
                mark = "• "
                if number is not None:
                    number = _number(attributes.get("value", ""), number)
                    self._lists[-1] = number + 1
                    mark = f"{number}. "
                lines.indent(" " * len(mark), first=mark, style="bold $text-secondary")
            case "dd":
                lines.indent("    ", first="    ")
            case "blockquote":
                lines.indent("▏ ", style="$text-secondary")
            case "pre" | "listing" | "xmp" | "plaintext":
                lines.indent("  ")
                self._as_it_stands += 1
                self._just_begun = True
            case "table":
                # A table that holds another one lays out a page.
                self._give_up_table()
                self._rows, self._widths, self.right = [], [], ()
            case "tr" if self._rows is not None:
                if len(self._rows) == _MOST_ROWS:
                    self._write_rows()
                self._rows.append([])
            case "td" | "th" if self._rows:
                if lines is not self._page or len(self._rows[-1]) == _MOST_CELLS:
                    self._give_up_table()
                else:
                    self.lines = LineWriter()

    def _end(self, tag: str) -> None:
        match tag:
            case "q":
                self.lines.write("”")
            case "ul" | "ol" | "menu" | "dir":
                self._lists.pop()
            case "li" | "dd" | "blockquote":
                self.lines.outdent()
            case "pre" | "listing" | "xmp" | "plaintext":
                self.lines.outdent()
                self._as_it_stands -= 1
            case "td" | "th" if self._rows and self.lines is not self._page:
                if self._length > _LONGEST_CELL:
                    self._give_up_table()
                    return
                self.lines.end_line()
                self._rows[-1].append(Cell(self.lines.take(), tag == "th"))
                self.lines, self._length = self._page, 0
            case "table":
                self._write_rows()
                self._rows = None

    def _write_rows(self) -> None:
        """Write the rows that are held back."""
        rows = [row for row in self._rows or () if row]
        self._widths = column_widths(rows, self._widths, self._width - self._page.depth)
        self._page.put(list(table_lines(rows, self._widths, self.right)))
        self._rows = []

    def _give_up_table(self) -> None:
        """What is open is no table to its readers: its cells are written as they come."""
        if self._rows is None:
            return
        for row in self._rows:
            for cell in row:
                self._page.put(cell.lines)
        if self.lines is not self._page:
            self._page.go_on_with(self.lines)
            self.lines = self._page
        self._rows, self._length = None, 0


def _is_hidden(attributes: Mapping[str, str]) -> bool:
    if not attributes:
        return False
    return "hidden" in attributes or _HIDDEN.search(attributes.get("style", "")) is not None


def _number(text: str, otherwise: int) -> int:
    match = _NUMBER.fullmatch(text.strip())
    return int(match[0]) if match else otherwise
