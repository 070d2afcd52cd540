"""The grades of a campaign that numbers rest on, as a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judge_tui.report.grids import Column, Grid

__all__ = ["grades_grid"]


def grades_grid(settings: Mapping[str, Any]) -> Grid:
    """By which policy, of whom, and how many pairs of the pool have one. `settings`: those of the
    JSON; without a campaign there is no row."""
    columns = [Column(name, right=False) for name in ("policy", "models")]
    columns += map(Column, ("pairs graded", "unresolved", "not judged"))
    rows = []
    if (its := settings.get("campaign")) is not None:
        models = "alone" if its["only_models"] else "yes" if its["include_models"] else "no"
        without = its["left_out"]["unresolved"], its["left_out"]["not_judged"]
        rows = [(its["policy"], models, settings["pairs"], *without)]
    return Grid("Grades", columns, rows, says="basis")
