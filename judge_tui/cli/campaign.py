"""`judge-tui campaign`: a campaign moved to a server or back, and who may judge there."""

from __future__ import annotations

import click

from judge_tui.cli.commands import make_group, option
from judge_tui.cli.options import CampaignPlace, database, new_judge
from judge_tui.place import Place
from judge_tui.visible import visible_line


@make_group(
    manual="team",
    examples=[
        "campaign copy campaign.db 'postgresql://host/team?campaign=docs'",
        "campaign grant ann_smith --judge ann --db 'postgresql://host/team?campaign=docs'",
    ],
)
def command() -> None:
    """Move a campaign between a file and a PostgreSQL server, and let judges work there."""


@command.command(
    "copy",
    manual="team",
    examples=[
        "campaign copy campaign.db 'postgresql://host/team?campaign=docs'",
        "campaign copy 'postgresql://host/team?campaign=docs' backup.db",
    ],
)
@click.argument("source", metavar="FROM", type=CampaignPlace())
@click.argument("target", metavar="TO", type=CampaignPlace())
def copy_command(source: Place, target: Place) -> None:
    """Copy all of a campaign, events and all, to a new one.

    FROM and TO are files, or postgresql://…?campaign=NAME. It is the same campaign: what is judged
    on the copy can be merged.
    """
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.store.check import refuse_damage
    from judge_tui.campaign.store.copy import copy_campaign

    with open_campaign(source) as campaign:
        refuse_damage(campaign)
        copied = copy_campaign(campaign, target)
    counts = ", ".join(f"{rows:,} {table}" for table, rows in copied.items() if rows)
    click.echo(visible_line(f"{target}: {counts}"))


@command.command(
    "grant",
    manual="team",
    examples=[
        "campaign grant ann_smith --judge ann",
        "campaign grant ann_smith --judge ann --db 'postgresql://host/team?campaign=docs'",
    ],
)
@click.argument("role")
@database()
@option("--judge", "judge", required=True, metavar="NAME", help="As whom; a new name is made.")
@new_judge
def grant_command(role: str, db: Place, judge: str, yes: bool) -> None:
    """Let ROLE of the server judge as NAME, and do nothing else.

    It can read NAME's desk and add NAME's judgments; it can neither read what others judged, nor
    change an event. The role is made by who runs the server: createuser ROLE.
    """
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.store.campaign_file import server_module
    from judge_tui.campaign.store.judges import refuse_near_name

    with open_campaign(db) as campaign:
        if not yes:
            refuse_near_name(campaign, judge)
        server_module("grants").grant(campaign, role, judge)
    click.echo(visible_line(f"{role} judges as {judge}"))
