"""One result in many forms: a report is built once, and rendered as table, json, csv, md or latex.
`FORMS` is the registry: a form is one function and one line.
"""

from __future__ import annotations

from judge_tui.report.layout import Report
from judge_tui.report.writers import FORMS, SUFFIXES, csv_texts, render

__all__ = ["FORMS", "SUFFIXES", "Report", "csv_texts", "render"]
