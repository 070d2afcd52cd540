"""Secrets: named in a systems file as `${NAME}`, taken from the environment, told to nobody.

What is written, printed or raised passes `Secrets.hidden`, which puts the name back where the value
stands: as it is, and as URLs, JSON and HTTP's basic authentication write it.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote, quote_plus

__all__ = ["Secrets", "named_in"]

_NAME = re.compile(r"\$(\$?)\{([A-Za-z_][A-Za-z0-9_]*)\}")


class Secrets:
    """The values that were asked for; `environment` is where they come from."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self._shown: dict[str, str] = {}
        self._pattern: re.Pattern[str] | None = None

    def missing(self, text: str) -> list[str]:
        """The names in `text` that the environment does not have, or has empty."""
        return [name for name in named_in([text]) if not self._environment.get(name)]

    def too_short(self, text: str, least: int) -> list[str]:
        """The names in `text` whose values have fewer than `least` characters."""
        return [name for name in named_in([text]) if len(self._environment[name]) < least]

    def filled(self, text: str) -> str:
        """`text` with the values of its names; `$${NAME}` stands for `${NAME}` itself.

        From now on the values are hidden. Raises `KeyError` for a name that is `missing`.
        """

        def value(match: re.Match[str]) -> str:
            if match.group(1):
                return match.group()[1:]
            found = self._environment[match.group(2)]
            self._hide(found, match.group())
            return found

        return _NAME.sub(value, text)

    def hide_basic(self, user: str, password: str) -> None:
        """Hide what HTTP's basic authentication makes of these, where they hold a secret."""
        pair = f"{user}:{password}"
        if self.hidden(pair) != pair:
            self._hide(base64.b64encode(pair.encode()).decode(), "${…}")

    def hidden(self, text: str) -> str:
        """`text` with the name of each secret in the place of its value."""
        if self._pattern is None:
            return text
        return self._pattern.sub(lambda match: self._shown[match.group()], text)

    def _hide(self, value: str, name: str) -> None:
        as_json = json.dumps(value)[1:-1]
        for written in (
            value,
            quote(value, safe=""),
            quote(value),
            quote_plus(value),
            as_json,
            json.dumps(value, ensure_ascii=False)[1:-1],
            repr(value)[1:-1],
            base64.b64encode(value.encode("utf-8", "surrogateescape")).decode(),
        ):
            if written:
                self._shown.setdefault(written, name)
        longest_first = sorted(self._shown, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, longest_first)))


def named_in(texts: Iterable[Any]) -> list[str]:
    """The names of secrets in them, in order, each once; what is no text is passed over."""
    return list(
        dict.fromkeys(
            match.group(2)
            for text in texts
            if isinstance(text, str)
            for match in _NAME.finditer(text)
            if not match.group(1)
        )
    )
