"""`judge-tui assign`: who judges what."""

from __future__ import annotations

from pathlib import Path

import click

from judge_tui.cli.options import database, new_judge
from judge_tui.cli.printing import output_options, print_report

__all__ = ["command"]


@click.command()
@database
@click.option(
    "--judges",
    required=True,
    metavar="A,B,C",
    help="Everybody who is to judge from now on. New names are made.",
)
@click.option(
    "--overlap",
    type=click.FloatRange(0, 1),
    metavar="SHARE",
    help="The share of the pairs that two judges get, by whole queries. Default: as many as now.",
)
@click.option(
    "--gold",
    metavar="FILE",
    help="Qrels of pairs of known grade: every judge gets them, among the others.",
)
@click.option(
    "--repeat",
    type=click.FloatRange(0, 0.5),
    metavar="SHARE",
    help="The share of each judge's pairs, gold ones aside, that comes again, later and unmarked."
    " Default: as many as now.",
)
@click.option(
    "--rebalance",
    is_flag=True,
    help="Move untouched queries from who has most to who has least.",
)
@new_judge
@output_options
def command(
    db: Path,
    judges: str,
    overlap: float | None,
    gold: str | None,
    repeat: float | None,
    rebalance: bool,
    yes: bool,
    form: str,
    output: str | None,
) -> None:
    """Spread the pool over judges: equal parts, whole queries, an overlap that is planned.

    From then on judges see only their own pairs. Run it again when the pool has grown, or with
    other judges: it deals what nobody has, and moves nothing that somebody was given; the same
    command twice changes nothing. What a judge who is not named any more has not decided goes to
    the others.
    """
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.assign import assign
    from judge_tui.campaign.store.judges import refuse_near_name
    from judge_tui.report.campaign import assigned_report

    names = [name.strip() for name in judges.split(",") if name.strip()]
    with open_campaign(db) as campaign:
        for name in names:
            if not yes:
                refuse_near_name(campaign, name)
        assigned = assign(
            campaign, names, overlap=overlap, repeat=repeat, gold=gold, rebalance=rebalance
        )
    print_report(assigned_report(assigned), form, output)
