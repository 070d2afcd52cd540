"""What of an answer its checks see."""

from __future__ import annotations

__all__ = ["code_of"]


def code_of(answer: str) -> str:
    """The first fenced block of code in a Markdown text (CommonMark 0.31, 4.5), without its fences;
    the whole text where it has none. One that is never closed goes on to the end."""
    from markdown_it import MarkdownIt  # noqa: PLC0415 - few collections need it

    blocks = MarkdownIt("commonmark").disable("inline").parse(answer)
    return next((one.content for one in blocks if one.type == "fence"), answer)
