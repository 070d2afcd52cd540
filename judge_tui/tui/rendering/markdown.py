"""Markdown, lightly rendered: what its marks mean is drawn, and nothing of its text is lost."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import pyromark
from textual.content import Content

from judge_tui.formats.languages import language_named
from judge_tui.tui.rendering.code import HIGHLIGHTED, highlighted_lines, plain_lines
from judge_tui.tui.rendering.elements import CODE, INLINE, KNOWN, ElementWriter
from judge_tui.visible import visible

_OPTIONS = (
    pyromark.Options.ENABLE_TABLES
    | pyromark.Options.ENABLE_STRIKETHROUGH
    | pyromark.Options.ENABLE_FOOTNOTES
)
_FRONT_MATTER = re.compile(
    r"(---|\+\+\+)[ \t]*\r?\n(?:.{0,1000}\n){0,200}?(?:\1|\.\.\.)[ \t\r]*(?:\n|\Z)"
)
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)\b([^>]*)>")
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
    "TableHead": "tr",
    "TableRow": "tr",
}


def markdown_lines(text: str, writer: ElementWriter) -> Iterator[Content]:
    """The lines of a document, parsed as far as they are asked for."""
    front = _FRONT_MATTER.match(text)
    if front:
        writer.verbatim(front[0].rstrip(), "dim")
        writer.lines.gap()
        text = text[front.end() :]
    return _Markdown(writer).lines(text)


class _Markdown:
    """What the parser finds, written as the elements of HTML that it means."""

    def __init__(self, writer: ElementWriter) -> None:
        self._writer = writer
        self._highlighted = 0
        self._cell = "td"
        # Elements of HTML that are open within the block.
        self._inline: list[str] = []
        self._links: list[tuple[dict[str, Any], list[str]]] = []
        # Names of addresses that links refer to.
        self._named = set[str]()

    def lines(self, text: str) -> Iterator[Content]:
        writer = self._writer
        events = _events(text)
        for event in events:
            kind, what = _named(event)
            match kind:
                case "Text":
                    self._words(what)
                case "Start":
                    name, data = _named(what)
                    if name == "CodeBlock":
                        yield from self._code(_collected(events), data)
                    elif name == "HtmlBlock":
                        yield from self._html(_collected(events))
                    elif name == "Image":
                        self._named.add(data["id"].casefold())
                        self._empty("img", {"alt": _collected(events) or data["dest_url"]})
                    else:
                        self._start(name, data)
                case "End":
                    self._end(_named(what)[0])
                    yield from writer.take()
                case "Code":
                    self._words(what, CODE)
                case "SoftBreak":
                    writer.text(" ")
                case "HardBreak":
                    writer.line()
                case "Rule":
                    self._empty("hr")
                case "InlineHtml":
                    self._tag(what)
                case "FootnoteReference":
                    writer.text(f"[^{what}]", "dim")
        if "]:" in text:
            self._definitions(text)
        yield from writer.finish()

    def _words(self, words: str, style: str = "") -> None:
        for _, texts in self._links:
            texts.append(words)
        self._writer.text(words, style)

    def _empty(self, tag: str, attributes: dict[str, str] | None = None) -> None:
        self._writer.start(tag, attributes or {})
        self._writer.end()

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
                writer.start("div", {})
                writer.lines.indent("  ", first=visible(f"[^{data}]: "), style="dim")
            case "Table":
                writer.start("table", {})
                writer.right = [at for at, side in enumerate(data) if side == "Right"]
            case "TableCell":
                writer.start(self._cell, {})
            case _:
                self._cell = "th" if name == "TableHead" else "td"
                writer.start(_ELEMENTS[name], {})

    def _end(self, name: str) -> None:
        writer = self._writer
        if name not in ("Emphasis", "Strong", "Strikethrough", "Link"):
            for _ in self._inline:
                writer.end()
            self._inline.clear()
        if name == "FootnoteDefinition":
            writer.lines.outdent()
        writer.end()
        if name == "Link":
            self._address(*self._links.pop())

    def _address(self, link: dict[str, Any], texts: list[str]) -> None:
        """Where a link leads, unless it is its text, or a place in the same document."""
        address, title, text = link["dest_url"], link["title"], "".join(texts)
        self._named.add(link["id"].casefold())
        if address.startswith("#") or address in (text, f"mailto:{text}"):
            address = ""
        behind = " ".join(filter(None, (address, title and f'"{title}"')))
        if behind:
            self._writer.text(f" ({behind})", "dim")

    def _tag(self, tag: str) -> None:
        """HTML within a paragraph; what is no element of HTML is text, such as vector<int>."""
        match = _TAG.fullmatch(tag)
        name = match[2].lower() if match else ""
        if match is None or name not in INLINE:
            if not tag.startswith("<!--"):
                self._writer.text(tag)
        elif name in ("br", "img", "wbr"):
            found = _ATTRIBUTE.findall(match[3])
            self._empty(name, {key.lower(): unescape("".join(value)) for key, *value in found})
        elif not match[1] and len(self._inline) < _MOST_INLINE:
            self._inline.append(name)
            self._writer.start(name, {})
        elif match[1] and name in self._inline:
            while self._inline.pop() != name:
                self._writer.end()
            self._writer.end()

    def _html(self, text: str) -> Iterator[Content]:
        """A block of HTML; what is none is text."""
        match = _TAG.match(text.lstrip())
        is_comment = text.lstrip().startswith("<!--") and "-->" in text
        if is_comment or (match and match[2].lower() in KNOWN):
            from judge_tui.tui.rendering.html import html_lines  # noqa: PLC0415 - rarely needed

            yield from html_lines(text, self._writer)
        else:
            self._writer.line()
            self._writer.verbatim(text.rstrip("\n"))
            self._writer.line()

    def _code(self, text: str, kind: Any) -> Iterator[Content]:
        """A block of its own, highlighted; a language that is not known stands above it."""
        info = "" if isinstance(kind, str) else kind["Fenced"]
        language = language_named(re.split(r"[\s,{}.:]", info.strip("{}. "))[0]) if info else ""
        lines = self._writer.lines
        lines.gap()
        lines.indent("  ")
        if info and not language:
            lines.write(f"{info}\n", "dim")
        text = text.removesuffix("\n")
        self._highlighted += len(text)
        is_plain = not language or self._highlighted > HIGHLIGHTED
        for line in plain_lines(text, CODE) if is_plain else highlighted_lines(text, language):
            lines.put([line])
            yield from self._writer.take()
        lines.outdent()
        lines.gap()

    def _definitions(self, text: str) -> None:
        """Addresses that no link refers to."""
        for name, link in pyromark.reference_definitions(text, options=_OPTIONS).items():
            if name.casefold() not in self._named:
                title = f' "{link["title"]}"' if link["title"] else ""
                self._writer.verbatim(f"[{name}]: {link['dest']}{title}\n", "dim")


def _events(text: str) -> Iterator[Any]:
    """What the parser finds, and the cells that rows have beyond the columns of their table, which
    it drops."""
    if "|" not in text:
        yield from pyromark.events(text, options=_OPTIONS)
        return
    source = text.encode()
    columns, surplus = 0, list[str]()
    for event, place in pyromark.events_with_range(text, options=_OPTIONS, merge_text=True):
        match event:
            case {"Start": {"Table": alignments}}:
                columns = len(alignments)
            case {"Start": "TableRow"}:
                row = source[place["start"] : place["end"]].decode().strip().removeprefix("|")
                surplus = _BETWEEN_CELLS.split(row)[columns:]
            case {"End": "TableRow"}:
                for cell in surplus[:-1] if surplus and not surplus[-1] else surplus:
                    words = {"Text": cell.strip().replace("\\|", "|")}
                    yield from ({"Start": "TableCell"}, words, {"End": "TableCell"})
        yield event


def _named(event: Any) -> tuple[str, Any]:
    """The name of an event or of its element, and what it comes with."""
    return (event, None) if isinstance(event, str) else event.popitem()


def _collected(events: Iterator[Any]) -> str:
    """The text of an element up to its end."""
    depth = 1
    texts: list[str] = []
    for event in events:
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
