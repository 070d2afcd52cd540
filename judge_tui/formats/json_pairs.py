"""Runs and qrels as one JSON object, `{"query_id": {"doc_id": number}}`: what ranx saves, and what
becomes of the dictionaries that pytrec_eval takes.

Read by a scanner of our own, because a parser keeps neither the lines nor, of a name that comes
twice, more than the last value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from judge_tui.formats.ids import as_field, is_blank
from judge_tui.formats.json_cursor import STRING, TEXT, JsonCursor, text_in
from judge_tui.formats.problems import LoneQuery, Reporter, Within, note_lone_queries, quoted
from judge_tui.formats.source import Source

__all__ = ["JsonPair", "json_pairs"]

LAYOUT = 'JSON {"query_id": {"doc_id": number}}'

# Groups: a string, a mark, a word (numbers are some), a quote that begins no string.
_TOKEN = re.compile(rf'[ \t\n\r]*+(?:({TEXT})|([{{}}\[\],:])|([^ \t\n\r{{}}\[\],:"]++)|(")|\Z)')
_WORD, _QUOTE = 3, 4
_NAME = rb'\s*"(?:[^"\\]|\\.)*+"\s*:\s*'
_CALLED = {"[": "a list", "{": "an object"}


class JsonPair(NamedTuple):
    """One value as it is written: a number, or a word that is none."""

    line: int
    query_id: str
    doc_id: str
    value: str

    def within(self, report: Reporter) -> Reporter:
        """Who is told what is wrong with the value: a file may be one line."""
        whose = f"{_called('query', self.query_id)}, {_called('document', self.doc_id)}"
        return Within(report, whose)


def json_pairs(source: Source, report: Reporter) -> Iterator[JsonPair]:
    """Every pair whose value can be a number; ids are given as `as_field` has them.

    A value that cannot, an id that no file can hold and a query that comes twice are reported. A
    query without documents makes no pair, and is one of `report.lone_queries`. Raises
    `UnreadableError` for what is not JSON: nothing can be said of what follows.
    """
    if text := text_in(source, report):
        yield from _Scanner(source.path, text, report).pairs()
    note_lone_queries(report)


class _Scanner(JsonCursor):
    token, broken, mend = _TOKEN, _QUOTE, f"write {LAYOUT}"

    def pairs(self) -> Iterator[JsonPair]:
        """The pairs of the object that is all that the text holds."""
        lines: dict[str, int] = {}
        if self._next() != "{":
            self._fail("'{' is missing")
        for line, query_id in self._members("query"):
            if self._next() != "{":
                self._refuse_value(line, _called("query", query_id), "an object of its documents")
                continue
            sound = query_id is not None and self._is_new(query_id, line, lines)
            is_empty = True
            for its_line, doc_id in self._members("document"):
                is_empty = False
                self._next()
                if self._kind != _WORD:
                    called = f"{_called('query', query_id)}, {_called('document', doc_id)}"
                    self._refuse_value(its_line, called, "a number")
                elif query_id is not None and sound and doc_id is not None:
                    yield JsonPair(its_line, query_id, doc_id, self._taken)
            if is_empty and sound and query_id is not None:
                self._report.lone_queries.append(LoneQuery(line, query_id))
        if self._next():
            self._fail("there is more after the object")

    def _is_new(self, query_id: str, line: int, lines: dict[str, int]) -> bool:
        before = lines.get(query_id)
        lines.setdefault(query_id, line)
        if before is not None:
            self._report(
                line,
                f"query {quoted(query_id)} is already there, line {before}",
                "put all its documents into one object",
            )
        return before is None

    def _members(self, noun: str) -> Iterator[tuple[int, str | None]]:
        """The names of the object that has just begun, each with the place before its value.

        Whoever asks for the next one has taken the value. None stands for a name that can be no
        id, which has been reported.
        """
        if self._next() == "}":
            return
        while True:
            if self._kind != STRING:
                self._fail(f"a {noun} id in quotes is missing")
            token, line = self._taken, self._line_here()
            if self._next() != ":":
                self._fail("':' is missing")
            yield line, self._id(token, noun, line)
            if self._next() == "}":
                return
            if self._taken != ",":
                self._fail("',' or '}' is missing")
            self._next()

    def _id(self, token: str, noun: str, line: int) -> str | None:
        text = token[1:-1]
        if "\\" in text:
            import json  # noqa: PLC0415 - only ids with escapes need it

            try:
                text = json.loads(token)
                text.encode()
            except UnicodeEncodeError:
                self._report(
                    line,
                    f"half a surrogate pair in {noun} id {token:.70}",
                    "write the character whole, or U+FFFD in its place",
                )
                return None
            except ValueError as error:
                self._report(
                    line,
                    f"no escape of JSON in {noun} id {token:.70}: {getattr(error, 'msg', error)}",
                    r"write a backslash as \\",
                )
                return None
        if is_blank(text):
            self._report(line, f"the {noun} has no id", f"give each {noun} an id")
            return None
        if "\0" in text:
            self._report(line, f"{noun} id {quoted(text)} holds a NUL character", "remove it")
            return None
        return as_field(text)

    def _refuse_value(self, line: int, whose: str, wanted: str) -> None:
        """Report the value that has just begun, and move on to its end."""
        if not self._taken or self._taken in "]},:" or self._kind == _QUOTE:
            self._fail(f"the value of {whose} is missing")
        called = _CALLED.get(self._taken[0], self._taken if self._kind == _WORD else "a string")
        self._report(line, f"{whose} has {called:.70}, not {wanted}", f"write {LAYOUT}")
        depth = 1 if self._taken in ("[", "{") else 0
        while depth:
            if not self._next():
                self._fail("a bracket is never closed")
            depth += (self._taken in ("[", "{")) - (self._taken in ("]", "}"))


def _called(noun: str, its_id: str | None) -> str:
    return f"{noun} {quoted(its_id or '')}"
