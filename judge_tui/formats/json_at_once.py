"""Objects of JSON that know their lines, read without a fault by the standard library's parser:
several times as fast as token by token (`json_tree`), which can say what is wrong and where.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NoReturn

__all__ = ["Bare", "Node", "Objects"]

_BRACE = re.compile(r'"(?:[^"\\]|\\.)*+"|(\{)')
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


class Bare(str):
    """A number, true, false or null, as it is written."""

    __slots__ = ()


class Node(dict[str, Any]):
    """An object, and the line on which it begins. Its values are trees."""

    __slots__ = ("line",)

    def __init__(self, line: int) -> None:
        self.line = line


_WORDS = {None: Bare("null"), True: Bare("true"), False: Bare("false")}


class _OddError(Exception):
    """A name that comes twice, or a word that JSON does not have."""


class Objects:
    """Reads objects of one text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._line = self._count = 0
        self._scan = json.JSONDecoder(
            object_pairs_hook=self._node, parse_int=Bare, parse_float=Bare, parse_constant=_refuse
        ).raw_decode

    def at(self, start: int, line: int, deepest: int) -> tuple[Node, int] | None:
        """The object that begins at `start`, on that line, and where it ends; None where something
        is wrong, or might be, or it is nested deeper than so many levels."""
        self._line, self._count = line, 0
        try:
            node, end = self._scan(self._text, start)
        except (ValueError, RecursionError, _OddError):
            return None
        brackets = self._text.count("{", start, end) + self._text.count("[", start, end)
        if _SURROGATE.search(self._text, start, end) or (
            brackets > deepest and _levels(node) > deepest
        ):
            return None
        if self._text.find("\n", start, end) >= 0:
            for one, its_line in zip(_nodes(node), self._lines(start, end), strict=True):
                one.line = its_line
        return node, end

    def _node(self, pairs: list[tuple[str, Any]]) -> Node:
        self._count += 1
        node = Node(self._line)
        node.update(pairs)
        if len(node) != len(pairs):
            raise _OddError
        for name, value in pairs:
            if type(value) in _UNTIDY:
                node[name] = _tidied(value)
        return node

    def _lines(self, start: int, end: int) -> Iterator[int]:
        """The line of each object from `start` to `end`, in their order."""
        text, line, counted = self._text, self._line, start
        for place in self._places(start, end):
            line += text.count("\n", counted, place)
            counted = place
            yield line

    def _places(self, start: int, end: int) -> Iterator[int]:
        if self._text.count("{", start, end) > self._count:  # some stand within strings
            for match in _BRACE.finditer(self._text, start, end):
                if match[1]:
                    yield match.start()
            return
        for _ in range(self._count):
            yield start
            start = self._text.find("{", start + 1, end)


_UNTIDY = {bool, type(None), list}


def _tidied(value: Any) -> Any:
    """A value with its words as they are written."""
    if type(value) is list:
        return [_tidied(one) if type(one) in _UNTIDY else one for one in value]
    return _WORDS[value]


def _nodes(tree: Any) -> Iterator[Node]:
    """All objects, in the order in which they begin."""
    left = [tree]
    while left:
        one = left.pop()
        if isinstance(one, Node):
            yield one
        held = one.values() if isinstance(one, Node) else one
        left += reversed([value for value in held if isinstance(value, Node | list)])


def _levels(tree: Any) -> int:
    """How many levels of objects and lists there are."""
    level = [tree]
    levels = 0
    while level:
        levels += 1
        held = [one.values() if isinstance(one, Node) else one for one in level]
        level = [value for those in held for value in those if isinstance(value, Node | list)]
    return levels


def _refuse(_word: str) -> NoReturn:
    raise _OddError
