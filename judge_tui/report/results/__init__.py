"""The analyses of results as reports: each view with its tables, JSON, CSV and pictures."""

from __future__ import annotations

from judge_tui.report.results.by_query import deltas_report, divergent_report, own_values_report
from judge_tui.report.results.documents import (
    histogram_report,
    misses_report,
    rankings_report,
)
from judge_tui.report.results.leaderboard import leaderboard_report
from judge_tui.report.results.slices import document_slices_report, query_slices_report

__all__ = [
    "deltas_report",
    "divergent_report",
    "document_slices_report",
    "histogram_report",
    "leaderboard_report",
    "misses_report",
    "own_values_report",
    "query_slices_report",
    "rankings_report",
]
