"""Documents as TREC's collections have them: <DOC> with a <DOCNO>, a title and texts in it."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.formats.problems import Reporter, quoted
from judge_tui.formats.sgml import blocks, one_line, parted, untagged
from judge_tui.formats.source import Source
from judge_tui.model import Document

__all__ = ["rows"]

# What the collections of TREC disks 1 to 5, and those made after them, call a title.
_TITLES = ("title", "headline", "head", "hl", "ttl", "ti")
_PARTS = ("docno", "dochdr", "url", "text", *_TITLES)


def rows(source: Source, report: Reporter) -> Iterator[tuple[int, Document]]:
    """Every document. Its text is what <TEXT> holds, or all that is not title or number."""
    for number, block in blocks(source, report, "DOC", must_close=True):
        parts, rest = parted(block, _PARTS)
        doc_id = parts["docno"][0].strip() if parts["docno"] else ""
        if one_line(doc_id).count(" "):
            report(
                number,
                f"the document's number {quoted(one_line(doc_id))} has white space in it",
                "close <DOCNO> with </DOCNO> right after the number",
            )
            continue
        titles = [title for name in _TITLES for title in parts[name]]
        yield (
            number,
            Document(
                doc_id,
                title=one_line(untagged(titles[0])) if titles else "",
                text=untagged("\n".join(parts["text"]) if parts["text"] else rest),
                url=untagged(parts["url"][0]) if parts["url"] else "",
            ),
        )
