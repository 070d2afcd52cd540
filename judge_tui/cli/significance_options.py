"""Options of the commands that tell differences from chance."""

from __future__ import annotations

from collections.abc import Callable

import click

from judge_tui.cli.options import Command
from judge_tui.comparison.corrections import CORRECTIONS
from judge_tui.comparison.paired_tests import ALTERNATIVES

__all__ = ["alpha_option", "alternative_option", "correction_option", "seed_option"]


def correction_option(every: str) -> Callable[[Command], Command]:
    """`--correction`; `every`: what there is a comparison for each of."""
    return click.option(
        "--correction",
        type=click.Choice(list(CORRECTIONS)),
        default="holm",
        show_default=True,
        help=f"For the many comparisons made at once: every {every}.",
    )


def alternative_option(command: Command) -> Command:
    """`--alternative`: on which side the run is looked for."""
    return click.option(
        "--alternative",
        type=click.Choice(list(ALTERNATIVES)),
        default="two-sided",
        show_default=True,
        help="What the run might be: different, greater or less than the baseline.",
    )(command)


def alpha_option(command: Command) -> Command:
    """`--alpha`: the level."""
    return click.option(
        "--alpha", type=float, default=0.05, show_default=True, help="Significant is p below it."
    )(command)


def seed_option(fixes: str) -> Callable[[Command], Command]:
    """`--seed`; `fixes`: what is drawn by it."""
    return click.option(
        "--seed",
        type=click.IntRange(min=0),
        default=0,
        show_default=True,
        help=f"Fixes {fixes}.",
    )
