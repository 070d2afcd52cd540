"""`judge-tui export`: the campaign's grades for the outside world."""

from __future__ import annotations

from pathlib import Path

import click

from judge_tui.cli.options import database, include_models, output_file
from judge_tui.visible import visible_line

__all__ = ["command"]


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """Write the campaign's grades to files that other tools read."""


@command.command("qrels")
@database
@output_file(required=True, help="The TREC qrels file. FILE.provenance.json is written beside it.")
@click.option(
    "--policy",
    default=None,
    metavar="POLICY",
    help="How several judgments become one grade: majority, max, min or judge:NAME."
    "  [default: majority]",
)
@click.option("--judge", metavar="NAME", help="The same as --policy judge:NAME.")
@click.option(
    "--unresolved",
    type=click.Choice(["refuse", "skip", "lead"]),
    default="refuse",
    show_default=True,
    help="Pairs that the policy does not decide: refuse to export, leave them out, or take only"
    " what the lead settled or nobody disputes.",
)
@include_models
def qrels_command(
    db: Path,
    output: str,
    policy: str | None,
    judge: str | None,
    unresolved: str,
    include_models: bool,
) -> None:
    """Write the final grades as TREC qrels, and beside them where they came from."""
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.export import export_qrels

    if judge is not None and policy is not None:
        raise click.UsageError("--judge and --policy both say whose grades count; give one of them")
    with open_campaign(db) as campaign:
        exported = export_qrels(
            campaign,
            output,
            policy=f"judge:{judge}" if judge is not None else policy or "majority",
            unresolved=unresolved,
            include_models=include_models,
        )
    click.echo(f"{visible_line(output)}: {exported.pairs:,} pairs of {exported.queries:,} queries")
    for rule, count in exported.rules.items():
        click.echo(f"  {count:>7,}  {rule}")
    if exported.unresolved:
        click.echo(f"  {exported.unresolved:>7,}  left out: unresolved")
    if exported.unjudged:
        click.echo(f"  {exported.unjudged:>7,}  left out: not judged")
    click.echo(f"{visible_line(output)}.provenance.json: where they came from")
