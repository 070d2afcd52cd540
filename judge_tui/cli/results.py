"""`judge-tui results`: what the runs are worth, printed view by view, or the app to look around."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from judge_tui.cli.commands import make_command, option, options
from judge_tui.cli.options import database, include_models, measures_option, policy
from judge_tui.cli.printing import output_options_and, print_report, refuse_inputs

if TYPE_CHECKING:
    from judge_tui.analysis.basis import Question
    from judge_tui.tui.app import Opening

__all__ = ["command"]

_VIEWS: dict[str, dict[str, Any]] = {
    "leaderboard": {"is_flag": True, "help": "The runs, best first, beside the baseline."},
    "failures": {
        "metavar": "TAG",
        "help": "The queries with nothing relevant in the top k of TAG, and what came.",
    },
    "histogram": {"is_flag": True, "help": "The rank of the first relevant document."},
    "by": {
        "metavar": "FIELD",
        "help": "Each value of a field of the queries, such as class; document.kind and"
        " document.length slice the relevant documents.",
    },
    "delta": {"nargs": 2, "metavar": "A B", "help": "Run B beside run A, query by query."},
    "query": {"nargs": 3, "metavar": "QID A B", "help": "Both runs' rankings of one query."},
    "disagreements": {
        "is_flag": True,
        "help": "The queries on which the runs are furthest apart.",
    },
}

_BY_ONE_MEASURE = ("delta", "disagreements")


@make_command(
    examples=["results --leaderboard -m nDCG@10 -m AP", "results --query q017 bm25 dense"]
)
@click.argument("tags", nargs=-1, metavar="[TAG]...")
@options(*(option(f"--{name}", group="Views", **settings) for name, settings in _VIEWS.items()))
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
    from judge_tui.analysis.basis import Question

    asked = Question(tags, measures, baseline, k, policy, include_models)
    chosen: dict[str, Any] = {
        name: value for name, value in views.items() if value not in (None, False)
    }
    if len(chosen) > 1:
        flags = " and ".join(f"--{name}" for name in _VIEWS if name in chosen)
        raise click.UsageError(f"{flags} are two views; ask for one at a time")
    if not chosen and form == "table" and output is None and not whole:
        return _open(db, asked)
    ((name, value),) = (chosen or {"leaderboard": True}).items()
    if len(measures) > 1 and name in _BY_ONE_MEASURE:
        raise click.UsageError(f"--{name} is by one measure; give one -m")
    refuse_inputs(output, [str(db)])
    from judge_tui.cli.result_views import view

    names: tuple[str, ...] = () if value is True else (value,) if isinstance(value, str) else value
    report = view(db, asked, name, names)
    print_report(report if whole else report.brief(), form, output)
    return 0


def _open(db: Path, asked: Question) -> int:
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.typed import typed
    from judge_tui.cli.opening import open_app, refuse_no_terminal

    flags = [f"--{name} {its.get('metavar', '')}".rstrip() for name, its in _VIEWS.items()]
    views = f"{', '.join(flags[:-1])} or {flags[-1]}"
    refuse_no_terminal(f"print a view: {typed(db, 'results', views)}")
    with open_campaign(db) as campaign:

        def at_results(_: object) -> Opening:
            from judge_tui.tui.screens.results import opening

            return opening(asked)

        return open_app(campaign, at_results)
