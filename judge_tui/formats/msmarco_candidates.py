"""MS MARCO's candidates (`top1000.dev`): `qid<TAB>pid<TAB>query<TAB>passage`, a line each.

Queries and passages come again with every line that they are in. The lines are in no order that
means anything: MS MARCO has shuffled them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from judge_tui.formats.format import Likeness, Sample
from judge_tui.formats.problems import Reporter, quoted
from judge_tui.formats.source import Source
from judge_tui.formats.tab_records import tab_records

__all__ = ["LAYOUT", "NAME", "Candidate", "candidates", "candidates_are", "named_texts"]

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


def candidates_are(likeness: Likeness) -> Callable[[Sample], Likeness]:
    """How a format of such files is told: it is as likely as that."""

    def of(sample: Sample) -> Likeness:
        return likeness if _looks_like_candidates(sample) else Likeness.NO

    return of


def _looks_like_candidates(sample: Sample) -> bool:
    """Whether most lines are two ids and two texts; an address in the place of the second id makes
    documents."""

    def is_one(line: bytes) -> bool:
        cells = line.split(b"\t")
        if len(cells) != 4 or b"://" in cells[1]:
            return False
        words = [len(cell.split()) for cell in cells]
        return words[0] == words[1] == 1 and bool(words[2]) and words[3] > 1

    return sample.mostly(is_one)
