"""What the parts of a document look like.

Each differs by more than colour, or by its place, so that NO_COLOR and the terminal's own theme
lose nothing. Colours are those that the theme has for text, readable on dark and on light.
"""

from __future__ import annotations

from rich.style import Style

__all__ = ["CSS", "LOOKS", "MARKED", "STYLES"]

_SPANS = {
    "heading": "text-style: bold; color: $text-primary;",
    "strong": "text-style: bold;",
    "emphasis": "text-style: italic;",
    "code": "color: $text-success;",
    "link": "text-style: underline; color: $text-primary;",
    "quote": "text-style: italic; color: $text-secondary;",
    "list": "text-style: bold; color: $text-secondary;",
    "rule": "text-style: dim;",
    "faint": "text-style: dim;",
    "context": "text-style: dim;",
    "keyword": "text-style: bold; color: $text-primary;",
    "name": "color: $text-secondary;",
    "string": "color: $text-success;",
    "number": "color: $text-warning;",
    "comment": "text-style: dim italic;",
    "operator": "text-style: dim;",
    "deleted": "text-style: strike; color: $text-error;",
    "inserted": "text-style: underline; color: $text-success;",
}

STYLES = frozenset(_SPANS)
"""The styles that the spans of a reading may have."""

LOOKS = {
    **_SPANS,
    "note": "text-style: italic dim;",
    "line": "text-style: dim;",
    "gutter": "text-style: dim;",
    "mark": "text-style: bold underline; color: $text-accent;",
    "tick": "color: $text-accent;",
    "hit": "text-style: reverse; color: $text-warning;",
    "here": "text-style: reverse bold underline; color: $text-error;",
    "found": "color: $text-warning;",
}
"""The CSS of each component class `document--NAME`."""

MARKED = {name: Style(dim=False) for name in ("mark", "hit", "here")}
"""What is taken from the styles below: marks stand out of what is faint, too."""

CSS = (
    """
    ReadyView {
        height: 1fr;
        width: 1fr;
        scrollbar-size: 0 0;
        overflow: hidden scroll;
    }
"""
    + "\n".join(f"ReadyView > .document--{name} {{ {look} }}" for name, look in LOOKS.items())
    # The blue of most terminals is hard to read on black.
    + "\n".join(
        f"ReadyView:ansi:dark > .document--{name} {{ color: ansi_bright_blue; }}"
        for name, look in LOOKS.items()
        if "$text-primary" in look
    )
)
"""The view, and its component classes."""
