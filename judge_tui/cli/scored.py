"""The steps of `judge-tui score`: what is read, planned, found and written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast

import click

from judge_tui.analysis.warnings import of_scores
from judge_tui.cli.campaign_inputs import about_campaign, about_failures, campaign_settings
from judge_tui.cli.class_reports import AboutClasses, about_classes, demanded_of
from judge_tui.cli.earlier import (
    as_now,
    bases_of,
    changes_beside,
    earlier_result,
    refuse_other_qrels,
    refuse_targets,
    refuse_without_earlier,
    worse_since,
)
from judge_tui.cli.gates import Evidence, Gates, read_gates
from judge_tui.cli.input_options import CampaignChoice, chosen_campaign
from judge_tui.cli.inputs import Inputs, known_queries, open_inputs
from judge_tui.cli.printing import print_aside, print_report, print_text
from judge_tui.cli.progress import reading
from judge_tui.cli.scoring import (
    credited,
    refuse_beside_answers,
    refuse_without_right,
    score_inputs,
)
from judge_tui.cli.slicing import slicing_of
from judge_tui.cli.wanted import Wanted, wanted_measures
from judge_tui.errors import UsageError
from judge_tui.judged_campaign import within_kept
from judge_tui.scoring import (
    NO_REGRESSION,
    ClassGate,
    Gate,
    Required,
    Rules,
    parse_measures,
    refuse_bounds,
)

if TYPE_CHECKING:
    from judge_tui.analysis.demands import Demanded
    from judge_tui.baseline import Changes, SavedScores
    from judge_tui.class_measures import Slicing
    from judge_tui.model import Query
    from judge_tui.scoring import Scores
    from judge_tui.scoring.demands import Met
    from judge_tui.scoring.trec_plan import TrecPlan

__all__ = [
    "TREC",
    "Found",
    "Given",
    "Plan",
    "ScoreOptions",
    "find_scores",
    "held_gates",
    "plan_scores",
    "read_inputs",
    "write_scores",
]

TREC = "trec"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreOptions:
    """What the command line says, as `score` names it."""

    files: tuple[str, ...]
    answers: str | None
    credit: str | None
    measures: tuple[str, ...]
    per_query: bool
    complete: bool
    judged_only: bool
    depth: int | None
    level: int | None
    max_grade: int | None
    bounds: bool
    by: str | None
    queries: str | None
    class_measures: str | None
    required: tuple[str, ...]
    save: str | None
    against: str | None
    allow_other_qrels: bool
    db: str | None
    policy: str | None
    unresolved: str | None
    include_models: bool | None
    qrels_format: str | None
    run_format: str | None
    score_precision: str
    jobs: int | None
    form: str
    output: str | None

    @property
    def trec(self) -> bool:
        """Whether it is to look as trec_eval prints it."""
        return self.form == TREC

    @property
    def rules(self) -> Rules:
        """How lists are scored."""
        return Rules(self.complete, self.judged_only, self.depth)

    @property
    def precision(self) -> Literal[64, 32]:
        """Bits that scores are compared in."""
        return cast(Literal[64, 32], int(self.score_precision))

    @property
    def basis(self) -> dict[str, Any]:
        """The settings that an earlier result must share."""
        credit = {} if self.answers is None else {"credit": credited(self.credit)}
        return {
            "complete": self.complete,
            "judged_only": self.judged_only,
            "depth": self.depth,
            "score_precision": self.precision,
            **credit,
        }


class Given(NamedTuple):
    """What was read: the `earlier` result, where one is named, and whether it is of `other_qrels`;
    the `choice` of a campaign; the grades and the runs; the queries that are `known`, where a
    result is saved or compared with."""

    earlier: SavedScores | None
    choice: CampaignChoice | None
    inputs: Inputs
    other_qrels: bool
    known: Sequence[Query]


class Plan(NamedTuple):
    """What is to be worked out: `grades` are those that a document nobody judged might have, None
    without bounds."""

    gates: Gates
    slicing: Slicing | None
    classes: AboutClasses
    wanted: Wanted
    grades: Sequence[int] | None
    notes: Sequence[str]


class Found(NamedTuple):
    """The numbers: all that were `scored`, and those that were asked for, with their slices."""

    scored: Scores
    scores: Scores
    changes: Changes | None
    demanded: Demanded | None


def read_inputs(options: ScoreOptions) -> Given:
    """Raises `UsageError` for options that do not go together and `InputError` for bad files."""
    if options.trec and (options.by or options.against or options.bounds):
        raise click.UsageError(
            "-f trec has no place for --by, --against and --bounds; choose another form"
        )
    if options.bounds:
        refuse_bounds(options.rules)
    allowed = options.allow_other_qrels
    earlier = earlier_result(options.against, options.basis, allow_other_qrels=allowed)
    choice = chosen_campaign(options.db, options.policy, options.unresolved, options.include_models)
    without = (
        ("--bounds", options.bounds),
        ("--qrels-format", options.qrels_format),
        ("-f trec", options.trec),
    )
    refuse_beside_answers(options.answers, options.credit, without)
    inputs = open_inputs(
        options.files,
        choice,
        qrels_format=options.qrels_format,
        answers=options.answers,
        queries=options.queries,
        run_format=options.run_format,
    )
    read = [*inputs.files, options.queries, options.class_measures]
    refuse_targets(options.output, options.save, read, options.against)
    if options.by is not None or options.queries is not None:
        from judge_tui.cli.query_demands import with_queries

        sliced = options.by is not None
        inputs = with_queries(inputs, options.queries, choice, options.run_format, sliced=sliced)
    known = known_queries(inputs) if options.save or options.against else ()
    earlier, about_places = as_now(earlier, known, inputs.qrels)
    other_qrels = refuse_other_qrels(
        earlier, inputs.qrels, by_place=bool(about_places), allowed=allowed
    )
    if other_qrels:
        inputs = inputs._replace(warnings=(*inputs.warnings, *about_places))
    return Given(earlier, choice, inputs, other_qrels, known)


def plan_scores(options: ScoreOptions, given: Given) -> Plan:
    """Gates, slices and measures. Raises `UsageError` for those that cannot be."""
    inputs, judged = given.inputs, given.inputs.judged
    level = options.level
    greatest = options.max_grade or (max(judged.grades) if judged else None)
    gates = read_gates(options.required, rel=level, max_rel=greatest)
    refuse_without_earlier(gates, given.earlier)
    kept = [] if options.save is None else ["--save"]
    refuse_without_right(inputs, [*(f"gate {gate}" for gate in gates.numbers), *kept])
    slicing = slicing_of(
        options.by,
        inputs.queries,
        options.class_measures,
        parse=partial(parse_measures, rel=level, max_rel=greatest),
        named=() if options.trec else parse_measures(options.measures, rel=level, max_rel=greatest),
        demands=inputs.demands,
    )
    over: list[str] = []
    if gates.of_classes:
        from judge_tui.cli.class_gates import parts_of_classes, refuse_class_gates

        refuse_class_gates(gates.of_classes, slicing, inputs.qrels, inputs.demands)
        over = parts_of_classes(gates.of_classes, slicing, inputs.qrels, inputs.demands)
    named = () if options.trec else parse_measures(options.measures)
    classes = about_classes(
        inputs,
        (*named, *(gate.measure for gate in gates.numbers)),
        usual=not options.measures,
        by=options.by,
    )
    slicing, about_depth = within_kept(slicing, judged, options.rules)
    wanted = wanted_measures(
        options.measures,
        inputs,
        options.rules,
        level=level,
        greatest=greatest,
        earlier=given.earlier,
        gates=gates,
        slicing=slicing,
        trec=options.trec,
        whole_lists=options.bounds,
    )
    grades = _possible_grades(inputs, options.max_grade) if options.bounds else None
    notes = [*wanted.notes, *about_depth, *over, *classes.notes, *inputs.notes]
    return Plan(gates, slicing, classes, wanted, grades, notes)


def find_scores(options: ScoreOptions, given: Given, plan: Plan) -> Found:
    """Score the runs, which are read now. Raises `InputError` for a bad one."""
    inputs, slicing = given.inputs, plan.slicing
    met: dict[str, Met] = {}
    with reading() as told:
        scored = score_inputs(
            inputs,
            plan.wanted.needed,
            rules=options.rules,
            credit=options.credit,
            precision=options.precision,
            jobs=options.jobs,
            format=options.run_format,
            grades=plan.grades,
            told=told,
            met=met,
            # trec_eval knows run files alone.
            beside=not options.trec,
        )
    demanded = demanded_of(inputs, met, slicing)
    demanded = None if demanded is None else demanded.corrected()
    about_runs = (*inputs.warnings, *plan.classes.warnings)
    scored = replace(scored, remarks=(*scored.remarks, *about_runs))
    scores = scored.only(plan.wanted.asked if scored.measures else ())
    if slicing is not None:
        whole = [f"--require {gate}" for gate in plan.gates.numbers]
        whole += ["--bounds"] if options.bounds else []
        scores = _cut(scores, slicing, plan.gates.numbers, whole)
    changes = changes_beside(
        given.earlier, scores, inputs.qrels, plan.gates, other_qrels=given.other_qrels
    )
    scores = replace(scores, warnings=of_scores(scores))
    return Found(scored, scores, changes, demanded)


def held_gates(plan: Plan, found: Found) -> tuple[Required, ...]:
    """What came of each gate."""
    slices = None
    if plan.gates.of_classes:
        from judge_tui.cli.class_gates import slices_for

        slices = slices_for(plan.gates, found.scored, plan.slicing)
    changes = found.changes
    evidence = Evidence(
        scores=found.scored,
        worse=worse_since(changes),
        slices=slices,
        demanded=found.demanded,
        earlier=None if changes is None else changes.earlier,
        bases=lambda gate: bases_of(gate, changes, found.scores),
    )
    return plan.gates.held(evidence)


def write_scores(options: ScoreOptions, given: Given, plan: Plan, found: Found) -> None:
    """Print the numbers, in the form and to where they were asked for."""
    settings = dict(options.basis)
    notes = list(plan.notes)
    judged, choice = given.inputs.judged, given.choice
    if options.answers is not None:
        from judge_tui.report.credit import about_credit

        notes.append(about_credit(credited(options.credit)))
    if judged is not None and choice is not None:
        settings["campaign"] = campaign_settings(judged, choice)
        notes[:0] = [about_campaign(judged, choice), *about_failures(judged)]
    if plan.grades is not None:
        settings["grades"] = list(plan.grades)
        notes.append(f"low and high over the grades {', '.join(map(str, plan.grades))}")
        if any(run.missing_qrels for run in found.scores.runs):
            notes.append(
                "low and high over the queries that are averaged now: judge a document of one that"
                " is left out, and it is averaged, too"
            )
    if plan.wanted.trec is not None:
        trec, output = plan.wanted.trec, options.output
        _print_as_trec_eval(found.scored, trec, notes, output, per_query=options.per_query)
        return
    from judge_tui.report.scores import score_report

    report = score_report(
        found.scores,
        beside=plan.wanted.beside,
        per_query=options.per_query,
        changes=found.changes,
        settings=settings,
        notes=notes,
    )
    if given.inputs.demands is not None:
        from judge_tui.cli.class_reports import with_demands, with_subsets

        if options.by == "class":
            report = with_subsets(report, given.inputs, found.scores)
        report = with_demands(
            report, given.inputs, found.demanded, options.by, per_query=options.per_query
        )
    print_report(report, options.form, options.output)


def _possible_grades(inputs: Inputs, greatest: int | None) -> Sequence[int]:
    """What a document that nobody judged might be: the campaign's scale, or 0 to the greatest."""
    if inputs.judged is not None and greatest is None:
        return inputs.judged.grades
    from judge_tui.scoring.bounds import grades_up_to

    return grades_up_to(greatest, inputs.qrels)


def _cut(scores: Scores, slicing: Slicing, gates: Sequence[Gate], whole: Sequence[str]) -> Scores:
    """The scores with their slices. `whole`: what asks for a value over all queries, for which
    `UsageError` is raised where these have different measures."""
    from judge_tui.scoring import slice_scores

    slices = slice_scores(scores, slicing.by, slicing.of_query, slicing.measures)
    if whole and not slices.composite:
        for gate in gates if slices.by == "class" else ():
            for one in slices.slices:
                if gate.measure in one.measures:
                    own = ClassGate(one.shown, *gate)
                    instead = (
                        f"require {NO_REGRESSION}, which holds each class to its own"
                        if gate.beside_baseline
                        else f"ask it of a class, as {own}"
                    )
                    raise UsageError(
                        f"gate {gate} is over all queries, and not all classes are measured by"
                        f" {gate.measure}",
                        f"{instead}, or name measures for all of them with -m",
                    )
        raise UsageError(
            f"--by {slices.by} scores its slices by different measures, so that there is no value"
            f" over all queries for {', '.join(whole)}",
            f"leave {'it' if len(whole) == 1 else 'them'} out, or name measures for all of them"
            " with -m",
        )
    return scores.only(slices.measures).cut_into(slices)


def _print_as_trec_eval(
    scores: Scores, plan: TrecPlan, notes: Iterable[str], output: str | None, *, per_query: bool
) -> None:
    """Its lines alone go where a script reads them; what else is to be said stands aside."""
    from judge_tui.report.scores import beside_values
    from judge_tui.report.trec import trec_lines

    print_text(trec_lines(scores, plan, per_query=per_query), output)
    print_aside([*beside_values(scores), *notes])
