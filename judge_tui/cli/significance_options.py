"""Options of the commands that tell differences from chance."""

from __future__ import annotations

from collections.abc import Callable

import click

from judge_tui.cli.commands import Command, option
from judge_tui.comparison.paired_tests import ALTERNATIVES
from judge_tui.comparison.settings import CORRECTIONS

_TESTS = "Tests"


def correction_option(every: str) -> Callable[[Command], Command]:
    """`--correction`; `every`: what there is a comparison for each of."""
    return option(
        "--correction",
        group=_TESTS,
        type=click.Choice(list(CORRECTIONS)),
        default="holm",
        show_default=True,
        help=f"For the many comparisons made at once: every {every}.",
    )


alternative_option = option(
    "--alternative",
    group=_TESTS,
    type=click.Choice(list(ALTERNATIVES)),
    default="two-sided",
    show_default=True,
    help="What the run might be: different, greater or less than the baseline.",
)

alpha_option = option(
    "--alpha",
    group=_TESTS,
    type=float,
    default=0.05,
    show_default=True,
    help="Significant is p below it.",
)


def seed_option(draws: str) -> Callable[[Command], Command]:
    """`--seed`; `draws`: what is drawn by it."""
    return option(
        "--seed",
        group=_TESTS,
        type=click.IntRange(min=0),
        default=0,
        show_default=True,
        help=f"Fixes {draws}.",
    )
