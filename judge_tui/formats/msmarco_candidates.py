"""MS MARCO's candidates (`top1000.dev`): `qid<TAB>pid<TAB>query<TAB>passage`, a line each.

Queries and passages come again with every line that they are in. The lines are in no order that
means anything: MS MARCO has shuffled them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from judge_tui.formats.format import Sample
from judge_tui.formats.problems import Reporter, quoted
from judge_tui.formats.source import Source
from judge_tui.formats.tab_records import tab_records

__all__ = ["LAYOUT", "NAME", "Candidate", "Texts", "candidates", "looks_like_candidates"]

NAME = "msmarco-top1000"
LAYOUT = "qid<TAB>pid<TAB>query<TAB>passage"


class Candidate(NamedTuple):
    """One line: a passage that may answer a query, both with their texts."""

    line: int
    query_id: str
    doc_id: str
    query: str
    passage: str


class Texts:
    """The texts of queries, or of passages, by id: each is new once and must stay the same."""

    def __init__(self, noun: str, report: Reporter) -> None:
        self._noun, self._report = noun, report
        self._seen: dict[str, tuple[int, int]] = {}

    def is_new(self, line: int, its_id: str, text: str) -> bool:
        """Whether the id is new; another text than before is reported."""
        mark = hash(text)
        before, known = self._seen.setdefault(its_id, (line, mark))
        if known != mark:
            self._report(
                line,
                f"{self._noun} {quoted(its_id)} has another text on line {before}",
                "give it one text, or the other one another id",
            )
        return before == line


def candidates(source: Source, report: Reporter) -> Iterator[Candidate]:
    """Every line that has four fields."""
    for line, (query_id, doc_id, query, passage) in tab_records(source, report, (4,), LAYOUT):
        yield Candidate(line, query_id, doc_id.strip(" "), query, passage)


def looks_like_candidates(sample: Sample) -> bool:
    """Whether most lines are two ids and two texts; an address in the place of the second id makes
    documents."""

    def is_one(line: bytes) -> bool:
        cells = line.split(b"\t")
        if len(cells) != 4 or b"://" in cells[1]:
            return False
        words = [len(cell.split()) for cell in cells]
        return words[0] == words[1] == 1 and bool(words[2]) and words[3] > 1

    return sample.mostly(is_one)
