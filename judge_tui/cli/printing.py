"""Results on their way out: `-f`, `-o`, and the writing itself."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TextIO

import click

from judge_tui.cli.commands import Command, option, options
from judge_tui.cli.options import output_file
from judge_tui.errors import UsageError
from judge_tui.report import FORMS, Report, csv_texts, render
from judge_tui.visible import visible_line


def output_options_and(*more: str) -> Callable[[Command], Command]:
    """`-f, --format` and `-o, --output`, as `form` and `output`, with `more` forms that the command
    writes by itself."""
    return options(
        option(
            "-f",
            "--format",
            "form",
            group="Output",
            type=click.Choice([*FORMS, *more]),
            default="table",
            show_default=True,
            help="Write the result in this form.",
        ),
        output_file(),
    )


output_options = output_options_and()


def refuse_inputs(output: str | None, inputs: Iterable[str], option: str = "-o") -> None:
    """Raise `UsageError` where `-o` names a file that is read: a slip must not cost it."""
    if output is None or not Path(output).is_file():
        return
    for one in inputs:
        if Path(one).is_file() and Path(one).samefile(output):
            raise UsageError(f"{option} {output} is a file that is read here", "name another file")


def print_report(report: Report, form: str, output: str | None) -> None:
    """Write the report in that form, to the file if there is one, else to standard output.

    Only a terminal gets colour, and not where NO_COLOR is set, and tables no wider than it is.
    Raises `InputError` where the file cannot be written, and `UsageError` where standard output is
    wanted and closed.
    """
    to_stdout = output in (None, "-")
    is_cut = form not in ("json", "csv") and any(table.is_cut for table in report.tables)
    if form == "table" and to_stdout and (width := _width(sys.stdout)):
        from judge_tui.report.table import fit_to_width

        report = fit_to_width(report, width)
    if form == "csv":
        _print_texts(csv_texts(report), output)
    else:
        print_text(render(report, form, colour=to_stdout and _colourful()), output)
    if is_cut:
        click.echo("note: not all rows are shown; -f json has them", err=True)
    print_warnings(report.warnings)


def print_text(text: str, output: str | None) -> None:
    """Write a text that is ready, where `print_report` would."""
    _print_texts([text], output)


def _print_texts(texts: Iterable[str], output: str | None) -> None:
    if output not in (None, "-"):
        from judge_tui.formats.writing import write_lines

        write_lines(str(output), texts)
        return
    if sys.stdout is None:  # as Python has it after `>&-`
        raise UsageError("standard output is closed", "write to a file with -o FILE")
    for text in texts:
        click.echo(text, nl=False, color=True if _colourful() else None)


def print_warnings(warnings: Iterable[str]) -> None:
    """What a reader of the result must know, on standard error."""
    width = _width(sys.stderr)
    for one in warnings:
        line = f"warning: {visible_line(str(one))}"
        if 0 < width < len(line):
            import textwrap

            line = textwrap.fill(line, width, break_long_words=False, break_on_hyphens=False)
        click.echo(line, err=True)


def _width(stream: TextIO | None) -> int:
    """In cells; 0 where the stream is no terminal, or none that knows."""
    if stream is None or not stream.isatty():
        return 0
    import shutil

    return shutil.get_terminal_size((0, 0)).columns


def _colourful() -> bool:
    return (
        sys.stdout is not None
        and sys.stdout.isatty()
        and not os.environ.get("NO_COLOR")
        and os.environ.get("TERM") != "dumb"
    )
