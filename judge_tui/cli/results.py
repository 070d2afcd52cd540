"""`judge-tui results`: what the runs are worth, printed view by view, or the app to look around."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from judge_tui.cli.options import database, include_models, measures_option, policy
from judge_tui.cli.printing import output_options_and, print_report, refuse_inputs
from judge_tui.cli.result_views import (
    Seen,
    deltas_view,
    disagreements_view,
    failures_view,
    histogram_view,
    leaderboard_view,
    rankings_view,
    slices_view,
)

if TYPE_CHECKING:
    from collections.abc import Container, Iterable

    from judge_tui.analysis.basis import Question
    from judge_tui.report import Report
    from judge_tui.tui.app import Opening

__all__ = ["command"]


@click.command()
@database
@click.argument("tags", nargs=-1, metavar="[TAG]...")
@click.option(
    "--failures", metavar="TAG", help="Queries with nothing relevant in its top k; what came."
)
@click.option("--histogram", is_flag=True, help="The rank of the first relevant document.")
@click.option(
    "--by",
    metavar="FIELD",
    help="By a field of the queries, such as class; or the relevant documents by document.kind or"
    " document.length.",
)
@click.option("--delta", nargs=2, metavar="A B", help="Run B beside run A, query by query.")
@click.option("--query", nargs=3, metavar="QID A B", help="Both runs' rankings of one query.")
@click.option(
    "--disagreements", is_flag=True, help="The queries on which the runs are furthest apart."
)
@measures_option("As score has them; may be repeated.  [default: the usual ones; of one nDCG@10]")
@click.option(
    "--baseline",
    metavar="TAG",
    help="The run to compare with.  [default: the campaign's, else the first]",
)
@click.option(
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
    failures: str | None,
    histogram: bool,
    by: str | None,
    delta: tuple[str, str] | None,
    query: tuple[str, str, str] | None,
    disagreements: bool,
    measures: tuple[str, ...],
    baseline: str | None,
    k: int,
    policy: str,
    include_models: bool | None,
    form: str,
    output: str | None,
) -> int:
    """Print a view of the results, of all runs or of those TAGs; without a view, open the app.

    Values are those of judge-tui score --db. -f and -o without a view print the leaderboard.
    """
    from judge_tui.analysis.basis import Question

    asked = Question(tags, measures, baseline, k, policy, include_models)
    views: dict[str, Callable[[Seen], Report] | None] = {
        "--failures": None if failures is None else lambda seen: failures_view(seen, failures),
        "--histogram": histogram_view if histogram else None,
        "--by": None if by is None else lambda seen: slices_view(seen, by),
        "--delta": None if delta is None else lambda seen: deltas_view(seen, *delta),
        "--query": None if query is None else lambda seen: rankings_view(seen, *query),
        "--disagreements": disagreements_view if disagreements else None,
    }
    chosen = {name: view for name, view in views.items() if view is not None}
    if len(chosen) > 1:
        raise click.UsageError(f"{' and '.join(chosen)} are two views; ask for one at a time")
    written = form != "table" or output is not None
    if not chosen and not written:
        return _open(db, asked, instead=_flags(views))
    ((name, view),) = chosen.items() or (("the leaderboard", leaderboard_view),)
    if len(measures) > 1 and name in ("--delta", "--disagreements"):
        raise click.UsageError(f"{name} is by one measure; give one -m")
    refuse_inputs(output, [str(db)])
    report = _read(db, asked, view, needed=(*(delta or ()), *(query or ())[1:], failures))
    print_report(report, form, output)
    return 0


def _flags(names: Container[str]) -> str:
    """The options of these names, as one gives them."""
    options = click.get_current_context().command.params
    flags = [
        f"{one.opts[0]} {one.metavar or ''}".rstrip() for one in options if one.opts[0] in names
    ]
    return f"{', '.join(flags[:-1])} or {flags[-1]}"


def _open(db: Path, asked: Question, *, instead: str) -> int:
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.typed import typed
    from judge_tui.cli.judge import open_app, refuse_no_terminal

    refuse_no_terminal(f"print a view: {typed(db, 'results', instead)}")
    with open_campaign(db) as campaign:

        def at_results(_: object) -> Opening:
            from judge_tui.tui.screens.results import opening

            return opening(asked)

        return open_app(campaign, at_results)


def _read(
    db: Path, asked: Question, view: Callable[[Seen], Report], *, needed: Iterable[str | None]
) -> Report:
    """Everything of one moment. Runs that a view names join those that were asked for."""
    from dataclasses import replace

    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.overview.standing import results_now

    if asked.tags:
        tags = (*asked.tags, *needed)
        asked = replace(asked, tags=tuple(dict.fromkeys(tag for tag in tags if tag is not None)))
    with open_campaign(db) as campaign, campaign.reading():
        found = results_now(campaign, asked)
        return view(Seen(campaign, found.now, found.basis))
