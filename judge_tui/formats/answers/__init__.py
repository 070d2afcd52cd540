"""Answers files: for each query, what a right result looks like. Recognised by content:

- JSON: `[{"query": "…", "expected": "src/app.py"}]`, or a list of them;
- JSONL or TOML: `query`, `pattern` or `patterns` (regular expressions), or `expected`;
- CSV: `query,result1,result2,…` with cells `path:start-end:grade`.
"""

from __future__ import annotations

from judge_tui.formats.answers.entry import Answered
from judge_tui.formats.answers.reading import check_answers, is_answers, read_answers

__all__ = ["Answered", "check_answers", "is_answers", "read_answers"]
