"""`judge-tui judge`, `settle` and `judge-tui` alone: where the app opens, and for which judge."""

from __future__ import annotations

import codecs
import gc
import os
import shlex
import sys
from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING, Literal

import click

from judge_tui.cli.commands import make_command, option
from judge_tui.cli.options import against_model, database, include_models, new_judge
from judge_tui.errors import CRASHED, UsageError
from judge_tui.place import Place
from judge_tui.visible import visible_line

if TYPE_CHECKING:
    from judge_tui.campaign import Campaign
    from judge_tui.campaign.store.judges import Judge
    from judge_tui.tui.app import Opening
    from judge_tui.tui.config import Config


@make_command("judge", manual="judge", examples=["judge --judge ann", "judge --judge ann -d a.db"])
@database()
@option("--judge", "name", required=True, metavar="NAME", help="Who judges; a new name is made.")
@new_judge
def judge_command(db: Place, name: str, yes: bool) -> int:
    """Open the app and grade documents: one key, one grade, on disk at once.

    ? in the app shows its keys; judge-tui help configuration says how to change them.
    """
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.shell_command import shell_command
    from judge_tui.campaign.store.assignments import refuse_empty_desk
    from judge_tui.campaign.store.check import refuse_small_damage
    from judge_tui.campaign.store.judges import name_here, refuse_near_name
    from judge_tui.tui.config import read_config

    with open_campaign(db) as campaign:
        # Of the name first: nobody is told to load grades under a slip of it.
        name_here(campaign, name.strip())
        if not yes and not is_terminal():
            refuse_near_name(campaign, name)
        refuse_no_terminal(
            "grade elsewhere and load the grades: "
            + shell_command(db, "load qrels", f"FILE --judge {shlex.quote(name)}")
        )
        # What is judged in a damaged file could be neither exported nor merged.
        refuse_small_damage(campaign)
        refuse_empty_desk(campaign, name.strip())
        # Before a judge is made: nothing is written where the app cannot open.
        config = read_config()
        judge = _judge_of_name(campaign, name, "judge", yes=yes)
        code = open_app(campaign, lambda app: app.judging(judge), config)
        # 2: it ended, and something was not saved; where the file is lost, nothing can be counted.
        if code in (0, 2) and campaign.loss is None:
            click.echo(visible_line(_how_to_go_on(campaign, judge)))
        return code


def _how_to_go_on(campaign: Campaign, judge: Judge) -> str:
    from judge_tui.campaign.shell_command import shell_command
    from judge_tui.campaign.store.desk import Desk

    queries = Desk(campaign, judge).queries()
    judged, pairs = sum(one.decided for one in queries), sum(one.pairs for one in queries)
    if judged == pairs:
        return f"all {pairs:,} judged and saved"
    again = shell_command(campaign.path, "judge", f"--judge {shlex.quote(judge.name)}")
    return f"{judged:,} of {pairs:,} judged and saved; go on: {again}"


@make_command(
    "settle", manual="settle", examples=["settle --lead lea", "settle --against some-model"]
)
@database()
@option(
    "--lead",
    "name",
    metavar="NAME",
    help="Who settles; a new name is made.  [default: the campaign's only lead]",
)
@against_model
@new_judge
@include_models
def settle_command(
    db: Place, name: str | None, against: str | None, yes: bool, include_models: bool | None
) -> int:
    """Open the app at the disagreements of the judges: one key settles one.

    Those come first whose settling can change the order of the systems. The judges' grades stay as
    they are, and their names are letters until R is pressed. ? in the app shows its keys.
    """
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.overview.model_grades import model_against
    from judge_tui.campaign.shell_command import shell_command
    from judge_tui.campaign.store.judges import all_judges
    from judge_tui.tui.config import read_config

    with open_campaign(db) as campaign:
        model = model_against(campaign, against, include_models=include_models)
        leads = [judge.name for judge in all_judges(campaign) if judge.role == "lead"]
        if name is None and len(leads) != 1:
            which = (
                f"the leads are {', '.join(map(repr, leads))}" if leads else "there is no lead yet"
            )
            raise UsageError(which, "say who settles with --lead NAME")
        words = (
            "-o FILE.csv" if model is None else f"--against {shlex.quote(model.name)} -o FILE.csv"
        )
        refuse_no_terminal(
            f"print how far the judges agree: {shell_command(db, 'agreement')}; write what they"
            f" disagree about: {shell_command(db, 'export disagreements', words)}"
        )
        # Before a lead is made: nothing is written where the app cannot open.
        config = read_config()
        lead = _judge_of_name(campaign, name or leads[0], "lead", yes=yes)
        return open_app(
            campaign,
            lambda app: app.settling(lead, include_models=include_models, against=model),
            config,
        )


def _judge_of_name(
    campaign: Campaign, name: str, role: Literal["judge", "lead"], *, yes: bool
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


def open_home(db: Place) -> int:
    """Open the campaign at Home."""
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.shell_command import shell_command

    status = shell_command(db, "status")
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
        from judge_tui.tui.config import ThemeFile, read_config, theme_path

        config, themes = config or read_config(), ThemeFile(theme_path())
        at = opening(tui) if opening is not None else tui.AT_HOME
        app = tui.JudgeTuiApp(campaign, opening=at, config=config, themes=themes)
        app.run()
    finally:
        gc.enable()
    # 1 is Textual's own code for a crash; None: it did not end of itself.
    return CRASHED if app.return_code in (None, 1) else app.return_code


def is_terminal() -> bool:
    """Whether there is a terminal to open the app in."""
    # Textual reads standard input, draws on standard error, and asks standard output for the size;
    # a stream that was closed is None.
    streams = (sys.stdin, sys.stdout, sys.stderr)
    return all(stream is not None and stream.isatty() for stream in streams)


def refuse_no_terminal(instead: str) -> None:
    """Raise `UsageError` where there is no terminal to open the app in."""
    if not is_terminal():
        raise UsageError("the app needs a terminal, and there is none", instead)
    if os.environ.get("TERM") == "dumb":
        raise UsageError(
            "the app needs a terminal that can draw, and TERM is dumb",
            "say which one it is: export TERM=xterm-256color",
        )
    if codecs.lookup(sys.stderr.encoding).name != "utf-8":
        raise UsageError(
            f"the app needs a terminal in UTF-8, and this one is in {sys.stderr.encoding}",
            "set the locale: export LANG=C.UTF-8",
        )
