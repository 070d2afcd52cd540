"""The grades of a campaign that numbers rest on, as a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judge_tui.report.layout import Column, Table, reader_table, text

__all__ = ["grades_table"]


def grades_table(settings: Mapping[str, Any]) -> Table:
    """By which policy, of whom, and how many pairs of the pool have one. `settings`: those of the
    JSON; without a campaign there is no row."""
    columns = [text("", "policy"), text("", "models")]
    columns += [Column("", title) for title in ("pairs graded", "unresolved", "not judged")]
    rows = []
    if (grades := settings.get("campaign")) is not None:
        models = "alone" if grades["only_models"] else "yes" if grades["include_models"] else "no"
        left_out = grades["left_out"]
        counts = (settings["pairs"], left_out["unresolved"], left_out["not_judged"])
        rows = [(grades["policy"], models, *counts)]
    return reader_table("Grades", columns, rows, "details")
