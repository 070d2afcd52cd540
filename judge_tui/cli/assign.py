"""`judge-tui assign`: who judges what."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from judge_tui.cli.options import database
from judge_tui.cli.printing import output_options, print_report
from judge_tui.errors import UsageError
from judge_tui.visible import visible_line

if TYPE_CHECKING:
    from judge_tui.campaign import Campaign

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
    " Default: as now.",
)
@click.option(
    "--rebalance",
    is_flag=True,
    help="Move untouched queries from who has most to who has least.",
)
@click.option("--yes", is_flag=True, help="Make new judges even if a name is nearly a known one.")
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
    from judge_tui.report.assigned import assigned_report

    names = [name.strip() for name in judges.split(",") if name.strip()]
    with open_campaign(db) as campaign:
        if not yes:
            _refuse_near_names(campaign, names)
        assigned = assign(
            campaign, names, overlap=overlap, repeat=repeat, gold=gold, rebalance=rebalance
        )
    print_report(assigned_report(assigned), form, output)


def _refuse_near_names(campaign: Campaign, names: list[str]) -> None:
    """Raise `UsageError` for a new name that may be a slip: all of a judge's pairs would move."""
    from judge_tui.campaign.store.judges import find_judge, near_names

    for name in names:
        if find_judge(campaign, name) is None and (near := near_names(campaign, name)):
            known = ", ".join(repr(visible_line(one)) for one in near)
            raise UsageError(
                f"{visible_line(name)!r} is new, and nearly the name of {known}",
                "mend the name, or make a new judge of it with --yes",
            )
