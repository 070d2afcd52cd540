"""Live systems -> runs: every system of a systems file is asked every query, over HTTP, as a
program or by vectors. What was answered is kept line by line, so that interrupted work goes on
where it stopped; secrets come from the environment and go nowhere.
"""

from __future__ import annotations

from judge_tui.collect.answer import Answer, Hit
from judge_tui.collect.collecting import Progress, collect
from judge_tui.collect.outcome import Collected, files_written
from judge_tui.collect.systems import System, Systems, read_systems

__all__ = [
    "Answer",
    "Collected",
    "Hit",
    "Progress",
    "System",
    "Systems",
    "collect",
    "files_written",
    "read_systems",
]
