"""`judge-tui evaluate`: from live systems and right answers to numbers and an exit code."""

from __future__ import annotations

from typing import Any

import click

from judge_tui.cli.asking import asking_options
from judge_tui.cli.benchmarks import benchmark_options
from judge_tui.cli.gates import say_unmet
from judge_tui.cli.options import measures_option

__all__ = ["USUAL", "command"]

USUAL = ("nDCG@10", "RR@10", "P@5", "R@10", "AP")
"""What systems are scored by where no measure is named, with grades by Judged@10, too; the first is
what they are compared by."""


@click.command()
@click.argument("systems", metavar="SYSTEMS.toml")
@click.option("--queries", metavar="FILE", help="The queries.  [default: those of --answers]")
@click.option("--answers", metavar="FILE", help="Right answers: JSON, JSONL, TOML or CSV.")
@click.option("--qrels", metavar="FILE", help="Grades of documents, in place of --answers.")
@benchmark_options
@click.option(
    "--credit",
    type=click.Choice(["once", "every"]),
    default="once",
    show_default=True,
    help="Whether nDCG, AP and RR credit an answer once, at the first result that is right by it,"
    " or every right result.",
)
@measures_option(
    "Systems are scored and compared by each; may be repeated, and RR@10 always stands beside"
    f" them.  [default: {USUAL[0]} for comparisons; for scores {' '.join(USUAL[1:])}, too; classes"
    " of queries that have terms of their own: those]"
)
@click.option(
    "--baseline", metavar="NAME", help="The system to compare with.  [default: the first]"
)
@click.option(
    "--require",
    "required",
    multiple=True,
    metavar="GATE",
    help='Exit with 1 unless it holds: "RR@10>=0.4" of every system, "NAME:Hit@5>=0.7" of one;'
    ' "nDCG@10>=baseline-0.01" or no-regression of all but the baseline; "CLASS/RR>=0.4" of a class'
    " of queries. May be repeated.",
)
@click.option(
    "--strong",
    type=click.FloatRange(0, 1),
    default=0.4,
    show_default=True,
    help="A mean RR@10 from here on is called strong.",
)
@click.option(
    "--usable",
    type=click.FloatRange(0, 1),
    default=0.2,
    show_default=True,
    help="From here on it is called usable, and below poor.",
)
@asking_options
def command(**asked: Any) -> int:
    """Ask live systems, score what they find, compare them, and show where they fail.

    Into DIR come, beside what collect writes, results.json, audit.md and decision.md (Markdown). A
    query that failed or found nothing counts as 0, and is never left out. The same answers of the
    systems give the same bytes, but for decision.md, NAME.latency.csv and NAME.answers.jsonl, which
    hold the times.
    """
    from judge_tui.cli.earlier_files import telling_of_earlier
    from judge_tui.cli.evaluated import (
        PAGES,
        EvaluateOptions,
        ask_systems,
        find_evaluated,
        pages_of,
        plan_evaluation,
        print_evaluated,
        write_pages,
    )

    options = EvaluateOptions(**asked)
    with telling_of_earlier(options.asking.folder, PAGES):
        options.refuse_senseless()
        plan = plan_evaluation(options)
        collected = ask_systems(options, plan)
        evaluated = find_evaluated(options, plan, collected)
        pages = pages_of(options, plan, evaluated)
        write_pages(pages, options.asking.folder)
    print_evaluated(options, pages, evaluated)
    return say_unmet(evaluated.required)
