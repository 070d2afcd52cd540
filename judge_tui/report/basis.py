"""What numbers rest on, and why some are not there: tables that stand below the numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from judge_tui.analysis.warnings import first_few
from judge_tui.report.layout import Table, counts, words


def undefined_table(reasons: Iterable[tuple[str, str]]) -> Table:
    """A row for each reason. `reasons`: what has no value, and why."""
    rows = [(line,) for line in undefined_lines(reasons)]
    return Table("", words("without a value"), rows, about="reasons")


def undefined_lines(reasons: Iterable[tuple[str, str]]) -> list[str]:
    """The first few things without a value, and why, for each reason."""
    whats: dict[str, list[str]] = {}
    for what, why in reasons:
        whats.setdefault(why, []).append(what)
    return [f"{first_few(every)}: {why}" for why, every in whats.items()]


def grades_table(settings: Mapping[str, Any]) -> Table:
    """By which policy, of whom, and how many pairs of the pool have one. `settings`: those of the
    JSON; without a campaign there is no row."""
    columns = words("policy", "grades of models") + counts(
        "pairs graded", "unresolved", "not judged"
    )
    rows = []
    if (grades := settings.get("campaign")) is not None:
        count = "counted" if grades["include_models"] else "not counted"
        models = "no others" if grades["only_models"] else count
        left_out = grades["left_out"]
        pairs = (settings["pairs"], left_out["unresolved"], left_out["not_judged"])
        rows = [(grades["policy"], models, *pairs)]
    return Table("Grades", columns, rows, about="details")
