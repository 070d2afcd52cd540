"""Secrets: named in a systems file as `${NAME}`, taken from the environment, told to nobody.

What is written, printed or raised passes `Secrets.hidden`, which puts the name back where the value
stands: as it is, and as URLs, JSON, HTML, base64 and hexadecimal digits spell it, those of its
characters that need it or all of them. Of one of several
lines so does every line, which may come back alone.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from html.entities import codepoint2name
from typing import Any
from urllib.parse import unquote

from judge_tui.visible import undrawn

__all__ = ["Secrets", "if_no_secret", "named_in", "texts_in"]

_NAME = re.compile(r"\$(\$?)\{([A-Za-z_][A-Za-z0-9_]*)\}")
_BREAK = re.compile(r"[\r\n]")
_PLAIN = re.compile(r"[^A-Za-z0-9]+")
_ESCAPED = {"\n": "n", "\r": "r", "\t": "t", "\b": "b", "\f": "f"}

_CODED = re.compile(r"[%\\&](?:25)*[\\#]*[xu]?[0-9a-fA-F]{2,};?[%\\&]")
"""Where two characters in a row are written by their numbers."""

_LEAST = 4
"""Characters of base64 that are no chance."""

_LEAST_OF_LINE = 8
"""Characters of a line of a secret, or of one in other case, that are no chance: `{` and `true`
stand everywhere."""


class Secrets:
    """The values that were asked for; `environment` is where they come from, and what is `public`
    of it is no secret."""

    def __init__(self, environment: Mapping[str, str], public: Iterable[str] = ()) -> None:
        self.public = frozenset(public)
        self._environment = environment
        self._values: dict[str, str] = {}
        self._told = set(self.public)
        self._sought: _Sought | None = None
        self.written_out: list[str] = []

    def missing(self, text: str) -> list[str]:
        """The names in `text` that the environment does not have, or has empty."""
        return [name for name in named_in([text]) if not self._environment.get(name)]

    def is_empty(self, name: str) -> bool:
        """Whether the environment has this name, and nothing by it."""
        return self._environment.get(name) == ""

    def too_short(self, text: str, least: int) -> list[str]:
        """The names of secrets in `text` whose values have fewer than `least` characters, but for
        white space around them."""
        secret = (name for name in named_in([text]) if name not in self.public)
        return [name for name in secret if len(self._environment[name].strip()) < least]

    def of_many_lines(self, text: str) -> list[str]:
        """The names in `text` whose values have a line break in them, or at an end."""
        return self.holding(text, _BREAK)

    def holding(self, text: str, chars: re.Pattern[str]) -> list[str]:
        """The names in `text` whose values have one of these characters in them."""
        return [name for name in named_in([text]) if chars.search(self._environment.get(name, ""))]

    def public_in(self, texts: Iterable[str]) -> dict[str, str]:
        """The public names in them, each with its value."""
        return {
            name: self._environment.get(name, "") for name in named_in(texts) if name in self.public
        }

    def filled(self, text: str, written: Callable[[str], str] = str) -> str:
        """`text` with the values of its names, each as it is `written` there; `$${NAME}` stands for
        `${NAME}` itself.

        From now on the values are hidden, but for those of names that may be `told`. Raises
        `KeyError` for a name that is `missing`.
        """

        def value(match: re.Match[str]) -> str:
            if match.group(1):
                return match.group()[1:]
            found = self._environment[match.group(2)]
            if match.group(2) not in self._told:
                self._hide(found, match.group())
            return written(found)

        return _NAME.sub(value, text)

    def tell(self, name: str, keys_in: Callable[[str], Iterable[str]]) -> None:
        """The value of this name is no secret, but for the `keys_in` it. Raises `KeyError` for one
        that is `missing`."""
        self._told.add(name)
        value = self._environment[name]
        if self._values.get(value) == f"${{{name}}}":
            del self._values[value]
            self._sought = None
        for key in keys_in(value):
            self._hide(key, f"${{{name}}}")

    def hide_written_out(self, where: str, value: str) -> None:
        """Hide a secret that is written out in the systems file, too; `where` is what stands for
        it."""
        self._hide(value, f"({where})")

    def hidden(self, text: str) -> str:
        """`text` with the name of each secret in the place of its value. Where a secret shows once
        the text is drawn, all that tells a terminal how to draw is left out."""
        if not self._values:
            return text
        if self._sought is None:
            self._sought = _Sought(self._values)
        if "\x1b" in text:
            plain = undrawn(text)
            shown = self._sought.hidden(plain)
            if shown != plain:
                return shown
        return self._sought.hidden(text)

    def _hide(self, value: str, name: str) -> None:
        if value not in self._values:
            self._values[value] = name
            self._sought = None


class _Sought:
    """All spellings of some values, of which there is one at least, each with a name."""

    def __init__(self, values: Mapping[str, str]) -> None:
        shown: dict[str, str] = {}
        coded: dict[str, str] = {}
        for value, name in values.items():
            # One that is written for a URL arrives, and may come back, as what it stands for.
            for one in (value, unquote(value), *_lines(value)):
                for written in _written(one):
                    shown.setdefault(written, name)
                for pattern in _wholly_coded(one):
                    coded.setdefault(pattern, name)
        longest_first = sorted(shown, key=len, reverse=True)
        self._names = tuple(shown[written] for written in longest_first)
        self._pattern = re.compile(
            "|".join(f"({''.join(map(_spelled, written))})" for written in longest_first)
        )
        # What is spelled in one way alone is looked for first: it is a hundred times as fast.
        self._cores = frozenset(max(_PLAIN.split(one), key=len) for one in longest_first)
        self._coded_names = tuple(coded.values())
        self._coded = re.compile("|".join(f"({one})" for one in coded))

    def hidden(self, text: str) -> str:
        """`text` with the name of each value in its place."""
        if any(core in text for core in self._cores):
            text = self._pattern.sub(lambda match: self._names[(match.lastindex or 1) - 1], text)
        if _CODED.search(text) is None:
            return text
        return self._coded.sub(lambda match: self._coded_names[(match.lastindex or 1) - 1], text)


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


def if_no_secret(name: str) -> str:
    """What to do where something is taken for a secret by this name."""
    return f'if it is no secret: public = ["{name}"] at the top of the systems file'


def texts_in(value: Any) -> Iterator[str]:
    """Every text in what TOML or JSON may hold, but for the names of settings."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from texts_in(list(value.values()))
    elif isinstance(value, list):
        for one in value:
            yield from texts_in(one)


def _lines(value: str) -> list[str]:
    """Those of a value that has several, as far as they can be told from other text."""
    lines = [line.strip() for line in _BREAK.split(value.strip())]
    return [line for line in lines if len(line) >= _LEAST_OF_LINE]


def _written(value: str) -> Iterator[str]:
    """A value as other texts hold it, but for how its characters are spelled."""
    data = value.strip().encode("utf-8", "surrogateescape")
    # White space at its ends is dropped on the way, as HTTP does.
    yield value.strip()
    if len(value.strip()) >= _LEAST_OF_LINE:
        # As names of hosts and of encodings are said back.
        yield value.strip().lower()
        yield value.strip().upper()
    yield data.decode("latin-1")
    yield data.hex()
    yield data.hex().upper()
    for before in range(3):
        # Within a longer text its bytes stand at one of three places of the groups of base64, and
        # share the characters at both ends with their neighbours.
        text = base64.b64encode(bytes(before) + data).decode()
        core = text[(0, 2, 3)[before] : 8 * (before + len(data)) // 6]
        if len(core) >= _LEAST:
            yield core
            yield core.replace("+", "-").replace("/", "_")


def _wholly_coded(value: str) -> Iterator[str]:
    """Regular expressions of a value each character of which is written by its number, as URLs,
    JSON, Python and HTML do."""
    value = value.strip()
    data = value.encode("utf-8", "surrogateescape")
    yield "".join(f"%(?:25)*(?i:{byte:02x})" for byte in data)
    units = value.encode("utf-16-be", "surrogatepass").hex()
    yield "".join(rf"\\+u(?i:{units[at : at + 4]})" for at in range(0, len(units), 4))
    yield "".join(rf"\\+x(?i:{byte:02x})" for byte in data)
    yield "".join(rf"\\+0*{byte:o}" for byte in data)
    yield "".join(rf"&#0*(?:{ord(char)}|[xX]0*(?i:{ord(char):x}));?" for char in value)


def _spelled(char: str) -> str:
    """A regular expression of the ways in which URLs, JSON, Python and HTML spell a character, one
    within the other, too."""
    if char.isascii() and char.isalnum():
        return char
    code = ord(char)
    units = char.encode("utf-16-be", "surrogatepass").hex()
    ways = [
        r"\\+" if char == "\\" else rf"\\*{re.escape(char)}",
        "".join(f"%(?:25)*(?i:{byte:02x})" for byte in char.encode("utf-8", "surrogateescape")),
        "".join(rf"\\+u(?i:{units[at : at + 4]})" for at in range(0, len(units), 4)),
        f"&#0*{code};",
        f"&#[xX]0*(?i:{code:x});",
    ]
    if code < 256:
        ways.append(rf"\\+x(?i:{code:02x})")
    if code > 0xFFFF:
        ways.append(rf"\\+U(?i:{code:08x})")
    if char in _ESCAPED:
        ways.append(rf"\\+{_ESCAPED[char]}")
    if code in codepoint2name:
        ways.append(f"&{codepoint2name[code]};")
    if char in "'\"":
        ways.append(char * 2)  # as CSV and SQL have it
    if char == "'":
        ways.append("&apos;")
    if char == " ":
        ways.append(r"\+")
    return f"(?:{'|'.join(ways)})"
