"""What a document is: plain text, Markdown, HTML or source code. In doubt it is plain text."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

from judge_tui.formats.checkout import Excerpt
from judge_tui.formats.languages import language_named, language_of
from judge_tui.model import Document, lines_named

Kind = Literal["text", "markdown", "html", "code"]


class Nature(NamedTuple):
    """The kind of a document, and the language of its source as Pygments calls it."""

    kind: Kind
    language: str


_TEXT = Nature("text", "")
_MARKDOWN = Nature("markdown", "markdown")
_HTML = Nature("html", "html")

_KINDS = {
    "text": _TEXT,
    "plain": _TEXT,
    "txt": _TEXT,
    "text/plain": _TEXT,
    "markdown": _MARKDOWN,
    "text/markdown": _MARKDOWN,
    "html": _HTML,
    "text/html": _HTML,
    "application/xhtml+xml": _HTML,
}

# Addresses that end so give a page, and not the program that makes it.
_SERVED = frozenset({"php", "asp", "aspx-cs", "cfm", "jsp", "perl"})

_BEGINS_AS_HTML = re.compile(r"(?:<\?xml[^>]{0,200}>\s*)?<(?:!doctype html|html)\b", re.IGNORECASE)
_HTML_TAG = re.compile(
    r"<(?:!doctype|/?(?:html|head|body|div|p|h[1-6]|ul|table|pre|br))\b[^<>]*>", re.I
)
_LOOKED_AT = 4096


def nature_of(document: Document) -> Nature:
    """What a document is, by what its kind says, else by its name, else by how it begins."""
    return _by_kind(document) or _by_name(document) or _by_beginning(document.text)


def _by_kind(document: Document) -> Nature | None:
    kind = document.kind.partition(";")[0].strip().lower()
    if not kind or kind in _KINDS:
        return _KINDS.get(kind)
    return _of_language(language_named(kind))


def _by_name(document: Document) -> Nature | None:
    excerpt = Excerpt.of(document.meta)
    if excerpt is not None:
        return _of_language(language_of(excerpt.path))
    for name in (document.doc_id, document.url):
        path, _ = lines_named(name)
        is_address = "://" in path
        if is_address:
            path = _path_of_address(path)
        language = language_of(path) if is_address or _is_path(path, document.kind) else ""
        if is_address and language in _SERVED:
            continue
        # The text of a page was often taken out of its HTML before it came here.
        if language == "html" and not _HTML_TAG.search(document.text, 0, 16 * _LOOKED_AT):
            continue
        if language:
            return _of_language(language)
    return None


def _by_beginning(text: str) -> Nature:
    start = text[:_LOOKED_AT].lstrip("\ufeff \t\r\n")
    return _HTML if _BEGINS_AS_HTML.match(start) else _TEXT


def _is_path(name: str, kind: str) -> bool:
    """Whether a name may be that of a file: `math.e` is hardly a program in Eiffel, nor the
    function `asyncio.run` a script."""
    stem, _, suffix = name.rpartition(".")
    has_suffix = stem != "" and (len(suffix) > 1 or suffix in ("c", "h"))
    return "/" in name or (has_suffix and not kind)


def _path_of_address(address: str) -> str:
    try:
        return urlsplit(address).path
    except ValueError:
        return ""


def _of_language(language: str) -> Nature | None:
    if not language:
        return None
    return _KINDS.get(language) or Nature("code", language)
