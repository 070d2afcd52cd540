"""`judge-tui score`: what the runs are worth by the qrels."""

from __future__ import annotations

from typing import Any

import click

from judge_tui.cli.earlier import earlier_options, save_result
from judge_tui.cli.gates import say_unmet
from judge_tui.cli.input_options import campaign_options, format_options
from judge_tui.cli.options import measures_option
from judge_tui.cli.printing import output_options_and, print_report
from judge_tui.cli.scored import (
    TREC,
    ScoreOptions,
    find_scores,
    held_gates,
    plan_scores,
    read_inputs,
    write_scores,
)
from judge_tui.cli.scoring import answers_options
from judge_tui.cli.slicing import slice_options
from judge_tui.scoring import DEFAULT_MEASURES, MEASURES, NO_REGRESSION

__all__ = ["command"]


@click.command(
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=f"Measures: {', '.join(MEASURES)}; written nDCG@10, AP(rel=2), or as trec_eval does."
    " --measures has a line on each.",
)
@click.argument("files", nargs=-1, metavar="QRELS RUN...")
@answers_options
@measures_option(
    "As ir_measures or trec_eval names it; may be repeated."
    f"  [default: {' '.join(DEFAULT_MEASURES)}; with --against those of its FILE]"
)
@click.option("--measures", "list_measures", is_flag=True, help="List all measures and stop.")
@click.option("-q", "--per-query", is_flag=True, help="Add the values of every query.")
@click.option(
    "-c",
    "--complete",
    is_flag=True,
    help="Average over all queries of the qrels; one that a run does not answer scores 0.",
)
@click.option(
    "-J",
    "--judged-only",
    is_flag=True,
    help="Take unjudged documents out of the lists before scoring.",
)
@click.option(
    "-M",
    "--max-results",
    "depth",
    type=click.IntRange(min=1),
    metavar="N",
    help="Look at the first N results of each query alone.",
)
@click.option(
    "-l",
    "--level",
    type=click.IntRange(1, 10**9 - 1),
    metavar="N",
    help="The least grade that counts as relevant, for measures without a rel of their own."
    "  [default: 1]",
)
@click.option(
    "--max-grade",
    type=click.IntRange(1, 1000),
    metavar="N",
    help="The greatest grade there is, for ERR and --bounds.  [default: with --db the scale's; for"
    " files 4 to ERR, the greatest of the qrels to --bounds]",
)
@click.option(
    "--bounds",
    is_flag=True,
    help="Add the least and the greatest mean that judging every document of the run could give,"
    " over the queries that are averaged now.",
)
@slice_options
@click.option(
    "--class-measures",
    metavar="FILE.toml",
    help='Measures for single slices: [classes.lookup] and measures = ["RR", "P@1"].'
    ' A JSONL queries file may say "measures": ["RR", "P@1"] instead.',
)
@click.option(
    "--require",
    "required",
    multiple=True,
    metavar="GATE",
    help='Exit with 1 unless it holds: "nDCG@10>=0.4" for every run, "TAG:Hit@5>=0.7" for one;'
    f' with --against also "nDCG@10>=baseline-0.01" and {NO_REGRESSION}; with --by class'
    ' "CLASS/RR>=0.4". May be repeated.',
)
@earlier_options
@campaign_options
@format_options
@click.option(
    "--score-precision",
    type=click.Choice(["64", "32"]),
    default="64",
    show_default=True,
    help="Bits that scores are compared in: trec_eval 10 takes 64, 9 and pytrec_eval take 32.",
)
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(min=1),
    metavar="N",
    help="Processes to score with.  [default: as many as pay]",
)
@output_options_and(TREC)
def command(list_measures: bool, form: str, output: str | None, **asked: Any) -> int:
    """Score RUNs with QRELS, as trec_eval does.

    RUN may be a folder, a pattern in quotes, - for standard input, or TAG=FILE, which gives the run
    a tag. A CSV that holds results and their grades is both: judge-tui score results.csv. With --db
    a campaign takes their place, with --answers a file of right answers that of QRELS.

    Ties are broken by score, then doc_id, both descending; unjudged documents count as not
    relevant. Averaged over the queries that are in both QRELS and RUN.

    With --against, measures of which more is not better (Judged, Unjudged, NumRet and the like) are
    shown without a test or a verdict, and no-regression does not look at them.

    The columns of -f csv are tag, query_id ("all": the mean), measure, value; then with --by slice
    (FIELD=VALUE, empty for all queries) and queries, with --bounds low and high, with --against
    before, difference, p, p_adjusted and verdict.
    """
    if list_measures:
        from judge_tui.report.measures import measures_report

        print_report(measures_report(), "table" if form == TREC else form, output)
        return 0
    options = ScoreOptions(form=form, output=output, **asked)
    given = read_inputs(options)
    plan = plan_scores(options, given)
    found = find_scores(options, given, plan)
    required = held_gates(plan, found)
    write_scores(options, given, plan, found)
    # Last of all: where the result could not be written, nothing is to be taken for kept.
    save_result(
        options.save,
        options.against,
        found.scores,
        given.inputs.qrels,
        options.basis,
        given.known,
        plan.wanted.asked,
        passed=not any(one.unmet for one in required),
    )
    return say_unmet(required)
