"""Text in CSV that no spreadsheet runs as a formula, and the same text again when it is read."""

from __future__ import annotations

import re

__all__ = ["text_cell", "unguarded"]

# What a spreadsheet may take for a formula, alone or after a tab or line end that it drops; and the
# mark itself, so that it can be taken off again.
_RISKY = ("=", "+", "-", "@", "\t", "\r", "\n", "'")
# A semicolon or a tab as well: some spreadsheets cut there, and a formula could stand behind it.
_TO_QUOTE = re.compile(r'[",;\t\r\n]')


def text_cell(text: str) -> str:
    """A text as such a cell, with the ' in front where it needs one, and quotes."""
    guarded = f"'{text}" if text.startswith(_RISKY) else text
    return '"' + guarded.replace('"', '""') + '"' if _TO_QUOTE.search(guarded) else guarded


def unguarded(cell: str) -> str:
    """The text of a cell: without the ' that stands before what a spreadsheet would run."""
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(_RISKY) else cell
