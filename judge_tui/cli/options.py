"""Options that several commands share, so that they read and behave alike everywhere."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

__all__ = ["database", "include_models", "kind", "output_file"]

Command = TypeVar("Command", bound=Callable[..., Any])


def database(command: Command) -> Command:
    """`-d, --db FILE`: the campaign."""
    return click.option(
        "-d",
        "--db",
        "db",
        type=click.Path(path_type=Path),
        envvar="JUDGE_TUI_DB",
        default="campaign.db",
        show_default=True,
        show_envvar=True,
        help="The campaign file.",
    )(command)


def include_models(command: Command) -> Command:
    """`--include-models`: judges of kind model count as well."""
    return click.option(
        "--include-models", is_flag=True, help="Count the grades of judges of kind model, too."
    )(command)


def kind(command: Command) -> Command:
    """`--kind human|model`: who the judge is."""
    return click.option(
        "--kind",
        type=click.Choice(["human", "model"]),
        default="human",
        show_default=True,
        help="Who graded: a person or a program.",
    )(command)


def output_file(required: bool, help: str) -> Callable[[Command], Command]:
    """`-o FILE`."""
    return click.option("-o", "--output", metavar="FILE", required=required, help=help)
