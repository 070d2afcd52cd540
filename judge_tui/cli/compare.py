"""`judge-tui compare`: whether a run is better than the baseline, or only luckier."""

from __future__ import annotations

from typing import cast

import click

from judge_tui.cli.inputs import (
    BESIDE_BASELINE,
    GateOptions,
    InputOptions,
    gate_options,
    input_options,
    say_gates,
)
from judge_tui.cli.options import measures_option
from judge_tui.cli.printing import output_options, print_report, refuse_inputs
from judge_tui.cli.significance_options import (
    alpha_option,
    alternative_option,
    correction_option,
    seed_option,
)
from judge_tui.comparison.compare import COMPARED_BY_DEFAULT
from judge_tui.comparison.paired_tests import Alternative
from judge_tui.comparison.registry import DEFAULT_TESTS, TESTS
from judge_tui.errors import UsageError

__all__ = ["command"]


@click.command(
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Tests: " + "; ".join(f"{name}: {test.summary}" for name, test in TESTS.items()) + ".",
)
@click.argument("words", nargs=-1, metavar="QRELS RUN RUN... [MEASURE...]")
@click.option(
    "--baseline",
    metavar="TAG",
    help="The run to compare with.  [default: the campaign's, else the first]",
)
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
@input_options
@gate_options(
    f'{BESIDE_BASELINE}, "nDCG@10>=0.4" for every run but the baseline, "TAG:nDCG@10>=0.4" for one;'
    ' with --by class "CLASS/RR>=0.4"'
)
@output_options
def command(
    words: tuple[str, ...],
    baseline: str | None,
    all_pairs: bool,
    measures: tuple[str, ...],
    tests: tuple[str, ...],
    correction: str,
    tukey: bool,
    alternative: str,
    alpha: float,
    seed: int,
    complete: bool,
    sources: InputOptions,
    gating: GateOptions,
    form: str,
    output: str | None,
) -> int:
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
    from judge_tui.api import compare
    from judge_tui.cli.progress import reading
    from judge_tui.evaluation.gates import NO_REGRESSION, check_gates
    from judge_tui.report.comparisons import comparison_report
    from judge_tui.scoring import parse_measures

    gates = gating.parse()
    if alternative == "greater" and any(gate.measure is None for gate in gates):
        raise UsageError(
            f"--alternative greater cannot see a loss, so {NO_REGRESSION} would always hold",
            "leave one of them out",
        )
    parse_measures(measures)  # refused before anything is read
    inputs, named = sources.open(words)
    refuse_inputs(output, inputs.files)
    gates = gating.parse(inputs)
    with reading() as on_read:
        comparisons = compare(
            inputs,
            measures=(*measures, *named) or None,
            credit=sources.credit,
            baseline=baseline,
            all_pairs=all_pairs,
            tests=tests or DEFAULT_TESTS,
            correction=correction,
            alternative=cast(Alternative, alternative),
            alpha=alpha,
            seed=seed,
            tukey=tukey,
            complete=complete,
            ignore_self=sources.ignore_self,
            by=sources.by,
            jobs=None,
            also=[gate.measure for gate in gates if gate.measure is not None],
            on_read=on_read,
        )
    scores = comparisons.scores
    results = check_gates(
        gates,
        scores,
        comparisons,
        tags=[tag for tag in scores if tag != comparisons.baseline],
        allow_missing=gating.allow_missing,
    )
    report = comparison_report(
        comparisons,
        gates=results,
        settings={
            **({} if sources.by is None else {"by": sources.by}),
            **({"ignore_self": True} if sources.ignore_self else {}),
            **sources.credited,
            **inputs.settings,
        },
    )
    print_report(report, form, output)
    return say_gates(results)
