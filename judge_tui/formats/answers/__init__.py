"""Answers files: for each query, what a right result looks like. Recognised by content:

- JSON: `[{"query": "…", "expected": "src/app.py"}]`, or a list of them;
- JSONL or TOML: `query`, `pattern` or `patterns` (regular expressions), or `expected`;
- CSV: `query,result1,result2,…` (or `expected`) with cells `path:start-end:grade`; if wanted with
  `query_id`, `pattern`, `grade`, `class`, `subset`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from judge_tui.formats.answers.cautions import cautions_of
    from judge_tui.formats.answers.checking import check_answers
    from judge_tui.formats.answers.entry import USUAL_GRADE, Answered
    from judge_tui.formats.answers.reading import read_answers

__all__ = [
    "USUAL_GRADE",
    "Answered",
    "cautions_of",
    "check_answers",
    "read_answers",
]

_WHERE = {
    "USUAL_GRADE": "entry",
    "Answered": "entry",
    "cautions_of": "cautions",
    "check_answers": "checking",
    "read_answers": "reading",
}


def __getattr__(name: str) -> Any:
    """What reads answers is imported by who reads them: of many files it is asked whether they are
    any."""
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_WHERE[name]}"), name)
