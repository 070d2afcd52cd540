"""`judge-tui evaluate`: live systems are asked, scored by what is right, compared, and one page
tells which to take."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from judge_tui.cli.asking import asking_options, collect_from
from judge_tui.cli.commands import make_command, option
from judge_tui.cli.inputs import credit_option, require_option, say_gates
from judge_tui.cli.options import columns, measures_option
from judge_tui.cli.printing import print_report, print_text
from judge_tui.formats.source import Layout, check_columns, fitting
from judge_tui.visible import visible_line

if TYPE_CHECKING:
    from judge_tui.evaluation.inputs import EvaluationInputs
    from judge_tui.evaluation.live import Candidates, Evaluation
    from judge_tui.scoring.answers import Credit

RESULTS, PAGE, TEXT = PAGES = ("results.json", "report.html", "report.md")


@make_command(
    manual="evaluate",
    examples=[
        "evaluate systems.toml --answers answers.csv -o out",
        'evaluate systems.toml --qrels benchmark.json -o out --require "nDCG@10>=baseline-0.01"',
    ],
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
@credit_option("Measures")
@measures_option(
    "Score and compare by this; may be repeated.  [default: compared by nDCG@10, scored by"
    " RR@10, P@5, R@10 and AP, too]"
)
@option(
    "--baseline",
    group="Measures",
    metavar="NAME",
    help="Compare with this system.  [default: the first]",
)
@require_option("Measures")
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
    failed or found nothing counts as 0. Asked anew, the same answers give the same bytes.
    """
    from judge_tui.collect import CollectRequest, read_systems
    from judge_tui.evaluation.gates import parse_gates
    from judge_tui.evaluation.live import evaluate_systems, plan_evaluation
    from judge_tui.formats.beir_folder import qrels_file
    from judge_tui.report.collected import warnings_of

    read = {"queries": queries, "answers": answers, "qrels": qrels}
    known = read_systems(systems, only=only, tasks=False)
    layout = Layout(columns=columns)
    check_columns(layout, [queries, answers, qrels and qrels_file(qrels), *known.files])
    right, candidates = _read_grades(**read, layout=layout)
    gates = parse_gates(required)
    plan = plan_evaluation(right, list(known.systems), measures, gates, baseline, credit)
    request = CollectRequest(
        known, right.queries, layout=layout, candidates=candidates, pages=PAGES, **asking
    )
    runs = collect_from(request, inputs=(systems, *read.values())).runs
    files = {
        what: "standard input" if name == "-" else Path(name).name
        for what, name in read.items()
        if name is not None
    }
    evaluation = evaluate_systems(plan, request, runs, failures=warnings_of(runs), files=files)
    _write(evaluation, request.folder, form)
    return say_gates(evaluation.gates)


def _read_grades(
    queries: str | None, answers: str | None, qrels: str | None, layout: Layout
) -> tuple[EvaluationInputs, Candidates]:
    """What is right for each query, and of a benchmark what there is to choose from."""
    from judge_tui.evaluation.inputs import read_inputs
    from judge_tui.evaluation.live import restrict_to_asked
    from judge_tui.formats.benchmark import read_benchmark

    if (answers is None) == (qrels is None):
        raise click.UsageError("give --answers or --qrels, one of them")
    candidates: Candidates = {}
    if qrels is not None and Path(qrels).is_file() and _is_benchmark(qrels, layout):
        if queries is not None:
            raise click.UsageError("a benchmark has its own queries; leave --queries out")
        candidates = {
            entry.query.query_id: [one.document for one in entry.candidates]
            for entry in read_benchmark(qrels)
        }
    read = read_inputs(qrels, answers=answers, queries=queries, layout=layout)
    return restrict_to_asked(read), candidates


def _is_benchmark(qrels: str, layout: Layout) -> bool:
    from judge_tui.formats.recognition import recognise

    return recognise(qrels, "qrels", layout=fitting(qrels, layout)).format == "benchmark"


def _write(evaluation: Evaluation, folder: Path, form: str) -> None:
    """The pages into the folder, and what is printed: the answer first, at the end where it is."""
    from judge_tui.formats.writing import write_text
    from judge_tui.report import render
    from judge_tui.report.evaluation import evaluation_report
    from judge_tui.report.page import page_html, page_markdown
    from judge_tui.report.page.evaluation import evaluation_page

    report, page = evaluation_report(evaluation), evaluation_page(evaluation)
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
        click.echo("".join(f"{visible_line(sentence)}\n" for sentence in page.answer))
    print_report(report, form, None)
    if form == "table":
        where = f"Which system to take: {folder / PAGE}; every number: {folder / RESULTS}"
        click.echo(visible_line(where), err=True)
