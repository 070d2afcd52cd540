"""Topics and documents as TREC has them: SGML of a kind, blocks such as <DOC> one after the other
with no root around, whose closing tags are often missing; and the XML of newer topics, as of COVID,
Health Misinformation, Clinical Trials, Web and Touché."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from functools import cache
from xml.etree import ElementTree

from judge_tui.formats.problems import Reporter, decoded, quoted
from judge_tui.formats.source import Source, UnreadableError
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
            text = html.unescape(
                _LABEL.sub("", text, count=1) if _LABEL.match(text) else text
            ).strip()
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
    block: list[str] | None = None
    begun, ends = 0, set[bool]()
    for number, raw in source.lines():
        line = decoded(raw, number, report) or ""
        at = 0
        for tag in _tag(name).finditer(line):
            before, at, closes = line[at : tag.start()], tag.end(), bool(tag[1])
            if block is not None:
                ends.add(closes)
            if block is None:
                _refuse_text(before, name, number, report)
            elif closes or not must_close:
                yield begun, "".join([*block, before])
            else:
                _refuse_open(begun, name, report)
            block, begun = None if closes else [], number
        if block is None:
            _refuse_text(line[at:], name, number, report)
        else:
            block.append(line[at:] + "\n")
    if block is not None and not must_close and ends == {False}:
        yield begun, "".join(block)
    elif block is not None:
        _refuse_open(begun, name, report)


def _refuse_open(line: int, name: str, report: Reporter) -> None:
    report(line, f"<{name}> without </{name}>", f"add </{name}>: is the file whole?")


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


def _untagged(text: str) -> str:
    """`text` without its tags, and with character references resolved."""
    return html.unescape(_TAG.sub("", text)).strip()


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


# ---- Topics in XML ----

_XML_TOPIC = re.compile(r"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<(topic)[\s/>]", re.IGNORECASE | re.DOTALL)
_NUMBERS = ("number", "num")
_TEXTS = ("query", "title", "text", "question", "description", "summary")
_DESCRIPTIONS = ("question", "description")


def xml_topic_rows(source: Source, _: Reporter) -> Iterator[tuple[int, Query]]:
    """Yield every topic: its number, and what it was that was searched, as a query, a title or the
    bare text; where it has none of these, a description is the text.

    Raises `UnreadableError` for what is no XML, and for a document type that has entities: they can
    be made to fill the memory.
    """
    text = source.text()
    if (at := text.find("<!ENTITY")) >= 0:
        line = text.count("\n", 0, at) + 1
        what = "the document type has an entity"
        raise UnreadableError(source.path, line, what, "write its text where it is used")
    try:
        root = ElementTree.fromstring(text)  # noqa: S314 - entities are refused above
    except ElementTree.ParseError as error:
        line, column = error.position
        what = f"not valid XML: {str(error).partition(':')[0]} at column {column + 1}"
        mend = "see that the file is whole, and write & and < of a text as &amp; and &lt;"
        raise UnreadableError(source.path, line, what, mend) from error
    marks = (mark for mark in _XML_TOPIC.finditer(text) if mark[1])
    starts = [text.count("\n", 0, mark.start()) + 1 for mark in marks]
    topics = (one for one in root.iter() if one.tag.lower() == "topic")
    for line, topic in zip(starts, topics, strict=False):
        fields = _fields_of(topic)
        query_id = _taken(fields, _NUMBERS)
        query = " ".join(_taken(fields, _TEXTS).split())
        description, narrative = _taken(fields, _DESCRIPTIONS), _taken(fields, ("narrative",))
        yield line, Query(query_id, query, description, narrative, meta=fields)


def _fields_of(topic: ElementTree.Element) -> dict[str, str]:
    """Return the attributes and elements of a topic; what stands outside of any is its `text`."""
    fields = {name.lower(): [value] for name, value in topic.attrib.items()}
    bare = [topic.text or "", *(child.tail or "" for child in topic)]
    fields.setdefault("text", []).append("".join(bare))
    for child in topic:
        fields.setdefault(child.tag.lower(), []).append("".join(child.itertext()))
    lines = {name: "\n".join(texts).strip().splitlines() for name, texts in fields.items()}
    return {name: "\n".join(map(str.strip, its)) for name, its in lines.items() if its}


def _taken(fields: dict[str, str], names: tuple[str, ...]) -> str:
    """Take out the first of these elements that there is."""
    return next((fields.pop(name) for name in names if name in fields), "")
