"""Classes of queries, each on its own terms: their means, and what they demand."""

from __future__ import annotations

from judge_tui.report.classes.demand_document import demand_document, demand_rows
from judge_tui.report.classes.demand_grids import demand_grids
from judge_tui.report.classes.demand_notes import demand_notes
from judge_tui.report.classes.means import class_grids, classes_document
from judge_tui.report.classes.views import DEMAND_VIEWS

__all__ = [
    "DEMAND_VIEWS",
    "class_grids",
    "classes_document",
    "demand_document",
    "demand_grids",
    "demand_notes",
    "demand_rows",
]
