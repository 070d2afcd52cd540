"""One result in many forms: a report is built once, and rendered as table, json, csv, md or latex.
`FORMS` is the registry: a form is one module with a `render` and one line.
"""

from __future__ import annotations

from judge_tui.report.forms import FORMS, render
from judge_tui.report.layout import Report

__all__ = ["FORMS", "Report", "render"]
