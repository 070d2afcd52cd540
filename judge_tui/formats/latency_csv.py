"""NAME.latency.csv beside NAME.run: what a live system was asked, how long each query took, and why
one failed. A run file cannot hold a query without results; this one says that it was asked.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from judge_tui.formats.numbers import number_in
from judge_tui.formats.problems import Reporter, counted, quoted
from judge_tui.formats.source import open_source
from judge_tui.formats.tables import cells_of, csv_lines, unguarded

__all__ = ["COLUMNS", "AskedQuery", "latency_lines", "read_latency"]

COLUMNS = ("query_id", "seconds", "tries", "results", "repeated", "failure")
_MEND = "let collect write it anew, or take the file away to load the run without it"
_DIGITS = 18


@dataclass(frozen=True, slots=True)
class AskedQuery:
    """One query that was asked: its id, the `seconds` of the last of so many `tries`, how
    many `results` it has in the run, how many more were `repeated`, and the reason of a `failure`,
    "" for none. `line`: where it stands in the file."""

    query_id: str
    seconds: float
    tries: int
    results: int
    repeated: int
    failure: str
    line: int = 0


def latency_lines(queries: Iterable[AskedQuery]) -> Iterator[str]:
    """The lines of such a file, seconds to the microsecond. A reason that holds NUL, which no text
    file can, has its picture instead."""
    return csv_lines(
        COLUMNS,
        (
            (q.query_id, round(q.seconds, 6), q.tries, q.results, q.repeated, _plain(q.failure))
            for q in queries
        ),
    )


def read_latency(path: str | os.PathLike[str]) -> list[AskedQuery] | None:
    """The queries in the order of the file; None where its header is not that of `latency_lines`.

    Raises `InputError` at the first row that cannot be used: another number of cells, a number that
    is none, a query that failed and has results, or that comes twice.
    """
    report = Reporter(path)
    with open_source(path) as source:
        rows = cells_of(source, ",", report)
        if tuple(next(rows, (1, []))[1]) != COLUMNS:
            return None
        found: dict[str, AskedQuery] = {}
        for line, cells in rows:
            asked = _asked(cells, line, report)
            before = found.setdefault(asked.query_id, asked)
            if before is not asked:
                what = f"query {quoted(asked.query_id)} is in line {before.line} already"
                report(line, what, _MEND)
    return list(found.values())


def _asked(cells: list[str], line: int, report: Reporter) -> AskedQuery:
    if len(cells) != len(COLUMNS):
        what = f"{counted(len(cells), 'cell')}, but the header has {len(COLUMNS)}"
        report(line, what, _MEND)
    query_id, seconds, *numbers, failure = cells
    if not query_id:
        report(line, "the row has no query_id", _MEND)
    tries, results, repeated = (
        _count(cell, name, line, report) for name, cell in zip(COLUMNS[2:5], numbers, strict=True)
    )
    if failure and results:
        report(line, "a query that failed has results", _MEND)
    return AskedQuery(
        query_id=unguarded(query_id),
        seconds=_seconds(seconds, line, report),
        tries=tries,
        results=results,
        repeated=repeated,
        failure=unguarded(failure),
        line=line,
    )


def _seconds(cell: str, line: int, report: Reporter) -> float:
    seconds = number_in(cell)
    if seconds is None or seconds < 0:
        report(line, f"seconds is {quoted(cell)}, which is no time", _MEND)
        return 0.0
    return seconds


def _count(cell: str, name: str, line: int, report: Reporter) -> int:
    if not (cell.isascii() and cell.isdigit() and len(cell) <= _DIGITS):
        report(line, f"{name} is {quoted(cell)}, which is no number", _MEND)
    return int(cell)


def _plain(failure: str) -> str:
    return failure.replace("\0", "\N{SYMBOL FOR NULL}")
