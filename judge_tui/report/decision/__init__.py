"""What an evaluation means for those who must choose a system: the answer, what it rests on, what
it costs, and what remains unknown."""

from __future__ import annotations

from judge_tui.report.decision.decided import Decided
from judge_tui.report.decision.whole import decision_page

__all__ = ["Decided", "decision_page"]
