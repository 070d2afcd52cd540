"""`judge-tui check`: every problem of a file, with its line."""

from __future__ import annotations

from pathlib import Path

import click

from judge_tui.visible import visible_line

__all__ = ["command"]

SHOWN = 20


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--format",
    "format",
    metavar="F",
    help="What the file is, if its content does not tell: a kind (run, qrels, queries, documents)"
    " or kind:format, as queries:tsv.",
)
@click.option(
    "--root",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Ids are path or path:start-end: look whether DIR has those lines.",
)
def command(files: tuple[str, ...], format: str | None, root: Path | None) -> int:
    """Validate run, qrels, queries or documents files.

    Every problem is printed with its line, the first 20 of a file and a count of the rest. Exit
    code 2 if there is any.
    """
    from judge_tui.formats import check_file

    worst = 0
    for file in files:
        problems = check_file(file, format=format, root=root)
        for problem in problems[:SHOWN]:
            click.echo(f"error: {visible_line(str(problem))}", err=True)
        if len(problems) > SHOWN:
            more = len(problems) - SHOWN
            click.echo(f"error: {visible_line(file)}: and {more:,} more", err=True)
        if problems:
            worst = 2
        else:
            click.echo(f"{visible_line(file)}: fine")
    return worst
