"""Widgets of our own, where Textual's are too slow for judging."""

from __future__ import annotations

from judge_tui.tui.widgets.document_view import DocumentView
from judge_tui.tui.widgets.guidelines_view import GuidelinesView
from judge_tui.tui.widgets.line_list import LineList
from judge_tui.tui.widgets.need import Need
from judge_tui.tui.widgets.said_line import SaidLine
from judge_tui.tui.widgets.said_text import SaidText
from judge_tui.tui.widgets.split_line import SplitLine

__all__ = [
    "DocumentView",
    "GuidelinesView",
    "LineList",
    "Need",
    "SaidLine",
    "SaidText",
    "SplitLine",
]
