"""The agreement of judges as a report."""

from __future__ import annotations

from judge_tui.report.agreement.whole import agreement_report

__all__ = ["agreement_report"]
