"""`judge-tui judge`: open the app and grade documents."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from judge_tui.cli.commands import make_command, option
from judge_tui.cli.opening import is_terminal, judge_of_name, open_app, refuse_no_terminal
from judge_tui.cli.options import database, new_judge
from judge_tui.visible import visible_line

if TYPE_CHECKING:
    from judge_tui.campaign import Campaign
    from judge_tui.campaign.store.judges import Judge


@make_command(manual="judge", examples=["judge --judge ann", "judge --judge ann --db ann.db"])
@database()
@option("--judge", "name", required=True, metavar="NAME", help="Who judges; a new name is made.")
@new_judge
def command(db: Path, name: str, yes: bool) -> int:
    """Open the app and grade documents: one key, one grade, on disk at once.

    ? in the app shows its keys; judge-tui help configuration says how to change them.
    """
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.store.assignments import refuse_empty_desk
    from judge_tui.campaign.store.check import refuse_small_damage
    from judge_tui.campaign.store.judges import name_here, refuse_near_name
    from judge_tui.campaign.typed import typed
    from judge_tui.tui.config import read_config

    with open_campaign(db) as campaign:
        # Of the name first: nobody is told to load grades under a slip of it.
        name_here(campaign, name.strip())
        if not yes and not is_terminal():
            refuse_near_name(campaign, name)
        refuse_no_terminal(
            "grade elsewhere and load the grades: "
            + typed(db, "load qrels", f"FILE --judge {shlex.quote(name)}")
        )
        # What is judged in a damaged file could be neither exported nor merged.
        refuse_small_damage(campaign)
        refuse_empty_desk(campaign, name.strip())
        # Before a judge is made: nothing is written where the app cannot open.
        config = read_config()
        judge = judge_of_name(campaign, name, yes=yes)
        code = open_app(campaign, lambda app: app.judging(judge), config)
        # 2: it ended, and something was not saved; where the file is lost, nothing can be counted.
        if code in (0, 2) and campaign.loss is None:
            click.echo(visible_line(_how_to_go_on(campaign, judge)))
        return code


def _how_to_go_on(campaign: Campaign, judge: Judge) -> str:
    from judge_tui.campaign.store.desk import Desk
    from judge_tui.campaign.typed import typed

    queries = Desk(campaign, judge).queries()
    judged, pairs = sum(one.decided for one in queries), sum(one.pairs for one in queries)
    if judged == pairs:
        return f"all {pairs:,} judged and saved"
    again = typed(campaign.path, "judge", f"--judge {shlex.quote(judge.name)}")
    return f"{judged:,} of {pairs:,} judged and saved; go on: {again}"
