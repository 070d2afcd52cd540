"""`judge-tui judges`: who judges, and how much; a name mended, a judge removed."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from judge_tui.cli.commands import make_group, option
from judge_tui.cli.options import database
from judge_tui.cli.printing import output_options, print_report
from judge_tui.errors import UsageError
from judge_tui.place import Place
from judge_tui.visible import visible_line

if TYPE_CHECKING:
    from judge_tui.campaign import Campaign


@make_group(
    manual="several-judges",
    examples=["judges", "judges rename an ann"],
    invoke_without_command=True,
)
@database()
@output_options
@click.pass_context
def command(ctx: click.Context, db: Place, form: str, output: str | None) -> None:
    """Show who judges, how much of it is done, and when each last did anything (UTC)."""
    if ctx.invoked_subcommand is not None:
        return
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.overview.progress import progress
    from judge_tui.campaign.store.adjudication import adjudications_by_lead
    from judge_tui.campaign.store.judges import all_judges, last_written
    from judge_tui.report.campaign import judges_report

    with open_campaign(db) as campaign, campaign.reading():
        report = judges_report(
            progress(campaign).judges,
            {judge.name: judge.formerly for judge in all_judges(campaign) if judge.formerly},
            adjudications_by_lead(campaign),
            last_written(campaign),
            include_models=campaign.settings.include_models,
        )
    print_report(report, form, output)


@command.command(
    "rename", manual="several-judges", examples=["judges rename an ann", "judges rename Bob bob"]
)
@database()
@click.argument("name")
@click.argument("new")
def rename_command(db: Place, name: str, new: str) -> None:
    """Rename a judge: NAME is called NEW from now on.

    What the judge did stays; copies and bundles that were made before can be merged as ever.
    """
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.store.judges import rename_judge

    with open_campaign(db) as campaign:
        rename_judge(campaign, name, new)
    click.echo(f"{visible_line(name)} is now called {visible_line(new)}")


@command.command(
    "remove",
    manual="several-judges",
    examples=["judges remove trial", "judges remove eve --with-judgments"],
)
@database()
@click.argument("name")
@option("--with-judgments", is_flag=True, help="Remove one who has judged, once you confirm it.")
@option("--yes", is_flag=True, help="Do not ask.")
def remove_command(db: Place, name: str, with_judgments: bool, yes: bool) -> None:
    """Remove a judge who has not judged, with what was assigned.

    With --with-judgments, one who has: then none of it counts, whatever is merged, and nobody can
    take the name.
    """
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.store.judges import remove_judge

    with open_campaign(db) as campaign:
        if with_judgments and not yes:
            _ask(campaign, name)
        work = remove_judge(campaign, name, with_judgments=with_judgments)
    counts = f"; nothing of this counts any more: {work}" if work.events else ""
    click.echo(f"{visible_line(name)} is removed{counts}")


def _ask(campaign: Campaign, name: str) -> None:
    """Let somebody at a terminal confirm it. Raises `UsageError` where there is none."""
    from judge_tui.campaign.store.judges import known_judge, work_of

    work = work_of(campaign, known_judge(campaign, name))
    if not work.events:
        return
    question = f"Remove {visible_line(name)} and all that counts of this judge ({work})?"
    if sys.stdin is None or not sys.stdin.isatty():
        raise UsageError(f"there is no terminal to ask: {question}", "confirm it with --yes")
    click.confirm(question, abort=True, err=True)
