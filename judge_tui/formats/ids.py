"""Ids as all readers yield them, whatever the form of the file: one token each, so that TREC, CSV
and JSON meet in one form.

White space is what `str.split` splits on, as readers in Python do; that beyond ASCII separates no
fields of TREC, and where it stands in one, it is taken for its code.
"""

from __future__ import annotations

import re

from judge_tui.errors import UsageError

# The six characters that C's isspace() knows and bytes.split() splits on.
_C_WHITE = " \t\n\v\f\r"
# The others that str.split() splits on, and str.splitlines() among them.
_OTHER_WHITE = (
    "\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007"
    "\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
_CODES = {
    white: "".join(f"%{byte:02X}" for byte in white.encode()) for white in _C_WHITE + _OTHER_WHITE
}
_WHITE = re.compile(rf"[{_C_WHITE}{_OTHER_WHITE}]")
_OTHER = re.compile(rf"[{_OTHER_WHITE}]")
_OTHER_ASCII = [white for white in _OTHER_WHITE if white.isascii()]


def id_in(text: str) -> str:
    """Make an id of a text: white space in it becomes its percent code, `my file` `my%20file`, by
    its bytes in UTF-8; ASCII white space around it is dropped, as in `d1, d2`. Nothing else
    changes, and nothing is decoded. Raises `UsageError` for an empty id, a NUL character and half a
    surrogate pair."""
    if text.isascii() and text.isprintable() and " " not in text and text:
        return text
    text = trimmed(text)
    if not text:
        raise UsageError("there is no id", "give every query and document an id")
    if "\0" in text:
        raise UsageError(f"id {text!r:.70} holds a NUL character", "remove it")
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise UsageError(
            f"id {text!r:.70} holds half a surrogate pair",
            "write the character whole, or U+FFFD in its place",
        )
    return _WHITE.sub(lambda found: _CODES[found[0]], text)


def has_other_white(text: str) -> bool:
    """Whether there is white space that `bytes.split` does not split on."""
    if text.isascii():
        return any(white in text for white in _OTHER_ASCII)
    return _OTHER.search(text) is not None


def trimmed(text: str) -> str:
    """Return an id less the ASCII white space around it, which no table and no JSON means."""
    return text.strip(_C_WHITE)
