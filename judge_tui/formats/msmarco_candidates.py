"""MS MARCO's candidates (`top1000.dev`): `qid<TAB>pid<TAB>query<TAB>passage`, a line each.

Queries and passages come again with every line that they are in. The lines are in no order that
means anything: MS MARCO has shuffled them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from judge_tui.formats.problems import Reporter, quoted
from judge_tui.formats.source import Source
from judge_tui.formats.tab_records import tab_records

__all__ = ["NAME", "Candidate", "candidates", "named_texts"]

NAME = "msmarco-top1000"
LAYOUT = "qid<TAB>pid<TAB>query<TAB>passage"


class Candidate(NamedTuple):
    """One line: a passage that may answer a query, both with their texts."""

    line: int
    query_id: str
    doc_id: str
    query: str
    passage: str


def candidates(source: Source, report: Reporter) -> Iterator[Candidate]:
    """Every line that has four fields."""
    for line, (query_id, doc_id, query, passage) in tab_records(source, report, (4,), LAYOUT):
        yield Candidate(line, query_id, doc_id.strip(" "), query, passage)


def named_texts(
    source: Source, report: Reporter, noun: str, of: Callable[[Candidate], tuple[str, str]]
) -> Iterator[tuple[int, str, str]]:
    """Line, id and text of each query, or passage (the `noun`), at the first line that has it:
    `of` is the id and the text in a line. Another text of one id is reported."""
    seen: dict[str, tuple[int, int]] = {}
    for one in candidates(source, report):
        its_id, text = of(one)
        mark = hash(text)
        before, known = seen.setdefault(its_id, (one.line, mark))
        if known != mark:
            report(
                one.line,
                f"{noun} {quoted(its_id)} has another text on line {before}",
                "give it one text, or the other one another id",
            )
        if before == one.line:
            yield one.line, its_id, text
