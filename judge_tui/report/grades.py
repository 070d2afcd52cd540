"""The grades of a campaign that numbers rest on, as a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judge_tui.report.layout import Column, Grid

__all__ = ["grades_grid"]


def grades_grid(settings: Mapping[str, Any]) -> Grid:
    """By which policy, of whom, and how many pairs of the pool have one. `settings`: those of the
    JSON; without a campaign there is no row."""
    columns = [Column(name, right=False) for name in ("policy", "models")]
    columns += map(Column, ("pairs graded", "unresolved", "not judged"))
    if (campaign := settings.get("campaign")) is None:
        return Grid("Grades", columns, [])
    models = "alone" if campaign["only_models"] else "yes" if campaign["include_models"] else "no"
    without = campaign["left_out"]
    row = (
        *(campaign["policy"], models),
        *(settings["pairs"], without["unresolved"], without["not_judged"]),
    )
    return Grid("Grades", columns, [row])
