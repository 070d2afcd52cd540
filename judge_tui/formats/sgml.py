"""SGML as TREC's files have it: blocks such as <DOC> one after the other, with no root around."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from judge_tui.formats.problems import Reporter, decoded, quoted
from judge_tui.formats.sample import Sample
from judge_tui.formats.source import Source

__all__ = ["blocks", "one_line", "parted", "unescaped", "untagged"]

_TAG = re.compile(r"<[/!?]?[A-Za-z-][^<>]*>")
_SPACE = re.compile(r"[ \t\n\v\f\r]+")


def blocks(
    source: Source, report: Reporter, name: str, *, must_close: bool
) -> Iterator[tuple[int, str]]:
    """What stands between each <name> and its end, with the line of the opening tag.

    A block ends at its closing tag; where it does not have one, that is reported. Without
    `must_close`, the next opening tag will do as well, but not the end of the file, unless no block
    of the file is closed: a file that was cut off ends like that. Holds one block at a time.
    """
    inside: list[str] | None = None
    begun = 0
    spoiled = False
    ends = set[bool]()

    def complete(*, closed: bool, at_end: bool = False) -> bool:
        cut_off = at_end and ends != {False}
        ends.add(closed)
        if not closed and (must_close or cut_off):
            report(begun, f"<{name}> without </{name}>", f"add </{name}>: is the file whole?")
            return False
        return not spoiled

    for number, raw in source.lines():
        line = decoded(raw, number, report)
        if line is None:
            spoiled = True
            continue
        at = 0
        for tag in _tag(name).finditer(line):
            before = line[at : tag.start()]
            at = tag.end()
            closes = bool(tag.group(1))
            if inside is None:
                _refuse_text(before, name, number, report)
            else:
                inside.append(before)
                if complete(closed=closes):
                    yield begun, "".join(inside)
            inside = None if closes else []
            begun = number
            spoiled = False
        if inside is None:
            _refuse_text(line[at:], name, number, report)
        else:
            inside.append(line[at:] + "\n")
    if inside is not None and complete(closed=False, at_end=True):
        yield begun, "".join(inside)


def parted(block: str, names: tuple[str, ...]) -> tuple[dict[str, list[str]], str]:
    """What stands in the elements of these names (lower case), and the rest of the block.

    An element that is not closed goes to the end; within one, only its own end counts.
    """
    found: dict[str, list[str]] = {name: [] for name in names}
    rest: list[str] = []
    inside = rest
    opening = ""
    at = 0
    for tag in _tag("|".join(names)).finditer(block):
        closes, name = bool(tag.group(1)), tag.group(2).lower()
        if opening and not (closes and name == opening):
            continue
        inside.append(block[at : tag.start()])
        at = tag.end()
        opening = "" if closes else name
        inside = rest if closes else found[name]
    inside.append(block[at:])
    return found, "".join(rest)


def unescaped(text: str) -> str:
    """`text` with its character references (`&amp;`) resolved."""
    if "&" not in text:
        return text
    # Imported when a text needs it: its table of names costs a millisecond of every start.
    import html  # noqa: PLC0415

    return html.unescape(text)


def untagged(text: str) -> str:
    """`text` without its tags, and with character references resolved."""
    return unescaped(_TAG.sub("", text)).strip()


def one_line(text: str) -> str:
    """`text` with each stretch of ASCII white space as one space, and none around it."""
    return _SPACE.sub(" ", text).strip(" ")


def begins_with(sample: Sample, name: str) -> bool:
    """Whether one of the first lines begins with <name>."""
    return any(_tag(name).match(line.decode("latin-1").lstrip()) for line in sample.lines)


@cache
def _tag(names: str) -> re.Pattern[str]:
    return re.compile(rf"<(/?)({names})(?:\s[^<>]*)?>", re.IGNORECASE)


def _refuse_text(text: str, name: str, line: int, report: Reporter) -> None:
    """Between blocks there may be tags, declarations and comments, but no text."""
    if text.strip() and (stray := _TAG.sub("", text).strip()):
        report(
            line, f"text {quoted(stray)} outside <{name}>", f"put it between <{name}> and </{name}>"
        )
