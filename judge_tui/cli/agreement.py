"""`judge-tui agreement`: how far the judges agree."""

from __future__ import annotations

import click

from judge_tui.cli.commands import make_command, option
from judge_tui.cli.options import database, include_models
from judge_tui.cli.printing import output_options, print_report
from judge_tui.cli.progress import show_steps
from judge_tui.place import Place


@make_command(
    manual="agreement",
    examples=["agreement", "agreement --judges ann,bob --by class -o agreement.json -f json"],
)
@database()
@option("--judges", metavar="A,B", help="Only these judges.  [default: all who graded]")
@option(
    "--by",
    type=click.Choice(["query", "class", "half"]),
    help="Each query or class of queries by itself, or the first and the second half in time.",
)
@option(
    "-m",
    "--measure",
    metavar="MEASURE",
    default="nDCG@10",
    show_default=True,
    help="What the grades of each judge order the systems by.",
)
@include_models
@output_options
def command(
    db: Place,
    judges: str | None,
    by: str | None,
    measure: str,
    include_models: bool | None,
    form: str,
    output: str | None,
) -> None:
    """Print how far the judges agree, and what that does to the order of the systems.

    Alpha is over all judges, kappa between each two. Each judge is also compared with the others,
    with hidden repeats and with known grades.
    """
    from judge_tui.agreement.ratings import too_few_judges
    from judge_tui.agreement.study import study
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.overview.agreement import orders_now, read_ratings
    from judge_tui.campaign.overview.grading import refuse_judge
    from judge_tui.campaign.store.judges import name_here
    from judge_tui.campaign.store.queries import all_queries
    from judge_tui.report.agreement import agreement_report
    from judge_tui.scoring import parse_measure

    names = None if judges is None else [name.strip() for name in judges.split(",")]
    with open_campaign(db) as campaign, campaign.reading(), show_steps() as say:
        say("reading the grades")
        settings = campaign.settings
        data = read_ratings(campaign, include_models=include_models)
        names = names and [name_here(campaign, name) for name in names]
        for name in names or ():
            if name not in data.judges:
                refuse_judge(campaign, name, include_models=include_models)
        if not data.comparable:
            raise too_few_judges(len(data.judges))
        say("comparing the judges")
        found = study(data.only(names) if names else data, by=by, seed=settings.seed)
        say("ordering the systems by each judge")
        orders = orders_now(
            campaign, parse_measure(measure), judges=names, include_models=include_models
        )
        texts = {query.query_id: query.text for query in all_queries(campaign)}
    report = agreement_report(found, settings.scale, orders=orders, texts=texts)
    print_report(report, form, output)
