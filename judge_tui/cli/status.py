"""`judge-tui status`: the campaign at a glance, as Home shows it."""

from __future__ import annotations

from pathlib import Path

from judge_tui.cli.commands import make_command
from judge_tui.cli.options import database
from judge_tui.cli.printing import output_options, print_report


@make_command(manual="first-campaign", examples=["status", "status -f json"])
@database()
@output_options
def command(db: Path, form: str, output: str | None) -> None:
    """Show progress per judge, coverage per run, what is unresolved, and what to do next."""
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.overview.status import status_now
    from judge_tui.report.campaign import status_report

    with open_campaign(db) as campaign:
        report = status_report(campaign.settings.name, status_now(campaign))
    print_report(report, form, output)
