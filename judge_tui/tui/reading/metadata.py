"""What is known of a document besides its text."""

from __future__ import annotations

import json
from typing import Any

from judge_tui.formats.excerpt import KEY, Excerpt
from judge_tui.model import Document
from judge_tui.visible import visible, visible_line

_WIDEST_KEY = 24


def metadata_text(document: Document) -> str:
    """Address and metadata as lines `key: value`, the values below each other; visible.

    Nested values stand as JSON. Where a document was read from in a checkout is left out.
    """
    meta = dict(document.meta)
    if Excerpt.of(meta) is not None:
        del meta[KEY]
    if document.url:
        meta = {"url": document.url} | meta
    shown = {visible_line(key): _value(value) for key, value in meta.items()}
    width = min(_WIDEST_KEY, max(map(len, shown), default=0))
    lines = [f"{key + ':':<{width + 1}} {_indented(value, width)}" for key, value in shown.items()]
    return "\n".join(line.rstrip() for line in lines)


def _value(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return visible(text.strip("\r\n"))


def _indented(value: str, width: int) -> str:
    return value.replace("\n", "\n" + " " * (width + 2))
