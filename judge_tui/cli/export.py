"""`judge-tui export`: what the campaign knows, for the world; a judge's part, for elsewhere."""

from __future__ import annotations

from pathlib import Path

import click

from judge_tui.cli.export_collections import COLLECTION_COMMANDS
from judge_tui.cli.export_judgments import JUDGMENT_COMMANDS
from judge_tui.cli.export_runs import RUN_COMMANDS
from judge_tui.cli.exporting import refuse_closed, tell
from judge_tui.cli.options import database, include_models, output_file
from judge_tui.errors import UsageError
from judge_tui.visible import visible_line

__all__ = ["command"]


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """Write grades, judgments, disagreements, runs, or one judge's part to files."""


for _elsewhere in (*COLLECTION_COMMANDS, *JUDGMENT_COMMANDS, *RUN_COMMANDS):
    command.add_command(_elsewhere)


@command.command("disagreements")
@database
@output_file(required=True, help="The file: .csv or .jsonl; - is standard output.")
@click.option(
    "-f",
    "--format",
    "form",
    type=click.Choice(["csv", "jsonl"]),
    help="How rows are written.  [default: as FILE ends; CSV to standard output]",
)
@click.option(
    "-m",
    "--measure",
    default="nDCG@10",
    show_default=True,
    metavar="MEASURE",
    help="By whose means the systems are ordered.",
)
@include_models
def disagreements_command(
    db: Path, output: str, form: str | None, measure: str, include_models: bool | None
) -> None:
    """Write where judges differ, what matters most first.

    One row for each pair: query_id, doc_id, swaps (how many pairs of systems change their order
    between how it stands and the grades given), change (the largest of a difference of two
    systems' means), spread (greatest less least grade), settled, settled_by and reason (the
    lead's), and by judge the grade and the note. CSV and JSON Lines as in export judgments.
    """
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.export_disagreements import export_disagreements
    from judge_tui.scoring import parse_measure

    refuse_closed(output)
    wanted = parse_measure(measure)
    with open_campaign(db) as campaign:
        exported = export_disagreements(
            campaign, output, wanted, form=form, include_models=include_models
        )
    count, more = exported.rows, []
    if exported.matter is not None:
        more.append(f"{exported.matter:,} can change the order of two systems by {wanted}")
    elif exported.why is not None:
        more.append(f"in the order of their spread alone: {exported.why}")
    if exported.models_left_out:
        names = ", ".join(exported.models_left_out)
        more.append(f"left out: the grades of {names}, of kind model (--include-models)")
    tell(
        output,
        f"{count:,} {'disagreement' if count == 1 else 'disagreements'}, {exported.settled:,}"
        " settled",
        more,
    )


@command.command("bundle")
@database
@click.option("--judge", required=True, metavar="NAME", help="Whose file this is.")
@output_file(required=True, help="The file to be made; one that exists is left as it is.")
def bundle_command(db: Path, judge: str, output: str) -> None:
    """Write the file that one judge needs on another machine; `merge` brings it home.

    It holds the pairs assigned to the judge (without assignments: the whole pool) with their
    queries and texts, and what the judge did so far; nothing of runs and other judges.
    """
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.bundle import export_bundle
    from judge_tui.campaign.judges import near_names
    from judge_tui.campaign.typed import typed

    if output == "-":
        raise UsageError("a bundle is a file of its own", "name it with -o FILE")
    with open_campaign(db) as campaign:
        bundled = export_bundle(campaign, output, judge=judge)
        near = near_names(campaign, bundled.judge) if bundled.new else []
    if near:
        names = ", ".join(repr(visible_line(one)) for one in near)
        name = visible_line(bundled.judge)
        click.echo(f"note: {name!r} is new, and nearly the name of {names}", err=True)
    click.echo(
        f"{visible_line(output)}: {bundled.pairs:,} pairs of {bundled.queries:,} queries for"
        f" {visible_line(bundled.judge)}, {bundled.decided:,} of them decided,"
        f" {bundled.size / 1_000_000:.1f} MB"
    )
    if bundled.without_text:
        click.echo(f"  {bundled.without_text:,} of {bundled.documents:,} documents have no text")
    click.echo(visible_line(f"bring it home with: {typed(db, 'merge', 'FILE')}"))
