"""What the commands of `judge-tui load` share: options, and what they say of a file."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from judge_tui.cli.options import Command
from judge_tui.visible import visible_line

if TYPE_CHECKING:
    from judge_tui.campaign import Campaign
    from judge_tui.campaign.loaded import Loaded

__all__ = [
    "NOT_WANTED",
    "format_option",
    "say",
    "say_grades",
    "skip_unknown_option",
    "warn_of_near_names",
]


def format_option(names: str) -> Callable[[Command], Command]:
    """The option that names the format of a file. `names`: all that `formats.registry` has for the
    kind, written down since it is not imported for a help."""
    told = f"The file's format, if not found out: {names}."
    return click.option("--format", "format", metavar="F", help=told)


skip_unknown_option = click.option(
    "--skip-unknown", is_flag=True, help="Leave out queries that the campaign does not have."
)


NOT_WANTED = "of no run or grade left out (--all keeps them)"
"""What is said of documents that a load leaves out."""


def say_grades(file: str, judge: str, loaded: Loaded, left_out: str) -> None:
    """What came of a judge's grades, and what is to be known beside it: that alone where the
    judge's name is empty."""
    if judge:
        counts = {
            "added": loaded.added,
            "replaced": loaded.replaced,
            "there_already": loaded.unchanged,
        }
        say(file, f"grades of {judge}", **counts, **{left_out: loaded.left_out})
    for note in loaded.notes:
        click.echo(f"note: {visible_line(note)}", err=True)


def warn_of_near_names(campaign: Campaign, judge: str) -> None:
    """Say of a judge who is new where the name is nearly that of another one."""
    from judge_tui.campaign.judges import find_judge, near_names

    if find_judge(campaign, judge.strip()) is None and (near := near_names(campaign, judge)):
        names = ", ".join(repr(visible_line(one)) for one in near)
        click.echo(
            f"note: {visible_line(judge)!r} is new, and nearly the name of {names}", err=True
        )


def say(file: str, what: str, **counts: int) -> None:
    """One line: what came of a file. Counts of nothing are left out, but for a load of nothing."""
    parts = [f"{count:,} {name.replace('_', ' ')}" for name, count in counts.items() if count]
    click.echo(f"{visible_line(file)}: {visible_line(what)}: {', '.join(parts) or 'nothing new'}")
