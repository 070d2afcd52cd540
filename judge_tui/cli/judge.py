"""`judge-tui judge`: open the app and grade documents."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from judge_tui.cli.options import database
from judge_tui.errors import UsageError
from judge_tui.visible import visible_line

if TYPE_CHECKING:
    from judge_tui.campaign import Campaign
    from judge_tui.campaign.judges import Judge

__all__ = ["command", "refuse_no_terminal"]


@click.command()
@database
@click.option("--judge", "name", required=True, metavar="NAME", help="Who judges. New: is made.")
@click.option(
    "--yes", is_flag=True, help="Make a new judge even if the name is nearly a known one."
)
def command(db: Path, name: str, yes: bool) -> None:
    """Open the app and grade documents: one key, one grade, on disk at once."""
    from judge_tui.campaign import open_campaign

    refuse_no_terminal(
        "grade elsewhere and load the grades: judge-tui load qrels FILE --judge NAME"
    )
    with open_campaign(db) as campaign:
        _refuse_empty(campaign)
        judge = _judge(campaign, name, yes=yes)
        from judge_tui.tui.app import JudgeTuiApp

        JudgeTuiApp(campaign, judge=judge).run()


def refuse_no_terminal(instead: str) -> None:
    """Raise `UsageError` where there is no terminal to open the app in."""
    # Textual reads standard input and draws on standard error.
    if not all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)):
        raise UsageError("the app needs a terminal, and there is none", instead)


def _refuse_empty(campaign: Campaign) -> None:
    if campaign.connection.execute("SELECT 1 FROM pool LIMIT 1").fetchone() is None:
        raise UsageError("there is nothing to judge: the pool is empty", "first: judge-tui pool")


def _judge(campaign: Campaign, name: str, *, yes: bool) -> Judge:
    from judge_tui.campaign.judges import add_judge, find_judge, near_names

    known = find_judge(campaign, name)
    if known is not None and known.kind == "human":
        return known
    if known is None and not yes and (near := near_names(campaign, name)):
        names = ", ".join(repr(visible_line(one)) for one in near)
        click.echo(f"{visible_line(name)!r} is new, and nearly the name of {names}.", err=True)
        click.confirm("Make a new judge of that name?", abort=True, err=True)
    return add_judge(campaign, name)
