"""The steps of `judge-tui compare`: what is read, planned, found and written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from judge_tui.analysis.one_family import compared_as_one
from judge_tui.analysis.warnings import of_comparisons
from judge_tui.cli.campaign_inputs import (
    about_campaign,
    about_failures,
    campaign_settings,
)
from judge_tui.cli.class_gates import (
    parts_of_classes,
    parts_of_gate,
    refuse_class_gates,
    slice_of_each,
    slices_for,
    worse_in_demands,
)
from judge_tui.cli.class_reports import (
    AboutClasses,
    about_classes,
    demanded_of,
    refuse_over_classes,
    with_demands,
)
from judge_tui.cli.gates import (
    Basis,
    Evidence,
    Gates,
    basis_of_run,
    lost_queries,
    read_gates,
    refuse_held_to_itself,
    worse_in,
)
from judge_tui.cli.input_options import CampaignChoice, chosen_campaign
from judge_tui.cli.inputs import Inputs, open_inputs
from judge_tui.cli.printing import print_report, refuse_inputs
from judge_tui.cli.progress import reading
from judge_tui.cli.scoring import (
    credited,
    refuse_beside_answers,
    refuse_without_right,
    score_inputs,
)
from judge_tui.cli.slicing import slicing_of
from judge_tui.errors import UsageError
from judge_tui.judged_campaign import within_kept
from judge_tui.report.comparisons import comparison_report
from judge_tui.report.credit import about_credit
from judge_tui.scoring import (
    NO_REGRESSION,
    ClassGate,
    Gate,
    Measure,
    Required,
    Rules,
    Scores,
    judged_beside,
    parse_measures,
)
from judge_tui.significance import (
    COMPARED_BY_DEFAULT,
    DEFAULT_TESTS,
    Alternative,
    Comparisons,
    Settings,
    measures_needed,
    who_with_whom,
)

if TYPE_CHECKING:
    from judge_tui.analysis.demands import Demanded
    from judge_tui.class_measures import Slicing
    from judge_tui.scoring.demands import Met

__all__ = [
    "CompareOptions",
    "Found",
    "Given",
    "Plan",
    "find_differences",
    "held_gates",
    "plan_comparison",
    "read_inputs",
    "write_comparison",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareOptions:
    """What the command line says, as `compare` names it."""

    files: tuple[str, ...]
    answers: str | None
    credit: str | None
    baseline: str | None
    all_pairs: bool
    measures: tuple[str, ...]
    tests: tuple[str, ...]
    correction: str
    tukey: bool
    alternative: str
    alpha: float
    seed: int
    complete: bool
    by: str | None
    queries: str | None
    gates: tuple[str, ...]
    db: str | None
    policy: str | None
    unresolved: str | None
    include_models: bool | None
    qrels_format: str | None
    run_format: str | None
    form: str
    output: str | None

    @property
    def rules(self) -> Rules:
        """How lists are scored."""
        return Rules(complete=self.complete)

    @property
    def settings(self) -> Settings:
        """How runs are compared. Raises `UsageError` for what cannot be."""
        return Settings(
            baseline=self.baseline,
            all_pairs=self.all_pairs,
            tests=self.tests or DEFAULT_TESTS,
            correction=self.correction,
            alternative=cast(Alternative, self.alternative),
            alpha=self.alpha,
            seed=self.seed,
            tukey=self.tukey,
        )


class Given(NamedTuple):
    """What was read: how runs are compared, what they are held to, the `choice` of a campaign, the
    grades and the runs."""

    settings: Settings
    gates: Gates
    choice: CampaignChoice | None
    inputs: Inputs


class Plan(NamedTuple):
    """What is to be worked out: compared by `asked`, and each slice in `slicing` by its `own`;
    `shares` stand beside them, and `needed` is all that runs are scored by."""

    slicing: Slicing | None
    own: Mapping[str, tuple[Measure, ...]]
    classes: AboutClasses
    asked: tuple[Measure, ...]
    shares: tuple[Measure, ...]
    needed: tuple[Measure, ...]
    notes: list[str]


class Found(NamedTuple):
    """The numbers: the scores, the comparisons, and how demands are met: `met` by each run, by
    its tag."""

    scores: Scores
    comparisons: Comparisons
    demanded: Demanded | None
    met: Mapping[str, Met]


def read_inputs(options: CompareOptions) -> Given:
    """Raises `UsageError` for options that do not go together and `InputError` for bad files."""
    settings = options.settings
    gates = read_gates(options.gates)
    _refuse_senseless(gates, settings)
    choice = chosen_campaign(options.db, options.policy, options.unresolved, options.include_models)
    parse_measures(options.measures)  # refused before anything is read
    refuse_beside_answers(
        options.answers, options.credit, (("--qrels-format", options.qrels_format),)
    )
    inputs = open_inputs(
        options.files,
        choice,
        qrels_format=options.qrels_format,
        answers=options.answers,
        queries=options.queries,
        run_format=options.run_format,
    )
    refuse_inputs(options.output, (*inputs.files, *filter(None, [options.queries])))
    if options.by is not None or options.queries is not None:
        from judge_tui.cli.query_demands import with_queries

        sliced = options.by is not None
        inputs = with_queries(inputs, options.queries, choice, options.run_format, sliced=sliced)
    return Given(settings, gates, choice, inputs)


def plan_comparison(options: CompareOptions, given: Given) -> Plan:
    """Slices and measures. Raises `UsageError` for those that cannot be, and for gates of them."""
    inputs, judged, gates = given.inputs, given.inputs.judged, given.gates
    asked = parse_measures(options.measures or COMPARED_BY_DEFAULT)
    named = asked if options.measures else ()
    slicing = slicing_of(
        options.by,
        inputs.queries,
        parse=parse_measures,
        named=named,
        demands=inputs.demands,
    )
    over_all_queries = [gate.measure for gate in gates.numbers]
    refuse_without_right(inputs, (f"gate {gate}" for gate in gates.numbers))
    refuse_over_classes(slicing, over_all_queries)
    refuse_class_gates(gates.of_classes, slicing, inputs.qrels, inputs.demands)
    classes = about_classes(
        inputs, (*named, *over_all_queries), usual=not options.measures, by=options.by
    )
    slicing, notes = within_kept(slicing, judged, options.rules)
    notes += parts_of_classes(gates.of_classes, slicing, inputs.qrels, inputs.demands)
    notes += [*classes.notes, *inputs.notes]
    if judged is not None and given.choice is not None:
        notes += [about_campaign(judged, given.choice), *about_failures(judged)]
        if not options.measures:
            asked, left_out = judged.answered(asked, options.rules)
            notes += left_out
    own = slicing.measures if slicing else {}
    every = parse_measures([*asked, *(m for those in own.values() for m in those)])
    shares = judged_beside(every) if options.answers is None else ()
    needed = parse_measures([*measures_needed(every), *shares, *gates.measures])
    if judged is not None:
        judged.refuse_too_deep(needed, options.rules)
    return Plan(slicing, own, classes, asked, shares, needed, notes)


def find_differences(options: CompareOptions, given: Given, plan: Plan) -> Found:
    """Score the runs, which are read now, and compare them, all of it one family. Raises
    `InputError` for a bad one."""
    inputs, settings, slicing = given.inputs, given.settings, plan.slicing
    met: dict[str, Met] = {}
    with reading() as told:
        scores = score_inputs(
            inputs,
            plan.needed,
            rules=options.rules,
            credit=options.credit,
            format=options.run_format,
            told=told,
            met=met,
        )
    pairs = [(before.tag, run.tag) for before, run in who_with_whom(scores, settings)]
    if settings.baseline is not None:
        settings = replace(settings, baseline=pairs[0][0])
    demanded = demanded_of(inputs, met, slicing, settings, pairs)
    comparisons, demanded = compared_as_one(
        # Not where queries have demands alone.
        None if inputs.truths == {} else scores,
        plan.asked,
        demanded,
        settings,
        slices=slicing.of_query if slicing else None,
        measures_of=plan.own,
    )
    if comparisons is None:
        comparisons = Comparisons(
            baseline=None if settings.all_pairs else pairs[0][0],
            settings=settings,
            sliced=slicing is not None,
            complete=options.complete,
            comparisons=(),
            tukey=None,
            warnings=(),
        )
    about_runs = (*inputs.warnings, *plan.classes.warnings)
    plan.notes.extend(about_runs)
    warnings = of_comparisons(comparisons)
    return Found(scores, replace(comparisons, warnings=warnings), demanded, met)


def held_gates(given: Given, plan: Plan, found: Found) -> tuple[Required, ...]:
    """What came of each gate."""
    gates, scores, slicing = given.gates, found.scores, plan.slicing
    settings = replace(given.settings, baseline=found.comparisons.baseline)
    baselines = {baseline.tag: baseline for baseline, _ in who_with_whom(scores, settings)}
    for tag in baselines if gates.beside else ():
        refuse_held_to_itself(gates, tag)
    demands, class_of = given.inputs.demands, slicing.of_query if slicing else {}
    by = slicing.by if slicing else ""

    def bases(gate: Gate | ClassGate | None) -> list[Basis]:
        found_for = []
        for run in scores.runs:
            its = run.query_ids
            slice_of = slice_of_each(its, class_of) if slicing else {}
            parts = parts_of_gate(gate, class_of, its, demands, slice_of=slice_of, by=by)
            is_held = run.tag not in baselines
            found_for.append(basis_of_run(run, found.met.get(run.tag), parts, is_held=is_held))
        return found_for

    evidence = Evidence(
        scores=scores,
        worse=[
            *_losses(scores, settings),
            *worse_in(found.comparisons, " in slice {}"),
            *worse_in_demands(found.demanded),
        ],
        slices=slices_for(gates, scores, slicing),
        demanded=found.demanded,
        comparison=settings,
        bases=bases,
    )
    return gates.held(evidence)


def write_comparison(options: CompareOptions, given: Given, plan: Plan, found: Found) -> None:
    """Print the comparisons, in the form and to where they were asked for."""
    by = plan.slicing.by if plan.slicing else None
    told: dict[str, Any] = {} if by is None else {"by": by}
    notes = list(plan.notes)
    if options.answers is not None:
        told["credit"] = credited(options.credit)
        notes.append(about_credit(credited(options.credit)))
    judged = given.inputs.judged
    if judged is not None and given.choice is not None:
        told["campaign"] = campaign_settings(judged, given.choice)
    report = comparison_report(
        found.comparisons, found.scores.only(plan.shares), settings=told, notes=notes
    )
    report = with_demands(report, given.inputs, found.demanded, by, per_query=True)
    print_report(report, options.form, options.output)


def _refuse_senseless(gates: Gates, settings: Settings) -> None:
    """Raise `UsageError` for gates that always hold, or that have nothing to stand beside."""
    if gates.beside and settings.all_pairs:
        raise UsageError(
            f"{gates.beside[0]} stands beside a baseline, and --all-pairs has none",
            "leave one of them out",
        )
    if gates.no_regression and settings.alternative == "greater":
        raise UsageError(
            f"--alternative greater cannot see a loss, so {NO_REGRESSION} would always hold",
            "leave one of them out",
        )


def _losses(scores: Scores, settings: Settings) -> Iterator[str]:
    for baseline, run in who_with_whom(scores, settings):
        lost = len(set(baseline.query_ids) - set(run.query_ids))
        if lost:
            yield lost_queries(run.tag, lost, baseline.tag)
