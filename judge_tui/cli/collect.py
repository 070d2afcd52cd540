"""`judge-tui collect`: live systems are asked, and runs come out."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import click

from judge_tui.cli.options import named_file
from judge_tui.cli.printing import print_report
from judge_tui.cli.progress import saying
from judge_tui.report import FORMS
from judge_tui.visible import visible_line

__all__ = ["command"]

_TEXT = 40


@click.command()
@click.argument("systems", metavar="SYSTEMS.toml")
@click.option("--queries", required=True, metavar="FILE", help="The queries: TSV, JSONL or TREC.")
@click.option(
    "-o",
    "--output",
    "folder",
    metavar="DIR",
    required=True,
    callback=named_file,
    help="The folder to write to; made if need be.",
)
@click.option(
    "--depth",
    type=click.IntRange(1, 10_000),
    default=50,
    show_default=True,
    help="Results asked for and kept per query.",
)
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(1, 1000),
    default=1,
    show_default=True,
    help="Queries of one system asked at once; more of them slow each other's answers down.",
)
@click.option("--only", multiple=True, metavar="NAME", help="Ask this system alone; repeatable.")
@click.option("--again-failed", is_flag=True, help="Ask the queries that failed before once more.")
@click.option("--again", is_flag=True, help="Forget the answers in DIR and ask everything anew.")
@click.option(
    "-f",
    "--format",
    "form",
    type=click.Choice(list(FORMS)),
    default="table",
    show_default=True,
    help="How the summary is written.",
)
def command(
    systems: str,
    queries: str,
    folder: str,
    depth: int,
    jobs: int,
    only: tuple[str, ...],
    again_failed: bool,
    again: bool,
    form: str,
) -> int:
    """Ask live systems every query, and write a TREC run for each.

    SYSTEMS.toml says where they are: HTTP APIs, programs, embedding models. Into DIR come, of each
    system, NAME.run, NAME.latency.csv (seconds, tries and failures) and NAME.answers.jsonl, from
    which the same command goes on after an interruption; and documents.jsonl, what they returned.
    A query that failed counts as nothing found: score with --complete.
    """
    from judge_tui.collect import Progress, collect, read_systems
    from judge_tui.formats import read_queries
    from judge_tui.report.collected import collected_report

    # What it started is ended with it, and what was answered is whole, however it is ended.
    for ending in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(ending, lambda *_: signal.raise_signal(signal.SIGINT))
    read = read_systems(systems, only=only)
    wanted = read_queries(queries)

    with saying() as say:

        def told(progress: Progress) -> None:
            now = progress.query
            text = f" {now.query_id} {now.text[:_TEXT]}" if now else f" {progress.what}"
            say(visible_line(f"{progress.system} {progress.done}/{progress.queries}{text}"))

        try:
            collected = collect(
                read,
                wanted,
                folder,
                depth=depth,
                at_once=jobs,
                again=again,
                again_failed=again_failed,
                told=told,
            )
        except KeyboardInterrupt:
            click.echo("interrupted; the same command goes on where it stopped", err=True)
            raise
    print_report(collected_report(collected), form, None)
    runs = " ".join(str(Path(folder) / f"{one.name}.run") for one in collected)
    if form == "table" and sys.stdout.isatty():
        click.echo(visible_line(f"Next: judge-tui score QRELS {runs} --complete"))
    return 0
