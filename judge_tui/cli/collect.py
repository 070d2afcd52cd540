"""`judge-tui collect`: live systems are asked, and runs come out."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping
from typing import Any

import click

from judge_tui.cli.asking import asking_options, collect_from
from judge_tui.cli.commands import make_command, option
from judge_tui.cli.options import columns
from judge_tui.cli.printing import print_report
from judge_tui.visible import visible_line


@make_command(
    manual="collect",
    examples=[
        "collect systems.toml --queries queries.tsv -o out",
        "collect systems.toml --queries queries.tsv -o out --only api --retry-failed",
    ],
)
@click.argument("systems", metavar="SYSTEMS.toml")
@option(
    "--queries",
    group="Systems",
    required=True,
    metavar="FILE",
    help="Ask these queries: TSV, a table, JSONL or TREC topics.",
)
@columns
@asking_options
def command(
    systems: str,
    queries: str,
    columns: Mapping[str, str],
    only: tuple[str, ...],
    form: str,
    **asking: Any,
) -> int:
    """Ask live systems every query, and write a TREC run for each.

    DIR gets the run, the latencies and the raw answers of each system, and all documents and
    queries. After an interruption the same command goes on. A query that failed counts as nothing
    found. Of a system of kind task, DIR gets outcomes, which judge-tui outcomes compares.
    """
    from judge_tui.collect import CollectRequest, read_systems
    from judge_tui.formats.source import Layout, check_columns, fitting
    from judge_tui.formats.whole_files import read_queries
    from judge_tui.report.collected import collected_report

    known = read_systems(systems, only=only)
    layout = Layout(columns=columns)
    check_columns(layout, [queries, *known.files])
    asked = read_queries(queries, format=fitting(queries, layout))
    request = CollectRequest(known, asked, layout=layout, **asking)
    collected = collect_from(request, inputs=(systems, queries))
    if sys.stdout is None:  # closed; what was collected is in the folder
        return 0
    report = collected_report(collected.runs, collected.tasks)
    print_report(report, form, None)
    if form == "table" and sys.stdout.isatty():
        if collected.runs:
            runs = shlex.join(str(one.run_path) for one in collected.runs)
            click.echo(visible_line(f"Next: judge-tui score QRELS {runs}"))
        for one in collected.tasks:
            path = shlex.quote(str(one.path))
            click.echo(visible_line(f"Next: judge-tui outcomes {path}"))
    return 0
