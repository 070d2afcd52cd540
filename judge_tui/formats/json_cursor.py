"""A place in a JSON text that moves on token by token and knows its line: what readers of JSON that
must name lines are made of."""

from __future__ import annotations

import re
from typing import ClassVar, NoReturn

from judge_tui.formats.problems import Reporter, not_utf8
from judge_tui.formats.source import Source, UnreadableError

__all__ = ["STRING", "TEXT", "JsonCursor", "text_in"]

TEXT = r'"[^"\\\x00-\x1f]*+(?:\\[^\x00-\x1f][^"\\\x00-\x1f]*+)*+"'
"""A string of JSON, quotes and all."""

STRING = 1
"""The group of a token that is a string."""


def text_in(source: Source, report: Reporter) -> str:
    """All of a source; empty where it holds nothing but white space, or had to be reported as not
    UTF-8."""
    data = b"".join(source.pieces())
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        report.pass_on(not_utf8(source.path, data, error.start))
        return ""
    return text if text.strip() else ""


class JsonCursor:
    """`token`: matches at any place, to the end of a token; its groups are the kinds of tokens,
    with none at the end of the text. `broken`: the group of what begins no token. `mend`: what to
    do about a text that is not JSON."""

    token: ClassVar[re.Pattern[str]]
    broken: ClassVar[int]
    mend: ClassVar[str]

    def __init__(self, path: str, text: str, report: Reporter) -> None:
        self._path = path
        self._text = text
        self._report = report
        self._match = self.token.match
        self._kind: int | None = None
        self._taken = ""
        self._start = self._end = 0
        self._line, self._counted = 1, 0

    def _next(self) -> str:
        """Take the next token, which is empty at the end."""
        match = self._match(self._text, self._end)
        assert match is not None  # noqa: S101  (the groups take every character between them)
        self._kind = match.lastindex
        self._start = match.start(self._kind or 0)
        self._end = match.end()
        self._taken = match[self._kind] if self._kind else ""
        if self._kind == self.broken:
            self._fail(self._why_broken())
        return self._taken

    def _why_broken(self) -> str:
        return "the string that begins here is not closed, or holds a control character"

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
            "was it written to the end?" if self._end == len(self._text) else self.mend,
        )
