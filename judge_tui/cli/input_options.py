"""Options of who scores and compares: the formats of files, or a campaign in their place."""

from __future__ import annotations

from typing import NamedTuple

import click

from judge_tui.cli.options import Command, include_models, policy, unresolved

__all__ = ["CampaignChoice", "campaign_options", "chosen_campaign", "format_options"]


class CampaignChoice(NamedTuple):
    """The campaign named by `--db`, and how its judgments become one grade a pair."""

    db: str
    policy: str
    unresolved: str
    include_models: bool | None


def campaign_options(command: Command) -> Command:
    """`--db`, `--policy`, `--unresolved`, `--include-models`: a campaign in place of files.

    The command gets `db`, None where files are meant, `policy`, `unresolved` and `include_models`.
    """
    for option in (
        include_models,
        unresolved("skip", where="With --db, "),
        policy(None, where="With --db, "),
        click.option(
            "-d",
            "--db",
            metavar="FILE",
            help="Take the current grades and the kept runs of this campaign in place of files;"
            " RUNs are then tags.",
        ),
    ):
        command = option(command)
    return command


def format_options(command: Command) -> Command:
    """`--qrels-format` and `--run-format`; the command gets `qrels_format` and `run_format`."""
    for kind, called in (("run", "the runs are in"), ("qrels", "the qrels are in")):
        command = click.option(
            f"--{kind}-format",
            metavar="F",
            help=f"The format {called}, if not found out.",
        )(command)
    return command


def chosen_campaign(
    db: str | None, policy: str | None, unresolved: str | None, include_models: bool | None
) -> CampaignChoice | None:
    """The choice made by `campaign_options`; they say nothing without a campaign."""
    if db is not None:
        return CampaignChoice(db, policy or "majority", unresolved or "skip", include_models)
    for option, given in (
        ("--policy", policy),
        ("--unresolved", unresolved),
        ("--include-models", include_models),
    ):
        if given is not None:
            raise click.UsageError(f"{option} is about a campaign; name it with --db")
    return None
