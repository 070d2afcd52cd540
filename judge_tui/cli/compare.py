"""`judge-tui compare`: whether a run is better than the baseline, or only luckier."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import click

from judge_tui.cli.commands import Command, make_command, option
from judge_tui.cli.inputs import (
    InputOptions,
    gates_of,
    input_options,
    require_option,
    say_gates,
)
from judge_tui.cli.options import measures_option, unjudged
from judge_tui.cli.printing import output_options, print_report, refuse_inputs
from judge_tui.comparison.compare import COMPARED_BY_DEFAULT
from judge_tui.comparison.paired_tests import ALTERNATIVES, Alternative
from judge_tui.comparison.settings import CORRECTIONS, DEFAULT_TESTS, TESTS, ComparisonSettings
from judge_tui.errors import UsageError
from judge_tui.scoring import Rules
from judge_tui.scoring.filled import StandIn


def correction_option(every: str) -> Callable[[Command], Command]:
    """`--correction`; `every`: what there is a comparison for each of."""
    return option(
        "--correction",
        group="Tests",
        type=click.Choice(list(CORRECTIONS)),
        default="holm",
        show_default=True,
        help=f"Correct p for the many comparisons made at once: every {every}.",
    )


alternative_option = option(
    "--alternative",
    group="Tests",
    type=click.Choice(list(ALTERNATIVES)),
    default="two-sided",
    show_default=True,
    help="Test whether the run is different, greater or less than the baseline.",
)

alpha_option = option(
    "--alpha",
    group="Tests",
    type=float,
    default=0.05,
    show_default=True,
    help="Call a difference significant where p is below it.",
)

seed_option = option(
    "--seed",
    group="Tests",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Fix what is drawn at random: resamples and permutations.",
)


@make_command(
    manual="compare",
    examples=[
        "compare qrels.txt old.run new.run --require no-regression",
        "compare --values answered.csv --baseline old -t mcnemar",
    ],
    epilog="Tests: " + "; ".join(f"{name}: {test.summary}" for name, test in TESTS.items()) + ".",
)
@click.argument("words", nargs=-1, metavar="QRELS RUN RUN... [MEASURE...]")
@option(
    "--values",
    metavar="FILE",
    multiple=True,
    help="Compare values that were measured elsewhere, in place of runs.",
)
@option(
    "--baseline",
    metavar="TAG",
    help="The run to compare with.  [default: the campaign's, else the first]",
)
@option("--all-pairs", is_flag=True, help="Compare each run with every earlier one instead.")
@option("-q", "--per-query", is_flag=True, help="Add the difference of every query.")
@measures_option(
    "As ir_measures or trec_eval names it; may be repeated."
    f"  [default: {' '.join(COMPARED_BY_DEFAULT)}]"
)
@unjudged()
@option(
    "-c",
    "--complete",
    group="Queries",
    is_flag=True,
    help="Compare over all queries of the qrels; one that a run does not answer scores 0.",
)
@option(
    "-t",
    "--test",
    "tests",
    group="Tests",
    multiple=True,
    metavar="TEST",
    help=f"May be repeated; the first gives the verdict.  [default: {' '.join(DEFAULT_TESTS)}]",
)
@correction_option("measure x run (x slice)")
@option(
    "--tukey",
    group="Tests",
    is_flag=True,
    help="Add randomised Tukey HSD: p of all pairs of runs at once, by each measure.",
)
@alternative_option
@alpha_option
@seed_option
@input_options
@require_option("Gates")
@output_options
def command(
    words: tuple[str, ...],
    values: tuple[str, ...],
    baseline: str | None,
    all_pairs: bool,
    per_query: bool,
    measures: tuple[str, ...],
    unjudged: StandIn,
    complete: bool,
    tests: tuple[str, ...],
    correction: str,
    tukey: bool,
    alternative: str,
    alpha: float,
    seed: int,
    sources: InputOptions,
    required: tuple[str, ...],
    form: str,
    output: str | None,
) -> int:
    """Compare RUNs with a baseline run, paired by query.

    RUN may be a folder, a pattern in quotes, - for standard input, or TAG=FILE, which gives the run
    a tag. A campaign (--db) takes the place of the files, and its baseline stands beside one RUN.

    The verdict is better, worse, no difference shown or too few queries; beside it stand the mean
    difference with its interval, wins and losses, p by each test and the effect size.

    --values compares what was measured elsewhere, where more is better: a table with a column of
    queries and one for each system, or what trec_eval -q prints.
    """
    # Not at start-up: they bring the formats of inputs and the tables with them.
    from judge_tui.cli.progress import show_reading
    from judge_tui.evaluation.gates import check_gates
    from judge_tui.evaluation.score_inputs import compare_inputs, refuse_many_pairs
    from judge_tui.evaluation.score_runs import ScoringQuestion
    from judge_tui.report.comparisons import comparison_report, comparison_rows

    if values:
        inputs, named = sources.open_values(values, words)
    else:
        inputs, named = sources.open(
            words, baseline=baseline, join_baseline=not all_pairs, unjudged=unjudged
        )
    refuse_inputs(output, inputs.files)
    if all_pairs and (form != "csv" or per_query or tukey):
        refuse_many_pairs(inputs)
    gates = gates_of(required, inputs)
    if alternative == "greater" and any(gate.measure is None for gate in gates):
        raise UsageError(
            "--alternative greater cannot see a loss, so no-regression would always hold",
            "leave one of them out",
        )
    settings = ComparisonSettings(
        baseline=baseline,
        all_pairs=all_pairs,
        tests=tests or DEFAULT_TESTS,
        correction=correction,
        alternative=cast(Alternative, alternative),
        alpha=alpha,
        seed=seed,
        tukey=tukey,
    )
    with show_reading() as on_read:
        question = ScoringQuestion(
            measures=(*measures, *named) or None,
            also=[gate.measure for gate in gates if gate.measure is not None],
            by=sources.by,
            rules=Rules(complete=complete, ignore_self=sources.ignore_self),
            unjudged=unjudged,
            credit=sources.credit,
            jobs=None,
            cluster=sources.cluster,
            on_read=on_read,
        )
        comparisons = compare_inputs(inputs, question, settings)
    results = check_gates(
        gates,
        comparisons.scores,
        comparisons,
        tags=[tag for tag in comparisons.scores if tag != comparisons.baseline],
    )
    if form == "csv" and not per_query:
        report = comparison_rows(comparisons)
    else:
        report = comparison_report(
            comparisons,
            per_query=per_query,
            texts=inputs.texts,
            gates=results,
        )
    print_report(report, form, output)
    return say_gates(results)
