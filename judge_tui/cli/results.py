"""`judge-tui results`: what the runs are worth, printed view by view, or the app to look around."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import click

from judge_tui.analysis.basis import Question
from judge_tui.campaign import open_campaign
from judge_tui.campaign.overview.findings import findings_now
from judge_tui.campaign.shell_command import shell_command
from judge_tui.cli.app import open_app, refuse_no_terminal
from judge_tui.cli.commands import Command, make_command, option, options
from judge_tui.cli.options import (
    database,
    include_models,
    measures_option,
    policy,
    unjudged,
    with_model,
)
from judge_tui.cli.printing import output_options, print_report, refuse_inputs
from judge_tui.place import Place
from judge_tui.report.results.views import VIEWS, ViewOption
from judge_tui.scoring.filled import StandIn


def _flag(view: ViewOption) -> Callable[[Command], Command]:
    count = len(view.words.split())
    takes = {"nargs": count, "metavar": view.words} if count else {"is_flag": True}
    return option(f"--{view.name}", group="Views", help=view.help, **takes)


@make_command(
    manual="results",
    examples=["results --leaderboard -m nDCG@10 -m AP", "results --query q017 bm25 dense"],
)
@click.argument("tags", nargs=-1, metavar="[TAG]...")
@options(*map(_flag, VIEWS))
@option(
    "--all",
    "whole",
    group="Views",
    is_flag=True,
    help="Print also what a view rests on: bounds, intervals, what is kept of the runs.",
)
@database()
@measures_option("As score has them; may be repeated.  [default: the usual ones; of one nDCG@10]")
@option(
    "--baseline",
    metavar="TAG",
    help="The run to compare with.  [default: the campaign's, else the first]",
)
@option(
    "-k",
    type=click.IntRange(1, 100_000),
    default=10,
    show_default=True,
    help="How many results are the top.",
)
@unjudged()
@with_model
@policy()
@include_models
@output_options
def command(
    db: Place,
    tags: tuple[str, ...],
    whole: bool,
    measures: tuple[str, ...],
    baseline: str | None,
    k: int,
    unjudged: StandIn,
    with_model: str,
    policy: str,
    include_models: bool | None,
    form: str,
    output: str | None,
    **views: Any,
) -> int:
    """Print a view of the results, of all runs or of those TAGs; without a view, open the app.

    The numbers are those of score --db and compare --db. With -f, -o or --all and no view, the
    leaderboard is printed.
    """
    question = Question(tags, measures, baseline, k, policy, include_models, unjudged, with_model)
    chosen = [view for view in VIEWS if views[view.name] not in (None, False)]
    if len(chosen) > 1:
        flags = " and ".join(f"--{view.name}" for view in chosen)
        raise click.UsageError(f"{flags} are two views; ask for one at a time")
    if not chosen and form == "table" and output is None and not whole:
        return _open(db, question)
    view = chosen[0] if chosen else VIEWS[0]
    if with_model and not view.takes_model:
        flags = " or ".join(f"--{one.name}" for one in VIEWS if one.takes_model)
        raise click.UsageError(f"--with-model is for {flags}, not for --{view.name}")
    if len(measures) > 1 and view.needs_one_measure:
        raise click.UsageError(f"--{view.name} is by one measure; give one -m")
    refuse_inputs(output, [str(db)])
    words = views[view.name] if view.words else ()
    words = (words,) if isinstance(words, str) else words
    if tags and view.runs:
        shown = (*tags, *words[-view.runs :])
        question = replace(question, tags=tuple(dict.fromkeys(shown)))
    with open_campaign(db) as campaign, campaign.reading():
        _, report = view.make(findings_now(campaign, question), *words)
    print_report(report if whole else report.brief(), form, output)
    return 0


def _open(db: Place, question: Question) -> int:
    flags = [f"--{view.name} {view.words}".rstrip() for view in VIEWS]
    views = f"{', '.join(flags[:-1])} or {flags[-1]}"
    refuse_no_terminal(f"print a view: {shell_command(db, 'results', views)}")
    with open_campaign(db) as campaign:
        return open_app(campaign, lambda app: app.showing_results(question))
