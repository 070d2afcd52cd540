"""`judge-tui merge`: bring home what judges did on copies of the campaign."""

from __future__ import annotations

import click

from judge_tui.cli.commands import make_command
from judge_tui.cli.options import database
from judge_tui.cli.printing import output_options, print_report
from judge_tui.cli.progress import show_steps
from judge_tui.place import Place


@make_command(manual="other-machines", examples=["merge ann.db bob.db", "merge copies/*.db"])
@database()
@click.argument("others", nargs=-1, required=True, metavar="OTHER.db...")
@output_options
def command(db: Place, others: tuple[str, ...], form: str, output: str | None) -> None:
    """Add what judges did on copies of this campaign, or on bundles of it.

    Judgments and what models answered come, with the judges and pairs that they name; the other
    files stay as they are. Merging again changes nothing, and the order of the files does not
    matter, but where one model answered about one pair in several: there the first answer stays.
    """
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.store.merge import merge
    from judge_tui.report.campaign import merge_report

    with open_campaign(db) as campaign, show_steps() as say:
        merged = merge(
            campaign,
            others,
            on_file=lambda name: say(f"comparing {name}"),
            on_write=lambda name: say(f"writing what {name} brings"),
        )
        report = merge_report(campaign.settings.name, merged)
    print_report(report, form, output)
