"""`judge-tui export`: the campaign's grades for the outside world, a judge's part for elsewhere."""

from __future__ import annotations

from pathlib import Path

import click

from judge_tui.cli.options import database, include_models, output_file
from judge_tui.visible import visible_line

__all__ = ["command"]


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """Write the campaign's grades, or one judge's part of it, to files."""


@command.command("qrels")
@database
@output_file(required=True, help="The TREC qrels file. FILE.provenance.json is written beside it.")
@click.option(
    "--policy",
    default=None,
    metavar="POLICY",
    help="How several judgments become one grade: majority, median, mean-rounded, min, max or"
    " judge:NAME.  [default: majority]",
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
    from judge_tui.errors import UsageError

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
    click.echo("bring it home with: judge-tui merge FILE")
