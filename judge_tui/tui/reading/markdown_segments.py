"""Markdown taken apart where it can be without changing what it means.

A parser wants a document as a whole, and a large one takes it seconds. Between top-level blocks it
may be cut, though: what one of them is does not depend on the others, but for the addresses that
links refer to by name, which are gathered beforehand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

_ENOUGH = 1500
_ENOUGH_OF_A_LIST = 3000
_TOO_MUCH = 16_000

_FENCE = re.compile(r" ?(`{3,}(?=[^`\n]*$)|~{3,})[ \t]*([^\n]*)$", re.MULTILINE)
_ITEM = re.compile(r"(?:[-+*]|[0-9]{1,9}[.)])[ \t]")
_OPEN_HTML = re.compile(r" {0,3}<(!--|pre\b|script\b|style\b|textarea\b)", re.IGNORECASE)
_FRONT = re.compile(r"---[ \t]*\n(?:.{0,1000}\n){0,200}?(?:---|\.\.\.)[ \t]*(?:\n|\Z)")
# A name that begins with ^ is that of a footnote, which holds a note and not an address.
_ADDRESS = re.compile(
    r"^ {0,3}\[(?!\^)([^\[\]\n]{1,200})\]:[ \t]{0,20}<?([^\s<>]{1,2000})", re.MULTILINE
)


class Segment(NamedTuple):
    """A piece of Markdown from `start` to `end`.

    `blocks` are whole blocks; `fence` is the inside of a fenced code block, and `info` what is said
    of it; `front` is YAML before the document; `plain` is what is too long for a block that one
    could read. `tight` says that it follows the one before without a blank line.
    """

    what: Literal["blocks", "fence", "front", "plain"]
    start: int
    end: int
    info: str = ""
    tight: bool = False


def addresses(text: str) -> dict[str, str]:
    """The addresses that links can refer to, by their names; the first of a name counts."""
    if "]:" not in text:
        return {}
    found: dict[str, str] = {}
    for match in _ADDRESS.finditer(text):
        found.setdefault(match[1], match[2])
    return found


def segments(text: str) -> Iterator[Segment]:
    """The segments in their order. All text is in one, but fences and what is blank."""
    at = 0
    tight = False
    front = _FRONT.match(text)
    if front:
        yield Segment("front", 0, front.end())
        at = front.end()
    while at < len(text):
        fence = _FENCE.match(text, at)
        if fence:
            inside = min(fence.end() + 1, len(text))
            end, at = _end_of_fence(text, inside, fence[1])
            yield Segment("fence", inside, end, fence[2].strip())
            continue
        end, too_long = _end_of_blocks(text, at)
        yield Segment("plain" if too_long else "blocks", at, end, tight=tight)
        tight = not too_long and end < len(text) and not text[at:end].endswith("\n\n")
        at = end


def _end_of_fence(text: str, inside: int, mark: str) -> tuple[int, int]:
    """Where what is fenced ends, and where it goes on after that."""
    closing = re.compile(rf"^ {{0,3}}{mark[0]}{{{len(mark)},}}[ \t]*$", re.MULTILINE)
    match = closing.search(text, inside)
    return (match.start(), min(match.end() + 1, len(text))) if match else (len(text), len(text))


def _end_of_blocks(text: str, start: int) -> tuple[int, bool]:
    """Where the blocks that begin at `start` may be cut, and whether that is too far away."""
    at = last = start
    blank = False
    until = ""
    while at < len(text):
        if blank and not until and text[at] not in " \t\n":
            last = at
        line_end = text.find("\n", at, start + _TOO_MUCH)
        if line_end < 0 and len(text) <= start + _TOO_MUCH:
            break
        if line_end < 0:
            return (last, False) if last > start else _after(text, at)
        if until:
            until = "" if until in text[at:line_end].lower() else until
        elif at > start and _may_cut(text, at, blank, at - start):
            return at, False
        elif opened := _OPEN_HTML.match(text, at, line_end):
            name = opened[1].lower()
            end = "-->" if name == "!--" else f"</{name}"
            until = "" if end in text[opened.end() : line_end].lower() else end
        blank = not text[at:line_end].strip()
        at = line_end + 1
    return len(text), False


def _after(text: str, at: int) -> tuple[int, bool]:
    """The end of a stretch without blank lines, in which `at` is: as it stands, it is cut there."""
    end = text.find("\n\n", at)
    return (len(text) if end < 0 else end + 2), True


def _may_cut(text: str, at: int, blank: bool, length: int) -> bool:
    """Whether a new segment may begin with the line at `at`, `blank` telling of the one before."""
    if _FENCE.match(text, at):
        return True
    if length >= _ENOUGH and blank:
        return text[at] not in " \t\n"
    return length >= _ENOUGH_OF_A_LIST and _ITEM.match(text, at) is not None
