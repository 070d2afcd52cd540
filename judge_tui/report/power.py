"""What a number of queries can show, as a report."""

from __future__ import annotations

from dataclasses import asdict

from judge_tui.comparison.power import PowerQuestion
from judge_tui.report.layout import Column, Report, Table, number, word


def power_report(question: PowerQuestion) -> Report:
    """One row for each answer: what it is, and effect, difference, queries and power with it."""
    # Without a standard deviation there is nothing to say in units of the measure.
    columns = [
        word("answer", "answer"),
        Column("effect", "effect d_z", number),
        Column("delta", None if question.sd is None else "delta", number),
        Column("queries", "queries"),
        Column("power", "power", number),
        word("why", "without a value"),
    ]
    title = (
        f"Paired t test, alternative {question.alternative}, alpha {question.alpha:g} of a single"
        " test"
    )
    return Report([Table(title, columns, [*question.answers()], "answers")], asdict(question))
