"""What an evaluation means for those who must choose a system: the answer, what it rests on, what
it costs, and what remains unknown."""

from __future__ import annotations

from judge_tui.report.decision.decided import DECISION_FILE, Decided
from judge_tui.report.decision.whole import decision_page

__all__ = ["DECISION_FILE", "Decided", "decision_page"]
