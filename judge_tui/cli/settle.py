"""`judge-tui settle`: open the app and settle what the judges disagree about."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from judge_tui.cli.commands import make_command, option
from judge_tui.cli.opening import judge_of_name, open_app, refuse_no_terminal
from judge_tui.cli.options import database, include_models, new_judge
from judge_tui.errors import UsageError

if TYPE_CHECKING:
    from judge_tui.campaign import Campaign


@make_command(manual="settle", examples=["settle", "settle --lead lea --include-models"])
@database()
@option(
    "--lead",
    "name",
    metavar="NAME",
    help="Who settles; a new name is made.  [default: the campaign's only lead]",
)
@new_judge
@include_models
def command(db: Path, name: str | None, yes: bool, include_models: bool | None) -> int:
    """Open the app at the disagreements of the judges: one key settles one.

    Those come first whose settling can change the order of the systems. The judges' grades stay as
    they are, and their names are letters until R is pressed. ? in the app shows its keys.
    """
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.typed import typed
    from judge_tui.tui.config import read_config

    with open_campaign(db) as campaign:
        name = name or _only_lead(campaign)
        refuse_no_terminal(
            f"print how far the judges agree: {typed(db, 'agreement')}; write what they disagree"
            f" about: {typed(db, 'export disagreements', '-o FILE.csv')}"
        )
        # Before a lead is made: nothing is written where the app cannot open.
        config = read_config()
        lead = judge_of_name(campaign, name, yes=yes, role="lead")
        return open_app(
            campaign, lambda app: app.settling(lead, include_models=include_models), config
        )


def _only_lead(campaign: Campaign) -> str:
    """Raises `UsageError` where the campaign has none, or several."""
    from judge_tui.campaign.store.judges import all_judges

    leads = [judge.name for judge in all_judges(campaign) if judge.role == "lead"]
    if len(leads) != 1:
        several = (
            f"the leads are {', '.join(map(repr, leads))}" if leads else "there is no lead yet"
        )
        raise UsageError(several, "say who settles with --lead NAME")
    return leads[0]
