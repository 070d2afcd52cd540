"""`judge-tui results`: what the runs are worth, printed view by view, or the app to look around."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from judge_tui.analysis.basis import Question
from judge_tui.cli.commands import make_command, option, options
from judge_tui.cli.options import database, include_models, measures_option, policy
from judge_tui.cli.printing import output_options_and, print_report, refuse_inputs
from judge_tui.cli.result_views import VIEWS

if TYPE_CHECKING:
    from judge_tui.tui.app import Opening

__all__ = ["command"]


@make_command(
    examples=["results --leaderboard -m nDCG@10 -m AP", "results --query q017 bm25 dense"]
)
@click.argument("tags", nargs=-1, metavar="[TAG]...")
@options(*(view.option for view in VIEWS))
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
@policy()
@include_models
@output_options_and("svg")
def command(
    db: Path,
    tags: tuple[str, ...],
    whole: bool,
    measures: tuple[str, ...],
    baseline: str | None,
    k: int,
    policy: str,
    include_models: bool | None,
    form: str,
    output: str | None,
    **views: Any,
) -> int:
    """Print a view of the results, of all runs or of those TAGs; without a view, open the app.

    Values are those of judge-tui score --db, and verdicts those of judge-tui compare --db. With -f,
    -o or --all, no view is the leaderboard.
    """
    asked = Question(tags, measures, baseline, k, policy, include_models)
    chosen = [view for view in VIEWS if views[view.name] not in (None, False)]
    if len(chosen) > 1:
        flags = " and ".join(f"--{view.name}" for view in chosen)
        raise click.UsageError(f"{flags} are two views; ask for one at a time")
    if not chosen and form == "table" and output is None and not whole:
        return _open(db, asked)
    view = chosen[0] if chosen else VIEWS[0]
    if len(measures) > 1 and view.needs_one_measure:
        raise click.UsageError(f"--{view.name} is by one measure; give one -m")
    refuse_inputs(output, [str(db)])
    words = views[view.name] if view.words else ()
    report = view.of(db, asked, (words,) if isinstance(words, str) else words)
    print_report(report if whole else report.brief(), form, output)
    return 0


def _open(db: Path, asked: Question) -> int:
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.typed import typed
    from judge_tui.cli.opening import open_app, refuse_no_terminal

    flags = [f"--{view.name} {view.words}".rstrip() for view in VIEWS]
    views = f"{', '.join(flags[:-1])} or {flags[-1]}"
    refuse_no_terminal(f"print a view: {typed(db, 'results', views)}")
    with open_campaign(db) as campaign:

        def at_results(_: object) -> Opening:
            from judge_tui.tui.screens.results import opening

            return opening(asked)

        return open_app(campaign, at_results)
