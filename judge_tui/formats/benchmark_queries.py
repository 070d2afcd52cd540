"""The queries of a graded benchmark."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.formats.benchmark.entry import entries
from judge_tui.formats.benchmark_qrels import LAYOUT, is_benchmark
from judge_tui.formats.format import Format
from judge_tui.formats.problems import Reporter
from judge_tui.formats.source import Source
from judge_tui.model import Query

__all__ = ["FORMAT"]


def rows(source: Source, report: Reporter) -> Iterator[tuple[int, Query]]:
    """Every query, whatever its documents' scores are."""
    return ((entry.line, entry.query) for entry in entries(source, report))


FORMAT = Format("queries", "benchmark", LAYOUT, is_benchmark, rows)
