"""A page as a browser would see it, refusing everything that a page must not hold."""

from __future__ import annotations

import re
from html.parser import HTMLParser

_VOID = {"meta"}
_PLAIN = {"html", "head", "title", "body", "header", "footer", "main", "style", "h1", "h2", "p"}
_PLAIN |= {"ul", "ol", "li", "dl", "dt", "dd", "nav", "section", "div", "figure", "a", "meta"}
_PLAIN |= {"details", "summary", "span", "figcaption"}
_PLAIN |= {"table", "caption", "thead", "tbody", "tr", "th", "td"}
_DRAWN = {"svg", "g", "rect", "text", "tspan", "line", "circle", "path"}
_ATTRIBUTES = {"lang", "charset", "http-equiv", "content", "name", "class", "id", "href"}
_ATTRIBUTES |= {"aria-labelledby", "aria-label", "role", "tabindex", "scope"}
_ATTRIBUTES |= {"viewbox", "width", "height", "x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "r"}
_ATTRIBUTES |= {"d", "fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity"}
_ATTRIBUTES |= {"font-family", "font-size", "font-weight", "text-anchor", "color", "overflow"}


class ReadPage(HTMLParser):
    """`tables`: caption -> rows, the header first; `text`: what is to be read, scripts and styles
    aside; `sections`: id of a heading -> its words; `links`: what is pointed to; `style`."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tables: dict[str, list[list[str]]] = {}
        self.sections: dict[str, str] = {}
        self.links: list[str] = []
        self.policy = ""
        self.style = ""
        self._open: list[str] = []
        self._texts: list[str] = []
        self._rows: list[list[str]] = []
        self._caption = ""
        self._heading = ""
        self.feed(html)
        self.close()
        assert self._open == [], self._open

    def table(self, start: str) -> list[list[str]]:
        """The one table whose caption begins so."""
        (found,) = (rows for caption, rows in self.tables.items() if caption.startswith(start))
        return found

    @property
    def text(self) -> str:
        return " ".join(self._texts)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in _PLAIN | _DRAWN, tag
        for name, value in attrs:
            assert name in _ATTRIBUTES, (tag, name)
            assert value is not None
            assert "url(" not in value
            if name == "href":
                assert re.fullmatch(r"#[a-z-]+", value), value
                self.links.append(value[1:])
            if name == "content" and "default-src" in value:
                self.policy = value
        if tag not in _VOID:
            self._open.append(tag)
        if tag == "tr":
            self._rows.append([])
        if tag in ("td", "th"):
            self._rows[-1].append("")
        if tag == "h2":
            self._heading = dict(attrs)["id"] or ""
            self.sections[self._heading] = ""

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag
        if tag == "table":
            assert self._caption not in self.tables, self._caption
            self.tables[self._caption] = self._rows
            self._rows, self._caption = [], ""

    def handle_data(self, data: str) -> None:
        here = self._open[-1] if self._open else ""
        if here == "style":
            self.style += data
            return
        if here in ("td", "th"):
            self._rows[-1][-1] += data
        if here == "caption":
            self._caption += data
        if here == "h2":
            self.sections[self._heading] += data
        self._texts.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)

    def handle_decl(self, decl: str) -> None:
        assert decl == "DOCTYPE html"

    def handle_pi(self, data: str) -> None:
        raise AssertionError(data)
