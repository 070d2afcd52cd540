"""`judge-tui agreement`: how far the judges agree."""

from __future__ import annotations

from pathlib import Path

import click

from judge_tui.cli.options import database, include_models
from judge_tui.cli.printing import output_options, print_report

__all__ = ["command"]


@click.command()
@database
@click.option("--judges", metavar="A,B", help="Only these judges. Default: all who graded.")
@include_models
@output_options
def command(
    db: Path, judges: str | None, include_models: bool, form: str, output: str | None
) -> None:
    """Print how far the judges agree: kappa by pair of judges, alpha over all, with intervals."""
    from judge_tui.agreement import agree
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.grades import grades_by_judge
    from judge_tui.campaign.judges import all_judges
    from judge_tui.errors import UsageError
    from judge_tui.report.agreement import agreement_report

    with open_campaign(db) as campaign, campaign.reading():
        settings = campaign.settings
        grades = grades_by_judge(campaign, include_models=include_models)
        models = [judge.name for judge in all_judges(campaign) if judge.kind == "model"]
    if len(grades) < 2:
        count = "nobody has" if not grades else "only one judge has"
        raise UsageError(
            f"agreement needs the grades of two judges; {count} graded",
            "count the models with --include-models"
            if models and not include_models
            else "let a second judge grade some of the pairs",
        )
    names = [name.strip() for name in judges.split(",")] if judges is not None else list(grades)
    for name in names:
        if name in models and not include_models:
            raise UsageError(f"judge {name!r} is a model", "count it with --include-models")
    found = agree(grades, settings.scale.grades, judges=names, seed=settings.seed)
    print_report(agreement_report(found, settings.scale), form, output)
