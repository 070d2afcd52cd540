"""Topics as TREC has them: SGML of a kind, whose closing tags are often missing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from judge_tui.formats.problems import Reporter, quoted
from judge_tui.formats.sgml import blocks, one_line, unescaped
from judge_tui.formats.source import Source
from judge_tui.model import Query

__all__ = ["rows"]

# The tags of TREC-1 to TREC-8 and of the tracks since; any other stays as text.
_META = ("dom", "smry", "con", "fac", "def", "head", "nat")
_TAG = re.compile(rf"<(/?)(num|title|desc|narr|{'|'.join(_META)})\s*>", re.IGNORECASE)
_LABEL = re.compile(
    r"\s*(?:Number|Topic|Domain|Description|Summary|Narrative"
    r"|(?:Concept|Factor|Definition)\(s\))[ \t]*:",
    re.IGNORECASE,
)


def rows(source: Source, report: Reporter) -> Iterator[tuple[int, Query]]:
    """Every topic; where one has no title, its description is the text."""
    for number, block in blocks(source, report, "top", must_close=False):
        parts = _parts(block)
        query_id = one_line(parts.pop("num", ""))
        if " " in query_id:
            report(
                number,
                f"the topic's number {quoted(query_id)} has white space in it",
                "put <title> and the other tags after it",
            )
            continue
        title = one_line(parts.pop("title", ""))
        description = parts.pop("desc", "")
        narrative = parts.pop("narr", "")
        yield (
            number,
            Query(query_id, title or one_line(description), description, narrative, "", parts),
        )


def _parts(block: str) -> dict[str, str]:
    """The text after each opening tag, without its label, up to the next tag."""
    parts: dict[str, str] = {}
    name = ""
    begin = 0
    for tag in [*_TAG.finditer(block), None]:
        if name:
            text = block[begin : tag.start() if tag else len(block)]
            text = unescaped(_LABEL.sub("", text, count=1) if _LABEL.match(text) else text).strip()
            parts[name] = f"{parts[name]}\n{text}" if name in parts else text
        if tag:
            name = "" if tag.group(1) else tag.group(2).lower()
            begin = tag.end()
    return parts
