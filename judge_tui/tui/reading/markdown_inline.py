"""What stands in a paragraph of Markdown, as runs of styled text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from judge_tui.tui.reading.sheet import Run

if TYPE_CHECKING:
    from markdown_it.token import Token

_STYLES = {"em_open": "emphasis", "strong_open": "strong", "s_open": "deleted", "link_open": "link"}
_BREAKS = {"softbreak": " ", "hardbreak": "\n"}
_NOTE = re.compile(r"\[\^[^\[\]\s]{1,200}\]:")
_BREAK_TAGS = ("<br>", "<br/>", "<br />")


def inline_runs(tokens: Sequence[Token], styles: tuple[str, ...] = ()) -> Iterator[Run]:
    """The runs of inline tokens, all of them in `styles`, too.

    The address of a link stands behind its text, an image as its description. Each footnote begins
    a line.
    """
    open_styles = list(styles)
    links: list[tuple[str, str]] = []
    text_of_link = ""
    for number, token in enumerate(tokens, start=1):
        if token.type in _STYLES:
            open_styles.append(_STYLES[token.type])
            if token.type == "link_open":
                links.append(_target(token, "href"))
                text_of_link = ""
        elif token.nesting < 0:
            open_styles.pop()
            if token.type == "link_close":
                yield from _address(*links.pop(), text_of_link, open_styles)
        elif token.type in _BREAKS:
            is_note = number < len(tokens) and _NOTE.match(tokens[number].content)
            yield "\n" if is_note else _BREAKS[token.type], tuple(open_styles)
        elif token.type == "html_inline":
            if token.content.lower() in _BREAK_TAGS:
                yield "\n", ()
            else:
                yield token.content, (*open_styles, "faint")
        elif token.type == "image":
            yield f"[image: {token.content}]", (*open_styles, "emphasis")
            yield from _address(*_target(token, "src"), token.content, open_styles)
        else:
            text_of_link += token.content
            code = ("code",) if token.type == "code_inline" else ()
            yield token.content, (*open_styles, *code)


def _target(token: Token, attribute: str) -> tuple[str, str]:
    """Where a link leads, and its title."""
    return str(token.attrs.get(attribute, "")), str(token.attrs.get("title", ""))


def _address(address: str, title: str, text: str, styles: list[str]) -> Iterator[Run]:
    """The address behind a link, unless it is its text, or a place in the same document."""
    if address.startswith("#") or address in (text, f"mailto:{text}"):
        address = ""
    behind = " ".join(filter(None, (address, f'"{title}"' if title else "")))
    if behind:
        yield f" ({behind})", (*styles, "faint")
