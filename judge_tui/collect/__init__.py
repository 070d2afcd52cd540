"""Live systems -> runs: every system of a systems file is asked every query, over HTTP, as a
program or by vectors; tasks are put with and without what they find. What was answered is kept line
by line, so that interrupted work goes on; secrets come from the environment and go nowhere.
"""

from __future__ import annotations

from judge_tui.collect.chat_tasks import TaskOutcome
from judge_tui.collect.collector import CollectResult, collect
from judge_tui.collect.outputs import CollectedRun, files_written
from judge_tui.collect.search_system import Hit, Reply
from judge_tui.collect.systems_file import Systems, read_systems
from judge_tui.collect.work import CollectProgress, CollectRequest

__all__ = [
    "CollectProgress",
    "CollectRequest",
    "CollectResult",
    "CollectedRun",
    "Hit",
    "Reply",
    "Systems",
    "TaskOutcome",
    "collect",
    "files_written",
    "read_systems",
]
