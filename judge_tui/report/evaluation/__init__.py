"""An evaluation of live systems in its forms: `evaluation_report` for terminals, programs and
papers, `evaluation_page` for people who were not there.
"""

from __future__ import annotations

from judge_tui.report.evaluation import tables
from judge_tui.report.evaluation.classes_section import (
    arm_words,
    classes_section,
    demand_meanings,
    demand_words,
)
from judge_tui.report.evaluation.closer_sections import closer_sections
from judge_tui.report.evaluation.differences import differences
from judge_tui.report.evaluation.evaluated import AUDIT_FILE, DECISION_FILE, RESULTS_FILE, Evaluated
from judge_tui.report.evaluation.printed import evaluation_report
from judge_tui.report.evaluation.written import evaluation_page

__all__ = [
    "AUDIT_FILE",
    "DECISION_FILE",
    "RESULTS_FILE",
    "Evaluated",
    "arm_words",
    "classes_section",
    "closer_sections",
    "demand_meanings",
    "demand_words",
    "differences",
    "evaluation_page",
    "evaluation_report",
    "tables",
]
