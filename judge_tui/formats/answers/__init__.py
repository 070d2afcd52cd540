"""Answers files: for each query, what a right result looks like."""

from __future__ import annotations

from judge_tui.formats.answers.reading import USUAL_GRADE, Answered, read_answers

__all__ = ["USUAL_GRADE", "Answered", "read_answers"]
