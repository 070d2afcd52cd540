"""What the parts of a document look like.

Each differs by more than colour, or by its place, so that NO_COLOR and the terminal's own theme
lose nothing. Colours are those that the theme has for text, readable on dark and on light.
"""

from __future__ import annotations

from rich.style import Style
from textual.style import Style as ContentStyle

_SPANS = {
    "title": "bold underline $text-primary",
    "heading": "bold $text-primary",
    "strong": "bold",
    "emphasis": "italic",
    "code": "$text-success",
    "link": "underline $text-primary",
    "quote": "italic $text-secondary",
    "list": "bold $text-secondary",
    "rule": "dim",
    "faint": "dim",
    "context": "dim",
    "keyword": "bold $text-primary",
    "name": "$text-secondary",
    "string": "$text-success",
    "number": "$text-warning",
    "comment": "dim italic",
    "operator": "dim",
    "deleted": "strike $text-error",
    "inserted": "underline $text-success",
}

STYLES = frozenset(_SPANS)
"""The styles that the spans of a reading may have."""

LOOKS = {
    **_SPANS,
    "note": "italic dim",
    "line": "dim",
    "gutter": "dim",
    "mark": "bold underline $text-accent",
    "tick": "$text-accent",
    "hit": "reverse $text-warning",
    "here": "reverse bold underline $text-error",
    "found": "$text-warning",
}
"""The style of each part, as Textual's markup writes it.

These are no component classes: Textual works out all of those for each widget, several times at
each start, and a document has few of them.
"""

MARKED = {name: Style(dim=False) for name in ("mark", "hit", "here")}
"""What is taken from the styles below: marks stand out of what is faint, too."""

_BRIGHT = ("$text-primary", "ansi_bright_blue")
"""The blue of most terminals is hard to read on black."""


def look_of(name: str, *, dark_ansi: bool) -> Style:
    """How a part looks in the app's theme; `dark_ansi`: in the terminal's own, dark colours."""
    look = LOOKS[name]
    return ContentStyle.parse(look.replace(*_BRIGHT) if dark_ansi else look).rich_style
