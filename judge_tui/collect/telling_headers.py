"""Headers that hold a key, by their names: such are hidden, even where the key is written out in
the systems file in place of `${NAME}`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

__all__ = ["HIDDEN", "token_of", "told_in", "without_keys"]

HIDDEN = "(hidden)"
"""What stands for a value."""

_TELLING = re.compile(r"authorization|cookie|token|key|secret|password", re.IGNORECASE)
_LEAST = 16
"""Characters of a key that are no word of a document."""


def told_in(headers: Any) -> dict[str, str]:
    """Those of a setting that are written out, and by their names hold a key."""
    if not isinstance(headers, Mapping):
        return {}
    return {
        name: str(value)
        for name, value in headers.items()
        if _TELLING.search(name) and "${" not in str(value) and str(value).strip()
    }


def token_of(value: str) -> str | None:
    """What of such a header is nowhere to be seen: all of it, but for a scheme such as `Bearer`
    before it (RFC 9110, 11.4); None where it is so short that it may be a word."""
    scheme, _, token = value.strip().partition(" ")
    rest = token.strip() if scheme.isalpha() and token else value.strip()
    return rest if len(rest) >= _LEAST else None


def without_keys(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a system as they may be written."""
    shown = dict(settings)
    for name, value in settings.items():
        if name == "headers" and isinstance(value, Mapping):
            shown[name] = {**value, **dict.fromkeys(told_in(value), HIDDEN)}
        elif name == "identify" and isinstance(value, Mapping):
            shown[name] = without_keys(value)
    return shown
