"""`judge-tui score`: what the runs are worth by the qrels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, cast

import click

from judge_tui.cli.asked_beside import asked_and_left_out
from judge_tui.cli.earlier import (
    changes_beside,
    earlier_options,
    earlier_result,
    refuse_other_qrels,
    refuse_targets,
    save_result,
)
from judge_tui.cli.gates import parse_gates, say_unmet
from judge_tui.cli.inputs import (
    Inputs,
    about_campaign,
    about_failures,
    campaign_options,
    campaign_settings,
    chosen_campaign,
    format_options,
    open_inputs,
)
from judge_tui.cli.printing import (
    output_options_and,
    print_aside,
    print_report,
    print_text,
)
from judge_tui.cli.progress import reading
from judge_tui.cli.scoring import (
    about_credit,
    answers_options,
    refuse_beside_answers,
    score_inputs,
)
from judge_tui.cli.slicing import slice_options, slicing_of
from judge_tui.cli.wanted import wanted_measures, within_kept
from judge_tui.errors import UsageError
from judge_tui.scoring import (
    DEFAULT_MEASURES,
    MEASURES,
    NO_REGRESSION,
    Rules,
    parse_measures,
    refuse_bounds,
)

if TYPE_CHECKING:
    from judge_tui.class_measures import Slicing
    from judge_tui.scoring import Scores
    from judge_tui.scoring.demands import Met
    from judge_tui.scoring.trec_plan import TrecPlan

__all__ = ["command"]

TREC = "trec"


@click.command(
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=f"Measures: {', '.join(MEASURES)}; written nDCG@10, AP(rel=2), or as trec_eval does."
    " --measures has a line on each.",
)
@click.argument("files", nargs=-1, metavar="QRELS RUN...")
@answers_options
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    metavar="MEASURE",
    help="As ir_measures or trec_eval names it; may be repeated."
    f"  [default: {' '.join(DEFAULT_MEASURES)}; with --against those of its FILE]",
)
@click.option("--measures", "list_measures", is_flag=True, help="List all measures and stop.")
@click.option("-q", "--per-query", is_flag=True, help="Add the values of every query.")
@click.option(
    "-c",
    "--complete",
    is_flag=True,
    help="Average over all queries of the qrels; one that a run does not answer scores 0.",
)
@click.option(
    "-J",
    "--judged-only",
    is_flag=True,
    help="Take unjudged documents out of the lists before scoring.",
)
@click.option(
    "-M",
    "--max-results",
    "depth",
    type=click.IntRange(min=1),
    metavar="N",
    help="Look at the first N results of each query alone.",
)
@click.option(
    "-l",
    "--level",
    type=click.IntRange(1, 10**9 - 1),
    metavar="N",
    help="The least grade that counts as relevant, for measures without a rel of their own."
    "  [default: 1]",
)
@click.option(
    "--max-grade",
    type=click.IntRange(1, 1000),
    metavar="N",
    help="The greatest grade there is, for ERR and --bounds.  [default: with --db the scale's; for"
    " files 4 to ERR, the greatest of the qrels to --bounds]",
)
@click.option(
    "--bounds",
    is_flag=True,
    help="Add the least and the greatest mean that judging every document of the run could give.",
)
@slice_options
@click.option(
    "--class-measures",
    metavar="FILE.toml",
    help='Measures for single slices: [classes.lookup] and measures = ["RR", "P@1"].'
    ' A JSONL queries file may say "measures": ["RR", "P@1"] instead.',
)
@click.option(
    "--require",
    "required",
    multiple=True,
    metavar="GATE",
    help='Exit with 1 unless it holds: "nDCG@10>=0.4" for every run, "TAG:Hit@5>=0.7" for one;'
    f' with --against also "nDCG@10>=baseline-0.01" and {NO_REGRESSION}; with --by class'
    ' "CLASS/RR>=0.4". May be repeated.',
)
@earlier_options
@campaign_options
@format_options
@click.option(
    "--score-precision",
    type=click.Choice(["64", "32"]),
    default="64",
    show_default=True,
    help="Bits that scores are compared in: trec_eval 10 takes 64, 9 and pytrec_eval take 32.",
)
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(min=1),
    metavar="N",
    help="Processes to score with.  [default: as many as pay]",
)
@output_options_and(TREC)
def command(
    files: tuple[str, ...],
    answers: str | None,
    credit: str | None,
    measures: tuple[str, ...],
    list_measures: bool,
    per_query: bool,
    complete: bool,
    judged_only: bool,
    depth: int | None,
    level: int | None,
    max_grade: int | None,
    bounds: bool,
    by: str | None,
    queries: str | None,
    class_measures: str | None,
    required: tuple[str, ...],
    save: str | None,
    against: str | None,
    allow_other_qrels: bool,
    db: str | None,
    policy: str | None,
    unresolved: str | None,
    include_models: bool,
    qrels_format: str | None,
    run_format: str | None,
    score_precision: str,
    jobs: int | None,
    form: str,
    output: str | None,
) -> int:
    """Score RUNs with QRELS, as trec_eval does.

    RUN may be a folder, a pattern in quotes, - for standard input, or TAG=FILE, which gives the run
    a tag. A CSV that holds results and their grades is both: judge-tui score results.csv. With --db
    a campaign takes their place, with --answers a file of right answers that of QRELS.

    Ties are broken by score, then doc_id, both descending; unjudged documents count as not
    relevant. Averaged over the queries that are in both QRELS and RUN.

    With --against, measures of which more is not better (Judged, Unjudged, NumRet and the like) are
    shown without a test or a verdict, and no-regression does not look at them.

    The columns of -f csv are tag, query_id ("all": the mean), measure, value; then with --by slice
    (FIELD=VALUE, empty for all queries) and queries, with --bounds low and high, with --against
    before, difference, p, p_adjusted and verdict.
    """
    if list_measures:
        from judge_tui.report.measures import measures_report

        print_report(measures_report(), "table" if form == TREC else form, output)
        return 0
    if form == TREC and (by or against or bounds):
        raise click.UsageError(
            "-f trec has no place for --by, --against and --bounds; choose another form"
        )
    rules = Rules(complete, judged_only, depth)
    if bounds:
        refuse_bounds(rules)
    basis: dict[str, Any] = {
        "complete": complete,
        "judged_only": judged_only,
        "depth": depth,
        "score_precision": int(score_precision),
    }
    if answers is not None:
        basis["credit"] = credit or "once"
    earlier = earlier_result(against, basis, allow_other_qrels=allow_other_qrels)
    choice = chosen_campaign(db, policy, unresolved, include_models)
    without = (("--bounds", bounds), ("--qrels-format", qrels_format), ("-f trec", form == TREC))
    refuse_beside_answers(answers, credit, without)
    inputs = open_inputs(files, choice, qrels_format=qrels_format, answers=answers)
    refuse_targets(output, save, [*inputs.files, queries, class_measures], against)
    other_qrels = refuse_other_qrels(earlier, inputs.qrels, allowed=allow_other_qrels)

    judged = inputs.judged
    greatest = max_grade or (max(judged.grades) if judged else None)
    gates = parse_gates(required, earlier, rel=level, max_rel=greatest)
    if by is not None:
        from judge_tui.cli.query_demands import with_queries

        inputs = with_queries(inputs, queries, choice)
    slicing = slicing_of(
        by,
        queries,
        class_measures,
        known=inputs.queries,
        parse=partial(parse_measures, rel=level, max_rel=greatest),
        named=parse_measures(measures, rel=level, max_rel=greatest) if form != TREC else (),
        demands=inputs.demands,
    )
    if gates.of_classes:
        from judge_tui.cli.class_gates import refuse_class_gates

        refuse_class_gates(gates.of_classes, slicing, inputs.demands)
    from judge_tui.cli.class_reports import over_all_classes

    over_all = over_all_classes(
        inputs,
        (
            *(parse_measures(measures) if form != TREC else ()),
            *(gate.measure for gate in gates.gates),
        ),
        usual=not measures,
        by=by,
    )
    slicing, about_depth = within_kept(slicing, judged, rules)
    wanted = wanted_measures(
        measures,
        inputs,
        rules,
        level=level,
        greatest=greatest,
        earlier=earlier,
        gates=gates,
        slicing=slicing,
        trec=form == TREC,
        whole_lists=bounds,
    )
    grades = _possible_grades(inputs, max_grade) if bounds else None
    met: dict[str, Met] = {}
    with reading() as told:
        scored = score_inputs(
            inputs,
            wanted.needed,
            rules=rules,
            credit=credit,
            precision=cast(Literal[64, 32], int(score_precision)),
            jobs=jobs,
            format=run_format,
            grades=grades,
            told=told,
            met=met,
        )
    remarks = (*scored.remarks, *over_all.warnings, *asked_and_left_out(inputs, scored))
    scored = replace(scored, remarks=remarks)
    scores = scored.only(wanted.asked if scored.measures else ())
    if slicing is not None:
        scores = _cut(scores, slicing, whole=bool(gates.over_all or save or earlier or bounds))
    changes = changes_beside(earlier, scores, other_qrels=other_qrels)
    demanded = None
    if inputs.demands:
        from judge_tui.cli.class_reports import demanded_of

        found = demanded_of(inputs, met, slicing)
        demanded = None if found is None else found.corrected()
    unmet = gates.unmet(scored, changes)
    if gates.of_classes and slicing is not None:
        from judge_tui.cli.class_gates import unmet_of_classes

        unmet += unmet_of_classes(gates.of_classes, scored, slicing, demanded)

    settings: dict[str, Any] = dict(basis)
    notes = [*wanted.notes, *about_depth, *over_all.notes, *inputs.notes]
    if answers is not None:
        notes.append(about_credit(credit))
    if judged is not None and choice is not None:
        settings["campaign"] = campaign_settings(judged, choice)
        notes[:0] = [about_campaign(judged, choice), *about_failures(judged)]
    if grades is not None:
        settings["grades"] = list(grades)
        notes.append(f"low and high over the grades {', '.join(map(str, grades))}")
    if wanted.trec is not None:
        _print_as_trec_eval(scored, wanted.trec, notes, output, per_query=per_query)
    else:
        from judge_tui.report.scores import score_report

        report = score_report(
            scores,
            beside=wanted.beside,
            per_query=per_query,
            changes=changes,
            settings=settings,
            notes=notes,
        )
        if inputs.demands is not None:
            from judge_tui.cli.class_reports import with_demands, with_subsets

            if by == "class":
                report = with_subsets(report, inputs, scores)
            report = with_demands(report, inputs, demanded, by, per_query=per_query)
        print_report(report, form, output)
    # Last of all: where the result could not be written, nothing is to be taken for kept.
    save_result(save, against, scores, inputs.qrels, basis, passed=not unmet)
    say_unmet(unmet)
    return 1 if unmet else 0


def _possible_grades(inputs: Inputs, greatest: int | None) -> Sequence[int]:
    """What a document that nobody judged might be: the campaign's scale, or 0 to the greatest."""
    if inputs.judged is not None and greatest is None:
        return inputs.judged.grades
    from judge_tui.scoring.bounds import grades_up_to

    return grades_up_to(greatest, inputs.qrels)


def _cut(scores: Scores, slicing: Slicing, *, whole: bool) -> Scores:
    """The scores with their slices; `whole`: raises `UsageError` where these have different
    measures, and so no value over all queries."""
    from judge_tui.scoring import slice_scores

    slices = slice_scores(scores, slicing.by, slicing.of_query, slicing.measures)
    if whole and not slices.composite:
        raise UsageError(
            f"--by {slices.by} scores its slices by different measures, so that there is no value"
            " over all queries",
            "leave --require, --save, --against and --bounds out, or name measures for all of them"
            " with -m",
        )
    return scores.only(slices.measures).cut_into(slices)


def _print_as_trec_eval(
    scores: Scores, plan: TrecPlan, notes: Iterable[str], output: str | None, *, per_query: bool
) -> None:
    """Its lines alone go where a script reads them; what else is to be said stands aside."""
    from judge_tui.report.scores import averaged
    from judge_tui.report.trec import trec_lines

    print_text(trec_lines(scores, plan, per_query=per_query), output)
    print_aside([*averaged(scores), *notes])
