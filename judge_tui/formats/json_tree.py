"""One JSON document as objects that know their lines: what other tools keep their grades in.

Read by a parser of our own: that of the standard library keeps neither the lines nor, of a name
that comes twice, more than the last value.
"""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn, TypeAlias

from judge_tui.formats.ids import as_field, is_blank
from judge_tui.formats.problems import Reporter, not_utf8, quoted
from judge_tui.formats.source import Source, UnreadableError

__all__ = ["Bare", "Node", "Tree", "id_in", "nodes_at", "tree_in"]

_DEEPEST = 100
_TEXT = r'"[^"\\\x00-\x1f]*+(?:\\[^\x00-\x1f][^"\\\x00-\x1f]*+)*+"'
# Groups: a string, a mark, a number or word, anything that begins no token.
_TOKEN = re.compile(rf"[ \t\n\r]*+(?:({_TEXT})|([{{}}\[\],:])|([-+.\w]++)|(.)|\Z)", re.DOTALL)
_STRING, _MARK, _BARE, _OTHER = 1, 2, 3, 4
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|true|false|null")


class Bare(str):
    """A number, true, false or null, as it is written."""

    __slots__ = ()


class Node(dict[str, Any]):
    """An object, and the line on which it begins. Its values are trees."""

    __slots__ = ("line",)

    def __init__(self, line: int) -> None:
        super().__init__()
        self.line = line


Tree: TypeAlias = Any
"""A `Node`, a list of trees, a `str`, or a `Bare`."""


def tree_in(source: Source, report: Reporter) -> Tree:
    """What the source holds; None where it holds nothing, or had to be reported as not UTF-8.

    A name that comes twice in an object is reported, and the first of the two values holds. Raises
    `UnreadableError` for what is not JSON: nothing can be said of what follows.
    """
    data = b"".join(source.pieces())
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        report.pass_on(not_utf8(source.path, data, error.start))
        return None
    return _Parser(source.path, text, report).tree() if text.strip() else None


def nodes_at(tree: Tree, name: str) -> list[Node] | None:
    """The objects in the list that an object holds under a name; None where it holds no list of
    objects."""
    held = tree.get(name) if isinstance(tree, Node) else None
    if not isinstance(held, list) or not all(isinstance(one, Node) for one in held):
        return None
    return held


def id_in(value: Tree, noun: str, line: int, report: Reporter) -> str | None:
    """A query or document by its text or number, as `as_field` has it; None where that can be no
    id, and has been reported."""
    word = isinstance(value, Bare) and value in ("true", "false", "null")
    if not isinstance(value, str) or word:
        report(line, f"the {noun} has no id", f"give each {noun} an id, as a string")
    elif is_blank(value):
        report(line, f"the {noun} has no id", f"give each {noun} an id")
    elif "\0" in value:
        report(line, f"{noun} id {quoted(value)} holds a NUL character", "remove it")
    else:
        return as_field(value)
    return None


class _Parser:
    """A place in a text, which moves on token by token."""

    def __init__(self, path: str, text: str, report: Reporter) -> None:
        self._path = path
        self._text = text
        self._report = report
        self._kind: int | None = None
        self._taken = ""
        self._start = self._end = 0
        self._line, self._counted = 1, 0

    def tree(self) -> Tree:
        self._next()
        found = self._value(0)
        if self._next():
            self._fail("there is more after the end")
        return found

    def _value(self, depth: int) -> Tree:
        """The value that begins with the token that was taken last."""
        if depth > _DEEPEST:
            self._fail(f"nested deeper than {_DEEPEST} levels")
        if self._kind == _STRING:
            return self._string()
        if self._kind == _BARE:
            if not _NUMBER.fullmatch(self._taken):
                self._fail(f"{quoted(self._taken)} is no value")
            return Bare(self._taken)
        if self._taken == "{":
            return self._object(depth)
        if self._taken != "[":
            self._fail("a value is missing")
        return self._list(depth)

    def _object(self, depth: int) -> Node:
        node = Node(self._line_here())
        if self._next() == "}":
            return node
        while True:
            if self._kind != _STRING:
                self._fail("a name in quotes is missing")
            name, line = self._string(), self._line_here()
            if self._next() != ":":
                self._fail("':' is missing")
            self._next()
            value = self._value(depth + 1)
            if name in node:
                self._report(
                    line, f"{quoted(name)} comes twice in one object", "remove one of them"
                )
            else:
                node[name] = value
            if self._next() == "}" and self._kind == _MARK:
                return node
            if self._taken != "," or self._kind != _MARK:
                self._fail("',' or '}' is missing")
            self._next()

    def _list(self, depth: int) -> list[Tree]:
        held: list[Tree] = []
        if self._next() == "]" and self._kind == _MARK:
            return held
        while True:
            held.append(self._value(depth + 1))
            if self._next() == "]" and self._kind == _MARK:
                return held
            if self._taken != "," or self._kind != _MARK:
                self._fail("',' or ']' is missing")
            self._next()

    def _string(self) -> str:
        token = self._taken
        if "\\" not in token:
            return token[1:-1]
        try:
            text: str = json.loads(token)
        except ValueError as error:
            self._fail(f"{getattr(error, 'msg', error)} in {token:.70}")
        try:
            text.encode()
        except UnicodeEncodeError:
            self._fail(f"half a surrogate pair in {token:.70}")
        return text

    def _next(self) -> str:
        """Take the next token, which is empty at the end."""
        match = _TOKEN.match(self._text, self._end)
        assert match is not None  # noqa: S101  (the last group takes what the others leave)
        self._kind = match.lastindex
        self._start = match.start(self._kind or 0)
        self._end = match.end()
        self._taken = match[self._kind] if self._kind else ""
        if self._kind == _OTHER:
            self._fail(
                "the string that begins here is not closed, or holds a control character"
                if self._taken == '"'
                else f"{quoted(self._taken)} begins no value"
            )
        return self._taken

    def _line_here(self) -> int:
        self._line += self._text.count("\n", self._counted, self._start)
        self._counted = self._start
        return self._line

    def _fail(self, what: str) -> NoReturn:
        start = self._text.rfind("\n", 0, self._start)
        raise UnreadableError(
            self._path,
            self._line_here(),
            f"not valid JSON: {what}, at column {self._start - start}",
            "was it written to the end?" if self._end == len(self._text) else "mend it there",
        )
