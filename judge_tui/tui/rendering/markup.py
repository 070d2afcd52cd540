"""Markdown and HTML as text for readers: Markdown is made HTML first, so that both look the same.

The text between tags is shown, with the descriptions of images and the addresses of links that
lead to other sites. Not shown: what only browsers need (scripts, styles, comments, what is hidden),
addresses within a site, titles of links, definitions that no link uses, cells beyond the columns of
a Markdown table, and what stands behind the fence of a block of code.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice, zip_longest
from typing import NamedTuple, TypeAlias

import pyromark
from lxml import etree
from textual.content import Content

from judge_tui.formats.languages import language_named
from judge_tui.tui.rendering.code import HIGHLIGHTED, highlighted_lines, plain_lines
from judge_tui.tui.rendering.line_writer import RULE, LineWriter

_OPTIONS = (
    pyromark.Options.ENABLE_TABLES
    | pyromark.Options.ENABLE_STRIKETHROUGH
    | pyromark.Options.ENABLE_FOOTNOTES
    | pyromark.Options.ENABLE_TASKLISTS
)
_FRONT_MATTER = re.compile(
    r"(---|\+\+\+)[ \t]*\r?\n(?:.{0,1000}\n){0,200}?(?:\1|\.\.\.)[ \t\r]*(?:\n|\Z)"
)
_FOOTNOTE = re.compile(
    r'<div class="footnote-definition" id="[^"]*"><sup [^>]*>(\d+)</sup>\n(?:<p>)?'
)


def _names(words: str) -> frozenset[str]:
    return frozenset(words.split())


_STYLES = {
    **dict.fromkeys(("b", "strong", "mark", "dt", "th", "summary", "legend"), "bold"),
    **dict.fromkeys(("i", "em", "cite", "dfn", "var", "address", "caption"), "italic"),
    **dict.fromkeys(("code", "kbd", "samp", "tt", "pre"), "$text-success"),
    **dict.fromkeys(("h1", "title"), "bold underline $text-primary"),
    **dict.fromkeys(("h2", "h3", "h4", "h5", "h6"), "bold $text-primary"),
    **dict.fromkeys(("s", "strike", "del"), "strike $text-error"),
    "blockquote": "italic",
    "a": "underline $text-primary",
    "ins": "underline $text-success",
}
_LEFT_OUT = _names(
    "applet audio base canvas datalist embed frame iframe link map meta noframes noscript object"
    " param script select source style svg template track video"
)
# Elements with a blank line around them, and those that only begin and end a line.
_APART = _names(
    "blockquote details dl fieldset figure h1 h2 h3 h4 h5 h6 hr ol p pre table title ul"
)
_LINES = _names(
    "address article aside body caption center dd div dt figcaption footer form header hgroup"
    " html legend li main nav section summary tbody td tfoot th thead tr"
)
_OTHERS = "abbr bdi bdo big br data font head img input picture q small span sub sup time u wbr"

# What looks like a tag in Markdown but is none of these is text, such as vector<int>; so is what
# may stand for a word and would hide what comes behind it: `cp <source> <object>`.
_NO_TAG = re.compile(
    rf"<(?!/?(?:{'|'.join(_APART | _LINES | {*_STYLES, *_OTHERS.split()})})\b"
    rf"|/?(?:{'|'.join(_LEFT_OUT)})\s|/?(?:script|style|svg)\b|!--)",
    re.IGNORECASE,
)
_SPACE = re.compile(r"[ \t\n\f\r]+")
_HIDDEN = re.compile(r"display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}hidden", re.IGNORECASE)
_LANGUAGE = re.compile(r"\b(?:language|lang)-\{?\.?([\w+#-]+)")
_POWER = re.compile(r"[-−+]?\d|\w\Z")
_MOST_STYLES = 6
_FED = 4096

# A table with more characters in a cell, or cells in a row, lays out a page, and is not a table to
# its readers. So many rows are drawn at a time, in columns as wide as they need, as far as there is
# room.
_LONGEST_CELL = 400
_MOST_CELLS = 50
_MOST_ROWS = 50
_NARROWEST = 12
_BETWEEN = Content("  ")


class _Event(NamedTuple):
    """`start` and `end` of an element, or `text`."""

    kind: str
    what: str
    attributes: dict[str, str]


_Row: TypeAlias = list[list[_Event]]
"""The cells of a row, each from its start to its end."""


def markdown_lines(text: str, width: int, *, titled: bool) -> Iterator[Content]:
    """The lines of a Markdown document; what is said of it at its top stands there, faint."""
    if front := _FRONT_MATTER.match(text):
        text = text[front.end() :]
        yield from plain_lines(f"{front[0].rstrip()}\n", "dim")
    html = pyromark.html(text, options=_OPTIONS)
    html = _FOOTNOTE.sub(r"<div><p>[^\1]: ", html)
    parts = (_NO_TAG.sub("&lt;", part) for part in _parts(html))
    yield from _Elements(_parsed(parts), width, titled=titled).lines()


def html_lines(text: str, width: int, *, titled: bool) -> Iterator[Content]:
    """The lines of a page or a part of one, parsed as far as they are asked for.

    The `<title>` is left out of a page that is `titled` already.
    """
    return _Elements(_parsed(_parts(text)), width, titled=titled).lines()


def _parts(html: str) -> Iterator[str]:
    """A page in parts that are cut in front of tags; those of text alone anywhere."""
    at = 0
    while at < len(html):
        tag = html.rfind("<", at + 1, at + _FED)
        end = tag if tag > 0 else at + _FED
        yield html[at:end]
        at = end


def _parsed(parts: Iterator[str]) -> Iterator[list[_Event]]:
    target = _Target()
    # The text is decoded already, whatever the page says of its encoding.
    parser = etree.HTMLParser(target=target, encoding="utf-8", huge_tree=True)
    for part in parts:
        parser.feed(part.replace("\0", "\ufffd").encode())
        yield target.take()
    # Where there is no element, the parser says that this is not a page; its text came anyway.
    with suppress(etree.LxmlError):
        parser.close()
    yield target.take()


class _Target:
    """What lxml calls."""

    def __init__(self) -> None:
        self._events: list[_Event] = []

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._events.append(_Event("start", tag, attributes))

    def end(self, tag: str) -> None:
        self._events.append(_Event("end", tag, {}))

    def data(self, text: str) -> None:
        self._events.append(_Event("text", text, {}))

    def close(self) -> None:
        """Nothing is held back."""

    def take(self) -> list[_Event]:
        """What was found since it was asked for last."""
        events, self._events = self._events, []
        return events


class _Elements:
    """Elements one after the other, as far as a reader would see them."""

    def __init__(self, events: Iterator[list[_Event]], width: int, *, titled: bool = False) -> None:
        self._events = events
        self._ahead = deque[_Event]()
        self._width = width
        self._left_out = _LEFT_OUT | {"title"} if titled else _LEFT_OUT
        self._writer = LineWriter()
        self._styles: list[str] = []
        self._as_it_stands = 0
        self._blank = False
        self._lists: list[int | None] = []
        # Where the link that is open leads to, and its text so far.
        self._link: tuple[str, list[str]] = ("", [])
        self._highlighted = 0

    def lines(self) -> Iterator[Content]:
        """All lines, as they are asked for."""
        for kind, what, attributes in self._coming():
            if kind == "text":
                self._text(what)
                continue
            if kind == "end":
                self._end(what)
            elif what in self._left_out or (attributes and _is_hidden(attributes)):
                self._inside()
            else:
                self._start(what, attributes)
            if self._writer.ended:
                yield from self._writer.take()
        self._writer.end_line()
        yield from self._writer.take()

    def _coming(self) -> Iterator[_Event]:
        while True:
            while self._ahead:
                yield self._ahead.popleft()
            more = next(self._events, None)
            if more is None:
                return
            self._ahead.extend(more)

    def _next(self) -> _Event:
        """What comes next, which still comes."""
        event = next(self._coming(), _Event("text", "", {}))
        self._ahead.appendleft(event)
        return event

    def _inside(self) -> list[_Event]:
        """Take what is inside of the element that just began."""
        depth = 1
        found: list[_Event] = []
        for event in self._coming():
            depth += {"start": 1, "end": -1}.get(event.kind, 0)
            if not depth:
                break
            found.append(event)
        return found

    def _text(self, text: str, style: str = "") -> None:
        """Text between tags: what is blank in it is one space, but in `pre`."""
        if self._link[0]:
            self._link[1].append(text)
        if self._as_it_stands:
            self._write(text, style)
            return
        body = _SPACE.sub(" ", text)
        words = body.strip(" ")
        if words:
            if (self._blank or body[0] == " ") and not self._writer.at_line_start:
                # A blank in front of a link is not underlined with it.
                self._writer.write(" ")
            self._write(words, style)
        self._blank = body.endswith(" ") or (self._blank and not words)

    def _write(self, text: str, style: str = "") -> None:
        styles = dict.fromkeys((*self._styles[-_MOST_STYLES:], style))
        self._writer.write(text, " ".join(filter(None, styles)))

    def _space(self, tag: str) -> None:
        """Around an element is a blank line, or the end of one."""
        if tag in _LINES or (tag in ("ul", "ol") and self._lists):
            self._writer.end_line()
            self._blank = False
        elif tag in _APART:
            self._writer.gap()
            self._blank = False

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        writer = self._writer
        self._space(tag)
        if tag in _STYLES:
            self._styles.append(_STYLES[tag])
        match tag:
            case "br":
                (writer.gap if writer.at_line_start else writer.end_line)()
                self._blank = False
            case "img" if description := attributes.get("alt", "").strip():
                self._text(f"[image: {description}]", "italic")
            case "input" if attributes.get("type") == "checkbox":
                self._text("[x] " if "checked" in attributes else "[ ] ")
            case "hr":
                writer.put([RULE])
            case "q":
                self._text("“")
            case "sup" if attributes.get("class") == "footnote-reference":
                self._text(f"[^{_text_of(self._inside())}]", "dim")
            case "sup" if (one := self._next()).kind == "text" and _POWER.match(one.what):
                self._text("^")
            case "a":
                self._link = attributes.get("href", "").strip(), []
            case "ul":
                self._lists.append(None)
            case "ol":
                self._lists.append(_number(attributes.get("start", ""), 1))
            case "li":
                mark = "• "
                if self._lists and (number := self._lists[-1]) is not None:
                    number = _number(attributes.get("value", ""), number)
                    self._lists[-1] = number + 1
                    mark = f"{number}. "
                writer.indent(" " * len(mark), first=mark, style="bold $text-secondary")
            case "dd":
                writer.indent("    ", first="    ")
            case "blockquote":
                writer.indent("▏ ", style="$text-secondary")
            case "pre":
                writer.indent("  ")
                self._as_it_stands += 1
                self._code()
            case "table" if lines := self._table():
                writer.put(lines)
                self._space(tag)

    def _end(self, tag: str) -> None:
        if tag in _STYLES:
            self._styles.pop()
        match tag:
            case "q":
                self._write("”")
            case "a":
                address, texts = self._link
                self._link = "", []
                if "://" in address and address != "".join(texts).strip():
                    self._text(f" ({address})", "dim")
            case "ul" | "ol":
                self._lists.pop()
            case "li" | "dd" | "blockquote":
                self._writer.outdent()
            case "pre":
                self._writer.outdent()
                self._as_it_stands -= 1
        self._space(tag)

    def _code(self) -> None:
        """Highlight what a block holds, where that is code in a language that is known."""
        first = self._next()
        match = _LANGUAGE.search(first.attributes.get("class", ""))
        language = language_named(match[1]) if match and first.what == "code" else ""
        if language:
            self._ahead.popleft()
            text = _text_of(self._inside()).removesuffix("\n")
            self._highlighted += len(text)
            language = language if self._highlighted <= HIGHLIGHTED else ""
            self._writer.put(highlighted_lines(text, language, style=_STYLES["code"]))
        elif first.kind == "text":
            # A line end right behind <pre> is not part of it.
            self._ahead[0] = first._replace(what=first.what.removeprefix("\n"))

    def _table(self) -> Iterator[Content] | None:
        """The table that began, as lines; none if it lays out a page: where its first rows hold
        another one, long texts, or text beside their cells."""
        taken: list[_Event] = []
        rows: list[_Row] = []
        caption: list[_Event] = []
        cell: list[_Event] | None = None
        length = 0
        for event in self._coming():
            kind, what, _ = event
            if what == "table" and kind == "end":
                return self._table_lines(caption, rows, iter(()))
            if cell is None and what == "tr" and len(rows) == _MOST_ROWS:
                return self._table_lines(caption, rows, self._more_rows())
            taken.append(event)
            if cell is None:
                is_page = what == "table" or bool(kind == "text" and what.strip())
                if kind == "start" and what in ("td", "th", "caption"):
                    cell, length = [event], 0
                    caption = cell if what == "caption" else caption
                elif kind == "start" and what == "tr":
                    rows.append([])
            else:
                is_page = kind == "start" and what in ("table", "td", "th")
                cell.append(event)
                length += len(what) if kind == "text" else 0
                if kind == "end" and what == cell[0].what:
                    if what != "caption":
                        rows = rows or [[]]
                        rows[-1].append(cell)
                    cell = None
            if is_page or length > _LONGEST_CELL or (rows and len(rows[-1]) > _MOST_CELLS):
                break
        self._ahead.extendleft(reversed(taken))
        return None

    def _more_rows(self) -> Iterator[_Row]:
        """The rows behind the first ones, as they are asked for."""
        row: _Row = []
        for event in self._coming():
            if event.kind == "start" and event.what in ("td", "th"):
                row.append([event, *self._inside(), event._replace(kind="end")])
            elif event.what in ("tr", "table") and row:
                yield row
                row = []
            if event.kind == "end" and event.what == "table":
                return

    def _table_lines(
        self, caption: list[_Event], rows: list[_Row], more: Iterator[_Row]
    ) -> Iterator[Content]:
        """Aligned text, with a rule below the heads; cells that are too wide are wrapped."""
        room = self._width - self._writer.depth
        yield from _Elements(iter([caption]), room).lines()
        widths: list[int] = []
        while rows:
            drawn = [_drawn(row, room) for row in rows]
            widths = _column_widths(drawn, room, widths)
            for row, cells in zip(rows, drawn, strict=True):
                yield from _row_lines(row, cells, widths)
                if row and row is not rows[-1] and all(cell[0].what == "th" for cell in row):
                    rule = "  ".join("─" * width for width in widths)
                    yield Content.styled(rule, "dim") if widths else RULE
            rows = list(islice(more, _MOST_ROWS))


def _drawn(row: _Row, room: int) -> list[list[Content]]:
    """The lines of each cell of a row."""
    return [list(_Elements(iter([cell]), room).lines()) for cell in row]


def _row_lines(row: _Row, cells: list[list[Content]], widths: Sequence[int]) -> Iterator[Content]:
    """A row in columns; one that has more cells than they are, in a line."""
    if len(cells) <= len(widths):
        wrapped = [
            [piece for line in lines for piece in _wrapped(line, width)]
            for lines, width in zip(cells, widths, strict=False)
        ]
        right = [_is_right(cell[0].attributes) for cell in row]
        for lines in zip_longest(*wrapped, fillvalue=Content("")):
            yield _BETWEEN.join(
                line.pad_left(width - line.cell_length)
                if at_right
                else line.pad_right(width - line.cell_length)
                for line, width, at_right in zip(lines, widths, right, strict=False)
            ).rstrip()
    elif cells:
        yield Content(" │ ").join(Content(" ").join(lines) for lines in cells)


def _wrapped(line: Content, width: int) -> Sequence[Content]:
    return [line] if line.cell_length <= width else line.wrap(width)


def _column_widths(rows: list[list[list[Content]]], room: int, before: Sequence[int]) -> list[int]:
    """How wide the columns are, at least as wide as `before`, then the widest ones narrowed; none
    where there is no room."""
    columns = max([len(before), *map(len, rows)])
    widths = [*before, *[1] * (columns - len(before))]
    for row in rows:
        for column, cell in enumerate(row):
            widths[column] = max([widths[column], *(line.cell_length for line in cell)])
    while sum(widths) + len(_BETWEEN) * (columns - 1) > room:
        widest = max(widths)
        if widest <= _NARROWEST:
            return []
        widths[widths.index(widest)] -= 1
    return widths


def _text_of(events: list[_Event]) -> str:
    return "".join(event.what for event in events if event.kind == "text")


def _is_right(attributes: dict[str, str]) -> bool:
    return "right" in (attributes.get("align"), attributes.get("style", "").rpartition(" ")[2])


def _is_hidden(attributes: dict[str, str]) -> bool:
    return "hidden" in attributes or bool(_HIDDEN.search(attributes.get("style", "")))


def _number(text: str, otherwise: int) -> int:
    return int(text) if text.isdecimal() and len(text) < 10 else otherwise
