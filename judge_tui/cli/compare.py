"""`judge-tui compare`: whether a run is better than the baseline, or only luckier."""

from __future__ import annotations

from typing import Any

import click

from judge_tui.cli.gates import say_unmet
from judge_tui.cli.input_options import campaign_options, format_options
from judge_tui.cli.options import measures_option
from judge_tui.cli.printing import output_options
from judge_tui.cli.scoring import answers_options
from judge_tui.cli.significance_options import (
    alpha_option,
    alternative_option,
    correction_option,
    seed_option,
)
from judge_tui.cli.slicing import slice_options
from judge_tui.scoring import NO_REGRESSION
from judge_tui.significance import (
    COMPARED_BY_DEFAULT,
    DEFAULT_TESTS,
    TESTS,
)

__all__ = ["command"]


@click.command(
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Tests: " + "; ".join(f"{test.name}: {test.summary}" for test in TESTS.values()) + ".",
)
@click.argument("files", nargs=-1, metavar="QRELS RUN RUN...")
@answers_options
@click.option("--baseline", metavar="TAG", help="The run to compare with.  [default: the first]")
@click.option("--all-pairs", is_flag=True, help="Compare each run with every earlier one instead.")
@measures_option(
    f"As ir_measures names it; may be repeated.  [default: {' '.join(COMPARED_BY_DEFAULT)}]"
)
@click.option(
    "-t",
    "--test",
    "tests",
    multiple=True,
    metavar="TEST",
    help=f"May be repeated; the first gives the verdict.  [default: {' '.join(DEFAULT_TESTS)}]",
)
@correction_option("measure x run (x slice)")
@click.option(
    "--tukey",
    is_flag=True,
    help="Add randomised Tukey HSD: p of all pairs of runs at once, by each measure.",
)
@alternative_option
@alpha_option
@seed_option("the bootstrap and the permutations that are drawn")
@click.option(
    "-c",
    "--complete",
    is_flag=True,
    help="Compare over all queries of the qrels; one that a run does not answer scores 0.",
)
@slice_options
@click.option(
    "--require",
    "gates",
    multiple=True,
    metavar="GATE",
    help=f"Exit with 1 unless it holds: {NO_REGRESSION} (no verdict is worse, and every query"
    " that counts for the baseline counts for the run: one without results does, as 0, with"
    " --complete or where NAME.latency.csv beside the file says that it was asked),"
    ' "nDCG@10>=baseline-0.01", "nDCG@10>=0.4" for every run but the baseline,'
    ' "TAG:nDCG@10>=0.4" for one; with --by class "CLASS/RR>=0.4". May be repeated.',
)
@campaign_options
@format_options
@output_options
def command(**asked: Any) -> int:
    """Compare RUNs with a baseline run, paired by query.

    RUN may be a folder, a pattern in quotes, - for standard input, or TAG=FILE, which gives the run
    a tag; several CSV files that hold results and their grades are both. With --db a campaign takes
    their place.

    Prints the mean difference with its 95 % bootstrap interval, wins, ties and losses, tests
    corrected for the number of comparisons, the effect size and the least that could be seen, and
    a verdict: better, worse, no difference shown, too few queries.

    Measures of which more is not better (Judged, Unjudged, NumRet and the like) give no verdict and
    are refused here, but for gates; score shows them.
    """
    # Not at start-up: they bring the formats of inputs and the tables with them.
    from judge_tui.cli.compared import (
        CompareOptions,
        find_differences,
        held_gates,
        plan_comparison,
        read_inputs,
        write_comparison,
    )

    options = CompareOptions(**asked)
    given = read_inputs(options)
    plan = plan_comparison(options, given)
    found = find_differences(options, given, plan)
    required = held_gates(given, plan, found)
    write_comparison(options, given, plan, found)
    return say_unmet(required)
