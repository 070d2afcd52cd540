"""`judge-tui compare`: whether a run is better than the baseline, or only luckier."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast

import click

from judge_tui.cli.printing import output_options, print_report, refuse_inputs
from judge_tui.errors import UsageError
from judge_tui.scoring import NO_REGRESSION, Gate, Scores, parse_gate, parse_measures
from judge_tui.significance import (
    ALTERNATIVES,
    COMPARED_BY_DEFAULT,
    CORRECTIONS,
    DEFAULT_TESTS,
    TESTS,
    Alternative,
    Comparisons,
    Settings,
    Verdict,
    compare_scores,
    gate_failures,
    measures_needed,
    shown_slice,
)
from judge_tui.sources import qrels_from, slices_from
from judge_tui.visible import visible_line

__all__ = ["command"]


@click.command(
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Tests: " + "; ".join(f"{test.name}: {test.summary}" for test in TESTS.values()) + ".",
)
@click.argument("qrels")
@click.argument("runs", nargs=-1, required=True, metavar="RUN RUN...")
@click.option("--baseline", metavar="TAG", help="The run to compare with.  [default: the first]")
@click.option("--all-pairs", is_flag=True, help="Compare each run with every earlier one instead.")
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
    help="For the many comparisons made at once: every measure x run (x slice).",
)
@click.option(
    "--tukey",
    is_flag=True,
    help="Add randomised Tukey HSD: p of all pairs of runs at once, by each measure.",
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
    "--by",
    metavar="FIELD",
    help="Compare each slice of the queries by itself: class, or any other field of theirs.",
)
@click.option("--queries", metavar="FILE", help="The queries, for --by.")
@click.option(
    "--require",
    "gates",
    multiple=True,
    metavar="GATE",
    help=f"Exit with 1 unless it holds: {NO_REGRESSION} (no verdict is worse),"
    ' "nDCG@10>=baseline-0.01", "nDCG@10>=0.4" for every run but the baseline,'
    ' "TAG:nDCG@10>=0.4" for one. May be repeated.',
)
@output_options
def command(
    qrels: str,
    runs: tuple[str, ...],
    baseline: str | None,
    all_pairs: bool,
    measures: tuple[str, ...],
    tests: tuple[str, ...],
    correction: str,
    tukey: bool,
    alternative: str,
    alpha: float,
    seed: int,
    by: str | None,
    queries: str | None,
    gates: tuple[str, ...],
    form: str,
    output: str | None,
) -> int:
    """Compare RUNs with a baseline run, paired by query.

    Prints the mean difference with its 95 % bootstrap interval, wins, ties and losses, tests
    corrected for the number of comparisons, the effect size and the least that could be seen, and
    a verdict: better, worse, no difference shown, too few queries.
    """
    refuse_inputs(output, (qrels, *runs, *filter(None, [queries])))
    from judge_tui.report.comparisons import comparison_report
    from judge_tui.report.scores import judged_beside
    from judge_tui.streaming import score_sources

    settings = Settings(
        baseline=baseline,
        all_pairs=all_pairs,
        tests=tests or DEFAULT_TESTS,
        correction=correction,
        alternative=cast(Alternative, alternative),
        alpha=alpha,
        seed=seed,
        tukey=tukey,
    )
    held = [parse_gate(gate) for gate in gates if gate.strip() != NO_REGRESSION]
    no_regression = len(held) < len(gates)
    _refuse_senseless(held, settings, no_regression=no_regression)
    asked = parse_measures(measures or COMPARED_BY_DEFAULT)
    slices = _slices(by, queries)
    shares = judged_beside(asked) or [m for m in asked if m.definition.name == "Judged"]
    needed = [*measures_needed(asked), *shares, *(gate.measure for gate in held)]
    scores = score_sources(qrels_from(qrels), runs, parse_measures(needed))
    comparisons = compare_scores(scores, asked, settings, slices=slices)
    unmet = [*(_worse(comparisons) if no_regression else ()), *_unmet(held, scores, settings)]
    print_report(comparison_report(comparisons, scores.only(shares)), form, output)
    for sentence in unmet:
        click.echo(f"gate not met: {visible_line(sentence)}", err=True)
    return 1 if unmet else 0


def _slices(by: str | None, queries: str | None) -> dict[str, str] | None:
    if by is None:
        if queries is not None:
            raise click.UsageError("--queries is for slices; say which with --by FIELD")
        return None
    if queries is None:
        raise UsageError(f"--by {by} needs the queries", "give their file with --queries FILE")
    return slices_from(queries, by)


def _refuse_senseless(gates: Iterable[Gate], settings: Settings, *, no_regression: bool) -> None:
    """Raise `UsageError` for gates that always hold, or that have nothing to stand beside."""
    beside = [str(gate) for gate in gates if gate.beside_baseline]
    if no_regression:
        beside.insert(0, NO_REGRESSION)
    if beside and settings.all_pairs:
        raise UsageError(
            f"{beside[0]} stands beside a baseline, and --all-pairs has none",
            "leave one of them out",
        )
    if no_regression and settings.alternative == "greater":
        raise UsageError(
            f"--alternative greater cannot see a loss, so {NO_REGRESSION} would always hold",
            "leave one of them out",
        )


def _worse(comparisons: Comparisons) -> list[str]:
    return [
        f"{NO_REGRESSION}: {c.tag} is worse than {c.baseline} by {c.measure}"
        f"{'' if c.slice is None else f' in slice {shown_slice(c.slice)}'}: {c.delta!r}"
        for c in comparisons.comparisons
        if c.verdict is Verdict.WORSE
    ]


def _unmet(gates: Sequence[Gate], scores: Scores, settings: Settings) -> list[str]:
    return [failure for gate in gates for failure in gate_failures(gate, scores, settings)]
