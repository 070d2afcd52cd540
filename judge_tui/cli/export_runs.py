"""`judge-tui export qrels` and `export run`: as TREC has them, and as other tools do."""

from __future__ import annotations

from pathlib import Path

import click

from judge_tui.cli.exporting import refuse_closed, tell, tell_ids
from judge_tui.cli.options import database, include_models, output_file, policy, unresolved
from judge_tui.formats.qrels_files import QRELS_FORMS
from judge_tui.formats.run_files import RUN_FORMS
from judge_tui.visible import visible_line

__all__ = ["RUN_COMMANDS"]

_GRADED = [name for name, form in RUN_FORMS.items() if form.has_grades]


@click.command("qrels")
@database
@output_file(required=True, help="The qrels file. FILE.provenance.json is written beside it.")
@policy(None)
@click.option("--judge", metavar="NAME", help="The same as --policy judge:NAME.")
@unresolved("refuse")
@include_models
@click.option(
    "-f",
    "--format",
    "form",
    type=click.Choice(["trec", *QRELS_FORMS]),
    default="trec",
    show_default=True,
    help="For whom the file is written.",
)
@click.option("--index", metavar="NAME", help="The documents' index, for rre and rank-eval.")
def qrels_command(
    db: Path,
    output: str,
    policy: str | None,
    judge: str | None,
    unresolved: str,
    include_models: bool | None,
    form: str,
    index: str | None,
) -> None:
    """Write the final grades as TREC qrels, and beside them where they came from.

    Or as another tool takes them: what its format has no place for is told.
    """
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.export import export_qrels

    if judge is not None and policy is not None:
        raise click.UsageError("--judge and --policy both say whose grades count; give one of them")
    with open_campaign(db) as campaign:
        exported = export_qrels(
            campaign,
            output,
            policy=f"judge:{judge}" if judge is not None else policy or "majority",
            unresolved=unresolved,
            include_models=include_models,
            format=form,
            index=index,
        )
    click.echo(f"{visible_line(output)}: {exported.pairs:,} pairs of {exported.queries:,} queries")
    for rule, count in exported.rules.items():
        click.echo(f"  {count:>7,}  {rule}")
    if exported.unresolved:
        click.echo(f"  {exported.unresolved:>7,}  left out: unresolved")
    if exported.unjudged:
        click.echo(f"  {exported.unjudged:>7,}  left out: not judged")
    if exported.in_vain:
        from judge_tui.nothing_found import asked_in_vain

        one = exported.in_vain == 1
        click.echo(
            f"note: {asked_in_vain(exported.in_vain, exported.in_vain_failed)} in the campaign;"
            f" qrels cannot hold {'it' if one else 'them'}: score RUN with them leaves"
            f" {'it' if one else 'them'} out, score --db does not",
            err=True,
        )
    click.echo(f"{visible_line(output)}.provenance.json: where they came from")
    if form != "trec":
        click.echo(f"note: left out by {form}: {QRELS_FORMS[form].left_out}", err=True)
    tell_ids(exported.read_back_otherwise)


@click.command("run")
@database
@click.option("--tag", required=True, metavar="TAG", help="Which run.")
@output_file(
    required=True,
    help="The run file. FILE.provenance.json is written beside it; - is standard output.",
)
@click.option(
    "-f",
    "--format",
    "form",
    type=click.Choice(["trec", *RUN_FORMS]),
    default="trec",
    show_default=True,
    help=f"For whom the file is written; {' and '.join(_GRADED)} have the grades, too.",
)
@policy(None, where="With grades, ")
@unresolved("refuse", where="With grades, ")
@include_models
def run_command(
    db: Path,
    tag: str,
    output: str,
    form: str,
    policy: str | None,
    unresolved: str | None,
    include_models: bool | None,
) -> None:
    """Write what is kept of a run, as TREC has it, and beside it where it came from.

    Only the top of each list is kept (load run --depth); what is written says so where there may
    have been more. Or as another tool takes it: what its format has no place for is told. Where the
    form has ids of queries, FILE.provenance.json has the texts that were asked, which score,
    compare and load run go by.
    """
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.export_run import WhichGrades, export_run

    refuse_closed(output)
    if (policy or unresolved or include_models is not None) and (
        form == "trec" or not RUN_FORMS[form].has_grades
    ):
        raise click.UsageError(
            f"--policy, --unresolved and --include-models are about grades, which {form} has not;"
            f" {' and '.join(f'-f {name}' for name in _GRADED)} have them"
        )
    grades = WhichGrades(policy or "majority", unresolved or "refuse", include_models)
    with open_campaign(db) as campaign:
        exported = export_run(campaign, output, tag, form=form, grades=grades)
    cut = (
        f"cut: the first {exported.depth:,} results of a query are kept; {exported.source} has all"
        " there were"
    )
    more = [cut] if exported.cut else []
    if exported.graded is not None:
        more.append(f"graded: {exported.graded:,} of them")
        if exported.not_returned:
            beside = "without a rank" if RUN_FORMS[form].has_not_returned else "left out"
            more.append(f"{beside}: {exported.not_returned:,} graded pairs that it did not return")
        if exported.unresolved:
            more.append(f"without a grade, as unresolved: {exported.unresolved:,}")
    if exported.nothing_found:
        is_there = form != "trec" and RUN_FORMS[form].has_nothing_found
        more.append(
            f"{'without a document' if is_there else 'left out'}: {exported.nothing_found:,}"
            f" {'query' if exported.nothing_found == 1 else 'queries'} that the system was asked"
            f" and found nothing for{'' if is_there else f', which {form} cannot hold'}"
        )
    if exported.tag != tag and form == "trec":
        more.append(f"its tag in the file: {exported.tag}")
    tell(output, f"{exported.results:,} results of {exported.queries:,} queries", more)
    if exported.has_provenance:
        click.echo(f"{visible_line(output)}.provenance.json: where they came from")
    if form != "trec":
        click.echo(f"note: left out by {form}: {RUN_FORMS[form].left_out}", err=True)
    tell_ids(exported.read_back_otherwise)


RUN_COMMANDS = (qrels_command, run_command)
"""The commands, for the group that they belong to."""
