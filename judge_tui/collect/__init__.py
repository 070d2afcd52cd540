"""Live systems -> runs: every system of a systems file is asked every query, over HTTP, as a
program or by vectors; and tasks are put with and without what they find. What was answered is kept
line by line, so that interrupted work goes on where it stopped; secrets come from the environment
and go nowhere.
"""

from __future__ import annotations

from judge_tui.collect.collecting import Collection, collect_all
from judge_tui.collect.journal import REPLIES
from judge_tui.collect.live import System, Systems, TaskSystem
from judge_tui.collect.outcome import Collected, files_handed_on, files_written
from judge_tui.collect.reply import Hit, Reply
from judge_tui.collect.systems import read_systems
from judge_tui.collect.tasks import TaskOutcome, task_files, task_files_handed_on
from judge_tui.collect.telling import Progress

__all__ = [
    "REPLIES",
    "Collected",
    "Collection",
    "Hit",
    "Progress",
    "Reply",
    "System",
    "Systems",
    "TaskOutcome",
    "TaskSystem",
    "collect_all",
    "files_handed_on",
    "files_written",
    "read_systems",
    "task_files",
    "task_files_handed_on",
]
