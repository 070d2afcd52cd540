"""NAME.latency.csv beside NAME.run: what a live system was asked, how long each query took, and why
one failed. A run file cannot hold a query without results; this one says that it was asked.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from typing import NamedTuple

from judge_tui.formats.numbers import count_of, seconds_of
from judge_tui.formats.problems import RecordError, Reporter, quoted
from judge_tui.formats.source import open_source
from judge_tui.formats.tables import csv_lines, open_table, unguarded

COLUMNS = ("query_id", "seconds", "tries", "results", "repeated", "failure")
_MEND = "let collect write it anew, or take the file away to load the run without it"


@dataclass(frozen=True, slots=True)
class AskedQuery:
    """One query that was asked: its id, the `seconds` of the last of so many `tries`, None where
    nobody knows them, how many `results` it has in the run, how many more were `repeated`, and the
    reason of a `failure`, "" for none. `line`: where it stands in the file."""

    query_id: str
    seconds: float | None
    tries: int
    results: int
    repeated: int
    failure: str
    line: int = 0


def latency_lines(queries: Iterable[AskedQuery]) -> Iterator[str]:
    """Yield the lines of such a file, seconds to the microsecond. A reason that holds NUL, which no
    text file can, has its picture instead."""
    rows = (
        (
            one.query_id,
            None if one.seconds is None else round(one.seconds, 6),
            one.tries,
            one.results,
            one.repeated,
            one.failure.replace("\0", "\N{SYMBOL FOR NULL}"),
        )
        for one in queries
    )
    return csv_lines(COLUMNS, rows)


def read_latency(path: str | os.PathLike[str]) -> list[AskedQuery] | None:
    """Return the queries in the order of the file; None where its header is not that of
    `latency_lines`.

    Raises `InputError` at the first row that cannot be used: another number of cells, a number that
    is none, a query that failed and has results, or that comes twice.
    """
    report = Reporter(path)
    with open_source(path) as source:
        table = open_table(source, report)
        if table is None or table.written != COLUMNS:
            return None
        found: dict[str, AskedQuery] = {}
        for line, cells in table.rows():
            try:
                asked = _asked_query(cells, line)
                before = found.setdefault(asked.query_id, asked)
                if before is not asked:
                    what = f"query {quoted(asked.query_id)} is already on line {before.line}"
                    raise RecordError(what, _MEND)
            except RecordError as error:
                report(line, error.what, _MEND)
    return list(found.values())


def _asked_query(cells: list[str], line: int) -> AskedQuery:
    query_id, seconds, *_, failure = cells
    if not query_id:
        raise RecordError("the row has no query_id", _MEND)
    tries, results, repeated = (
        count_of(cell, name) for name, cell in zip(COLUMNS[2:5], cells[2:5], strict=True)
    )
    if failure and results:
        raise RecordError("a query that failed has results", _MEND)
    query_id, failure = unguarded(query_id), unguarded(failure)
    return AskedQuery(query_id, seconds_of(seconds), tries, results, repeated, failure, line)


class Latency(NamedTuple):
    """Seconds a query: the median and the 95th percentile, the nearest rank; None where no query
    was answered."""

    median: float | None
    p95: float | None


def latency_of(seconds: Sequence[float]) -> Latency:
    """`seconds`: of the queries that were answered, ascending."""
    if not seconds:
        return Latency(None, None)
    return Latency(median(seconds), seconds[(95 * len(seconds) + 99) // 100 - 1])
