"""`judge-tui score`: what the runs are worth by the qrels."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, cast

import click

from judge_tui.cli.commands import make_command, option
from judge_tui.cli.inputs import (
    InputOptions,
    gates_of,
    input_options,
    require_option,
    say_gates,
)
from judge_tui.cli.options import measures_option, new_file, unjudged
from judge_tui.cli.printing import (
    output_options_and,
    print_report,
    print_text,
    print_warnings,
    refuse_inputs,
)
from judge_tui.errors import UsageError
from judge_tui.scoring import DEFAULT_MEASURES, MEASURES, MeasureLike, Rules
from judge_tui.scoring.filled import StandIn
from judge_tui.visible import visible_line

TREC = "trec"


@make_command(
    manual="score",
    examples=[
        "score qrels.txt bm25.run dense.run nDCG@10 AP -q",
        'score qrels.txt new.run --complete --require "nDCG@10>=0.4"',
    ],
    epilog=f"Measures: {', '.join(MEASURES)}; written nDCG@10, AP(rel=2), or as trec_eval does."
    " --measures has a line on each.",
)
@click.argument("words", nargs=-1, metavar="QRELS RUN... [MEASURE...]")
@measures_option(
    "As ir_measures or trec_eval names it; may be repeated."
    f"  [default: {' '.join(DEFAULT_MEASURES)}; with --against those of its FILE]"
)
@option("--measures", "list_measures", is_flag=True, help="List all measures and stop.")
@option("-q", "--per-query", is_flag=True, help="Add the values of every query.")
@option(
    "--bounds",
    is_flag=True,
    help="Add the lowest and the highest mean that judging every document of the run could give.",
)
@option(
    "-l",
    "--level",
    group="Measures",
    type=click.IntRange(1, 10**9 - 1),
    help="The least grade that counts as relevant, where a measure has no rel.  [default: 1]",
)
@option(
    "-J",
    "--judged-only",
    group="Measures",
    is_flag=True,
    help="Take unjudged documents out of the lists before scoring.",
)
@unjudged()
@option(
    "-M",
    "--max-results",
    "depth",
    group="Measures",
    type=click.IntRange(min=1),
    help="Look at the first N results of each query alone.",
)
@option(
    "--score-precision",
    group="Measures",
    type=click.Choice(["64", "32"]),
    default="64",
    show_default=True,
    help="Bits that scores are compared in: trec_eval takes 64, pytrec_eval and older ones 32.",
)
@option(
    "-c",
    "--complete",
    group="Queries",
    is_flag=True,
    help="Average over all queries of the qrels; one that a run does not answer scores 0.",
)
@input_options
@require_option("Gates")
@option(
    "--against",
    group="An earlier result",
    metavar="FILE.json",
    help="Compare with a result that was saved, of the same qrels and options; it is the baseline"
    " of gates.",
)
@option(
    "--save",
    group="An earlier result",
    metavar="FILE.json",
    callback=new_file,
    help="Keep the result with the values of every query, to compare with later.",
)
@option(
    "--trec-eval",
    "version",
    group="Output",
    type=click.Choice(["10", "9"]),
    default="10",
    show_default=True,
    help="Which trec_eval -f trec prints as: 10.0 or 9.0.8.",
)
@option(
    "-j",
    "--jobs",
    group="Output",
    type=click.IntRange(min=1),
    help="Processes to score with.  [default: as many as pay]",
)
@output_options_and(TREC)
def command(
    words: tuple[str, ...],
    measures: tuple[str, ...],
    list_measures: bool,
    per_query: bool,
    complete: bool,
    judged_only: bool,
    unjudged: StandIn,
    depth: int | None,
    level: int | None,
    bounds: bool,
    sources: InputOptions,
    required: tuple[str, ...],
    save: str | None,
    against: str | None,
    score_precision: str,
    version: str,
    jobs: int | None,
    form: str,
    output: str | None,
) -> int:
    """Score RUNs with QRELS, as trec_eval does.

    RUN may be a folder, a pattern in quotes, - for standard input, or TAG=FILE, which gives the run
    a tag. MEASURE is a word that names no file, such as nDCG@10. A campaign (--db) takes the place
    of the files, and right answers (--answers) that of QRELS.

    Documents that nobody judged count as not relevant; --unjudged expected fills them in. The mean
    is over the queries that QRELS and RUN share; --complete makes it over all of QRELS.
    """
    if list_measures:
        from judge_tui.report.measures import measures_report

        print_report(measures_report(), "table" if form == TREC else form, output)
        return 0
    trec = form == TREC
    if trec and (sources.by or against or bounds or sources.answers):
        raise UsageError(
            "-f trec has no place for --by, --against, --bounds and --answers",
            "choose another form",
        )
    if unjudged != "zero" and (trec or against or save):
        raise UsageError(
            "levels that are filled have no place in -f trec, --against and --save",
            "leave --unjudged out, or put the runs side by side with compare",
        )
    if sources.answers is not None and (bounds or judged_only):
        raise UsageError(
            "answers do not say which results were judged", "leave --bounds and --judged-only out"
        )
    if sources.cluster is not None and jobs is not None:
        raise UsageError("--jobs are of this machine, not of a cluster", "leave one of them out")
    from judge_tui.cli.progress import show_reading
    from judge_tui.evaluation.gates import check_gates
    from judge_tui.evaluation.score_inputs import score_inputs
    from judge_tui.evaluation.score_runs import ScoringQuestion

    if against is not None or save is not None:
        from judge_tui.evaluation import saved_scores
    saved = None if against is None else saved_scores.load_scores(against)
    inputs, named = sources.open(words, unjudged=unjudged)
    measures = (*measures, *named)
    asked: Sequence[MeasureLike] | None = measures or None
    read = [*inputs.files, *filter(None, [against])]
    refuse_inputs(output, read)
    refuse_inputs(save, inputs.files, "--save")  # what it is compared with may be replaced
    if save == "-" or (save is not None and output is not None and _same(save, output)):
        raise UsageError("--save needs a file of its own", "name another one")
    gates = gates_of(required, inputs, level)
    plan = None
    if trec:
        from judge_tui.scoring.trec_eval import Version, trec_lines, trec_plan

        trec_eval = cast(Version, int(version))
        plan = trec_plan(measures, rel=level or 1, max_rel=inputs.max_rel, version=trec_eval)
        asked = plan.measures
    elif asked is None and saved is not None:
        asked = saved.scores.measures
    with show_reading() as on_read:
        question = ScoringQuestion(
            measures=asked,
            also=[gate.measure for gate in gates if gate.measure is not None],
            rel=level,
            bounds=bounds,
            by=sources.by,
            rules=Rules(complete, judged_only, depth, sources.ignore_self),
            unjudged=unjudged,
            credit=sources.credit,
            precision=cast(Literal[64, 32], int(score_precision)),
            jobs=jobs,
            cluster=sources.cluster,
            use_latency=not trec,  # trec_eval knows run files alone
            on_read=on_read,
        )
        scores = score_inputs(inputs, question)
    sha256 = saved_scores.qrels_sha256(inputs.qrels) if saved or save is not None else ""
    comparisons = None
    if saved is not None:
        from judge_tui.comparison.compare import usual_measures

        tested = scores.measures if measures else usual_measures(scores.measures)
        comparisons = saved_scores.compare_with_saved(saved, scores, sha256, tested)
    results = check_gates(gates, scores, comparisons)
    if plan is not None:
        print_text(trec_lines(scores, plan, per_query=per_query), output)
        print_warnings(scores.warnings)
    else:
        from judge_tui.report.scores import score_report

        report = score_report(
            scores,
            per_query=per_query,
            texts=inputs.texts,
            comparisons=comparisons,
            gates=results,
        )
        print_report(report, form, output)
    failed = say_gates(results)
    if save is not None and failed and against is not None and _same(save, against):
        # Replaced, it would let the next run pass.
        click.echo(f"{visible_line(save)} is left as it was: a gate is not met", err=True)
    elif save is not None:
        saved_scores.save_scores(save, scores, sha256)
    return failed


def _same(one: str, other: str) -> bool:
    return Path(one).resolve() == Path(other).resolve()
