"""`judge-tui power`: how many queries a comparison needs, and what so many of them can show."""

from __future__ import annotations

from typing import cast

from judge_tui.cli.commands import make_command, option
from judge_tui.cli.compare import alpha_option, alternative_option
from judge_tui.cli.printing import output_options, print_report
from judge_tui.comparison.paired_tests import Alternative
from judge_tui.comparison.power import POWER, PowerQuestion


@make_command(
    manual="enough", examples=["power --effect 0.4", "power --delta 0.02 --sd 0.1 --queries 50"]
)
@option(
    "--effect",
    type=float,
    metavar="D",
    help="The effect to be seen: d_z as compare prints it, the mean difference over the standard"
    " deviation of the differences.",
)
@option("--delta", type=float, metavar="D", help="The mean difference to be seen; needs --sd.")
@option("--sd", type=float, metavar="S", help="The standard deviation of the differences.")
@option("--queries", type=int, metavar="N", help="Say what so many queries can show.")
@option(
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

    This is for a paired t test without correction: for one of K comparisons, divide alpha by K.
    With --queries alone, it prints the smallest effect that so many queries can show.
    """
    from judge_tui.report.power import power_report

    question = PowerQuestion(
        effect=effect,
        delta=delta,
        sd=sd,
        queries=queries,
        power=power,
        alpha=alpha,
        alternative=cast(Alternative, alternative),
    )
    print_report(power_report(question), form, output)
