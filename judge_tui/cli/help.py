"""`judge-tui help`: the manual in the terminal."""

from __future__ import annotations

from itertools import groupby

import click

from judge_tui.cli.commands import make_command
from judge_tui.errors import unknown
from judge_tui.manual import all_pages, read_page

_WIDEST = 100


@make_command(manual="idea", examples=["help", "help pools", "help export bundle"])
@click.argument("topic", nargs=-1)
def command(topic: tuple[str, ...]) -> None:
    """List the pages of the manual, or show one.

    TOPIC is a page of the list, or a command: then the page that explains it is shown.
    """
    if topic:
        _show(read_page(_page_of(topic)))
    else:
        _list()


def _list() -> None:
    pages = all_pages()
    widest = max(len(page.topic) for page in pages)
    formatter = click.HelpFormatter()
    formatter.write_text("judge-tui help TOPIC shows one of these pages.")
    for group, members in groupby(pages, key=lambda page: page.group):
        with formatter.section(group):
            formatter.write_dl([(f"{page.topic:{widest}}", page.question) for page in members])
    click.echo(formatter.getvalue(), nl=False)


def _page_of(words: tuple[str, ...]) -> str:
    """The topic that the words name, by its own name or as a command."""
    from judge_tui.cli import ALIASES, NAMES, cli

    topics = [page.topic for page in all_pages()]
    if "-".join(words) in topics:
        return "-".join(words)
    if words[0] not in (*NAMES, *ALIASES):
        raise unknown("topic", " ".join(words), [*topics, *NAMES])
    found = cli.get_command(click.Context(cli), words[0])
    below = getattr(found, "commands", {}).get(" ".join(words[1:]), found)
    return str(getattr(below, "manual", ""))


def _show(text: str) -> None:
    """On a terminal as it is read there, page by page; elsewhere the Markdown."""
    from rich.console import Console
    from rich.markdown import Markdown
    from rich.theme import Theme

    # Rich's own has a black ground, which a light terminal shows as bars.
    console = Console(theme=Theme({"markdown.code": "bold cyan"}))
    if not console.is_terminal:
        click.echo(text, nl=False)
        return
    console.width = min(console.width, _WIDEST)
    with console.capture() as capture:
        console.print(Markdown(text, code_theme="ansi_dark", hyperlinks=False))
    if capture.get().count("\n") < console.height:
        click.echo(capture.get(), nl=False, color=True)
    else:
        click.echo_via_pager(capture.get())  # which takes colours out where the pager knows none
