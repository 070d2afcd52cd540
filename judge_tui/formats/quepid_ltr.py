"""Qrels as Quepid exports the ratings of a case for learning to rank: `3 qid:1 # doc_id text`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from judge_tui.formats.format import Format, Likeness, Sample
from judge_tui.formats.ids import as_field, text_field, text_of_field
from judge_tui.formats.numerals import grade_in
from judge_tui.formats.problems import Reporter, decoded, quoted
from judge_tui.formats.source import Source
from judge_tui.formats.trec_qrels import QrelsRow

__all__ = ["FORMAT"]

# As Quepid reads it: the first word behind the # is the document, all that follows the query.
_LINE = re.compile(r"\s*(\S+)\s+qid:(\S+)\s+[^#]*#\s*(\S+)\s+(\S.*)", re.ASCII)
# Other files of learning to rank have one word there, the document, or `docid = X`.
_LIKE = re.compile(rb"\s*\S+\s+qid:\S+\s+[^#]*#\s*(?!docid=|\S+\s+=\s)\S+\s+\S")


def rows(source: Source, report: Reporter) -> Iterator[QrelsRow]:
    """Every well-formed line. Features between the qid and the # play no part. A qid of several
    texts is reported: a blank in an id moves what is behind it into the query."""
    first: dict[str, tuple[int, str]] = {}
    for line, raw in source.lines():
        if not raw.strip():
            continue
        text = decoded(raw, line, report)
        if text is None:
            continue
        match = _LINE.fullmatch(text.rstrip())
        if match is None:
            report(
                line,
                "the line is none of grade, qid, #, document and query",
                "write it like 3 qid:1 # doc_id text of the query",
            )
            continue
        grade = grade_in(match[1], line, report)
        if grade is None:
            continue
        query = text_field(match[4])
        before, its_text = first.setdefault(match[2], (line, query))
        if query == its_text:
            yield QrelsRow(line, query, as_field(match[3]), grade)
        else:
            report(
                line,
                f"qid {quoted(match[2])} has the text {quoted(text_of_field(query))} here, and"
                f" {quoted(text_of_field(its_text))} on line {before}: in this form an id with a"
                " blank cannot be told from the query",
                "give the same ratings in another form, such as the basic CSV of the case",
            )


def _likeness(sample: Sample) -> Likeness:
    like = sample.mostly(lambda line: _LIKE.match(line) is not None)
    return Likeness.SURE if like else Likeness.NO


FORMAT = Format(
    "qrels", "quepid-ltr", "Quepid's LTR: 3 qid:1 # doc_id text", _likeness, rows, by_text=True
)
