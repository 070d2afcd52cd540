"""`judge-tui compare`: whether a run is better than the baseline, or only luckier."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import click

from judge_tui.cli.asked_beside import asked_and_left_out
from judge_tui.cli.gates import lost_queries, say_unmet
from judge_tui.cli.inputs import (
    about_campaign,
    about_failures,
    answered,
    campaign_options,
    campaign_settings,
    chosen_campaign,
    format_options,
    open_inputs,
    refuse_too_deep,
)
from judge_tui.cli.printing import output_options, print_report, refuse_inputs
from judge_tui.cli.scoring import (
    about_credit,
    answers_options,
    refuse_beside_answers,
    score_inputs,
)
from judge_tui.cli.slicing import slice_options, slicing_of
from judge_tui.errors import UsageError
from judge_tui.scoring import (
    NO_REGRESSION,
    ClassGate,
    Gate,
    Measure,
    Rules,
    Scores,
    judged_beside,
    parse_gate,
    parse_measures,
    shown_slice,
)
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
    gate_failures,
    measures_needed,
    who_with_whom,
)

if TYPE_CHECKING:
    from judge_tui.scoring.demands import Met

__all__ = ["command"]


@click.command(
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Tests: " + "; ".join(f"{test.name}: {test.summary}" for test in TESTS.values()) + ".",
)
@click.argument("files", nargs=-1, metavar="QRELS RUN RUN...")
@answers_options
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
    " that the baseline answers is answered),"
    ' "nDCG@10>=baseline-0.01", "nDCG@10>=0.4" for every run but the baseline,'
    ' "TAG:nDCG@10>=0.4" for one; with --by class "CLASS/RR>=0.4". May be repeated.',
)
@campaign_options
@format_options
@output_options
def command(
    files: tuple[str, ...],
    answers: str | None,
    credit: str | None,
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
    by: str | None,
    queries: str | None,
    gates: tuple[str, ...],
    db: str | None,
    policy: str | None,
    unresolved: str | None,
    include_models: bool,
    qrels_format: str | None,
    run_format: str | None,
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
    from judge_tui.analysis.one_family import compared_as_one
    from judge_tui.cli.class_gates import (
        refuse_class_gates,
        split_gates,
        unmet_of_classes,
        worse_in_order,
    )
    from judge_tui.cli.class_reports import (
        demanded_of,
        over_all_classes,
        refuse_over_classes,
        with_demands,
    )
    from judge_tui.cli.progress import reading
    from judge_tui.cli.wanted import within_kept
    from judge_tui.report.comparisons import comparison_report

    rules = Rules(complete=complete)
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
    of_classes, others = split_gates(gates)
    held = [parse_gate(gate) for gate in others if gate.strip() != NO_REGRESSION]
    no_regression = len(held) < len(others)
    _refuse_senseless([*held, *of_classes], settings, no_regression=no_regression)
    choice = chosen_campaign(db, policy, unresolved, include_models)
    asked = parse_measures(measures or COMPARED_BY_DEFAULT)
    refuse_beside_answers(answers, credit, (("--qrels-format", qrels_format),))
    inputs = open_inputs(files, choice, qrels_format=qrels_format, answers=answers)
    refuse_inputs(output, (*inputs.files, *filter(None, [queries])))
    judged = inputs.judged
    if by is not None:
        from judge_tui.cli.query_demands import with_queries

        inputs = with_queries(inputs, queries, choice)
    slicing = slicing_of(
        by,
        queries,
        known=inputs.queries,
        parse=parse_measures,
        named=asked if measures else (),
        demands=inputs.demands,
    )
    refuse_over_classes(slicing, (gate.measure for gate in held))
    refuse_class_gates(of_classes, slicing, inputs.demands)
    named = (*(asked if measures else ()), *(gate.measure for gate in held))
    over_all = over_all_classes(inputs, named, usual=not measures, by=by)
    slicing, notes = within_kept(slicing, judged, rules)
    notes += [*over_all.notes, *inputs.notes]
    if judged is not None and choice is not None:
        notes += [about_campaign(judged, choice), *about_failures(judged)]
        if not measures:
            asked, left_out = answered(asked, judged, rules)
            notes += left_out
    own = slicing.measures if slicing else {}
    every = parse_measures([*asked, *(m for those in own.values() for m in those)])
    shares = judged_beside(every) if answers is None else ()
    needed = parse_measures([*measures_needed(every), *shares, *_measures_of(held, of_classes)])
    if judged is not None:
        refuse_too_deep(judged, needed, rules)

    met: dict[str, Met] = {}
    with reading() as told_so_far:
        scores = score_inputs(
            inputs,
            needed,
            rules=rules,
            credit=credit,
            format=run_format,
            told=told_so_far,
            met=met,
        )
    pairs = [(before.tag, run.tag) for before, run in who_with_whom(scores, settings)]
    demanded = demanded_of(inputs, met, slicing, settings, pairs)
    comparisons, demanded = compared_as_one(
        # Not where answers say what is to come first, and no more.
        None if inputs.truths == {} else scores,
        asked,
        demanded,
        settings,
        slices=slicing.of_query if slicing else None,
        measures_of=own,
    )
    if comparisons is None:
        comparisons = Comparisons(
            baseline=None if all_pairs else pairs[0][0],
            settings=settings,
            sliced=slicing is not None,
            complete=complete,
            comparisons=(),
            tukey=None,
            warnings=(),
        )
    about_runs = (*over_all.warnings, *asked_and_left_out(inputs, scores))
    comparisons = replace(comparisons, warnings=(*about_runs, *comparisons.warnings))
    unmet = _unmet(held, scores, settings)
    if of_classes and slicing is not None:
        unmet += unmet_of_classes(
            of_classes, scores, slicing, demanded, settings, but_baseline=True
        )
    if no_regression:
        unmet = [
            *_losses(scores, settings),
            *_worse(comparisons),
            *worse_in_order(demanded),
            *unmet,
        ]
    told: dict[str, Any] = {"by": slicing.by} if slicing else {}
    if answers is not None:
        told["credit"] = credit or "once"
        notes.append(about_credit(credit))
    if judged is not None and choice is not None:
        told["campaign"] = campaign_settings(judged, choice)
    report = comparison_report(comparisons, scores.only(shares), settings=told, notes=notes)
    report = with_demands(report, inputs, demanded, slicing.by if slicing else None, per_query=True)
    print_report(report, form, output)
    say_unmet(unmet)
    return 1 if unmet else 0


def _measures_of(gates: Iterable[Gate], of_classes: Iterable[ClassGate]) -> list[Measure]:
    asked = (gate.asked for gate in of_classes)
    return [*(gate.measure for gate in gates), *(one for one in asked if isinstance(one, Measure))]


def _refuse_senseless(
    gates: Iterable[Gate | ClassGate], settings: Settings, *, no_regression: bool
) -> None:
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


def _losses(scores: Scores, settings: Settings) -> Iterator[str]:
    for baseline, run in who_with_whom(scores, settings):
        lost = len(set(baseline.query_ids) - set(run.query_ids))
        if lost:
            yield f"{NO_REGRESSION}: {lost_queries(run.tag, lost, baseline.tag)}"


def _worse(comparisons: Comparisons) -> list[str]:
    return [
        f"{NO_REGRESSION}: {c.tag} is worse than {c.baseline} by {c.measure}"
        f"{'' if c.slice is None else f' in slice {shown_slice(c.slice)}'}: {c.delta!r}"
        for c in comparisons.comparisons
        if c.verdict is Verdict.WORSE
    ]


def _unmet(gates: Sequence[Gate], scores: Scores, settings: Settings) -> list[str]:
    return [failure for gate in gates for failure in gate_failures(gate, scores, settings)]
