"""A plan as a report: how many queries it takes, and what so many of them can show."""

from __future__ import annotations

from judge_tui.comparison.power import Plan
from judge_tui.report.grids import Cell, Column, Grid, Report, number, plain
from judge_tui.report.undefined import undefined_grid

__all__ = ["power_report"]

_NEEDED = "queries needed"
_HAD = "power with these queries"
_DETECTABLE = "smallest effect seen"


def power_report(plan: Plan) -> Report:
    """One row for each answer: what it is, and effect, difference, queries and power with it."""
    rows = _rows(plan)
    columns = [
        Column("answer", plain, right=False),
        Column("effect d_z", number),
        Column("delta", number),
        Column("queries"),
        Column("power", number),
    ]
    # Without a standard deviation there is nothing to say in units of the measure.
    kept = [place for place in range(len(columns)) if place != 2 or plan.sd is not None]
    reasons = [(name.replace("_", " "), why) for name, why in plan.why.items()]
    title = f"Paired t test, alternative {plan.alternative}, alpha {plan.alpha:g} of a single test"
    return Report(
        document=plan.to_dict(),
        header=("answer", "effect", "delta", "queries", "power"),
        rows=rows,
        grids=[
            Grid(title, [columns[k] for k in kept], [[row[k] for k in kept] for row in rows]),
            undefined_grid(reasons),
        ],
    )


def _rows(plan: Plan) -> list[list[Cell]]:
    rows: list[list[Cell]] = []
    if plan.effect is not None:
        delta = None if plan.sd is None else plan.effect * plan.sd
        rows.append([_NEEDED, plan.effect, delta, plan.queries_needed, plan.power_needed])
        if plan.queries is not None:
            rows.append([_HAD, plan.effect, delta, plan.queries, plan.power_had])
    if plan.queries is not None:
        least = plan.detectable_effect
        power = None if least is None else plan.power
        rows.append([_DETECTABLE, least, plan.detectable_delta, plan.queries, power])
    return rows
