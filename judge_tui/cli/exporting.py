"""What the commands of `judge-tui export` share: what they say of a file that they wrote."""

from __future__ import annotations

import sys
from collections.abc import Iterable

import click

from judge_tui.errors import UsageError
from judge_tui.visible import visible_line

__all__ = ["refuse_closed", "tell", "tell_coded_ids", "tell_ids"]


def refuse_closed(output: str) -> None:
    """Raise `UsageError` where `-` is to be written and standard output is closed."""
    if output == "-" and sys.stdout is None:  # as Python has it after `>&-`
        raise UsageError("standard output is closed", "write to a file with -o FILE")


def tell_ids(read_back_otherwise: int) -> None:
    """Say of how many documents the form has no way to write the id as it is."""
    if read_back_otherwise:
        click.echo(
            "note: ids of documents that begin or end with white space, which this form cannot"
            f" hold, written with codes such as %20, and read back so: {read_back_otherwise:,}",
            err=True,
        )


def tell_coded_ids(count: int, *, as_qrels: bool) -> None:
    """Say how many ids a collection has with codes; `as_qrels`: its tables have them as TREC's
    qrels do, whose provenance says so."""
    if count:
        back = (
            "in all files as in the qrels, and read back as they were as long as the provenance is"
            " beside them"
            if as_qrels
            else "and read back so"
        )
        click.echo(
            f"note: ids that are written with codes such as %20, {back}: {count:,}", err=True
        )


def tell(output: str, summary: str, more: Iterable[str] = ()) -> None:
    """What was done: on standard error where standard output has what was asked for."""
    aside = output == "-"
    click.echo(visible_line(summary if aside else f"{output}: {summary}"), err=aside)
    for line in more:
        click.echo(visible_line(f"  {line}"), err=aside)
