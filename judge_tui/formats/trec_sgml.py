"""Topics and documents as TREC has them: SGML of a kind, blocks such as <DOC> one after the other
with no root around, whose closing tags are often missing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from judge_tui.formats.problems import Reporter, decoded, quoted
from judge_tui.formats.source import Source
from judge_tui.model import Document, Query

_TAG = re.compile(r"<[/!?]?[A-Za-z-][^<>]*>")
_SPACE = re.compile(r"[ \t\n\v\f\r]+")

# The tags of TREC-1 to TREC-8 and of the tracks since; any other stays as text.
_META = ("dom", "smry", "con", "fac", "def", "head", "nat")
_TOPIC_TAG = re.compile(rf"<(/?)(num|title|desc|narr|{'|'.join(_META)})\s*>", re.IGNORECASE)
_LABEL = re.compile(
    r"\s*(?:Number|Topic|Domain|Description|Summary|Narrative"
    r"|(?:Concept|Factor|Definition)\(s\))[ \t]*:",
    re.IGNORECASE,
)

# What the collections of TREC disks 1 to 5, and those made after them, call a title.
_TITLES = ("title", "headline", "head", "hl", "ttl", "ti")
_PARTS = ("docno", "dochdr", "url", "text", *_TITLES)


def topic_rows(source: Source, report: Reporter) -> Iterator[tuple[int, Query]]:
    """Yield every topic; where one has no title, its description is the text."""
    for number, block in _blocks(source, report, "top", must_close=False):
        parts = _topic_parts(block)
        query_id = _one_line(parts.pop("num", ""))
        if " " in query_id:
            report(
                number,
                f"the topic's number {quoted(query_id)} has white space in it",
                "put <title> and the other tags after it",
            )
            continue
        title = _one_line(parts.pop("title", ""))
        description = parts.pop("desc", "")
        narrative = parts.pop("narr", "")
        yield (
            number,
            Query(query_id, title or _one_line(description), description, narrative, "", parts),
        )


def _topic_parts(block: str) -> dict[str, str]:
    """Return the text after each opening tag, without its label, up to the next tag."""
    parts: dict[str, str] = {}
    name = ""
    begin = 0
    for tag in [*_TOPIC_TAG.finditer(block), None]:
        if name:
            text = block[begin : tag.start() if tag else len(block)]
            text = _unescaped(_LABEL.sub("", text, count=1) if _LABEL.match(text) else text).strip()
            parts[name] = f"{parts[name]}\n{text}" if name in parts else text
        if tag:
            name = "" if tag.group(1) else tag.group(2).lower()
            begin = tag.end()
    return parts


def document_rows(source: Source, report: Reporter) -> Iterator[tuple[int, Document]]:
    """Yield every document. Its text is what <TEXT> holds, or all that is not title or number."""
    for number, block in _blocks(source, report, "DOC", must_close=True):
        parts, rest = _parted(block, _PARTS)
        doc_id = parts["docno"][0].strip() if parts["docno"] else ""
        if _one_line(doc_id).count(" "):
            report(
                number,
                f"the document's number {quoted(_one_line(doc_id))} has white space in it",
                "close <DOCNO> with </DOCNO> right after the number",
            )
            continue
        titles = [title for name in _TITLES for title in parts[name]]
        yield (
            number,
            Document(
                doc_id,
                title=_one_line(_untagged(titles[0])) if titles else "",
                text=_untagged("\n".join(parts["text"]) if parts["text"] else rest),
                url=_untagged(parts["url"][0]) if parts["url"] else "",
            ),
        )


def _blocks(
    source: Source, report: Reporter, name: str, *, must_close: bool
) -> Iterator[tuple[int, str]]:
    """Yield the text between each <name> and its end, with the line of the opening tag.

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


def _parted(block: str, names: tuple[str, ...]) -> tuple[dict[str, list[str]], str]:
    """Return the text in the elements of these names (lower case), and the rest of the block.

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


def _unescaped(text: str) -> str:
    """`text` with its character references (`&amp;`) resolved."""
    if "&" not in text:
        return text
    # Imported when a text needs it: its table of names costs a millisecond of every start.
    import html  # noqa: PLC0415

    return html.unescape(text)


def _untagged(text: str) -> str:
    """`text` without its tags, and with character references resolved."""
    return _unescaped(_TAG.sub("", text)).strip()


def _one_line(text: str) -> str:
    """`text` with each stretch of ASCII white space as one space, and none around it."""
    return _SPACE.sub(" ", text).strip(" ")


@cache
def _tag(names: str) -> re.Pattern[str]:
    return re.compile(rf"<(/?)({names})(?:\s[^<>]*)?>", re.IGNORECASE)


def _refuse_text(text: str, name: str, line: int, report: Reporter) -> None:
    """Between blocks there may be tags, declarations and comments, but no text."""
    if text.strip() and (stray := _TAG.sub("", text).strip()):
        report(
            line, f"text {quoted(stray)} outside <{name}>", f"put it between <{name}> and </{name}>"
        )
