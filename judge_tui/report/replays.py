"""Replays of pooling as a report and as charts."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from judge_tui.analysis.leaderboard import BY_WILCOXON
from judge_tui.analysis.replay import Replay, Replays
from judge_tui.analysis.warnings import warn_of_replays
from judge_tui.counts import counted
from judge_tui.percent import percent
from judge_tui.report.layout import (
    Column,
    Report,
    Table,
    counts,
    percentage,
    short_difference,
    short_number,
    undefined_table,
    word,
)
from judge_tui.report.plots import Lines, Picture, Series


def replays_report(replays: Replays) -> Report:
    """One row for each strategy and budget; then what it is compared with."""
    used = replays.settings
    columns = [
        word("strategy", "strategy"),
        Column("share", "budget", percentage()),
        *counts("judged"),
        Column("tau", "tau", short_number),
        Column("tau_ap", "tau_AP", short_number),
        *counts("lost", "new", "flipped"),
        Column("bias", "bias", short_difference),
        Column("found", "found", percentage()),
    ]
    title = f"{used.measure.name} by what is judged, beside that by all grades"
    table = Table.of(title, columns, replays.rows, "replays", key_columns=2)
    whole = [
        *counts("runs", "queries", "pairs", "relevant"),
        Column("compared", "pairs of runs"),
        *counts("verdicts"),
    ]
    verdicts = (
        f"By all grades (verdicts: {BY_WILCOXON.verdict_by}, alpha {BY_WILCOXON.alpha:g},"
        f" correction {BY_WILCOXON.correction} over every two runs)"
    )
    return Report(
        [
            table.marked(filled="" if used.unjudged == "zero" else used.unjudged),
            Table.of(verdicts, whole, [replays], "full_pool"),
            undefined_table(_undefined(replays)),
        ],
        {
            "measure": used.measure.name,
            "unjudged": used.unjudged,
            "audit": {name: used.audit_of(name) for name in used.strategies},
            "depth": replays.depth,
            "seed": used.seed,
            "test": BY_WILCOXON.verdict_by,
            "alpha": BY_WILCOXON.alpha,
            "correction": BY_WILCOXON.correction,
        },
        warn_of_replays(replays),
    )


def _undefined(replays: Replays) -> Iterator[tuple[str, str]]:
    why = "by some grades all runs are equal" if replays.runs > 1 else "an order needs two runs"
    for row in replays.rows:
        if row.tau is None:
            yield f"tau of {row.strategy} at {percent(row.share)}", why
        if row.found is None:
            yield f"found of {row.strategy} at {percent(row.share)}", "no pair is relevant"


def replay_charts(replays: Replays) -> Iterator[Picture]:
    """Kendall's tau, the verdicts that are lost, and those that all grades do not give, by the
    budget, a line for each strategy."""
    used = replays.settings
    what = f"{used.measure.name} of {replays.runs:,} runs, unjudged as {used.unjudged}"
    axis = f"budget, of {counted(replays.pairs, 'pair')}"
    charts: list[tuple[str, str, Callable[[Replay], float | None]]] = [
        (
            "The order of the runs",
            "Kendall's tau with the order by all grades",
            lambda row: row.tau,
        ),
        ("Verdicts lost", f"of {replays.verdicts:,} on two runs", lambda row: row.lost),
        (
            "Verdicts new or flipped",
            f"on {counted(replays.compared, 'pair')} of runs",
            lambda row: row.new + row.flipped,
        ),
    ]
    for title, unit, get in charts:
        series = [
            Series(name, [get(row) for row in replays.rows if row.strategy == name])
            for name in used.strategies
        ]
        yield Lines(f"{title}: {what}", unit, used.shares, series, axis)
