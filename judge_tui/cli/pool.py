"""`judge-tui pool`: build or extend the pool."""

from __future__ import annotations

from pathlib import Path

import click

from judge_tui.cli.commands import make_command, option
from judge_tui.cli.options import Share, database
from judge_tui.cli.printing import output_options, print_report
from judge_tui.cli.progress import show_steps
from judge_tui.pooling.strategies import STRATEGIES


@make_command(manual="pools", examples=["pool", "pool --strategy rrf --budget 500"])
@database()
@option(
    "--strategy",
    type=click.Choice(list(STRATEGIES)),
    default="depth",
    show_default=True,
    help="What the pool takes: "
    + "; ".join(f"{one.summary} ({name})" for name, one in STRATEGIES.items())
    + ".",
)
@option(
    "--depth",
    type=click.IntRange(max=2**31),
    default=10,
    show_default=True,
    help="How many results of each run and query are looked at.",
)
@option(
    "--budget",
    type=click.IntRange(max=2**31),
    help="At most N pairs in all, shared evenly.",
)
@option(
    "--audit",
    type=Share(1, or_number=True),
    default=0,
    metavar="N|SHARE",
    help="Draw N pairs, or a share such as 10%, at random from what the pool leaves out.",
)
@output_options
def command(
    db: Path,
    strategy: str,
    depth: int,
    budget: int | None,
    audit: float,
    form: str,
    output: str | None,
) -> None:
    """Build or extend the pool of pairs to be judged; no pair is ever taken out."""
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.extend_pool import extend_pool
    from judge_tui.campaign.store.pool import pool_size
    from judge_tui.report.campaign import pool_report

    with open_campaign(db) as campaign, show_steps() as say:
        added = extend_pool(
            campaign, strategy=strategy, depth=depth, budget=budget, audit=audit, on_step=say
        )
        say("counting the pool")
        size = pool_size(campaign)
    print_report(pool_report(size, added, budget), form, output)
