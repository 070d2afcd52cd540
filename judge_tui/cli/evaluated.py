"""The steps of `judge-tui evaluate`: what is planned, asked, found and written."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from judge_tui.analysis.evaluation import Bands, Evaluation
from judge_tui.analysis.normal_forms import look_alikes
from judge_tui.cli.asking import AskingOptions, collected_from
from judge_tui.cli.benchmarks import BenchmarkFile, cut_short
from judge_tui.cli.class_gates import worse_in_demands
from judge_tui.cli.evaluate import USUAL
from judge_tui.cli.evaluation_classes import ClassPlan, class_plan
from judge_tui.cli.evaluation_closer import documents_known, looked_closer
from judge_tui.cli.evaluation_gates import (
    basis_of_system,
    evaluation_gates,
    held_of_systems,
    refuse_unknown,
)
from judge_tui.cli.gates import Evidence, Gates, worse_in
from judge_tui.cli.inputs import STDIN
from judge_tui.cli.printing import print_aside, print_report, print_text
from judge_tui.cli.slow_patterns import watch_patterns
from judge_tui.collect import read_systems
from judge_tui.errors import UsageError, unknown
from judge_tui.expectations import expectations_of, expectations_of_benchmark
from judge_tui.formats import write_text
from judge_tui.report import render
from judge_tui.report.decision import Decided, decision_page
from judge_tui.report.evaluation import (
    AUDIT_FILE,
    DECISION_FILE,
    RESULTS_FILE,
    Evaluated,
    evaluation_page,
    evaluation_report,
)
from judge_tui.report.page import page_markdown
from judge_tui.scoring import Measure, parse_measures
from judge_tui.significance import Settings, measures_needed
from judge_tui.visible import visible_line

if TYPE_CHECKING:
    from judge_tui.analysis.evaluation import EvaluatedQuery
    from judge_tui.collect import Collected, Systems
    from judge_tui.expectations import Expectations
    from judge_tui.formats.benchmark import Benchmark
    from judge_tui.report import Report
    from judge_tui.scoring.demands import Met
    from judge_tui.scoring.truths import Credit

__all__ = [
    "PAGES",
    "EvaluateOptions",
    "Pages",
    "Plan",
    "ask_systems",
    "find_evaluated",
    "pages_of",
    "plan_evaluation",
    "print_evaluated",
    "write_pages",
]

PAGES = (RESULTS_FILE, AUDIT_FILE, DECISION_FILE)
"""What is written into the folder beside what `collect` writes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluateOptions:
    """What the command line says, as `evaluate` names it."""

    systems: str
    queries: str | None
    answers: str | None
    qrels: str | None
    benchmark: BenchmarkFile | None
    credit: Credit
    measures: tuple[str, ...]
    baseline: str | None
    required: tuple[str, ...]
    strong: float
    usable: float
    asking: AskingOptions
    form: str

    @property
    def files(self) -> Mapping[str, str]:
        """What says what is asked and what is right, by the option that names it."""
        named = {
            "queries": self.queries,
            "answers": self.answers,
            "qrels": self.qrels,
            "benchmark": None if self.benchmark is None else self.benchmark.path,
        }
        return {what: name for what, name in named.items() if name is not None}

    def refuse_senseless(self) -> None:
        """Raise `UsageError` for options that do not go together."""
        if [self.answers, self.qrels, self.benchmark].count(None) != 2:
            raise click.UsageError("give --answers, --qrels or --benchmark, one of them")
        if self.benchmark is not None and self.queries is not None:
            raise click.UsageError("a benchmark has its own queries; leave --queries out")
        right = self.answers or self.qrels
        if right == self.queries == STDIN:
            what = "qrels" if self.answers is None else "answers"
            raise UsageError(
                f"standard input cannot be both {what} and queries", "give one of them a file"
            )
        if self.usable > self.strong:
            raise click.UsageError(
                f"--usable {self.usable:g} is more than --strong {self.strong:g}"
            )


class Plan(NamedTuple):
    """The systems `read`, what is `right`, from which benchmark, if from one (`held`), how each
    class is measured, and what systems are held to; `needed` is all that they are scored by."""

    read: Systems
    right: Expectations
    held: Benchmark | None
    classes: ClassPlan
    settings: Settings
    gates: Gates
    needed: tuple[Measure, ...]


class Pages(NamedTuple):
    """The report that is printed, and the text of each file in the folder by its name."""

    report: Report
    files: Mapping[str, str]


def plan_evaluation(options: EvaluateOptions) -> Plan:
    """Read everything but the systems' replies. Raises `UsageError` for what cannot be done, and
    `InputError` for bad files."""
    # What nobody has asked for would widen the family, and hide what there is to see.
    asked = parse_measures(options.measures or USUAL[:1])
    compared = tuple(measure for measure in asked if measure.definition.quality)
    read = read_systems(options.systems, only=options.asking.only, with_tasks=False)
    names = [system.name for system in read.systems]
    settings = Settings(baseline=_baseline(options.baseline, names))
    gates = evaluation_gates(options.required, names, compared, str(settings.baseline))
    read, right, held = _what_is_right(options, read)
    usual = parse_measures(options.measures or USUAL)
    classes = class_plan(right, usual, compared, named=bool(options.measures))
    refuse_unknown(gates, right, classes.scored, classes.own)
    needed = parse_measures(
        [*classes.measures, *measures_needed(classes.compared_by), *gates.measures]
    )
    right.refuse(needed)
    return Plan(read, right, held, classes, settings, gates, needed)


def ask_systems(options: EvaluateOptions, plan: Plan) -> Sequence[Collected]:
    """Every system, every query, as `collect` does."""
    return collected_from(
        plan.read,
        plan.right.queries,
        options.asking,
        inputs=(options.systems, *options.files.values()),
        also_written=PAGES,
    ).systems


def find_evaluated(
    options: EvaluateOptions, plan: Plan, collected: Sequence[Collected]
) -> Evaluated:
    """Score what came and compare it, all of it one family, and look where systems fail."""
    right, read, held = plan.right, plan.read, plan.held
    demanding = options.benchmark.path if options.benchmark else options.queries
    watch_patterns(options.answers or (demanding if right.demands else None))
    runs = [one.run() for one in collected]
    scores = right.scores(runs, plan.needed, options.credit)
    met = _met(right, collected)
    demanded, comparisons = plan.classes.compare(scores, met, plan.settings)
    shown, slices = plan.classes.seen(scores)
    evidence = Evidence(
        scores=scores,
        worse=[*worse_in(comparisons, " in class '{}'"), *worse_in_demands(demanded)],
        slices=slices,
        demanded=demanded,
        comparison=plan.settings,
        baseline_too=True,  # who names none does not think of the first one as a baseline
        bases=lambda gate: [
            basis_of_system(
                gate,
                right,
                one,
                plan.classes.apart,
                is_held=one.name != plan.settings.baseline,
            )
            for one in collected
        ],
    )
    looked_at = _looked_at(right, collected)
    left_out = map(_left_out, read.left_out)
    evaluated = Evaluated(
        evaluation=Evaluation(looked_at, shown, Bands(options.strong, options.usable)),
        collected=tuple(collected),
        kinds={system.name: system.kind for system in read.systems},
        comparisons=comparisons,
        required=held_of_systems(plan.gates, evidence, slices.of_query, right),
        depth=options.asking.depth,
        by=scores.by,
        files={
            what: "standard input" if name == "-" else Path(name).name
            for what, name in options.files.items()
        },
        credit=options.credit if options.answers else None,
        notes=(*right.notes, *left_out, *look_alikes(looked_at)),
        parts=plan.classes.parts(slices),
        own_terms=plan.classes.own_terms,
        beside=plan.classes.beside,
        banded=plan.classes.banded,
        demanded=demanded,
        subset_of=right.demands.subset_of,
        undemanding=plan.classes.warnings,
    )
    documents = held.documents if held is not None else documents_known(read, right)
    ranked = held is not None and any(system.ranks_candidates for system in read.systems)
    counts = map(len, held.candidates.values()) if held is not None and ranked else ()
    return replace(evaluated, closer=looked_closer(evaluated, right, documents, counts))


def pages_of(options: EvaluateOptions, plan: Plan, evaluated: Evaluated) -> Pages:
    """All that is told of it, before any of it is written."""
    report = evaluation_report(evaluated, queries=options.form == "table")
    decided = Decided(
        evaluated,
        {system.name: system.price for system in plan.read.systems},
        frozenset(system.name for system in plan.read.systems if system.ranks_candidates),
    )
    return Pages(
        report,
        {
            RESULTS_FILE: render(report, "json", colour=False),
            AUDIT_FILE: page_markdown(evaluation_page(evaluated)),
            DECISION_FILE: page_markdown(decision_page(decided)),
        },
    )


def write_pages(pages: Pages, folder: str) -> None:
    """The files in the folder."""
    for name, text in pages.files.items():
        write_text(text, Path(folder) / name)


def print_evaluated(options: EvaluateOptions, pages: Pages, evaluated: Evaluated) -> None:
    """What is printed."""
    folder, form = Path(options.asking.folder), options.form
    if sys.stdout is None:  # closed; the files in the folder have it all
        pass
    elif form == "md":
        print_text(pages.files[AUDIT_FILE], None)
    else:
        print_report(pages.report, form, None)
    if form == "table" and sys.stdout is not None and sys.stdout.isatty():
        click.echo(visible_line(f"All of it: {folder / AUDIT_FILE}"))
        click.echo(visible_line(f"In short: {folder / DECISION_FILE}"))
    _say_seconds(evaluated.collected)


def _what_is_right(
    options: EvaluateOptions, read: Systems
) -> tuple[Systems, Expectations, Benchmark | None]:
    """What is right, and of a benchmark what there is to choose from, which its systems then
    have."""
    if options.benchmark is None:
        right = expectations_of(
            queries=options.queries, answers=options.answers, qrels=options.qrels
        )
        return read, right, None
    held = options.benchmark.read()
    right = expectations_of_benchmark(held)
    read = read.choosing_from(held.candidates)
    if any(system.ranks_candidates for system in read.systems):
        notes = (*right.notes, *cut_short(held, options.asking.depth))
        right = replace(right, notes=notes)
    return read, right, held


def _left_out(name: str) -> str:
    return f"{name}: of kind task, and left out"


def _baseline(named: str | None, names: Sequence[str]) -> str:
    if named is not None and named not in names:
        raise unknown("system", named, names)
    return named or names[0]


def _say_seconds(collected: Sequence[Collected]) -> None:
    """On standard error: times are never the same twice, and the result is."""
    for one in collected:
        median, p95 = one.latency
        if median is not None:
            print_aside(
                [f"{one.name}: seconds a query {median:.3f} (median), {p95:.3f} (95th percentile)"]
            )


def _met(right: Expectations, collected: Sequence[Collected]) -> dict[str, Met]:
    return {
        one.name: right.met(
            {reply.query_id: [hit.doc_id for hit in reply.hits] for reply in one.replies}
        )
        for one in collected
    }


def _looked_at(right: Expectations, collected: Sequence[Collected]) -> tuple[EvaluatedQuery, ...]:
    replies = {one.name: {reply.query_id: reply for reply in one.replies} for one in collected}
    return tuple(
        right.looked_at(
            query,
            {tag: [hit.doc_id for hit in its[query.query_id].hits] for tag, its in replies.items()},
            {
                tag: its[query.query_id].failure
                for tag, its in replies.items()
                if its[query.query_id].failure
            },
        )
        for query in right.queries
    )
