"""`judge-tui collect`: live systems are asked, and runs come out."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from judge_tui.cli.asking import AskingOptions, asking_options, collected_from
from judge_tui.cli.printing import print_report
from judge_tui.visible import visible_line

if TYPE_CHECKING:
    from judge_tui.collect import TaskOutcome
    from judge_tui.report import Report
    from judge_tui.significance.arms import ArmComparison

__all__ = ["command"]


@click.command()
@click.argument("systems", metavar="SYSTEMS.toml")
@click.option(
    "--queries", required=True, metavar="FILE", help="The queries: TSV, a table, JSONL or TREC."
)
@asking_options
def command(
    systems: str,
    queries: str,
    asking: AskingOptions,
    form: str,
) -> int:
    """Ask live systems every query, and write a TREC run for each.

    Systems of kind task are put the queries as tasks, with and without what a search finds, and
    their answers checked: NAME.outcomes.csv, NAME.checks.csv, NAME.attempts.jsonl.

    SYSTEMS.toml says where they are: HTTP APIs, programs, embedding models. Into DIR come, of each
    system, NAME.run, NAME.latency.csv (seconds, tries and failures) and NAME.answers.jsonl, from
    which the same command goes on after an interruption; and documents.jsonl, what they returned.
    A query that failed counts as nothing found: score reads NAME.latency.csv beside NAME.run.
    """
    from judge_tui.collect import read_systems
    from judge_tui.formats import read_queries
    from judge_tui.formats.outcomes_csv import CHECKS
    from judge_tui.report.collected import collected_report

    known = read_systems(systems, only=asking.only)
    collected = collected_from(
        known,
        read_queries(queries),
        asking,
        inputs=(systems, queries),
    )
    tasks = [_attempted(one) for one in collected.tasks]
    if sys.stdout is None:  # closed; what was collected is in the folder
        return 0
    print_report(collected_report(collected.systems, tasks), form, None)
    runs = shlex.join(str(Path(asking.folder) / f"{one.name}.run") for one in collected.systems)
    if form != "table" or not sys.stdout.isatty():
        return 0
    for one in collected.tasks:
        why = Path(asking.folder) / f"{one.name}{CHECKS}"
        click.echo(visible_line(f"Why each answer of {one.name} passes or not: {why}"))
    if runs:
        click.echo(visible_line(f"Next: judge-tui score QRELS {runs}"))
    return 0


def _attempted(outcome: TaskOutcome) -> Report:
    """Each arm beside the first, by what `judge-tui outcomes` does unless told otherwise."""
    from judge_tui.report.attempted import attempted_report
    from judge_tui.significance.arms import compare_arms

    compared: tuple[ArmComparison, ...] = ()
    correction, alpha, seed = "holm", 0.05, 0
    if len(outcome.arms) > 1:
        compared = compare_arms(
            [task.query_id for task in outcome.tasks],
            [arm.name for arm in outcome.arms],
            outcome.checks,
            outcome.passed,
            failed=outcome.failed,
            correction=correction,
            alpha=alpha,
            seed=seed,
        )
    return attempted_report(outcome, compared, correction=correction, alpha=alpha, seed=seed)
