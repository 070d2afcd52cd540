"""Tasks, tried with and without retrieved context: every task is put to a chat endpoint once for
each arm, and checks, which are programs, say of each reply whether it passes. The arms differ in
the context alone.
"""

from __future__ import annotations

from judge_tui.collect.tasks.attempt import Attempt, Checked
from judge_tui.collect.tasks.outcome import TaskOutcome, task_files, task_files_handed_on
from judge_tui.collect.tasks.settings import Arm, Check, TaskSettings, read_tasks

__all__ = [
    "Arm",
    "Attempt",
    "Check",
    "Checked",
    "TaskOutcome",
    "TaskSettings",
    "read_tasks",
    "task_files",
    "task_files_handed_on",
]
