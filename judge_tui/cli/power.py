"""`judge-tui power`: how many queries a comparison needs, and what so many of them can show."""

from __future__ import annotations

from typing import cast

import click

from judge_tui.cli.printing import output_options, print_report
from judge_tui.cli.significance_options import alpha_option, alternative_option
from judge_tui.comparison.paired_tests import Alternative
from judge_tui.comparison.power import POWER, make_plan

__all__ = ["command"]


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--effect",
    type=float,
    metavar="D",
    help="The effect to be seen: d_z, the mean difference over the standard deviation of the"
    " differences, as compare prints it.",
)
@click.option("--delta", type=float, metavar="D", help="Instead: the mean difference to be seen,")
@click.option("--sd", type=float, metavar="S", help="and the standard deviation of differences.")
@click.option(
    "--queries",
    type=int,
    metavar="N",
    help="What so many queries can show: the power they have, the smallest effect they see.",
)
@click.option(
    "--power", type=float, default=POWER, show_default=True, help="The chance to see the effect."
)
@alpha_option
@alternative_option
@output_options
def command(
    effect: float | None,
    delta: float | None,
    sd: float | None,
    queries: int | None,
    power: float,
    alpha: float,
    alternative: str,
    form: str,
    output: str | None,
) -> None:
    """Say how many queries it takes to see an effect, and what a number of queries can show.

    Of a paired t test, before any correction; for one of K comparisons, divide alpha by K. With
    --queries alone: the smallest effect that so many queries see. The sign of an effect does not
    matter: with a one-sided alternative it lies on the side that is asked about.
    """
    from judge_tui.report.power import power_report

    plan = make_plan(
        effect=effect,
        delta=delta,
        sd=sd,
        queries=queries,
        power=power,
        alpha=alpha,
        alternative=cast(Alternative, alternative),
    )
    print_report(power_report(plan), form, output)
