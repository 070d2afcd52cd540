"""What the elements of a document look like, whether they came as Markdown or as HTML."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from textual.content import Content

from judge_tui.tui_new.rendering.line_writer import RULE, LineWriter
from judge_tui.tui_new.rendering.tables import Table


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
    "blockquote details dl fieldset figure h1 h2 h3 h4 h5 h6 listing ol p pre table title ul xmp"
    " menu dir plaintext"
)
_LINES = _names(
    "address article aside body caption center dd dir div dt figcaption footer form header hgroup"
    " html legend li main nav section summary"
)
_LISTS = _names("ul ol menu dir")
_AS_IT_STANDS = _names("pre listing xmp plaintext")
_PARTS_OF_TABLES = _names("tbody td tfoot th thead tr colgroup col")
INLINE = _names(
    "a abbr b bdi bdo big br cite code data del dfn em font i img ins kbd mark q s samp small span"
    " strike strong sub sup time tt u var wbr"
)
KNOWN = INLINE | _APART | _LINES | _LEFT_OUT | _PARTS_OF_TABLES | {"hr", "head", *_STYLES}

_MOST_STYLES = 6
_DEEPEST_TABLE = 3
_SPACE = re.compile(r"[ \t\n\f\r]+")
_HIDDEN = re.compile(r"display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}hidden", re.IGNORECASE)
_NUMBER = re.compile(r"[0-9]{1,9}")


class ElementWriter:
    """Writes elements one after the other, as far as a reader would see them.

    Elements end in the opposite order of their beginning.
    """

    def __init__(self, width: int, *, titled: bool = False) -> None:
        self.lines = LineWriter()
        """Where text comes next: in the page, or in the cell of a table."""
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
        # Tables in cells deeper than some are no tables: their cells are blocks.
        self._tables: list[Table] = []
        self._deeper = 0

    def take(self) -> list[Content]:
        """The lines that were ended since the last ones were taken."""
        for table in reversed(self._tables):
            table.pour()
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
            self._blank = body[-1] == " "
        else:
            self._blank = self._blank or bool(body)

    def verbatim(self, text: str, style: str = "") -> None:
        """Text as it stands, its blanks and line ends with it."""
        styles = dict.fromkeys((*self._styles[-_MOST_STYLES:], style))
        self.lines.write(text, " ".join(filter(None, styles)))

    def line(self) -> None:
        """What comes next begins a line."""
        self.lines.end_line()
        self._blank = False

    def gap(self) -> None:
        """What comes next has a blank line above it."""
        self.lines.gap()
        self._blank = False

    def rule(self) -> None:
        self.gap()
        self.lines.put(RULE)
        self.gap()

    def image(self, description: str) -> None:
        if description.strip():
            self.text(f"[image: {description.strip()}]", "italic")

    def indent(self, rest: str, *, first: str | None = None, style: str = "") -> None:
        self._blank = False
        self.lines.indent(rest, first=first, style=style)

    def outdent(self) -> None:
        self._blank = False
        self.lines.outdent()

    def align(self, right: Sequence[int]) -> None:
        """The columns of the table that begins whose cells stand at the right."""
        if self._tables and not self._deeper:
            self._tables[-1].right = right

    def _begin(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag in _LISTS and self._lists:
            self.line()
        elif tag in _APART:
            self.gap()
        elif tag in _LINES:
            self.line()
        match tag:
            case "br":
                self._break()
            case "img":
                self.image(attributes.get("alt", ""))
            case "hr":
                self.rule()
            case "q":
                self.text("“")
            case "ul" | "ol" | "menu" | "dir":
                self._lists.append(_number(attributes.get("start", "")) if tag == "ol" else None)
            case "li":
                mark = self._mark(attributes)
                self.indent(" " * len(mark), first=mark, style="bold $text-secondary")
            case "dd":
                self.indent("    ", first="    ")
            case "blockquote":
                self.indent("▏ ", style="$text-secondary")
            case _ if tag in _AS_IT_STANDS:
                self.indent("  ")
                self._as_it_stands += 1
                self._just_begun = True
            case "table":
                self._begin_table()
            case "tr":
                self._begin_row()
            case "td" | "th":
                self._begin_cell(head=tag == "th")

    def _end(self, tag: str) -> None:
        match tag:
            case "q":
                self.lines.write("”")
            case "ul" | "ol" | "menu" | "dir":
                self._lists.pop()
            case "li" | "dd" | "blockquote":
                self.outdent()
            case _ if tag in _AS_IT_STANDS:
                self.outdent()
                self._as_it_stands -= 1
                self._just_begun = False
            case "table":
                self._end_table()
            case "td" | "th":
                self._end_cell()
        if tag in _LISTS and self._lists:
            self.line()
        elif tag in _APART:
            self.gap()
        elif tag in _LINES:
            self.line()

    def _mark(self, attributes: Mapping[str, str]) -> str:
        """What stands before an item of the innermost list."""
        number = self._lists[-1] if self._lists else None
        if number is None:
            return "• "
        number = _number(attributes.get("value", ""), number)
        self._lists[-1] = number + 1
        return f"{number}. "

    def _break(self) -> None:
        """Of several breaks, one blank line comes."""
        if self.lines.at_line_start:
            self.gap()
        else:
            self.line()

    def _begin_table(self) -> None:
        if self._deeper or len(self._tables) == _DEEPEST_TABLE:
            self._deeper += 1
        else:
            self._tables.append(Table(self.lines, self._width))

    def _end_table(self) -> None:
        if self._deeper:
            self._deeper -= 1
        else:
            self._end_cell()
            self._tables.pop().write()

    def _begin_row(self) -> None:
        self._end_cell()
        if self._tables and not self._deeper:
            self._tables[-1].begin_row()

    def _begin_cell(self, *, head: bool) -> None:
        self._end_cell()
        if self._tables and not self._deeper:
            self.lines = self._tables[-1].begin_cell(head=head)

    def _end_cell(self) -> None:
        self.line()
        if self._tables and not self._deeper:
            self._tables[-1].end_cell()
            self.lines = self._tables[-1].outer


def _is_hidden(attributes: Mapping[str, str]) -> bool:
    if not attributes:
        return False
    return "hidden" in attributes or _HIDDEN.search(attributes.get("style", "")) is not None


def _number(text: str, otherwise: int = 1) -> int:
    match = _NUMBER.fullmatch(text.strip())
    return int(match[0]) if match else otherwise
