"""`judge-tui model`: models as judges, and what they are worth."""

from __future__ import annotations

from pathlib import Path

import click

from judge_tui.agreement.alt_test import EPSILON
from judge_tui.cli.commands import make_group, option
from judge_tui.cli.options import database, policy
from judge_tui.cli.printing import output_options, print_report
from judge_tui.cli.progress import show_steps


@make_group(
    manual="model-judges", examples=["model report some-model", "model report some-model -f json"]
)
@database(expose_value=False)
def command() -> None:
    """Say what a model is worth as a judge."""


@command.command(
    "report",
    manual="model-judges",
    examples=["model report some-model", "model report some-model --kin new -f md -o model.md"],
)
@click.argument("name")
@database()
@option(
    "-m",
    "--measure",
    metavar="MEASURE",
    default="nDCG@10",
    show_default=True,
    help="What the grades of the model and of people order the systems by.",
)
@option(
    "--kin",
    multiple=True,
    metavar="TAG",
    help="A run of the model's own kind, such as one that it made or ranks for; may be repeated.",
)
@option(
    "--epsilon",
    type=float,
    default=EPSILON,
    show_default=True,
    help="What the Alt-Test allows a model for being cheaper: .2 beside experts, .1 beside crowds.",
)
@policy()
@output_options
def report_command(
    db: Path,
    name: str,
    measure: str,
    kin: tuple[str, ...],
    epsilon: float,
    policy: str,
    form: str,
    output: str | None,
) -> None:
    """Compare a model's grades with people's: is it any good as a judge?

    Agreement stands beside that of two people on the same pairs, and the order of the systems under
    the model's grades beside that under people's.
    """
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.overview.model_study import model_study
    from judge_tui.report.model_judge import model_report
    from judge_tui.scoring import parse_measure

    with open_campaign(db) as campaign, show_steps() as say:
        say("comparing the model with people")
        study = model_study(
            campaign, name, parse_measure(measure), kin=kin, epsilon=epsilon, policy=policy
        )
        scale = campaign.settings.scale
    print_report(model_report(study, scale, policy), form, output)
