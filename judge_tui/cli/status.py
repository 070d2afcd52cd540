"""`judge-tui status`: the campaign at a glance, as Home shows it."""

from __future__ import annotations

from pathlib import Path

from judge_tui.cli.commands import make_command
from judge_tui.cli.options import database
from judge_tui.cli.printing import output_options, print_report

__all__ = ["command"]


@make_command(examples=["status", "status -f json"])
@database()
@output_options
def command(db: Path, form: str, output: str | None) -> None:
    """Show progress per judge, coverage per run, what is unresolved, and what to do next."""
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.overview.agreement import agreed
    from judge_tui.campaign.overview.disagreements import disputed_pairs, disputes_of
    from judge_tui.campaign.overview.grading import grades_given
    from judge_tui.campaign.overview.next_steps import next_steps
    from judge_tui.campaign.overview.progress import progress
    from judge_tui.report.campaign import status_report

    with open_campaign(db) as campaign:
        settings = campaign.settings
        with campaign.reading():
            state = progress(campaign)
            grades = grades_given(campaign)
            found = disputed_pairs(campaign, grades, open_only=True)
    agreement, disputes = agreed(grades, settings), disputes_of(found)
    steps = [str(step) for step in next_steps(state, disputes, agreement.alpha)]
    report = status_report(settings.name, state, agreement, disputes, steps)
    print_report(report, form, output)
