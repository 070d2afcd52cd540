"""One JSON document as objects that know their lines: what other tools keep their grades in.

Read by a parser of our own: that of the standard library keeps neither the lines nor, of a name
that comes twice, more than the last value.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import chain, pairwise
from typing import Any, TypeAlias

from judge_tui.formats.ids import as_field, is_blank, text_field
from judge_tui.formats.json_at_once import Bare, Node, Objects
from judge_tui.formats.json_cursor import STRING, TEXT, JsonCursor, text_in
from judge_tui.formats.problems import Reporter, Within, quoted
from judge_tui.formats.source import Source

__all__ = [
    "Bare",
    "Node",
    "Tree",
    "id_in",
    "nodes_at",
    "numbered",
    "plain",
    "text_at",
    "tree_in",
    "trees_in",
]

_DEEPEST = 100
# Groups: a string, a mark, a number or word, anything that begins no token.
_TOKEN = re.compile(rf"[ \t\n\r]*+(?:({TEXT})|([{{}}\[\],:])|([-+.\w]++)|(.)|\Z)", re.DOTALL)
_MARK, _BARE, _OTHER = 2, 3, 4
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|true|false|null")


Tree: TypeAlias = Any
"""A `Node`, a list of trees, a `str`, or a `Bare`."""


def tree_in(source: Source, report: Reporter) -> Tree:
    """What the source holds; None where it holds nothing, or had to be reported as not UTF-8.

    A name that comes twice in an object is reported, and the first of the two values holds. Raises
    `UnreadableError` for what is not JSON: nothing can be said of what follows.
    """
    text = text_in(source, report)
    return _Parser(source.path, text, report).tree() if text else None


def trees_in(source: Source, report: Reporter) -> Iterator[Tree]:
    """What a list holds, or what stands one behind the other as in JSON Lines, one at a time.
    Raises and reports what `tree_in` does."""
    text = text_in(source, report)
    if text:
        yield from _Parser(source.path, text, report).trees()


def plain(tree: Tree) -> Any:
    """The same as the standard library reads it. Raises `ValueError` for a number of too many
    digits."""
    if isinstance(tree, Node):
        return {name: plain(value) for name, value in tree.items()}
    if isinstance(tree, list):
        return [plain(one) for one in tree]
    return json.loads(tree) if isinstance(tree, Bare) else tree


def nodes_at(tree: Tree, name: str) -> list[Node] | None:
    """The objects in the list that an object holds under a name; None where it holds no list of
    objects."""
    held = tree.get(name) if isinstance(tree, Node) else None
    if not isinstance(held, list) or not all(isinstance(one, Node) for one in held):
        return None
    return held


def text_at(node: Node, name: str) -> str:
    """The text that an object holds under a name; "" where it holds none."""
    held = node.get(name)
    return held if isinstance(held, str) and not isinstance(held, Bare) else ""


def numbered(nodes: Iterable[Node], noun: str, report: Reporter) -> Iterator[tuple[Node, Reporter]]:
    """Each of the objects of a list, and who is told what is wrong in it: with its number from 1,
    where it shares its line with others, as in a file without line ends."""
    before = 0
    for number, (node, behind) in enumerate(pairwise(chain(nodes, [None])), 1):
        assert node is not None  # noqa: S101  (the last alone is None, and begins no pair)
        shared = node.line in (before, behind and behind.line)
        before = node.line
        yield node, Within(report, f"{noun} {number}") if shared else report


def id_in(
    value: Tree, noun: str, line: int, report: Reporter, *, text: str | None = None
) -> str | None:
    """A query or document by its text or number, as `as_field` has it; None where that can be no
    id, and has been reported. `text`: what holds the text by which a query is told, which comes as
    `text_field` has it."""
    lacks = f"the {noun} has no {'id' if text is None else 'text'}"
    mend = f"give each {noun} an id" if text is None else f"write it in {text}"
    word = isinstance(value, Bare) and value in ("true", "false", "null")
    if not isinstance(value, str) or word:
        report(line, lacks, f"{mend}, as a string")
    elif is_blank(value):
        report(line, lacks, mend)
    elif "\0" in value:
        report(line, f"{noun} id {quoted(value)} holds a NUL character", "remove it")
    else:
        return as_field(value) if text is None else text_field(value)
    return None


class _Parser(JsonCursor):
    token, broken, mend = _TOKEN, _OTHER, "mend it there"

    def __init__(self, path: str, text: str, report: Reporter) -> None:
        super().__init__(path, text, report)
        self._objects = Objects(text)

    def tree(self) -> Tree:
        self._next()
        found = self._value(0)
        if self._next():
            self._fail("there is more after the end")
        return found

    def trees(self) -> Iterator[Tree]:
        self._next()
        if self._taken == "[" and self._kind == _MARK:
            yield from self._items(0)
            if self._next():
                self._fail("there is more after the end")
            return
        while self._taken:
            yield self._value(0)
            self._next()

    def _value(self, depth: int) -> Tree:
        """The value that begins with the token that was taken last."""
        if depth > _DEEPEST:
            self._fail(f"nested deeper than {_DEEPEST} levels")
        if self._kind == STRING:
            return self._string()
        if self._kind == _BARE:
            if not _NUMBER.fullmatch(self._taken):
                self._fail(f"{quoted(self._taken)} is no value")
            return Bare(self._taken)
        if self._taken == "{":
            node = self._at_once(depth)
            return self._object(depth) if node is None else node
        if self._taken != "[":
            self._fail("a value is missing")
        return list(self._items(depth))

    def _at_once(self, depth: int) -> Node | None:
        """The object that has just begun, where it is the text's, or one of a list that is."""
        if depth > 1:
            return None
        found = self._objects.at(self._start, self._line_here(), _DEEPEST - depth)
        if found is None:
            return None
        node, self._end = found
        return node

    def _object(self, depth: int) -> Node:
        node = Node(self._line_here())
        if self._next() == "}":
            return node
        while True:
            if self._kind != STRING:
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

    def _items(self, depth: int) -> Iterator[Tree]:
        if self._next() == "]" and self._kind == _MARK:
            return
        while True:
            yield self._value(depth + 1)
            if self._next() == "]" and self._kind == _MARK:
                return
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

    def _why_broken(self) -> str:
        if self._taken == '"':
            return super()._why_broken()
        return f"{quoted(self._taken)} begins no value"
