"""`judge-tui collect`: live systems are asked, and runs come out."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import click

from judge_tui.cli.asking import AskingOptions, asking_options, collected_from
from judge_tui.cli.printing import print_report
from judge_tui.visible import visible_line

__all__ = ["command"]


@click.command()
@click.argument("systems", metavar="SYSTEMS.toml")
@click.option("--queries", required=True, metavar="FILE", help="The queries: TSV, JSONL or TREC.")
@asking_options
def command(
    systems: str,
    queries: str,
    asking: AskingOptions,
    form: str,
) -> int:
    """Ask live systems every query, and write a TREC run for each.

    SYSTEMS.toml says where they are: HTTP APIs, programs, embedding models. Into DIR come, of each
    system, NAME.run, NAME.latency.csv (seconds, tries and failures) and NAME.answers.jsonl, from
    which the same command goes on after an interruption; and documents.jsonl, what they returned.
    A query that failed counts as nothing found: score with --complete.
    """
    from judge_tui.collect import read_systems
    from judge_tui.expectations import native_queries
    from judge_tui.report.collected import collected_report

    collected = collected_from(
        read_systems(systems, only=asking.only),
        native_queries(queries),
        asking,
        inputs=(systems, queries),
    )
    print_report(collected_report(collected), form, None)
    runs = shlex.join(str(Path(asking.folder) / f"{one.name}.run") for one in collected)
    if form == "table" and sys.stdout.isatty():
        click.echo(visible_line(f"Next: judge-tui score QRELS {runs} --complete"))
    return 0
