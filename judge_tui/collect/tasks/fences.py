"""Blocks of code between fences, as a person sees them in a reply.

Models write more than the fences of Markdown (CommonMark 0.31, 4.5): a fence opens behind other
words on a line, too ("Answer: ```python"), or behind a tag, and closes before a tag. One scan finds
them, in a time that grows with the length of the text, however it is made.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["Block", "blocks_of"]

_MOST = 20_000
"""Runs of backticks and tildes that are looked at: a text with more is no reply with code."""

_DEEPEST = 200
"""Characters before a fence that may be indentation, list markers and quoting."""

_LONGEST = 1_000_000
"""Characters of a block whose margin is taken off: of more, no model wrote them as code."""

_BEFORE = re.compile(r"\ufeff?(?:[ \t]|>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))*")
_QUOTED = re.compile(r"[ \t]*>[ \t]?")
_RUN = re.compile("`+|~+")
_INFO_AMID_A_LINE = re.compile(r"(?:[A-Za-z{][\w+#.{}-]*)?[ \t]*$")
_BEHIND_AN_END = re.compile(r"[ \t]|<|$")


@dataclass(frozen=True, slots=True)
class Block:
    """What stands between two fences, or from one that is never closed to the end; `info`: the rest
    of the line of the first, such as `python`. `start`, `end`: where that is in a text whose line
    ends are \\n."""

    info: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Run:
    """Three backticks or tildes or more: where in the text, how many; and where the line begins and
    ends that they stand in."""

    at: int
    end: int
    line: int
    line_end: int


def blocks_of(text: str) -> Iterator[Block]:
    """The blocks of a text, in order; line ends are \\n in them."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    runs = _runs(text)
    while (opened := next((run for run in runs if _opens(text, run)), None)) is not None:
        closed = next((run for run in runs if _closes(text, opened, run)), None)
        start = min(opened.line_end + 1, len(text))
        end = closed.line if closed is not None else len(text)
        body = text[start:end]
        info = text[opened.end : opened.line_end].strip()
        yield Block(info, _without_margin(body, _before(text, opened)), start, end)


def _runs(text: str) -> Iterator[_Run]:
    """Each with its line; nothing is looked at twice, whether lines are long or short."""
    position = line = 0
    line_end = -1
    ahead = {mark: text.find(mark * 3) for mark in "`~"}
    for _ in range(_MOST):
        for mark, at in ahead.items():
            if 0 <= at < position:
                ahead[mark] = text.find(mark * 3, position)
        found = [(at, mark) for mark, at in ahead.items() if at >= 0]
        if not found:
            return
        at, mark = min(found)
        line = text.rfind("\n", position, at) + 1 or line
        if at > line_end:
            line_end = text.find("\n", at)
            line_end = len(text) if line_end < 0 else line_end
        run = _RUN.match(text, at)
        end = run.end() if run is not None else at + 3
        yield _Run(at, end, line, line_end)
        position = end


def _before(text: str, run: _Run) -> str:
    """What stands before a run and is no words: indentation, list markers, quoting."""
    found = _BEFORE.match(text, run.line, min(run.at, run.line + _DEEPEST))
    return found.group() if found is not None else ""


def _opens(text: str, run: _Run) -> bool:
    mark = text[run.at]
    if mark == "`" and text.find("`", run.end, run.line_end) >= 0:
        return False  # code amid a sentence
    if run.line + len(_before(text, run)) == run.at:
        return True
    return mark == "`" and _INFO_AMID_A_LINE.match(text, run.end, run.line_end) is not None


def _closes(text: str, opened: _Run, run: _Run) -> bool:
    if text[run.at] != text[opened.at] or run.end - run.at < opened.end - opened.at:
        return False
    before = _before(text, opened)
    own = text[run.line : min(run.at, run.line + _DEEPEST)]
    # Further in it is part of the code, such as an example in a comment.
    if own.strip(" \t>") or len(own) > len(before) + 3 or own.count(">") > before.count(">"):
        return False
    return _BEHIND_AN_END.match(text, run.end, run.line_end) is not None


def _without_margin(body: str, before: str) -> str:
    """The lines without what stands before the fence, as far as all of them have it."""
    if not before.removeprefix("\ufeff") or len(body) > _LONGEST:
        return body
    lines = body.split("\n")
    quoting, quoted, margin = before.removeprefix("\ufeff").rpartition(">")
    for _ in range((quoting + quoted).count(">")):
        lines = [_QUOTED.sub("", line, count=1) for line in lines]
    # The blank behind > belongs to it.
    width = len(margin) - (quoted != "" and margin[:1] in (" ", "\t"))
    blanks = [len(line) - len(line.lstrip(" \t")) for line in lines]
    least = min([width, *(n for n, line in zip(blanks, lines, strict=True) if line.strip())])
    return "\n".join(line[min(least, n) :] for n, line in zip(blanks, lines, strict=True))
