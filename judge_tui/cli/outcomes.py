"""`judge-tui outcomes`: experiments whose result is a yes or no, arm beside arm."""

from __future__ import annotations

import click

from judge_tui.cli.commands import make_command, option
from judge_tui.cli.compare import alpha_option, correction_option, seed_option
from judge_tui.cli.printing import output_options, print_report, refuse_inputs


@make_command(
    manual="context",
    examples=["outcomes outcomes.csv", "outcomes outcomes.csv --baseline plain --check compiles"],
)
@click.argument("file", metavar="FILE.csv")
@option("--baseline", metavar="ARM", help="The arm to compare with.  [default: the first]")
@option(
    "--check",
    "checks",
    multiple=True,
    metavar="NAME",
    help="A column that holds a check; may be repeated.  [default: passed, else every column]",
)
@correction_option("check x arm")
@alpha_option
@seed_option
@output_options
def command(
    file: str,
    baseline: str | None,
    checks: tuple[str, ...],
    correction: str,
    alpha: float,
    seed: int,
    form: str,
    output: str | None,
) -> int:
    """Compare arms over the same tasks: which passes more, and is it chance?

    FILE.csv has the columns task and arm, and passed or a column for each check, with 1 or 0; an
    empty cell is not an outcome. The test is exact McNemar, on the tasks that one of two arms alone
    passes; they are listed.
    """
    from judge_tui.comparison.compare import compare_scores
    from judge_tui.comparison.settings import ComparisonSettings
    from judge_tui.errors import check_known
    from judge_tui.evaluation.values import scores_of_outcomes
    from judge_tui.formats.outcomes_csv import read_outcomes
    from judge_tui.report.outcomes import outcomes_report

    refuse_inputs(output, [file])
    outcomes = read_outcomes(file, checks=checks)
    if baseline is not None:
        check_known("arm", baseline, outcomes.arms)
    settings = ComparisonSettings(
        baseline=baseline, tests=("mcnemar",), correction=correction, alpha=alpha, seed=seed
    )
    compared = compare_scores(scores_of_outcomes(outcomes), settings)
    print_report(outcomes_report(outcomes, compared), form, output)
    return 0
