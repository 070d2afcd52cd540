"""The analyses of results as reports: one file a view, each with its tables, its JSON, its CSV and
its pictures.
"""

from __future__ import annotations

from judge_tui.report.results.deltas import deltas_report
from judge_tui.report.results.divided import divided_report
from judge_tui.report.results.failures import failures_report
from judge_tui.report.results.first_relevant import histogram_report
from judge_tui.report.results.leaderboard import leaderboard_report
from judge_tui.report.results.own_values import own_values_report
from judge_tui.report.results.side_by_side import rankings_report
from judge_tui.report.results.slices import document_slices_report, query_slices_report

__all__ = [
    "deltas_report",
    "divided_report",
    "document_slices_report",
    "failures_report",
    "histogram_report",
    "leaderboard_report",
    "own_values_report",
    "query_slices_report",
    "rankings_report",
]
