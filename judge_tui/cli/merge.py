"""`judge-tui merge`: bring home what judges did on copies of the campaign."""

from __future__ import annotations

from pathlib import Path

import click

from judge_tui.cli.options import database
from judge_tui.cli.printing import output_options, print_report, refuse_inputs
from judge_tui.cli.progress import saying
from judge_tui.visible import visible_line

__all__ = ["command"]


@click.command()
@database
@click.argument("others", nargs=-1, required=True, metavar="OTHER.db...")
@click.option(
    "--skip-other-queries",
    is_flag=True,
    help="Leave out what the files have of queries that are other ones here, by the same id.",
)
@output_options
def command(
    db: Path, others: tuple[str, ...], skip_other_queries: bool, form: str, output: str | None
) -> None:
    """Add what judges did on copies of this campaign, or on bundles of it.

    The other files stay as they are. What is here already is left alone, so merging again changes
    nothing; where the same thing differs, what is here stays, and the difference is told. Where
    each side gave another new query the same id, nothing is merged.
    """
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.merge import merge
    from judge_tui.report.merge import merge_report

    refuse_inputs(output, others)
    with open_campaign(db) as campaign, saying() as say:
        merged = merge(
            campaign,
            others,
            skip_other_queries=skip_other_queries,
            on_file=lambda name: say(f"comparing {visible_line(name)}"),
            on_write=lambda name: say(f"writing what {visible_line(name)} brings"),
        )
        report = merge_report(campaign.settings.name, merged)
    print_report(report, form, output)
