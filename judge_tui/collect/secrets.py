"""Secrets: `${NAME}` in a systems file, from the environment, and nothing else. Their values are
replaced by their names in whatever is stored, printed or logged."""

from __future__ import annotations

import base64
import json
import logging
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from urllib.parse import quote, quote_plus

_NAME = re.compile(r"\$\{([^\W\d]\w*)\}")
_SHORTEST = 4
"""Characters; anything shorter cannot be told from other text."""

_LOGGERS = (
    "httpx",
    *(f"httpcore.{part}" for part in ("connection", "http11", "http2", "proxy", "socks")),
)


def find_names(value: Any) -> list[str]:
    """The names of the secrets in a setting, whatever it is nested in, each once."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return list(dict.fromkeys(_NAME.findall(text)))


def map_texts(value: Any, change: Callable[[str], Any]) -> Any:
    """A setting with each of its texts changed, whatever it is nested in."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {name: map_texts(one, change) for name, one in value.items()}
    if isinstance(value, list):
        return [map_texts(one, change) for one in value]
    return value


class Secrets:
    """The secrets that a systems file names."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self._spellings: dict[str, str] = {}
        self._pattern = re.compile("(?!)")

    def hide(self, name: str) -> None:
        """Replace it from now on. Raises `ValueError` where it cannot be used, with how to mend
        that behind a semicolon."""
        value = self._environment.get(name, "")
        if not value:
            raise ValueError(f"names {name}, which is not in the environment; export {name}=…")
        if "\n" in value or "\r" in value:
            raise ValueError(f"names {name}, which has a line break in it; set it to one line")
        if len(value) < _SHORTEST:
            raise ValueError(
                f"names {name}, which has fewer than {_SHORTEST} characters and cannot be hidden;"
                " write the value into the file if it is not a secret"
            )
        for spelling in _spellings(value):
            self._spellings.setdefault(spelling, name)
        longest_first = sorted(self._spellings, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, longest_first)))

    def expand(self, value: Any) -> Any:
        """A setting with the values of its secrets."""
        return map_texts(value, lambda text: _NAME.sub(self._value, text))

    def expand_url(self, url: str) -> str:
        """A URL with its secrets: as they are before its `?`, URL-quoted behind it."""
        before, mark, behind = url.partition("?")
        quoted = _NAME.sub(
            lambda name: quote(self._value(name), safe="", errors="surrogateescape"), behind
        )
        return f"{self.expand(before)}{mark}{quoted}"

    def _value(self, name: re.Match[str]) -> str:
        return self._environment[name[1]]

    def redact(self, text: str) -> str:
        """`text` with `${NAME}` in place of the value, URL-quoted, JSON-escaped or in base64."""
        return self._pattern.sub(lambda match: f"${{{self._spellings[match[0]]}}}", text)


class UnsentSecrets(Secrets):
    """For work that sends nothing: the environment need not have them, and a name is its value."""

    def __init__(self) -> None:
        super().__init__({})

    def hide(self, name: str) -> None:
        """A name hides nothing."""

    def _value(self, name: re.Match[str]) -> str:
        return name[1]


def _spellings(value: str) -> set[str]:
    raw = value.encode("utf-8", "surrogateescape")
    percent = quote(raw, safe="")
    return {
        value,
        percent,
        re.sub("%..", lambda code: code[0].lower(), percent),
        quote(raw),
        "".join(quote(one) if one.isspace() else one for one in value),  # as ids are written
        quote_plus(raw),
        repr(raw)[2:-1],  # as errors of libraries have it
        json.dumps(value)[1:-1],
        json.dumps(value, ensure_ascii=False)[1:-1],
        base64.b64encode(raw).decode().rstrip("="),
        base64.urlsafe_b64encode(raw).decode().rstrip("="),
    }


@contextmanager
def redact_logs(secrets: Secrets) -> Iterator[None]:
    """Keep them out of what the HTTP library logs, where a program that calls this listens."""

    def redact(record: logging.LogRecord) -> bool:
        record.msg, record.args = secrets.redact(record.getMessage()), ()
        return True

    loggers = [logging.getLogger(name) for name in _LOGGERS]
    for logger in loggers:
        logger.addFilter(redact)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeFilter(redact)
