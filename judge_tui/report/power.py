"""A plan as a report: how many queries it takes, and what so many of them can show."""

from __future__ import annotations

from judge_tui.comparison.power import Plan
from judge_tui.report.layout import Cell, Column, Report, Table, number, word


def power_report(plan: Plan) -> Report:
    """One row for each answer: what it is, and effect, difference, queries and power with it."""
    # Without a standard deviation there is nothing to say in units of the measure.
    columns = [
        word("answer", "answer"),
        Column("effect", "effect d_z", number),
        Column("delta", None if plan.sd is None else "delta", number),
        Column("queries", "queries"),
        Column("power", "power", number),
        word("why", "without a value"),
    ]
    title = f"Paired t test, alternative {plan.alternative}, alpha {plan.alpha:g} of a single test"
    asked = ("effect", "delta", "sd", "queries", "power", "alpha", "alternative")
    return Report(
        [Table(title, columns, _rows(plan), "answers")],
        {name: getattr(plan, name) for name in asked},
    )


def _rows(plan: Plan) -> list[list[Cell]]:
    rows: list[list[Cell]] = []
    if plan.effect is not None:
        delta = None if plan.sd is None else plan.effect * plan.sd
        needed = plan.queries_needed, plan.power_needed, plan.why.get("queries_needed", "")
        rows.append(["queries needed", plan.effect, delta, *needed])
        if plan.queries is not None:
            had = plan.queries, plan.power_had, plan.why.get("power", "")
            rows.append(["power with these queries", plan.effect, delta, *had])
    if plan.queries is not None:
        least = plan.detectable_effect
        power, why = None if least is None else plan.power, plan.why.get("detectable_effect", "")
        seen = least, plan.detectable_delta, plan.queries, power, why
        rows.append(["smallest effect seen", *seen])
    return rows
