"""A TOML file whose settings can be refused with their line: TOML itself tells no lines."""

from __future__ import annotations

import contextlib
import os
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from judge_tui.errors import InputError, raise_together
from judge_tui.formats.source import open_source


class TomlFile:
    """What a file says: `table`, and by `refuse` everything in it that cannot be used."""

    def __init__(self, path: str | os.PathLike[str], text: str, example: str) -> None:
        """Raises `InputError` for what is not TOML; `example` is how it is mended."""
        self.path = os.fspath(path)
        self._refusals: list[tuple[int | None, str, str | Callable[[], str]]] = []
        try:
            self.table: dict[str, Any] = tomllib.loads(text)
        except (ValueError, RecursionError) as error:  # also of thousands of digits or brackets
            message, _, where = str(error).rpartition(" (at ")
            line = re.match(r"line (\d+)", where)
            raise InputError(
                path,
                int(line.group(1)) if line else text.count("\n") + 1,
                f"not TOML: {message or error}",
                f"write it as: {example}",
            ) from error
        # By the whole name: a.b is the same setting in quotes, and as a table in a table.
        self._lines: dict[str, list[int]] = {}
        above: dict[str, list[int]] = {}
        for number, place in _settings(text):
            self._lines.setdefault(".".join(place), []).append(number)
            for depth in range(1, len(place)):
                above.setdefault(".".join(place[:depth]), [number])
        # A table that has no line begins with the first one in it: [a.b] makes a, too.
        self._lines = above | self._lines

    def line(self, place: tuple[str, ...]) -> int | None:
        """Return the line of a setting or table; of what it stands in where it has none of its own,
        as in an inline table."""
        above = (".".join(place[:depth]) for depth in range(len(place), 0, -1))
        return next((self._lines[name][0] for name in above if name in self._lines), None)

    def entry_lines(self, name: str) -> list[int]:
        """Return the line on which each entry of an array of tables begins; where the array is
        written as a value, its first line for each."""
        entries, lines = self.table[name], self._lines.get(name, [1])
        return lines if len(lines) == len(entries) else lines[:1] * len(entries)

    def refuse(self, place: tuple[str, ...], what: str, mend: str | Callable[[], str]) -> None:
        """Note that a setting cannot be used; `raise_refusals` tells it, and calls a `mend` that
        depends on what else was read until then."""
        self._refusals.append((self.line(place), what, mend))

    def raise_refusals(self) -> None:
        """Raise the first `InputError` by line, with the others in its `also`, if there is any."""
        refusals = dict.fromkeys(
            (line, what, mend if isinstance(mend, str) else mend())
            for line, what, mend in self._refusals
        )
        by_line = sorted(refusals, key=lambda refusal: refusal[0] or 0)
        raise_together(InputError(self.path, *refusal) for refusal in by_line)


def read_toml(path: str | os.PathLike[str], example: str) -> TomlFile:
    """Read a file. Raises `InputError` for what cannot be read or is not TOML."""
    with open_source(path) as source:
        return TomlFile(path, source.text(), example)


def _settings(text: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Number and place in the tables of each line that sets something or opens a table."""
    above: tuple[str, ...] = ()
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
        head, equals, _value = line.partition("=")
        with contextlib.suppress(ValueError, RecursionError):
            if line.lstrip().startswith("["):
                above = _path(tomllib.loads(line))
                yield number, above
            elif equals:
                yield number, (*above, *_path(tomllib.loads(f"{head} = 0")))


def _path(table: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the keys of tables that hold one thing each, from the outermost on."""
    path: list[str] = []
    within: object = table
    while isinstance(within, Mapping) and within:
        name, within = next(iter(within.items()))
        path.append(name)
    return tuple(path)
