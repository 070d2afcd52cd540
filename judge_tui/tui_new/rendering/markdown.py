"""Markdown, lightly rendered: what its marks mean is drawn, and nothing of its text is lost."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import pyromark
from textual.content import Content

from judge_tui.formats.languages import language_named
from judge_tui.tui_new.rendering.code import HIGHLIGHTED, highlighted_lines, plain_lines
from judge_tui.tui_new.rendering.elements import CODE, INLINE, KNOWN, ElementWriter

_OPTIONS = (
    pyromark.Options.ENABLE_TABLES
    | pyromark.Options.ENABLE_STRIKETHROUGH
    | pyromark.Options.ENABLE_FOOTNOTES
)
_FRONT_MATTER = re.compile(
    r"(---|\+\+\+)[ \t]*\n(?:.{0,1000}\n){0,200}?(?:\1|\.\.\.)[ \t]*(?:\n|\Z)"
)
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)([^>]*)>")
_ATTRIBUTE = re.compile(r"""([a-zA-Z]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_BETWEEN_CELLS = re.compile(r"(?<!\\)\|")
_MOST_INLINE = 100
_ELEMENTS = {
    "Paragraph": "p",
    "BlockQuote": "blockquote",
    "Item": "li",
    "Emphasis": "em",
    "Strong": "strong",
    "Strikethrough": "del",
    "Table": "table",
    "TableHead": "tr",
    "TableRow": "tr",
    "Link": "a",
}


def markdown_lines(text: str, width: int) -> Iterator[Content]:
    """The lines of a document, parsed as far as they are asked for."""
    return _Markdown(text, width).lines()


class _Markdown:
    def __init__(self, text: str, width: int) -> None:
        self._text = text
        self._writer = ElementWriter(width)
        self._highlighted = 0
        # Elements of HTML that are open within the block.
        self._inline: list[str] = []
        self._links: list[tuple[dict[str, Any], list[str]]] = []
        # Names of addresses that links refer to.
        self._named = set[str]()
        self._columns = 0
        self._is_head = False

    def lines(self) -> Iterator[Content]:
        text, writer = self._text, self._writer
        front = _FRONT_MATTER.match(text)
        if front:
            writer.verbatim(front[0].rstrip("\n"), "dim")
            writer.gap()
            text = text[front.end() :]
        events = _events(text)
        for event, source in events:
            kind, what = _named(event)
            match kind:
                case "Text":
                    self._words(what)
                case "Start":
                    name, data = _named(what)
                    match name:
                        case "CodeBlock":
                            info = "" if isinstance(data, str) else data["Fenced"]
                            yield from self._code(_collected(events), info)
                        case "HtmlBlock":
                            yield from self._html(_collected(events))
                        case "Image":
                            self._named.add(data["id"].casefold())
                            writer.image(_collected(events) or data["dest_url"])
                        case "TableRow":
                            self._start(name, data)
                            surplus = _cells(source)[self._columns :]
                        case _:
                            self._start(name, data)
                case "End":
                    if what == "TableRow":
                        self._cells(surplus)
                    self._end(_named(what)[0])
                    yield from writer.take()
                case "Code":
                    self._words(what, CODE)
                case "SoftBreak":
                    writer.text(" ")
                case "HardBreak":
                    writer.line()
                case "Rule":
                    writer.rule()
                case "InlineHtml":
                    self._tag(what)
                case "FootnoteReference":
                    writer.text(f"[^{what}]", "dim")
        yield from self._definitions(text)
        yield from writer.finish()

    def _words(self, words: str, style: str = "") -> None:
        for _, texts in self._links:
            texts.append(words)
        if style:
            self._writer.text("")
        self._writer.text(words, style)

    def _start(self, name: str, data: Any) -> None:
        writer = self._writer
        match name:
            case "Heading":
                writer.start(data["level"].lower(), {})
            case "List":
                writer.start("ul" if data is None else "ol", {"start": str(data)})
            case "Link":
                writer.start("a", {})
                self._links.append((data, []))
            case "FootnoteDefinition":
                writer.gap()
                writer.indent("  ", first=f"[^{data}]: ", style="dim")
            case "Table":
                writer.start("table", {})
                self._columns = len(data)
                writer.align([at for at, side in enumerate(data) if side == "Right"])
            case "TableCell":
                writer.start("th" if self._is_head else "td", {})
            case _:
                self._is_head = name == "TableHead"
                writer.start(_ELEMENTS[name], {})

    def _end(self, name: str) -> None:
        writer = self._writer
        match name:
            case "Emphasis" | "Strong" | "Strikethrough":
                writer.end()
            case "Link":
                writer.end()
                self._address(*self._links.pop())
            case "FootnoteDefinition":
                writer.outdent()
                writer.gap()
            case _:
                while self._inline:
                    self._inline.pop()
                    writer.end()
                writer.end()

    def _cells(self, texts: list[str]) -> None:
        """Cells of a row that the head has no columns for, which the parser drops."""
        for text in texts:
            self._writer.start("td", {})
            self._writer.text(text.strip().replace("\\|", "|"))
            self._writer.end()

    def _definitions(self, text: str) -> Iterator[Content]:
        """Addresses that no link refers to."""
        if "]:" not in text:
            return
        for name, link in pyromark.reference_definitions(text, options=_OPTIONS).items():
            if name.casefold() not in self._named:
                title = f' "{link["title"]}"' if link["title"] else ""
                self._writer.line()
                self._writer.verbatim(f"[{name}]: {link['dest']}{title}", "dim")
                yield from self._writer.take()

    def _address(self, link: dict[str, Any], texts: list[str]) -> None:
        """Where a link leads, unless it is its text, or a place in the same document."""
        address, title, text = link["dest_url"], link["title"], "".join(texts)
        self._named.add(link["id"].casefold())
        if address.startswith("#") or address in (text, f"mailto:{text}"):
            address = ""
        behind = " ".join(filter(None, (address, f'"{title}"' if title else "")))
        if behind:
            self._writer.text(f" ({behind})", "dim")

    def _tag(self, tag: str) -> None:
        """HTML within a paragraph: what is no element of HTML is text, such as vector<int>."""
        match = _TAG.fullmatch(tag)
        name = match[2].lower() if match else ""
        if match is None or name not in INLINE:
            if not tag.startswith("<!--"):
                self._writer.text(tag)
        elif name in ("br", "img", "wbr"):
            attributes = {
                found[1].lower(): unescape(found[2] or found[3] or found[4] or "")
                for found in _ATTRIBUTE.finditer(match[3])
            }
            self._writer.start(name, attributes)
            self._writer.end()
        elif not match[1]:
            if len(self._inline) < _MOST_INLINE:
                self._inline.append(name)
                self._writer.start(name, {})
        elif name in self._inline:
            last = ""
            while last != name:
                last = self._inline.pop()
                self._writer.end()

    def _html(self, text: str) -> Iterator[Content]:
        """A block of HTML; what is none is shown as it stands."""
        start = text.lstrip()[:20].lower()
        match = _TAG.match(text.lstrip())
        is_comment = start.startswith("<!--") and "-->" in text
        if is_comment or start.startswith("<!doctype") or (match and match[2].lower() in KNOWN):
            from judge_tui.tui_new.rendering.html import html_lines  # noqa: PLC0415 - rarely needed

            yield from html_lines(text, self._writer)
        else:
            self._writer.line()
            self._writer.verbatim(text.rstrip("\n"))
            self._writer.line()

    def _code(self, text: str, info: str) -> Iterator[Content]:
        """A block of its own, highlighted; a language that is not known stands above it."""
        writer = self._writer
        writer.gap()
        writer.indent("  ")
        language = language_named(re.split(r"[\s,{}.:]", info.strip("{}. "))[0]) if info else ""
        if info and not language:
            writer.verbatim(info, "dim")
            writer.line()
        text = text.removesuffix("\n")
        self._highlighted += len(text)
        is_plain = not language or self._highlighted > HIGHLIGHTED
        for line in plain_lines(text, CODE) if is_plain else highlighted_lines(text, language):
            writer.lines.put(line)
            yield from writer.take()
        writer.outdent()
        writer.gap()


def _events(text: str) -> Iterator[tuple[Any, str]]:
    """What the parser finds, and the source of the rows of tables."""
    if "|" not in text:
        yield from ((event, "") for event in pyromark.events(text, options=_OPTIONS))
        return
    encoded = text.encode()
    for event, place in pyromark.events_with_range(text, options=_OPTIONS, merge_text=True):
        is_row = event == {"Start": "TableRow"}
        yield event, encoded[place["start"] : place["end"]].decode() if is_row else ""


def _cells(row: str) -> list[str]:
    """The cells of a row of a table, as they stand in its source."""
    cells = _BETWEEN_CELLS.split(row.strip().removeprefix("|"))
    return cells if cells[-1].strip() else cells[:-1]


def _named(event: Any) -> tuple[str, Any]:
    """The name of an event or of its element, and what it comes with."""
    return (event, None) if isinstance(event, str) else event.popitem()


def _collected(events: Iterator[tuple[Any, str]]) -> str:
    """The text of an element up to its end."""
    depth = 1
    texts: list[str] = []
    for event, _ in events:
        match event:
            case {"Start": _}:
                depth += 1
            case {"End": _}:
                depth -= 1
                if not depth:
                    break
            case {"Text": text} | {"Html": text} | {"Code": text} | {"InlineHtml": text}:
                texts.append(text)
            case "SoftBreak" | "HardBreak":
                texts.append(" ")
    return "".join(texts)
