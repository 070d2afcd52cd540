"""`judge-tui assign`: who judges what."""

from __future__ import annotations

import click

from judge_tui.cli.commands import make_command, option
from judge_tui.cli.options import Share, database, new_judge
from judge_tui.cli.printing import output_options, print_report
from judge_tui.errors import UsageError
from judge_tui.place import Place


@make_command(
    manual="several-judges",
    examples=[
        "assign --judges ann,bob --overlap 30%",
        "assign --judges ann,bob --overlap 100% --by-model some-model",
    ],
)
@database()
@option(
    "--judges",
    required=True,
    metavar="A,B,C",
    help="Everybody who is to judge from now on; new names are made.",
)
@option(
    "--overlap",
    type=Share(1),
    help="How much of the pool two judges get, by whole queries.  [default: as much as now]",
)
@option(
    "--gold",
    group="Checks of judges",
    metavar="FILE",
    help="Qrels of pairs of known grade, which every judge gets among the others.",
)
@option(
    "--repeat",
    group="Checks of judges",
    type=Share(0.5),
    help="How many of a judge's pairs come again, later and unmarked.  [default: as many as now]",
)
@option(
    "--rebalance",
    is_flag=True,
    help="Move untouched queries from who has most to who has least.",
)
@option(
    "--by-model",
    group="What is dealt",
    metavar="NAME",
    help="Deal a sample of what this model graded and no person has, in place of all that is open.",
)
@option(
    "--limit",
    type=click.IntRange(1),
    group="What is dealt",
    metavar="N",
    help="Deal a sample of at most N pairs.  [default: 100]",
)
@new_judge
@output_options
def command(
    db: Place,
    judges: str,
    overlap: float | None,
    gold: str | None,
    repeat: float | None,
    rebalance: bool,
    by_model: str | None,
    limit: int | None,
    yes: bool,
    form: str,
    output: str | None,
) -> None:
    """Spread the pool over judges: equal parts, whole queries, a planned overlap.

    From then on judges see only their own pairs, and nothing is shared. Run it again when the pool
    has grown, or with other judges: it deals what nobody has, and what a judge who is no longer
    named left undecided.
    """
    from judge_tui.analysis.model_judge import NEXT
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.assign import assign
    from judge_tui.campaign.store.judges import refuse_near_name
    from judge_tui.report.campaign import assigned_report

    if limit is not None and by_model is None:
        raise UsageError("--limit is how large a sample is", "name a model with --by-model NAME")
    names = [name.strip() for name in judges.split(",") if name.strip()]
    with open_campaign(db) as campaign:
        if not yes:
            for at, name in enumerate(names):
                refuse_near_name(campaign, name, names[:at])
        assigned = assign(
            campaign,
            names,
            overlap=overlap,
            repeat=repeat,
            gold=gold,
            rebalance=rebalance,
            by_model=by_model,
            limit=limit or NEXT,
        )
    print_report(assigned_report(assigned), form, output)
