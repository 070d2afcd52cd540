"""Runs as TREC has them: six columns, of which the query, the document and the score count.

The tag may be missing, but then on every line: one line without it, among lines that have it, may
be one that was cut short, and then its score is not the one that was written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import isfinite
from typing import NamedTuple, SupportsIndex

from judge_tui.errors import UsageError
from judge_tui.formats.ids import id_in
from judge_tui.formats.problems import Reporter, counted, decoded, mend_of_fields, quoted
from judge_tui.formats.source import Source
from judge_tui.model import Run, rank

__all__ = ["RunRow", "rows", "rows_of_lines", "run_lines"]

_LAYOUT = "query_id Q0 doc_id rank score tag"


class RunRow(NamedTuple):
    """One line of a run; `tag` is None where the sixth column is missing."""

    line: SupportsIndex
    query_id: str
    doc_id: str
    score: float
    tag: str | None


def rows(source: Source, report: Reporter) -> Iterator[RunRow]:
    """Every well-formed line, exactly diagnosed."""
    return rows_of_lines(source.lines(), report)


def rows_of_lines(
    lines: Iterable[tuple[int, bytes]], report: Reporter, *, tagged: bool | None = None
) -> Iterator[RunRow]:
    """The same of some lines with their numbers; `tagged`: whether those before them have a tag,
    None where there are none."""
    for number, line in lines:
        fields = line.split()
        row = _row(number, line, fields, report) if fields else None
        if row is None:
            continue
        has_tag = row.tag is not None
        if tagged is None or has_tag == tagged:
            tagged = has_tag
            yield row
        elif tagged:
            report(
                number,
                "5 fields, but the lines before have 6, the last of which is the tag",
                "complete the line; if it is the last one, the file seems cut short",
            )
        else:
            tagged = True
            report(
                number,
                f"tag {quoted(row.tag or '')}, but the lines before have none",
                "give every line a tag, or none",
            )


def run_lines(run: Run) -> Iterator[bytes]:
    """The lines of a run file: queries in byte order, documents in the order of `model.rank`.

    Ids are percent-encoded where they hold white space, and both orders are those of the ids as
    they are written, so that another tool which reads the file ranks it the same way. Scores are
    written so that the same 64 bits are read back. Raises `UsageError` for what no run file can
    hold: a score that is not finite, an empty id, a lone surrogate, NUL.
    """
    tag = id_in(run.tag)
    by_query = {id_in(query_id): docs for query_id, docs in run.scores.items()}
    for query_id in sorted(by_query):
        scores = {id_in(doc_id): float(s) for doc_id, s in by_query[query_id].items()}
        for place, doc_id in enumerate(rank(scores), 1):
            score = scores[doc_id]
            if not isfinite(score):
                raise UsageError(
                    f"score {score!r} of {quoted(doc_id)} in query {quoted(query_id)} cannot be "
                    "written",
                    "give every document a finite score",
                )
            yield f"{query_id} Q0 {doc_id} {place} {score!r} {tag}\n".encode()


def _row(number: int, line: bytes, fields: list[bytes], report: Reporter) -> RunRow | None:
    if not _countable(fields):
        if len(fields) == 7:
            what = f"7 fields, of which the rank {quoted(fields[3])} is not a number"
        else:
            what = counted(len(fields), "field")
        report(
            number,
            f"{what}; a line of a run has 6 ({_LAYOUT})",
            mend_of_fields(fields, 6),
        )
        return None
    score = _score(fields[4])
    if score is None:
        report(
            number,
            f"score {quoted(fields[4])} is not a finite decimal number",
            "write it like 12.5 or 1.25e1",
        )
        return None
    try:
        tag = fields[5].decode() if len(fields) > 5 else None
        query_id, doc_id = (id_in(fields[place].decode()) for place in (0, 2))
        return RunRow(number, query_id, doc_id, score, tag)
    except UnicodeDecodeError:
        decoded(line, number, report)
        return None


def _countable(fields: list[bytes]) -> bool:
    """Whether the fields can be counted off: with seven, white space in an id is the suspicion."""
    return len(fields) in (5, 6) or (len(fields) == 7 and _score(fields[3]) is not None)


def _score(field: bytes) -> float | None:
    """The finite number that `field` is; Python alone would also take 1_000, inf and nan."""
    try:
        score = float(field)
    except ValueError:
        return None
    return score if isfinite(score) and b"_" not in field else None
