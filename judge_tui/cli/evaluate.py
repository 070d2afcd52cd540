"""`judge-tui evaluate`: live systems are asked, scored by what is right, compared, and one page
tells which to take."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from judge_tui.cli.asking import asking_options, collect_from
from judge_tui.cli.commands import make_command, option
from judge_tui.cli.inputs import say_gates
from judge_tui.cli.options import columns
from judge_tui.cli.printing import print_report, print_text
from judge_tui.formats.source import Layout
from judge_tui.visible import visible_line

if TYPE_CHECKING:
    from judge_tui.collect import Systems
    from judge_tui.comparison.comparison import Comparisons
    from judge_tui.evaluation.inputs import EvaluationInputs
    from judge_tui.evaluation.live import EvaluationPlan
    from judge_tui.model import Document, Run
    from judge_tui.report.evaluation import Evaluated
    from judge_tui.scoring import Scores
    from judge_tui.scoring.answers import Credit

__all__ = ["command"]

_Candidates: TypeAlias = "Mapping[str, Sequence[Document]]"
"""query_id -> the documents of a benchmark that there are to choose from."""

RESULTS, PAGE, TEXT = PAGES = ("results.json", "report.html", "report.md")


@make_command(
    examples=[
        "evaluate systems.toml --answers answers.csv -o out",
        'evaluate systems.toml --qrels benchmark.json -o out --require "nDCG@10>=baseline-0.01"',
    ]
)
@click.argument("systems", metavar="SYSTEMS.toml")
@option(
    "--answers", group="Grades", metavar="FILE", help="Right answers: JSON, JSONL, TOML or CSV."
)
@option(
    "--qrels",
    group="Grades",
    metavar="FILE",
    help="Grades of documents, in place of --answers; a graded benchmark has its own queries.",
)
@option(
    "--queries",
    group="Grades",
    metavar="FILE",
    help="Ask these queries.  [default: those of --answers]",
)
@option(
    "--credit",
    group="Measures",
    type=click.Choice(["once", "every"]),
    default="once",
    show_default=True,
    help="Let nDCG, AP and RR credit an answer once, or every result that is right by it.",
)
@option(
    "-m",
    "--measure",
    "measures",
    group="Measures",
    multiple=True,
    metavar="MEASURE",
    help="Score and compare by this; may be repeated.  [default: compared by nDCG@10, scored by"
    " RR@10, P@5, R@10 and AP, too]",
)
@option(
    "--baseline",
    group="Measures",
    metavar="NAME",
    help="Compare with this system.  [default: the first]",
)
@option(
    "--require",
    "required",
    group="Measures",
    multiple=True,
    metavar="GATE",
    help='Exit with 1 unless it holds: "RR@10>=0.4", "NAME:Hit@5>=0.7", "CLASS/RR>=0.4",'
    ' "nDCG@10>=baseline-0.01", no-regression; may be repeated.',
)
@columns
@asking_options
def command(
    systems: str,
    answers: str | None,
    qrels: str | None,
    queries: str | None,
    credit: Credit,
    measures: tuple[str, ...],
    baseline: str | None,
    required: tuple[str, ...],
    columns: Mapping[str, str],
    only: tuple[str, ...],
    form: str,
    **asking: Any,
) -> int:
    """Ask live systems, score what they find, compare them, and show where they fail.

    Into DIR come, beside what collect writes, report.html, report.md and results.json. A query that
    failed or found nothing counts as 0. The same answers of the systems give the same bytes.
    """
    from judge_tui.analysis.document_slices import document_slices, telling_depth
    from judge_tui.analysis.live_systems import TOP, document_facts
    from judge_tui.collect import CollectRequest, read_systems
    from judge_tui.evaluation.gates import check_gates, parse_gates
    from judge_tui.evaluation.live import look_at, plan_evaluation
    from judge_tui.report.collected import warnings_of
    from judge_tui.report.evaluation import AskedSystem, Evaluated

    read = {"queries": queries, "answers": answers, "qrels": qrels}
    known = read_systems(systems, only=only, tasks=False)
    right, candidates = _read_grades(**read, layout=Layout(columns=columns))
    gates = parse_gates(required)
    plan = plan_evaluation(right, list(known.systems), measures, gates, baseline)
    request = CollectRequest(known, right.queries, candidates=candidates, pages=PAGES, **asking)
    collected = collect_from(request, inputs=(systems, *read.values())).runs
    runs = [one.run() for one in collected]
    scores, comparisons = _score(plan, right, runs, credit)
    failures = {
        one.tag: {reply.query_id: reply.failure for reply in one.failed} for one in collected
    }
    lists = look_at(right, runs, failures)
    facts = document_facts(lists, _find_documents(known, right, candidates))
    k = telling_depth(_count_candidates(known, candidates), TOP)
    evaluated = Evaluated(
        systems=[
            AskedSystem(
                one.tag,
                known.systems[one.tag].kind,
                one.identity,
                len(one.replies),
                len(one.failed),
                len(one.failed) + len(one.empty),
            )
            for one in collected
        ],
        queries=right.queries,
        right=right.qrels,
        lists=lists,
        scores=scores,
        main=plan.compared[0],
        comparisons=comparisons,
        gates=check_gates(gates, scores, comparisons),
        failures=warnings_of(collected),
        warnings=_gather_warnings(scores, comparisons),
        depth=request.depth,
        files={
            what: "standard input" if name == "-" else Path(name).name
            for what, name in read.items()
            if name is not None
        },
        credit=credit if answers is not None else None,
        slices=[*document_slices(lists.judged, facts, k)],
    )
    _write(evaluated, request.folder, form)
    return say_gates(evaluated.gates)


def _read_grades(
    queries: str | None, answers: str | None, qrels: str | None, layout: Layout
) -> tuple[EvaluationInputs, _Candidates]:
    """What is right for each query, and of a benchmark what there is to choose from."""
    from judge_tui.evaluation.inputs import read_inputs
    from judge_tui.evaluation.live import restrict_to_asked
    from judge_tui.formats.benchmark import read_benchmark
    from judge_tui.formats.recognition import recognise

    if (answers is None) == (qrels is None):
        raise click.UsageError("give --answers or --qrels, one of them")
    candidates: _Candidates = {}
    if qrels is not None and qrels != "-" and recognise(qrels).format == "benchmark":
        if queries is not None:
            raise click.UsageError("a benchmark has its own queries; leave --queries out")
        candidates = {
            entry.query.query_id: [one.document for one in entry.candidates]
            for entry in read_benchmark(qrels)
        }
    read = read_inputs(qrels, answers=answers, queries=queries, layout=layout)
    return restrict_to_asked(read), candidates


def _score(
    plan: EvaluationPlan, right: EvaluationInputs, runs: Sequence[Run], credit: Credit
) -> tuple[Scores, Comparisons | None]:
    """The scores of all systems, and beside the baseline, class by class where these declare
    different measures. All of it is one family."""
    from judge_tui.api import score
    from judge_tui.comparison.compare import compare_scores
    from judge_tui.scoring.slices import slice_scores

    by = "class" if plan.classes else None
    scores = score(right, runs, plan.shown, by=by, complete=True, credit=credit, also=plan.needed)
    if len(runs) < 2:
        return scores, None
    compared = replace(scores.only(plan.compared), slices=None)
    if (slices := scores.unlike) is not None:
        own = {one.name: one.measures for one in slices.slices if one.measures != plan.shown}
        compared = replace(compared, slices=slice_scores(compared, slices.by, slices.of_query, own))
    return scores, compare_scores(compared, plan.settings)


def _find_documents(
    systems: Systems, right: EvaluationInputs, candidates: _Candidates
) -> Mapping[str, Document]:
    """What is known of the documents that are graded."""
    from judge_tui.formats.rows import iter_documents

    if candidates:
        return {one.doc_id: one for documents in candidates.values() for one in documents}
    if right.answers is not None:
        return {}
    graded = {doc_id for by_doc in right.qrels.values() for doc_id in by_doc}
    found: dict[str, Document] = {}
    for file in dict.fromkeys(systems.files):
        for _, document in iter_documents(file):
            if document.doc_id in graded:
                found.setdefault(document.doc_id, document)
    return found


def _count_candidates(systems: Systems, candidates: _Candidates) -> Sequence[int]:
    """How many candidates each query has, where a system ranks these."""
    ranked = any(one.ranks_candidates for one in systems.systems.values())
    return [len(documents) for documents in candidates.values()] if ranked else []


def _gather_warnings(scores: Scores, comparisons: Comparisons | None) -> Sequence[str]:
    """What a reader must know, each once."""
    from judge_tui.analysis.warnings import of_comparisons

    compared = of_comparisons(comparisons) if comparisons else ()
    return [*dict.fromkeys((*scores.warnings, *compared))]


def _write(evaluated: Evaluated, folder: Path, form: str) -> None:
    """The pages into the folder, and what is printed: the answer first, at the end where it is."""
    from judge_tui.formats.writing import write_text
    from judge_tui.report import render
    from judge_tui.report.evaluation import evaluation_report
    from judge_tui.report.page import page_html, page_markdown
    from judge_tui.report.page.evaluation import answer, evaluation_page

    report, page = evaluation_report(evaluated), evaluation_page(evaluated)
    texts = {
        RESULTS: render(report, "json", colour=False),
        PAGE: page_html(page),
        TEXT: page_markdown(page),
    }
    for name, text in texts.items():
        write_text(text, folder / name)
    if sys.stdout is None:  # closed; the files in the folder have it all
        return
    if form == "md":
        print_text(texts[TEXT], None)
        return
    if form == "table":
        click.echo("".join(f"{visible_line(sentence)}\n" for sentence in answer(evaluated)))
    print_report(report, form, None)
    if form == "table":
        where = f"Which system to take: {folder / PAGE}; every number: {folder / RESULTS}"
        click.echo(visible_line(where), err=True)
