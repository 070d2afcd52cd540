"""Results on their way out: `-f`, `-o`, and the writing itself."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import click

from judge_tui.cli.options import output_file
from judge_tui.errors import UsageError
from judge_tui.formats import write_text
from judge_tui.report import FORMS, Report, render
from judge_tui.visible import visible_line

__all__ = ["output_options", "print_report", "refuse_inputs"]

Command = TypeVar("Command", bound=Callable[..., Any])


def output_options(command: Command) -> Command:
    """`-f, --format` and `-o, --output`; the command gets `form` and `output`."""
    command = output_file(required=False, help="Write to FILE instead of standard output.")(command)
    return click.option(
        "-f",
        "--format",
        "form",
        type=click.Choice(list(FORMS)),
        default="table",
        show_default=True,
        help="How the result is written.",
    )(command)


def refuse_inputs(output: str | None, inputs: Iterable[str]) -> None:
    """Raise `UsageError` where `-o` names a file that is read: a slip must not cost it."""
    if output is None or not Path(output).is_file():
        return
    for one in inputs:
        if Path(one).is_file() and Path(one).samefile(output):
            raise UsageError(f"-o {output} is a file that is read here", "write to another file")


def print_report(report: Report, form: str, output: str | None) -> None:
    """Write the report in that form, to the file if there is one, else to standard output.

    Only a terminal gets colour, and not where NO_COLOR is set. Raises `InputError` where the file
    cannot be written, and `UsageError` where standard output is wanted and closed.
    """
    to_stdout = output in (None, "-")
    if to_stdout and sys.stdout is None:  # as Python has it after `>&-`
        raise UsageError("standard output is closed", "write the result with -o FILE")
    text = render(report, form, colour=to_stdout and _colourful())
    if output is None or to_stdout:
        click.echo(text, nl=False, color=True if _colourful() else None)
    else:
        write_text(text, output)
    if form == "csv":
        for line in report.aside:
            click.echo(visible_line(line), err=True)


def _colourful() -> bool:
    return (
        sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    )
