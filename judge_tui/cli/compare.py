"""`judge-tui compare`: whether a run is better than the baseline, or only luckier."""

from __future__ import annotations

from typing import cast

import click

from judge_tui.cli.printing import output_options, print_report, refuse_inputs
from judge_tui.scoring import parse_measures, score_runs
from judge_tui.significance import (
    ALTERNATIVES,
    COMPARED_BY_DEFAULT,
    CORRECTIONS,
    DEFAULT_TESTS,
    TESTS,
    Alternative,
    Verdict,
    compare_runs,
)
from judge_tui.sources import qrels_from, runs_from
from judge_tui.visible import visible_line

__all__ = ["command"]


@click.command(
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Tests: " + "; ".join(f"{test.name}: {test.summary}" for test in TESTS.values()) + ".",
)
@click.argument("qrels")
@click.argument("runs", nargs=-1, required=True, metavar="RUN RUN...")
@click.option("--baseline", metavar="TAG", help="The run to compare with.  [default: the first]")
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    metavar="MEASURE",
    help=f"As ir_measures names it; may be repeated.  [default: {' '.join(COMPARED_BY_DEFAULT)}]",
)
@click.option(
    "-t",
    "--test",
    "tests",
    multiple=True,
    metavar="TEST",
    help=f"May be repeated; the first gives the verdict.  [default: {' '.join(DEFAULT_TESTS)}]",
)
@click.option(
    "--correction",
    type=click.Choice(list(CORRECTIONS)),
    default="holm",
    show_default=True,
    help="For the many comparisons made at once: every measure x run.",
)
@click.option(
    "--alternative",
    type=click.Choice(list(ALTERNATIVES)),
    default="two-sided",
    show_default=True,
    help="What the run might be: different, greater or less than the baseline.",
)
@click.option(
    "--alpha", type=float, default=0.05, show_default=True, help="Significant is p below it."
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Fixes the bootstrap and the permutations that are drawn.",
)
@click.option(
    "--require",
    "gates",
    multiple=True,
    metavar="no-regression",
    help="Exit with 1 where the verdict on a run is: worse.",
)
@output_options
def command(
    qrels: str,
    runs: tuple[str, ...],
    baseline: str | None,
    measures: tuple[str, ...],
    tests: tuple[str, ...],
    correction: str,
    alternative: str,
    alpha: float,
    seed: int,
    gates: tuple[str, ...],
    form: str,
    output: str | None,
) -> int:
    """Compare RUNs with a baseline run, paired by query.

    Prints the mean difference with its 95 % bootstrap interval, wins, ties and losses, tests
    corrected for the number of comparisons, the effect size and the least that could be seen, and
    a verdict: better, worse, no difference shown, too few queries.
    """
    refuse_inputs(output, (qrels, *runs))
    from judge_tui.report.comparisons import comparison_report
    from judge_tui.report.scores import judged_beside

    for gate in gates:
        if gate != _NO_REGRESSION:
            raise click.UsageError(f"{gate!r} is no gate of compare; write {_NO_REGRESSION}")
    if gates and alternative == "greater":
        raise click.UsageError(
            f"--alternative greater cannot see a loss, so {_NO_REGRESSION} would always hold; "
            "leave one of them out"
        )
    asked = parse_measures(measures or COMPARED_BY_DEFAULT)
    judged, ranked = qrels_from(qrels), runs_from(runs)
    comparisons = compare_runs(
        judged,
        ranked,
        asked,
        baseline=baseline,
        tests=tests or DEFAULT_TESTS,
        correction=correction,
        alternative=cast(Alternative, alternative),
        alpha=alpha,
        seed=seed,
    )
    shares = judged_beside(asked) or [m for m in asked if m.definition.name == "Judged"]
    report = comparison_report(comparisons, score_runs(judged, ranked, shares))
    print_report(report, form, output)
    worse = [c for c in comparisons.comparisons if c.verdict is Verdict.WORSE] if gates else []
    for c in worse:
        what = f"{_NO_REGRESSION}: {c.tag} is worse than {c.baseline} by {c.measure}: {c.delta!r}"
        click.echo(f"gate not met: {visible_line(what)}", err=True)
    return 1 if worse else 0


_NO_REGRESSION = "no-regression"
