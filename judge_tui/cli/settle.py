"""`judge-tui settle`: open the app and settle what the judges disagree about."""

from __future__ import annotations

from pathlib import Path

import click

from judge_tui.cli.judge import judge_of_name, open_app, refuse_no_terminal
from judge_tui.cli.options import database, include_models, new_judge

__all__ = ["command"]


@click.command()
@database
@click.option("--lead", "name", required=True, metavar="NAME", help="Who settles. New: is made.")
@include_models
@new_judge
def command(db: Path, name: str, include_models: bool | None, yes: bool) -> int:
    """Open the app at the disagreements of the judges: one key settles one.

    Those come first whose settling can change the order of the systems. The judges' grades stay as
    they are, and their names are letters until r is pressed. ? in the app shows its keys.
    """
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.typed import typed
    from judge_tui.tui.config import read_config

    refuse_no_terminal(
        f"print how far the judges agree: {typed(db, 'agreement')}; write what they disagree about:"
        f" {typed(db, 'export disagreements', '-o FILE.csv')}"
    )
    with open_campaign(db) as campaign:
        # Before a lead is made: nothing is written where the app cannot open.
        config = read_config()
        lead = judge_of_name(campaign, name, yes=yes, role="lead")
        return open_app(
            campaign, lambda app: app.reviewing(lead, include_models=include_models), config
        )
