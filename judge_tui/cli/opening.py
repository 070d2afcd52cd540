"""How commands open the app: at what, in which terminal, for which judge."""

from __future__ import annotations

import codecs
import gc
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Literal

import click

from judge_tui.errors import UsageError
from judge_tui.visible import visible_line

if TYPE_CHECKING:
    from judge_tui.campaign import Campaign
    from judge_tui.campaign.store.judges import Judge
    from judge_tui.tui.app import Opening
    from judge_tui.tui.config import Config


def open_home(db: Path) -> int:
    """Open the campaign at Home."""
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.typed import typed

    status = typed(db, "status")
    refuse_no_terminal(f"{status} prints the same, judge-tui --help lists the commands")
    with open_campaign(db) as campaign:
        return open_app(campaign)


def open_app(
    campaign: Campaign,
    opening: Callable[[ModuleType], Opening] | None = None,
    config: Config | None = None,
) -> int:
    """Run the app, at Home or at the opening that is made of `judge_tui.tui.app`, with the
    user's own config unless one is given; returns its exit code."""
    # Textual paints at most so many times a second; at 60, a key waits up to 17 ms for its turn.
    os.environ.setdefault("TEXTUAL_FPS", "120")
    # The collector would look again and again at what stays: it begins when the app is painted.
    gc.disable()
    try:
        from judge_tui.tui import app as tui
        from judge_tui.tui.config import read_config
        from judge_tui.tui.view_options import OptionsFile, options_path

        config, options = config or read_config(), OptionsFile(options_path())
        at = opening(tui) if opening is not None else tui.AT_HOME
        app = tui.JudgeTuiApp(campaign, opening=at, config=config, options=options)
        app.run()
    finally:
        gc.enable()
    # None: it did not end of itself.
    return 1 if app.return_code is None else app.return_code


def is_terminal() -> bool:
    """Whether there is a terminal to open the app in."""
    # Textual reads standard input, draws on standard error, and asks standard output for the size.
    streams = (sys.stdin, sys.stdout, sys.stderr)
    # A stream that was closed is None.
    return all(stream is not None and stream.isatty() for stream in streams)


def refuse_no_terminal(instead: str) -> None:
    """Raise `UsageError` where there is no terminal to open the app in."""
    if not is_terminal():
        raise UsageError("the app needs a terminal, and there is none", instead)
    if os.environ.get("TERM") == "dumb":
        raise UsageError(
            "the app draws, and the terminal is said to be dumb",
            "set what it is, for example with: export TERM=xterm-256color",
        )
    if codecs.lookup(sys.stderr.encoding).name != "utf-8":
        raise UsageError(
            f"the app draws in UTF-8, and the terminal is said to take {sys.stderr.encoding}",
            "set the locale, for example with: export LANG=C.UTF-8",
        )


def judge_of_name(
    campaign: Campaign, name: str, *, yes: bool, role: Literal["judge", "lead"] = "judge"
) -> Judge:
    """The judge of that name, made with that role if new; who is asked first where the name is
    nearly a known one, unless `yes`."""
    from judge_tui.campaign.store.judges import add_judge, near_names

    name = name.strip()
    if not yes and (near := near_names(campaign, name)):
        names = ", ".join(repr(visible_line(one)) for one in near)
        click.echo(f"{visible_line(name)!r} is new, and nearly the name of {names}.", err=True)
        click.confirm(f"Make a new {role} of that name?", abort=True, err=True)
    return add_judge(campaign, name, role=role)
