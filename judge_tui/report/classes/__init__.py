"""Classes of queries, each on its own terms: their means, and what they demand of the order of
results."""

from __future__ import annotations

from judge_tui.report.classes.means import class_grids, classes_document
from judge_tui.report.classes.order import came_first, order_grids
from judge_tui.report.classes.order_document import order_document, order_rows
from judge_tui.report.classes.order_notes import order_notes

__all__ = [
    "came_first",
    "class_grids",
    "classes_document",
    "order_document",
    "order_grids",
    "order_notes",
    "order_rows",
]
