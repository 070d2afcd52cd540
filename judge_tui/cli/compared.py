"""The steps of `judge-tui compare`: what is read, planned, found and written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from judge_tui.analysis.one_family import compared_as_one
from judge_tui.cli.asked_beside import asked_and_left_out
from judge_tui.cli.campaign_inputs import (
    about_campaign,
    about_failures,
    answered,
    campaign_settings,
    refuse_too_deep,
)
from judge_tui.cli.class_gates import (
    parts_of_classes,
    refuse_class_gates,
    split_gates,
    unmet_of_classes,
    worse_in_demands,
)
from judge_tui.cli.class_reports import (
    AboutClasses,
    about_classes,
    demanded_of,
    refuse_over_classes,
    with_demands,
)
from judge_tui.cli.gates import lost_queries
from judge_tui.cli.input_options import CampaignChoice, chosen_campaign
from judge_tui.cli.inputs import Inputs, open_inputs
from judge_tui.cli.printing import print_report, refuse_inputs
from judge_tui.cli.progress import reading
from judge_tui.cli.scoring import about_credit, refuse_beside_answers, score_inputs
from judge_tui.cli.slicing import slicing_of
from judge_tui.cli.wanted import within_kept
from judge_tui.errors import UsageError
from judge_tui.report.comparisons import comparison_report
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
    worse_by,
)
from judge_tui.significance import (
    COMPARED_BY_DEFAULT,
    DEFAULT_TESTS,
    Alternative,
    Comparisons,
    Settings,
    Verdict,
    gate_failures,
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
    "Held",
    "Plan",
    "find_differences",
    "plan_comparison",
    "read_inputs",
    "unmet_gates",
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
    include_models: bool
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


class Held(NamedTuple):
    """What runs are held to: gates over all queries, gates `of_classes`, and that nothing is worse
    than the baseline."""

    gates: Sequence[Gate]
    of_classes: Sequence[ClassGate]
    no_regression: bool

    @property
    def measures(self) -> list[Measure]:
        """What runs must be scored by for it."""
        asked = (gate.asked for gate in self.of_classes)
        return [
            *(gate.measure for gate in self.gates),
            *(one for one in asked if isinstance(one, Measure)),
        ]


class Given(NamedTuple):
    """What was read: how runs are compared, what they are held to, the `choice` of a campaign, the
    grades and the runs."""

    settings: Settings
    held: Held
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
    notes: Sequence[str]


class Found(NamedTuple):
    """The numbers: the scores, the comparisons, and how demands are met."""

    scores: Scores
    comparisons: Comparisons
    demanded: Demanded | None


def read_inputs(options: CompareOptions) -> Given:
    """Raises `UsageError` for options that do not go together and `InputError` for bad files."""
    settings = options.settings
    of_classes, others = split_gates(options.gates)
    gates = [parse_gate(gate) for gate in others if gate.strip() != NO_REGRESSION]
    held = Held(gates, of_classes, len(gates) < len(others))
    _refuse_senseless([*gates, *of_classes], settings, no_regression=held.no_regression)
    choice = chosen_campaign(options.db, options.policy, options.unresolved, options.include_models)
    parse_measures(options.measures)  # refused before anything is read
    refuse_beside_answers(
        options.answers, options.credit, (("--qrels-format", options.qrels_format),)
    )
    inputs = open_inputs(
        options.files, choice, qrels_format=options.qrels_format, answers=options.answers
    )
    refuse_inputs(options.output, (*inputs.files, *filter(None, [options.queries])))
    if options.by is not None:
        from judge_tui.cli.query_demands import with_queries

        inputs = with_queries(inputs, options.queries, choice)
    return Given(settings, held, choice, inputs)


def plan_comparison(options: CompareOptions, given: Given) -> Plan:
    """Slices and measures. Raises `UsageError` for those that cannot be, and for gates of them."""
    inputs, judged, held = given.inputs, given.inputs.judged, given.held
    asked = parse_measures(options.measures or COMPARED_BY_DEFAULT)
    named = asked if options.measures else ()
    slicing = slicing_of(
        options.by,
        options.queries,
        known=inputs.queries,
        parse=parse_measures,
        named=named,
        demands=inputs.demands,
    )
    over_all_queries = [gate.measure for gate in held.gates]
    refuse_over_classes(slicing, over_all_queries)
    refuse_class_gates(held.of_classes, slicing, inputs.demands)
    classes = about_classes(
        inputs, (*named, *over_all_queries), usual=not options.measures, by=options.by
    )
    slicing, notes = within_kept(slicing, judged, options.rules)
    notes += parts_of_classes(held.of_classes, slicing, inputs.qrels, inputs.demands)
    notes += [*classes.notes, *inputs.notes]
    if judged is not None and given.choice is not None:
        notes += [about_campaign(judged, given.choice), *about_failures(judged)]
        if not options.measures:
            asked, left_out = answered(asked, judged, options.rules)
            notes += left_out
    own = slicing.measures if slicing else {}
    every = parse_measures([*asked, *(m for those in own.values() for m in those)])
    shares = judged_beside(every) if options.answers is None else ()
    needed = parse_measures([*measures_needed(every), *shares, *held.measures])
    if judged is not None:
        refuse_too_deep(judged, needed, options.rules)
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
    about_classes = plan.classes.warnings
    about_runs = (*inputs.warnings, *about_classes, *asked_and_left_out(inputs, scores))
    few = () if demanded is None else demanded.cautions()
    warnings = (*about_runs, *comparisons.warnings, *few)
    return Found(scores, replace(comparisons, warnings=warnings), demanded)


def unmet_gates(given: Given, plan: Plan, found: Found) -> list[str]:
    """A sentence for each gate and run that does not pass it; first of all what became worse."""
    held, settings, scores = given.held, given.settings, found.scores
    unmet = []
    if held.no_regression:
        unmet += [
            *_losses(scores, settings),
            *_worse(found.comparisons),
            *worse_in_demands(found.demanded),
        ]
    for gate in held.gates:
        unmet += gate_failures(gate, scores, settings)
    if held.of_classes and plan.slicing is not None:
        unmet += unmet_of_classes(held.of_classes, scores, plan.slicing, found.demanded, settings)
    return unmet


def write_comparison(options: CompareOptions, given: Given, plan: Plan, found: Found) -> None:
    """Print the comparisons, in the form and to where they were asked for."""
    by = plan.slicing.by if plan.slicing else None
    told: dict[str, Any] = {} if by is None else {"by": by}
    notes = list(plan.notes)
    if options.answers is not None:
        told["credit"] = options.credit or "once"
        notes.append(about_credit(options.credit))
    judged = given.inputs.judged
    if judged is not None and given.choice is not None:
        told["campaign"] = campaign_settings(judged, given.choice)
    report = comparison_report(
        found.comparisons, found.scores.only(plan.shares), settings=told, notes=notes
    )
    report = with_demands(report, given.inputs, found.demanded, by, per_query=True)
    print_report(report, options.form, options.output)


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
        f"{'' if c.slice is None else f' in slice {shown_slice(c.slice)}'}: {worse_by(c.delta)}"
        for c in comparisons.comparisons
        if c.verdict is Verdict.WORSE
    ]
