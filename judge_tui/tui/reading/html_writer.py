"""Elements of HTML, one after the other, written as text."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from judge_tui.tui.reading.html_table import TableRows
from judge_tui.tui.reading.sheet import RULE, Sheet


def _names(words: str) -> frozenset[str]:
    return frozenset(words.split())


_LEFT_OUT = _names(
    "applet audio base canvas datalist embed frame iframe link map meta noframes noscript object"
    " param script select source style svg template track video"
)
_STYLES = {
    **dict.fromkeys(("b", "strong", "mark", "dt", "th", "summary", "legend"), "strong"),
    **dict.fromkeys(("i", "em", "cite", "dfn", "var", "address", "caption"), "emphasis"),
    **dict.fromkeys(("code", "kbd", "samp", "tt", "pre", "listing", "xmp"), "code"),
    **dict.fromkeys(("h1", "title"), "title"),
    **dict.fromkeys(("h2", "h3", "h4", "h5", "h6"), "heading"),
    **dict.fromkeys(("s", "strike", "del"), "deleted"),
    "a": "link",
    "ins": "inserted",
}

# Elements with a blank line around them, and those that only begin and end a line.
_APART = _names(
    "blockquote details dl fieldset figure h1 h2 h3 h4 h5 h6 listing ol p pre title ul xmp"
)
_LINES = _names(
    "address article aside body center dd dir div dt figcaption footer form header hgroup html"
    " legend li main menu nav section summary"
)
_OF_TABLES = _names("caption tbody td tfoot th thead tr")
_WITHIN_CELLS = frozenset(("p", "div", "center", "form", "br"))
_AS_IT_STANDS = frozenset(("pre", "listing", "xmp", "plaintext"))

_LONGEST_CELL = 2000
_MOST_STYLES = 6
_SPACE = re.compile(r"[ \t\n\f\r]+")
_HIDDEN = re.compile(r"display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}hidden", re.IGNORECASE)
_NUMBER = re.compile(r"[0-9]{1,9}")

Close = Callable[[], None]


class HtmlWriter:
    """A parser target, as lxml has them: writes on its `sheet` what a reader would see."""

    def __init__(self, *, titled: bool = False, room: int = 0) -> None:
        self.sheet = Sheet(room)
        self._left_out_here = _LEFT_OUT | {"title"} if titled else _LEFT_OUT
        self._left_out = 0
        self._open: list[tuple[str, str, Close | None]] = []
        self._styles: list[str] = []
        self._as_it_stands = 0
        self._just_begun = False
        self._blank = False
        self._lists: list[int | None] = []
        # Of nested tables, only the innermost one may hold its rows back to align them.
        self._tables: list[TableRows | None] = []

    # What the parser calls

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if self._left_out or tag in self._left_out_here or _is_hidden(attributes):
            self._left_out += 1
            return
        close = self._begin(tag, attributes)
        style = _STYLES.get(tag, "")
        if style:
            self._styles.append(style)
        self._open.append((tag, style, close))

    def end(self, _tag: str) -> None:
        if self._left_out:
            self._left_out -= 1
        elif self._open:
            _, style, close = self._open.pop()
            if style:
                self._styles.pop()
            if close is not None:
                close()

    def data(self, text: str) -> None:
        if self._left_out:
            return
        if self._as_it_stands:
            # A line end right behind <pre> is not part of it.
            self._write(text.removeprefix("\n") if self._just_begun else text)
            self._just_begun = False
            return
        body = _SPACE.sub(" ", text)
        words = body.strip(" ")
        if words:
            if (self._blank or body[0] == " ") and not self._begins():
                # A blank in front of a link is not underlined with it.
                if self._styles:
                    self._write(" ", styled=False)
                else:
                    words = f" {words}"
            self._write(words)
            self._blank = body[-1] == " "
        else:
            self._blank = self._blank or bool(body)

    def comment(self, _text: str) -> None:
        """Nobody sees it."""

    def close(self) -> None:
        """What is held back is written, if the page ends within a table."""
        for rows in self._tables:
            if rows is not None:
                rows.write(self.sheet)
        self._tables = []

    # Elements

    def _begin(self, tag: str, attributes: Mapping[str, str]) -> Close | None:
        """Write what an element begins with; what is to be done at its end."""
        if tag in _OF_TABLES:
            return self._begin_part_of_table(tag)
        rows = self._rows()
        if rows is not None and tag in _WITHIN_CELLS:
            self._blank = True
            return self._blank_after
        if rows is not None and (tag in _APART or tag in _LINES or tag in ("hr", "table")):
            self._stop_aligning()
        match tag:
            case "br":
                self._break()
            case "img":
                self._image(attributes.get("alt", ""))
            case "hr":
                self._gap()
                self.sheet.write(RULE, ("rule",))
                self._gap()
            case "q":
                self.data("“")
                return lambda: self._write("”")
            case "table":
                self._gap()
                self._tables.append(TableRows())
                return self._end_table
            case "li":
                return self._begin_item(attributes)
            case "dd":
                self._line()
                self.sheet.indent("    ", first="    ")
                return self._close_block(self._line)
            case "p" if self._open and self._open[-1][0] in ("li", "dd"):
                return self._begin_item_paragraph()
            case "blockquote":
                return self._begin_block(self._gap, "▏ ", "quote")
            case _ if tag in _AS_IT_STANDS:
                return self._begin_as_it_stands()
            case "ul" | "ol" | "menu" | "dir":
                return self._begin_list(attributes, numbered=tag == "ol")
            case _ if tag in _APART:
                self._gap()
                return self._gap
            case _ if tag in _LINES:
                self._line()
                return self._line
        return None

    def _begin_part_of_table(self, tag: str) -> Close | None:
        rows = self._rows()
        if rows is None or tag == "caption":
            self._line()
            return self._line
        if tag == "tr":
            if rows.are_many:
                rows.write(self.sheet)
            rows.begin_row()
        elif tag in ("td", "th"):
            rows.begin_cell(head=tag == "th")
        self._blank = False
        return None

    def _end_table(self) -> None:
        rows = self._tables.pop()
        if rows is not None:
            rows.write(self.sheet)
        self._gap()

    def _begin_list(self, attributes: Mapping[str, str], *, numbered: bool) -> Close:
        around = self._line if self._lists else self._gap
        around()
        self._lists.append(_number(attributes.get("start", "1")) if numbered else None)

        def close() -> None:
            self._lists.pop()
            around()

        return close

    def _begin_item(self, attributes: Mapping[str, str]) -> Close:
        mark = "• "
        number = self._lists[-1] if self._lists else None
        if number is not None:
            number = _number(attributes.get("value", str(number)))
            self._lists[-1] = number + 1
            mark = f"{number}. "
        self._line()
        self.sheet.indent(" " * len(mark), first=mark, style="list")
        return self._close_block(self._line)

    def _begin_item_paragraph(self) -> Close:
        """In most lists each item is a paragraph, and has no blank lines around it."""
        if self.sheet.begins_item:
            self._line()
        else:
            self._gap()
        return self._line

    def _begin_block(self, around: Close, margin: str, style: str = "") -> Close:
        around()
        self.sheet.indent(margin, style=style)
        return self._close_block(around)

    def _close_block(self, around: Close) -> Close:
        def close() -> None:
            self.sheet.outdent()
            around()

        return close

    def _begin_as_it_stands(self) -> Close:
        close_block = self._begin_block(self._gap, "  ")
        self._as_it_stands += 1
        self._just_begun = True

        def close() -> None:
            self._as_it_stands -= 1
            self._just_begun = False
            close_block()

        return close

    def _image(self, description: str) -> None:
        if description.strip():
            self._styles.append("emphasis")
            self.data(f"[image: {description.strip()}]")
            self._styles.pop()

    # Writing

    def _rows(self) -> TableRows | None:
        return self._tables[-1] if self._tables else None

    def _stop_aligning(self) -> None:
        """The innermost table holds more than words: from here on it is written as it comes."""
        rows = self._tables[-1]
        self._tables[-1] = None
        if rows is not None:
            rows.write(self.sheet)

    def _begins(self) -> bool:
        """Whether what comes next begins a line or a cell, where no blank is wanted."""
        rows = self._rows()
        if rows is not None and rows.cell is not None:
            return not rows.cell
        return self.sheet.at_line_start

    def _write(self, text: str, *, styled: bool = True) -> None:
        styles: tuple[str, ...] = ()
        if styled and self._styles:
            styles = tuple(dict.fromkeys(self._styles[-_MOST_STYLES:]))
        rows = self._tables[-1] if self._tables else None
        if rows is not None and rows.cell is not None:
            if len(text) <= _LONGEST_CELL:
                rows.add((text, styles))
                return
            self._stop_aligning()
        self.sheet.write(text, styles)

    def _break(self) -> None:
        """Of several breaks, one blank line comes."""
        if self.sheet.at_line_start:
            self._gap()
        else:
            self._line()

    def _line(self) -> None:
        self.sheet.end_line()
        self._blank = False

    def _gap(self) -> None:
        self.sheet.gap()
        self._blank = False

    def _blank_after(self) -> None:
        self._blank = True


def _is_hidden(attributes: Mapping[str, str]) -> bool:
    if not attributes:
        return False
    return "hidden" in attributes or _HIDDEN.search(attributes.get("style", "")) is not None


def _number(text: str) -> int:
    match = _NUMBER.fullmatch(text.strip())
    return int(match[0]) if match else 1
