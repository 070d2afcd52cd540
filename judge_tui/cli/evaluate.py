"""`judge-tui evaluate`: from live systems and right answers to numbers and an exit code."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from judge_tui.cli.asking import asking_options, collected_from
from judge_tui.cli.gates import say_unmet
from judge_tui.cli.printing import print_report
from judge_tui.cli.scoring import about_credit
from judge_tui.errors import UsageError, unknown
from judge_tui.report import render

if TYPE_CHECKING:
    from judge_tui.analysis.evaluation import EvaluatedQuery
    from judge_tui.collect import Collected
    from judge_tui.expectations import Expectations
    from judge_tui.scoring.truths import Credit

__all__ = ["command"]

RESULTS, AUDIT = "results.json", "audit.md"

_USUAL = ("nDCG@10", "RR@10", "P@5", "R@10", "AP")
_AUDIT_HEAD = "# Evaluation of search systems\n\n"


@click.command()
@click.argument("systems", metavar="SYSTEMS.toml")
@click.option("--queries", metavar="FILE", help="The queries.  [default: those of --answers]")
@click.option("--answers", metavar="FILE", help="Right answers: JSON, JSONL, TOML or CSV.")
@click.option("--qrels", metavar="FILE", help="Grades of documents, in place of --answers.")
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
    help="May be repeated; RR@10 is always among them.  [default: nDCG@10 RR@10 P@5 R@10 AP]",
)
@click.option(
    "--baseline", metavar="NAME", help="The system to compare with.  [default: the first]"
)
@click.option(
    "--require",
    "required",
    multiple=True,
    metavar="GATE",
    help='Exit with 1 unless it holds: "RR@10>=0.4", "NAME:Hit@5>=0.7",'
    ' "nDCG@10>=baseline-0.01", no-regression. May be repeated.',
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
    credit: str,
    measures: tuple[str, ...],
    baseline: str | None,
    required: tuple[str, ...],
    strong: float,
    usable: float,
    folder: str,
    depth: int,
    jobs: int,
    only: tuple[str, ...],
    again_failed: bool,
    again: bool,
    form: str,
) -> int:
    """Ask live systems, score what they find, compare them, and show where they fail.

    Into DIR come, beside what collect writes, results.json and audit.md (Markdown). A query that
    failed or found nothing counts as 0, and is never left out. The same answers of the systems give
    the same bytes, but for NAME.latency.csv and NAME.answers.jsonl, which hold the times.
    """
    from judge_tui.analysis.evaluation import Bands, Evaluation
    from judge_tui.collect import read_systems
    from judge_tui.expectations import expectations_of
    from judge_tui.formats import write_text
    from judge_tui.report.evaluation import evaluation_report
    from judge_tui.scoring import NO_REGRESSION, parse_gate, parse_measures
    from judge_tui.significance import (
        Settings,
        Verdict,
        compare_scores,
        gate_failures,
        measures_needed,
    )

    if (answers is None) == (qrels is None):
        raise click.UsageError("give --answers or --qrels, one of them")
    if usable > strong:
        raise click.UsageError(f"--usable {usable:g} is more than --strong {strong:g}")
    gates = [parse_gate(gate) for gate in required if gate.strip() != NO_REGRESSION]
    no_regression = len(gates) < len(required)
    asked = parse_measures([*(measures or _USUAL), "RR@10"])
    compared = tuple(measure for measure in asked if measure.definition.quality)
    needed = parse_measures([*asked, *measures_needed(compared), *(gate.measure for gate in gates)])
    right = expectations_of(queries=queries, answers=answers, qrels=qrels)
    right.refuse(needed)
    read = read_systems(systems, only=only)
    first = _baseline(baseline, [system.name for system in read.systems])
    beside = [str(gate) for gate in gates if gate.beside_baseline]
    if len(read.systems) < 2 and (no_regression or beside):
        raise UsageError(
            f"{NO_REGRESSION if no_regression else beside[0]} stands beside a baseline, and there"
            " is one system",
            "name two systems or more",
        )

    collected = collected_from(
        read,
        right.queries,
        folder,
        depth=depth,
        jobs=jobs,
        again=again,
        again_failed=again_failed,
    )
    scores = right.scores([one.run() for one in collected], needed, cast("Credit", credit))
    evaluation = Evaluation(_looked_at(right, collected), scores.only(asked), Bands(strong, usable))
    settings = Settings(baseline=first)
    comparisons = compare_scores(scores, compared, settings) if len(scores) > 1 else None
    unmet = [failure for gate in gates for failure in gate_failures(gate, scores, settings)]
    if no_regression and comparisons is not None:
        unmet += [
            f"{NO_REGRESSION}: {c.tag} is worse than {c.baseline} by {c.measure}: {c.delta!r}"
            for c in comparisons.comparisons
            if c.verdict is Verdict.WORSE
        ]
    report = evaluation_report(
        evaluation,
        comparisons,
        settings={
            "depth": depth,
            "credit": credit if answers else None,
            "identity": {one.name: one.identity or None for one in collected},
        },
        failed={one.name: len(one.failed) for one in collected},
        notes=[*right.notes, *([about_credit(credit)] if answers else [])],
    )
    write_text(render(report, "json", colour=False), Path(folder) / RESULTS)
    write_text(_AUDIT_HEAD + render(report, "md", colour=False), Path(folder) / AUDIT)
    print_report(report, form, None)
    say_unmet(unmet)
    return 1 if unmet else 0


def _baseline(named: str | None, names: Sequence[str]) -> str:
    if named is not None and named not in names:
        raise unknown("system", named, names)
    return named or names[0]


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
