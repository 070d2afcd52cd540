"""Graded benchmark files: queries, each with its candidates, and how good each of these is.

[{"query": "read a csv file", "class": "how-to",
  "documents": [{"id": "d1", "text": "…", "score": 2, "kind": "guide"}]}]
"""

from __future__ import annotations

from judge_tui.formats.benchmark.grading import Grades, found_grades, parse_grades
from judge_tui.formats.benchmark.reading import Benchmark, Graded, GradedEntry, read_benchmark

__all__ = [
    "Benchmark",
    "Graded",
    "GradedEntry",
    "Grades",
    "found_grades",
    "parse_grades",
    "read_benchmark",
]
