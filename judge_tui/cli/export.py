"""`judge-tui export`: what the campaign knows, for the world; a judge's part, for elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

import click

from judge_tui.cli.export_collections import COLLECTION_COMMANDS
from judge_tui.cli.options import database, include_models, output_file, policy, unresolved
from judge_tui.errors import UsageError
from judge_tui.formats.book_files import BOOK_FORMS
from judge_tui.formats.labelling_files import JUDGMENT_FILES, POOL_FILES
from judge_tui.formats.qrels_files import QRELS_FORMS
from judge_tui.formats.run_files import RUN_FORMS
from judge_tui.visible import visible_line

__all__ = ["command"]


_row_form = click.option(
    "-f",
    "--format",
    "form",
    type=click.Choice(["csv", "jsonl"]),
    help="How rows are written.  [default: as FILE ends; CSV to standard output]",
)


_FORMS = ("csv", "jsonl", *BOOK_FORMS, *JUDGMENT_FILES)
_GRADED = [name for name, form in RUN_FORMS.items() if form.has_grades]


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """Write grades, judgments, disagreements, runs, or one judge's part to files."""


for _of_collection in COLLECTION_COMMANDS:
    command.add_command(_of_collection)


@command.command("qrels")
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
    include_models: bool,
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
    _tell_ids(exported.read_back_otherwise)


@command.command("judgments")
@database
@output_file(required=True, help="The file: .csv or .jsonl; - is standard output.")
@click.option(
    "-f",
    "--format",
    "form",
    type=click.Choice(_FORMS),
    metavar="FORM",
    help=f"How they are written: {', '.join(_FORMS)}."
    "  [default: as FILE ends; CSV to standard output]",
)
@include_models
@click.option("--judge", metavar="NAME", help="Only this judge's, for a judging tool.")
@click.option("--query", metavar="ID", help="Only those for this query, for a judging tool.")
def judgments_command(
    db: Path,
    output: str,
    form: str | None,
    include_models: bool,
    judge: str | None,
    query: str | None,
) -> None:
    """Write every rater's judgments, notes and times.

    One row for each judge, pair and look: query_id, doc_id, judge, kind, role, purpose (normal,
    overlap, gold, repeat), decision (grade, skip, cannot; adjudicate where a lead settled), grade,
    note (a lead's reason), flagged, seconds, written_at. Only what holds: nothing that was undone.
    Ids are as they were loaded, white space and all. In CSV, text that begins with = + - @ ' a tab
    or a line end gets a ' in front, so that a spreadsheet runs nothing; JSON Lines has every text
    as it is. The others are files as Quepid, HiCAL, UMBRELA, Label Studio and doccano have them;
    what they have no place for is told.
    """
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.export_book import export_book
    from judge_tui.campaign.export_judgments import export_judgments
    from judge_tui.campaign.export_labelled import export_labelled

    _refuse_closed(output)
    if form not in JUDGMENT_FILES and (judge is not None or query is not None):
        raise click.UsageError(f"--judge and --query are for {', '.join(JUDGMENT_FILES)}")
    if form in BOOK_FORMS or form in JUDGMENT_FILES:
        with open_campaign(db) as campaign:
            book = (
                export_book(campaign, output, form, include_models=include_models)
                if form in BOOK_FORMS
                else export_labelled(
                    campaign,
                    output,
                    form,
                    include_models=include_models,
                    judge=judge,
                    query=query,
                )
            )
        _tell(output, f"{book.judgments:,} {'judgment' if book.judgments == 1 else 'judgments'}")
        click.echo(f"note: left out by {form}: {'; '.join(book.left_out)}", err=True)
        return
    with open_campaign(db) as campaign:
        exported = export_judgments(campaign, output, form=form, include_models=include_models)
    judged = exported.rows - exported.settled
    left_out = exported.models_left_out
    _tell(
        output,
        f"{judged:,} {'judgment' if judged == 1 else 'judgments'}, {exported.settled:,} settled by"
        " a lead",
        [f"left out: {left_out:,} by models (--include-models)"] if left_out else [],
    )


@command.command("pool")
@database
@output_file(required=True, help="The file; - is standard output.")
@click.option(
    "-f",
    "--format",
    "form",
    required=True,
    type=click.Choice(list(POOL_FILES)),
    help="For whom the file is written.",
)
def pool_command(db: Path, output: str, form: str) -> None:
    """Write the pool to be judged in another tool.

    Every pair with its query and text, and nothing of runs, ranks and judges: tasks for Label
    Studio, examples for doccano, requests for UMBRELA. load qrels brings home what they export.
    """
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.export_labelled import export_pool

    _refuse_closed(output)
    with open_campaign(db) as campaign:
        exported = export_pool(campaign, output, form)
    without = exported.without_text
    _tell(
        output,
        f"{exported.pairs:,} pairs of {exported.queries:,} queries",
        [f"{'left out: ' if exported.left_out else ''}{without:,} without a text"]
        if without
        else [],
    )


@command.command("disagreements")
@database
@output_file(required=True, help="The file: .csv or .jsonl; - is standard output.")
@_row_form
@click.option(
    "-m",
    "--measure",
    default="nDCG@10",
    show_default=True,
    metavar="MEASURE",
    help="By whose means the systems are ordered.",
)
@include_models
def disagreements_command(
    db: Path, output: str, form: str | None, measure: str, include_models: bool
) -> None:
    """Write where judges differ, what matters most first.

    One row for each pair: query_id, doc_id, swaps (how many pairs of systems change their order
    between how it stands and the grades given), change (the largest of a difference of two
    systems' means), spread (greatest less least grade), settled, settled_by and reason (the
    lead's), and by judge the grade and the note. CSV and JSON Lines as in export judgments.
    """
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.export_disagreements import export_disagreements
    from judge_tui.scoring import parse_measure

    _refuse_closed(output)
    wanted = parse_measure(measure)
    with open_campaign(db) as campaign:
        exported = export_disagreements(
            campaign, output, wanted, form=form, include_models=include_models
        )
    count, more = exported.rows, []
    if exported.matter is not None:
        more.append(f"{exported.matter:,} can change the order of two systems by {wanted}")
    elif exported.why is not None:
        more.append(f"in the order of their spread alone: {exported.why}")
    if exported.models_left_out:
        names = ", ".join(exported.models_left_out)
        more.append(f"left out: the grades of {names}, of kind model (--include-models)")
    _tell(
        output,
        f"{count:,} {'disagreement' if count == 1 else 'disagreements'}, {exported.settled:,}"
        " settled",
        more,
    )


@command.command("run")
@database
@click.option("--tag", required=True, metavar="TAG", help="Which run.")
@output_file(required=True, help="The run file; - is standard output.")
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
    include_models: bool,
) -> None:
    """Write what is kept of a run, as TREC has it.

    Only the top of each list is kept (load run --depth); what is written says so where there may
    have been more. Or as another tool takes it: what its format has no place for is told.
    """
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.export_run import WhichGrades, export_run

    _refuse_closed(output)
    if (policy or unresolved or include_models) and (
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
        more.append(
            f"left out: {exported.nothing_found:,}"
            f" {'query' if exported.nothing_found == 1 else 'queries'} that the system was asked"
            " and found nothing for, which a run file cannot hold"
        )
    if exported.tag != tag and form == "trec":
        more.append(f"its tag in the file: {exported.tag}")
    _tell(output, f"{exported.results:,} results of {exported.queries:,} queries", more)
    if form != "trec":
        click.echo(f"note: left out by {form}: {RUN_FORMS[form].left_out}", err=True)
    _tell_ids(exported.read_back_otherwise)


@command.command("bundle")
@database
@click.option("--judge", required=True, metavar="NAME", help="Whose file this is.")
@output_file(required=True, help="The file to be made; one that exists is left as it is.")
def bundle_command(db: Path, judge: str, output: str) -> None:
    """Write the file that one judge needs on another machine; `merge` brings it home.

    It holds the pairs assigned to the judge (without assignments: the whole pool) with their
    queries and texts, and what the judge did so far; nothing of runs and other judges.
    """
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.bundle import export_bundle
    from judge_tui.campaign.judges import near_names
    from judge_tui.campaign.typed import typed

    if output == "-":
        raise UsageError("a bundle is a file of its own", "name it with -o FILE")
    with open_campaign(db) as campaign:
        bundled = export_bundle(campaign, output, judge=judge)
        near = near_names(campaign, bundled.judge) if bundled.new else []
    if near:
        names = ", ".join(repr(visible_line(one)) for one in near)
        name = visible_line(bundled.judge)
        click.echo(f"note: {name!r} is new, and nearly the name of {names}", err=True)
    click.echo(
        f"{visible_line(output)}: {bundled.pairs:,} pairs of {bundled.queries:,} queries for"
        f" {visible_line(bundled.judge)}, {bundled.decided:,} of them decided,"
        f" {bundled.size / 1_000_000:.1f} MB"
    )
    if bundled.without_text:
        click.echo(f"  {bundled.without_text:,} of {bundled.documents:,} documents have no text")
    click.echo(visible_line(f"bring it home with: {typed(db, 'merge', 'FILE')}"))


def _refuse_closed(output: str) -> None:
    if output == "-" and sys.stdout is None:  # as Python has it after `>&-`
        raise UsageError("standard output is closed", "write to a file with -o FILE")


def _tell_ids(read_back_otherwise: int) -> None:
    if read_back_otherwise:
        click.echo(
            "note: ids of documents with white space or a code such as %20 at an end, which are"
            f" read back otherwise: {read_back_otherwise:,}",
            err=True,
        )


def _tell(output: str, summary: str, more: Iterable[str] = ()) -> None:
    """What was done: on standard error where standard output has what was asked for."""
    aside = output == "-"
    click.echo(visible_line(summary if aside else f"{output}: {summary}"), err=aside)
    for line in more:
        click.echo(visible_line(f"  {line}"), err=aside)
