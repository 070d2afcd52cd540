"""`judge-tui score`: what the runs are worth by the qrels."""

from __future__ import annotations

import click

from judge_tui.cli.printing import output_options, print_report, refuse_inputs
from judge_tui.scoring import (
    DEFAULT_MEASURES,
    MEASURES,
    failures,
    parse_gate,
    parse_measures,
    score_runs,
)
from judge_tui.sources import qrels_from, runs_from
from judge_tui.visible import visible_line

__all__ = ["command"]

_NAMES = ", ".join(
    f"{definition.name}@k" if definition.cutoff == "required" else f"{definition.name}[@k]"
    for definition in MEASURES.values()
)


@click.command(
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=f"Measures: {_NAMES}; also AP(rel=2), nDCG(dcg='exp-log2')@10.",
)
@click.argument("qrels")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    metavar="MEASURE",
    help=f"As ir_measures names it; may be repeated.  [default: {' '.join(DEFAULT_MEASURES)}]",
)
@click.option("-q", "--per-query", is_flag=True, help="Add the values of every query.")
@click.option(
    "--complete",
    is_flag=True,
    help="Average over all queries of the qrels; one that a run does not answer scores 0.",
)
@click.option(
    "--judged-only", is_flag=True, help="Take unjudged documents out of the lists before scoring."
)
@click.option(
    "--require",
    "gates",
    multiple=True,
    metavar="GATE",
    help='Exit with 1 unless it holds: "nDCG@10>=0.4" for every run, "TAG:Hit@5>=0.7" for one.'
    " May be repeated.",
)
@output_options
def command(
    qrels: str,
    runs: tuple[str, ...],
    measures: tuple[str, ...],
    per_query: bool,
    complete: bool,
    judged_only: bool,
    gates: tuple[str, ...],
    form: str,
    output: str | None,
) -> int:
    """Score RUNs with QRELS, as trec_eval does.

    Ties are broken by score, then doc_id, both descending; unjudged documents count as not
    relevant. Averaged over the queries that are in both QRELS and RUN.
    """
    refuse_inputs(output, (qrels, *runs))
    from judge_tui.report.scores import judged_beside, score_report

    asked = parse_measures(measures or DEFAULT_MEASURES)
    required = [parse_gate(gate) for gate in gates]
    beside = judged_beside(asked)
    scores = score_runs(
        qrels_from(qrels),
        runs_from(runs),
        [*asked, *beside, *(gate.measure for gate in required)],
        complete=complete,
        judged_only=judged_only,
    )
    failed = [failure for gate in required for failure in failures(gate, scores)]
    report = score_report(scores.only(asked), beside=beside, per_query=per_query)
    print_report(report, form, output)
    for failure in failed:
        click.echo(f"gate not met: {visible_line(failure)}", err=True)
    return 1 if failed else 0
