"""Foreign text made safe for a terminal.

Documents, queries, ids, titles, notes, judge names and run tags come from outside. Printed as they
are, they can move the cursor, write the clipboard, change the window's title, or show `gpj.exe` as
`exe.jpg`. The file keeps them byte for byte; everything that is shown passes through `visible`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

TAB_WIDTH = 8

# Everything that is not simply drawn, but for newline and tab, which have rules of their own.
# Sources: Unicode 16 (Cc, bidi controls of UAX #9, zero-width and other default-ignorable
# characters that render nothing, the tag block, surrogates, and the noncharacters of its section
# 23.7, of which XML allows not all) and Trojan Source (CVE-2021-42574).
_NONCHARACTERS = "\ufdd0-\ufdef" + "".join(
    chr(plane + last) for plane in range(0, 0x110000, 0x10000) for last in (0xFFFE, 0xFFFF)
)
_UNSAFE = (
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb"
    "\ud800-\udfff"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    f"{_NONCHARACTERS}]"
)


_ZWJ = "\u200d"
_VARIATION_16 = "\ufe0f"


def visible(text: str) -> str:
    """Return `text` with nothing in it that a terminal would obey or silently hide.

    C0 controls and DEL become control pictures (U+2400 block); C1, bidi controls, zero-width and
    tag characters, lone surrogates and noncharacters become U+FFFD; a zero-width joiner between two
    emoji is kept; CR LF is a line end, a CR alone is a control like the others; tabs are expanded
    to stops of eight characters. Newlines stay: use `visible_line` where the text must stay on one
    line.
    """
    if text.isascii() and text.isprintable():
        return text
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    # What most long texts are is told several times as fast as a search for all that is unsafe.
    if not (text.isascii() and text.replace("\n", "").replace("\t", "").isprintable()):
        unsafe = _unsafe()
        if unsafe.search(text):
            text = unsafe.sub(_replacement(text), text)
    return text.expandtabs(TAB_WIDTH) if "\t" in text else text


def visible_line(text: str) -> str:
    """`visible`, on one line: newlines and tabs, too, are shown as control pictures."""
    return visible(text.replace("\t", "\u2409").replace("\n", "\u240a"))


@cache
def _unsafe() -> re.Pattern[str]:
    # Compiled when it is needed: most of what is shown is plain, and start-up counts.
    return re.compile(_UNSAFE)


def _replacement(text: str) -> Callable[[re.Match[str]], str]:
    def replace(match: re.Match[str]) -> str:
        char = match.group()
        if char < "\x20":
            return chr(0x2400 + ord(char))
        if char == "\x7f":
            return "\u2421"
        if char == _ZWJ and _joins_emoji(text, match.start()):
            return char
        return "\ufffd"

    return replace


def _joins_emoji(text: str, at: int) -> bool:
    before = text[at - 1] if at else ""
    after = text[at + 1] if at + 1 < len(text) else ""
    return (_is_emoji(before) or before == _VARIATION_16) and _is_emoji(after)


def _is_emoji(char: str) -> bool:
    """Whether `char` may stand beside a joiner in an emoji sequence (UTS #51)."""
    return bool(char) and (
        "\U0001f000" <= char <= "\U0001faff" or "\u2190" <= char <= "\u2bff" or char == "\u3030"
    )
