"""Runs and qrels as TREC has them: columns between white space, of which the query, the document
and the score or grade count.

A line of a run has six, and what follows is ignored; its tag may be missing, but then on every
line: one line without it, among lines that have it, may be one that was cut short, and then its
score is not the one that was written. A line that begins with # is a comment. Both are as in
trec_eval 10 (`get_trec_results.c`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from judge_tui.counts import counted
from judge_tui.errors import UsageError
from judge_tui.formats.ids import has_other_white, id_in
from judge_tui.formats.judgments import (
    QrelsRow,
    RunRow,
    grade_in,
    report_other_tag,
    report_pair_again,
)
from judge_tui.formats.numbers import grade_of, number_in, score_of
from judge_tui.formats.problems import (
    RecordError,
    Reporter,
    decoded,
    quoted,
)
from judge_tui.formats.recognition import nothing_in
from judge_tui.formats.source import Source, UnreadableError
from judge_tui.model import Qrels, Run, rank

if TYPE_CHECKING:
    from judge_tui.formats.writers import QrelsToWrite, RunToWrite

_RUN = "query_id Q0 doc_id rank score tag"
_QRELS = "query_id 0 doc_id grade"
Row = TypeVar("Row")
_OTHER_DIGIT = re.compile(r"(?![0-9])\d")

_Docs: TypeAlias = dict[str, int]
"""doc_id -> its line."""


class RunLines:
    """The lines of one run, read a piece at a time; each fault is reported with its line.

    `tag`: None before the first line, empty where the lines have none; `tag_line`: where it came
    first. Several tags are a fault unless `any_tag`. `lines`: query_id -> doc_id -> line, and
    `values` the scores in the same order.
    """

    def __init__(self, report: Reporter, *, any_tag: bool = False) -> None:
        self.tag: str | None = None
        self.tag_line = 0
        self.lines: dict[str, _Docs] = {}
        self.values: dict[str, list[float]] = {}
        self._report = report
        self._any_tag = any_tag

    def read(self, text: bytes, number: int) -> None:
        """Read whole lines, of which the last has no line feed and the first has this number."""
        plain = _plain_text(text)
        lines: list[Any] = text.split(b"\n") if plain is None else plain.split("\n")
        query_id = ""
        docs: _Docs = {}
        scores: list[float] = []
        for at, line in enumerate(lines, number):
            try:
                named, _, doc_id, _, field, tag = line.split()
                score = float(field)
                # Python alone would also take 1_000, inf and nan.
                usual = plain and not score - score and "_" not in field and named[0] != "#"
            except ValueError:
                usual = False
            if not usual:
                row = _row(at, line if plain is None else line.encode(), self._report, _run_row)
                if row is None:
                    continue
                _, named, doc_id, score, its_tag = row
                tag = its_tag or ""
            if tag != self.tag and not self._has_tag_as_others(at, tag):
                continue
            if named != query_id:
                docs, scores = self.lines.setdefault(named, {}), self.values.setdefault(named, [])
                query_id = named
            if doc_id in docs:
                report_pair_again(at, query_id, doc_id, docs[doc_id], self._report)
                continue
            docs[doc_id] = at
            scores.append(score)
            if tag != self.tag and not self._any_tag:
                report_other_tag(at, tag, self.tag or "", self.tag_line, self._report)
                self._any_tag = True  # one report is enough

    def _has_tag_as_others(self, line: int, tag: str) -> bool:
        before = self.tag
        if before is None or (tag and not before):
            self.tag, self.tag_line = tag, line
        if before is None or bool(tag) == bool(before):
            return True
        _mixed(line, tag, self._report)
        return False


def whole_run(
    source: Source, report: Reporter, *, any_tag: bool = False
) -> tuple[dict[str, dict[str, float]], str | None]:
    """Read the scores of a run, and its tag if it has one; queries need not be contiguous. Raises
    `UnreadableError` where there is no line."""
    found = RunLines(report, any_tag=any_tag)
    _read(source, found, report)
    scores = {
        query_id: dict(zip(docs, found.values[query_id], strict=True))
        for query_id, docs in found.lines.items()
        if docs
    }
    return scores, found.tag or None


def run_rows(source: Source, report: Reporter) -> Iterator[RunRow]:
    """Yield every well-formed line of a run, exactly diagnosed. That no document comes twice, and
    that there is one tag, is for who reads them to see."""
    tagged: bool | None = None
    for number, line in source.lines():
        row = _row(number, line, report, _run_row)
        if row is None:
            continue
        has_tag = row.tag is not None
        if tagged is None or has_tag == tagged:
            tagged = has_tag
            yield row
        else:
            _mixed(number, row.tag or "", report)
            tagged = True


def qrels_rows(source: Source, report: Reporter) -> Iterator[QrelsRow]:
    """Yield every well-formed line of qrels, exactly diagnosed."""
    for number, line in source.lines():
        row = _row(number, line, report, _qrels_row)
        if row is not None:
            yield row


def whole_qrels(source: Source) -> dict[str, dict[str, int]] | None:
    """Read whole qrels faster than `qrels_rows` does; None for a file with faults."""
    qrels: dict[str, dict[str, int]] = {}
    docs: dict[str, int] = {}
    grades: dict[str, int] = {}
    current = ""
    number = 0
    try:
        for block in source.blocks():
            text = _plain_text(b"\n".join(block))
            if text is None:
                return None
            for line in text.split("\n"):
                fields = line.split()
                if not fields or fields[0][0] == "#":
                    continue
                query_id, _, doc_id, field = fields
                if query_id != current:
                    current = query_id
                    docs = qrels.setdefault(query_id, {})
                grade = grades.get(field)
                if grade is None:
                    grade = grades[field] = grade_of(field)
                docs[doc_id] = grade
                number += 1
    except (ValueError, RecordError, UnreadableError):
        return None
    return qrels if number and sum(map(len, qrels.values())) == number else None


def run_lines(run: Run) -> Iterator[str]:
    """Yield the lines of a run file: queries in byte order, documents in the order of `model.rank`.

    Ids are percent-encoded where they hold white space, and both orders are those of the ids as
    they are written, so that another tool which reads the file ranks it the same way. Scores are
    written so that the same 64 bits are read back. Raises `UsageError` for what no run file can
    hold: a score that is not finite, an empty id, a lone surrogate, NUL, a query that is like #1.
    """
    tag = id_in(run.tag)
    by_query = {_query_in(query_id): docs for query_id, docs in run.scores.items()}
    for query_id in sorted(by_query):
        scores = {id_in(doc_id): float(s) for doc_id, s in by_query[query_id].items()}
        for position, doc_id in enumerate(rank(scores), 1):
            score = scores[doc_id]
            if not isfinite(score):
                raise UsageError(
                    f"score {score!r} of {quoted(doc_id)} in query {quoted(query_id)} cannot be "
                    "written",
                    "give every document a finite score",
                )
            yield f"{query_id} Q0 {doc_id} {position} {score!r} {tag}\n"


def qrels_lines(qrels: Qrels) -> Iterator[str]:
    """Yield the lines of a qrels file, queries and documents in byte order of the ids as written.

    Ids are percent-encoded where they hold white space. Raises `UsageError` for an id that no
    TREC file can hold: an empty one, a lone surrogate, NUL, a query that is like #1.
    """
    by_query = {_query_in(query_id): docs for query_id, docs in qrels.items()}
    for query_id in sorted(by_query):
        grades = {id_in(doc_id): grade for doc_id, grade in by_query[query_id].items()}
        for doc_id in sorted(grades):
            yield f"{query_id} 0 {doc_id} {grades[doc_id]}\n"


def written_run(content: RunToWrite) -> Iterator[str]:
    """`run_lines` of the run."""
    return run_lines(content.run)


def written_qrels(content: QrelsToWrite) -> Iterator[str]:
    """`qrels_lines` of the grades."""
    return qrels_lines({query.query_id: query.grades for query in content.queries})


def _read(source: Source, found: RunLines, report: Reporter) -> None:
    number = 1
    parts: list[bytes] = []
    for piece in source.pieces():
        lines, end, rest = piece.rpartition(b"\n")
        if not end:
            parts.append(rest)
            continue
        text = b"".join([*parts, lines])
        found.read(text, number)
        number += text.count(b"\n") + 1
        parts = [rest]
    found.read(b"".join(parts), number)
    if found.tag is None and not report.count:
        raise nothing_in(source, "run")


def _plain_text(text: bytes) -> str | None:
    """Return the text, if `str` splits it as `bytes` does and reads the same numbers in it."""
    try:
        plain = text.decode()
    except UnicodeDecodeError:
        return None
    if has_other_white(plain) or (not plain.isascii() and _OTHER_DIGIT.search(plain)):
        return None
    return plain


def _row(
    number: int, line: bytes, report: Reporter, make: Callable[[int, list[bytes], Reporter], Row]
) -> Row | None:
    """Return the row of a line; None of a blank line, a comment, and one whose fault is
    reported."""
    fields = line.split()
    if not fields or fields[0].startswith(b"#"):
        return None
    try:
        return make(number, fields, report)
    except RecordError as error:
        report.refuse(error, number)
    except UnicodeDecodeError:
        decoded(line, number, report)
    return None


def _run_row(number: int, fields: list[bytes], _: Reporter) -> RunRow:
    # With more than six, white space in an id is the suspicion: then the fourth is not a rank.
    if len(fields) < 5 or (len(fields) > 6 and number_in(_text(fields[3])) is None):
        what = counted(len(fields), "field")
        if len(fields) > 6:
            what += f", of which the rank {quoted(fields[3])} is not a number"
        raise RecordError(f"{what}; a line of a run has 6 ({_RUN})", _mend_of_fields(fields, 6))
    score = score_of(_text(fields[4]))
    tag = fields[5].decode() if len(fields) > 5 else None
    query_id, doc_id = (id_in(fields[at].decode()) for at in (0, 2))
    return RunRow(number, query_id, doc_id, score, tag)


def _qrels_row(number: int, fields: list[bytes], report: Reporter) -> QrelsRow:
    if len(fields) != 4:
        what = f"{counted(len(fields), 'field')}; a line of qrels has 4 ({_QRELS})"
        raise RecordError(what, _mend_of_fields(fields, 4))
    judgment = grade_in(_text(fields[3]), report)
    query_id, doc_id = (id_in(fields[at].decode()) for at in (0, 2))
    return QrelsRow.of(number, query_id, doc_id, judgment)


def _mend_of_fields(fields: Sequence[bytes], wanted: int) -> str:
    """Return the way to mend a line with the wrong number of fields."""
    if len(fields) > wanted:
        return "write white space within ids as %20"
    if len(fields) == 1 and b"," in fields[0]:
        return "separate the columns with spaces or tabs, not with commas"
    return "complete the line"


def _mixed(line: int, tag: str, report: Reporter) -> None:
    """Report a line with a tag among lines without one, or the other way round."""
    if tag:
        report(
            line,
            f"tag {quoted(tag)}, but the lines before have none",
            "give every line a tag, or none",
        )
    else:
        report(
            line,
            "5 fields, but the lines before have 6, the last of which is the tag",
            "complete the line; if it is the last one, the file seems cut short",
        )


def _text(field: bytes) -> str:
    """Decode the field of a number; bytes that are no UTF-8 become text that is not a number."""
    return field.decode("utf-8", "backslashreplace")


def _query_in(query_id: str) -> str:
    query_id = id_in(query_id)
    if query_id.startswith("#"):
        raise UsageError(
            f"query {quoted(query_id)} cannot be written: a line that begins with # is a comment",
            "give the query another id, or write another format",
        )
    return query_id
