"""`judge-tui evaluate`: from live systems and right answers to numbers and an exit code."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from judge_tui.cli.asking import AskingOptions, asking_options, collected_from
from judge_tui.cli.benchmarks import BenchmarkFile, benchmark_options, cut_short
from judge_tui.cli.gates import say_unmet
from judge_tui.cli.printing import print_aside, print_report, print_text
from judge_tui.cli.slow_patterns import watch_patterns
from judge_tui.errors import unknown
from judge_tui.report import render
from judge_tui.visible import visible_line

if TYPE_CHECKING:
    from judge_tui.analysis.evaluation import EvaluatedQuery
    from judge_tui.collect import Collected
    from judge_tui.expectations import Expectations
    from judge_tui.scoring.demands import Met
    from judge_tui.scoring.truths import Credit

__all__ = ["command"]

_USUAL = ("nDCG@10", "RR@10", "P@5", "R@10", "AP")


@click.command()
@click.argument("systems", metavar="SYSTEMS.toml")
@click.option("--queries", metavar="FILE", help="The queries.  [default: those of --answers]")
@click.option("--answers", metavar="FILE", help="Right answers: JSON, JSONL, TOML or CSV.")
@click.option("--qrels", metavar="FILE", help="Grades of documents, in place of --answers.")
@benchmark_options
@click.option(
    "--credit",
    type=click.Choice(["once", "every"]),
    default="once",
    show_default=True,
    help="Whether nDCG, AP and RR credit a truth at its first hit alone, or every result that"
    " matches one.",
)
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    metavar="MEASURE",
    help="Systems are scored and compared by each; may be repeated, and RR@10 always stands beside"
    " them.  [default: nDCG@10 for comparisons; for scores RR@10 P@5 R@10 AP, too; classes of"
    " queries that have terms of their own: those]",
)
@click.option(
    "--baseline", metavar="NAME", help="The system to compare with.  [default: the first]"
)
@click.option(
    "--require",
    "required",
    multiple=True,
    metavar="GATE",
    help='Exit with 1 unless it holds: "RR@10>=0.4" of every system, "NAME:Hit@5>=0.7" of one;'
    ' "nDCG@10>=baseline-0.01" or no-regression of all but the baseline; "CLASS/RR>=0.4" of a class'
    " of queries. May be repeated.",
)
@click.option(
    "--strong",
    type=click.FloatRange(0, 1),
    default=0.4,
    show_default=True,
    help="A mean RR@10 from here on is called strong.",
)
@click.option(
    "--usable",
    type=click.FloatRange(0, 1),
    default=0.2,
    show_default=True,
    help="From here on it is called usable, and below poor.",
)
@asking_options
def command(
    systems: str,
    queries: str | None,
    answers: str | None,
    qrels: str | None,
    benchmark: BenchmarkFile | None,
    credit: str,
    measures: tuple[str, ...],
    baseline: str | None,
    required: tuple[str, ...],
    strong: float,
    usable: float,
    asking: AskingOptions,
    form: str,
) -> int:
    """Ask live systems, score what they find, compare them, and show where they fail.

    Into DIR come, beside what collect writes, results.json, audit.md and decision.md (Markdown). A
    query that failed or found nothing counts as 0, and is never left out. The same answers of the
    systems give the same bytes, but for decision.md, NAME.latency.csv and NAME.answers.jsonl, which
    hold the times.
    """
    from judge_tui.analysis.evaluation import Bands, Evaluation
    from judge_tui.analysis.normal_forms import look_alikes
    from judge_tui.cli.evaluation_classes import class_plan
    from judge_tui.cli.evaluation_closer import documents_known, looked_closer
    from judge_tui.cli.evaluation_gates import evaluation_gates
    from judge_tui.collect import read_systems
    from judge_tui.expectations import expectations_of, expectations_of_benchmark
    from judge_tui.formats import write_text
    from judge_tui.report.decision import DECISION_FILE, Decided, decision_page
    from judge_tui.report.evaluation import (
        AUDIT_FILE,
        RESULTS_FILE,
        Evaluated,
        evaluation_page,
        evaluation_report,
    )
    from judge_tui.report.page import page_markdown
    from judge_tui.scoring import parse_measures
    from judge_tui.significance import Settings, measures_needed

    if [answers, qrels, benchmark].count(None) != 2:
        raise click.UsageError("give --answers, --qrels or --benchmark, one of them")
    if benchmark is not None and queries is not None:
        raise click.UsageError("a benchmark has its own queries; leave --queries out")
    if usable > strong:
        raise click.UsageError(f"--usable {usable:g} is more than --strong {strong:g}")
    # What nobody has asked for would widen the family, and hide what there is to see.
    asked = parse_measures(measures or _USUAL[:1])
    compared = tuple(measure for measure in asked if measure.definition.quality)
    read = read_systems(systems, only=asking.only, with_tasks=False)
    names = [system.name for system in read.systems]
    settings = Settings(baseline=_baseline(baseline, names))
    gates = evaluation_gates(required, names, compared, str(settings.baseline))
    held = None if benchmark is None else benchmark.read()
    if held is not None:
        right = expectations_of_benchmark(held)
        read = read.choosing_from(held.candidates)
        if any(system.ranks_candidates for system in read.systems):
            right = replace(right, notes=(*right.notes, *cut_short(held, asking.depth)))
    else:
        right = expectations_of(queries=queries, answers=answers, qrels=qrels)
    plan = class_plan(right, parse_measures(measures or _USUAL), compared, named=bool(measures))
    gates.refuse_unknown(right, plan.scored, plan.own)
    needed = parse_measures([*plan.measures, *measures_needed(plan.compared_by), *gates.measures])
    right.refuse(needed)
    graded = None if benchmark is None else benchmark.path
    named = {"queries": queries, "answers": answers, "qrels": qrels, "benchmark": graded}
    files = {what: name for what, name in named.items() if name is not None}

    collected = collected_from(
        read,
        right.queries,
        asking,
        inputs=(systems, *files.values()),
        also_written=(RESULTS_FILE, AUDIT_FILE, DECISION_FILE),
    ).systems
    watch_patterns(answers or (queries if right.demands else None))
    scores = right.scores([one.run() for one in collected], needed, cast("Credit", credit))
    demanded, comparisons = plan.compare(scores, _met(right, collected), settings)
    shown, slices = plan.seen(scores)
    looked_at = _looked_at(right, collected)
    evaluated = Evaluated(
        evaluation=Evaluation(looked_at, shown, Bands(strong, usable)),
        collected=tuple(collected),
        kinds={system.name: system.kind for system in read.systems},
        comparisons=comparisons,
        required=gates.held(
            scores,
            slices,
            settings,
            comparisons,
            demanded,
            _failed_of(str(settings.baseline), right, collected),
        ),
        depth=asking.depth,
        by=scores.by,
        files={
            what: "standard input" if name == "-" else Path(name).name
            for what, name in files.items()
        },
        credit=credit if answers else None,
        notes=(*right.notes, *plan.notes, *map(_left_out, read.left_out), *look_alikes(looked_at)),
        parts=plan.parts(slices),
        own_terms=plan.own_terms,
        banded=plan.banded,
        demanded=demanded,
        subset_of=right.demands.subset_of,
    )
    documents = held.documents if held is not None else documents_known(read, right)
    ranked = held is not None and any(system.ranks_candidates for system in read.systems)
    counts = map(len, held.candidates.values()) if held is not None and ranked else ()
    closer = looked_closer(evaluated, right, documents, counts)
    evaluated = replace(evaluated, closer=closer)
    page = page_markdown(evaluation_page(evaluated))
    report = evaluation_report(evaluated, queries=form == "table")
    write_text(render(report, "json", colour=False), Path(asking.folder) / RESULTS_FILE)
    write_text(page, Path(asking.folder) / AUDIT_FILE)
    decided = Decided(
        evaluated,
        {system.name: system.price for system in read.systems},
        frozenset(system.name for system in read.systems if system.ranks_candidates),
    )
    write_text(page_markdown(decision_page(decided)), Path(asking.folder) / DECISION_FILE)
    if sys.stdout is None:  # closed; the files in the folder have it all
        pass
    elif form == "md":
        print_text(page, None)
    else:
        print_report(report, form, None)
    if form == "table" and sys.stdout is not None and sys.stdout.isatty():
        click.echo(visible_line(f"All of it: {Path(asking.folder) / AUDIT_FILE}"))
        click.echo(visible_line(f"In short: {Path(asking.folder) / DECISION_FILE}"))
    _say_seconds(collected)
    unmet = [sentence for one in evaluated.required for sentence in one.unmet]
    say_unmet(unmet)
    return 1 if unmet else 0


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


def _failed_of(name: str, right: Expectations, collected: Sequence[Collected]) -> dict[str, str]:
    """The queries that a system failed at, and the class of each."""
    classes = {query.query_id: query.query_class for query in right.queries}
    its = next(one for one in collected if one.name == name)
    return {answer.query_id: classes[answer.query_id] for answer in its.failed}


def _met(right: Expectations, collected: Sequence[Collected]) -> dict[str, Met]:
    return {
        one.name: right.met(
            {answer.query_id: [hit.doc_id for hit in answer.hits] for answer in one.answers}
        )
        for one in collected
    }


def _looked_at(right: Expectations, collected: Sequence[Collected]) -> tuple[EvaluatedQuery, ...]:
    answers = {one.name: {answer.query_id: answer for answer in one.answers} for one in collected}
    return tuple(
        right.looked_at(
            query,
            {tag: [hit.doc_id for hit in its[query.query_id].hits] for tag, its in answers.items()},
            {
                tag: its[query.query_id].failure
                for tag, its in answers.items()
                if its[query.query_id].failure
            },
        )
        for query in right.queries
    )
