"""`judge-tui export`: what the campaign knows, for the world; a judge's part, for elsewhere."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from judge_tui.cli.commands import Command, make_group, option, options
from judge_tui.cli.options import (
    against_model,
    database,
    file_name,
    include_models,
    output_file,
    policy,
    refuse_overwriting,
)
from judge_tui.cli.printing import print_warnings
from judge_tui.counts import counted
from judge_tui.errors import UsageError
from judge_tui.formats.writers import (
    COLLECTIONS,
    JUDGMENT_FORMS,
    POOL_FORMS,
    QRELS_FORMS,
    RUN_FORMS,
)
from judge_tui.formats.writing import ROW_FORMS
from judge_tui.place import Place
from judge_tui.visible import visible_line

if TYPE_CHECKING:
    from judge_tui.campaign.exporting import ExportCounts

_GRADED = [name for name, form in RUN_FORMS.items() if form.has_grades]


@make_group(
    manual="files", examples=["export qrels -o final.qrels", "export bundle --judge ann -o ann.db"]
)
@database(expose_value=False)
def command() -> None:
    """Write grades, judgments, disagreements, runs, or one judge's part to files."""


def _form(names: Iterable[str], default: str | None, help: str) -> Callable[[Command], Command]:
    names = list(names)
    return option(
        "-f",
        "--format",
        "form",
        group="Output",
        type=click.Choice(names),
        metavar="FORM",
        default=default,
        help=f"{help}: {', '.join(names)}.  [default: {default or 'as FILE ends, else csv'}]",
    )


_file = output_file("Write to FILE.  [default: standard output]", default="-")
_final_grades = options(
    policy(),
    option(
        "--unresolved",
        type=click.Choice(["refuse", "skip", "lead"]),
        default="refuse",
        show_default=True,
        help="Pairs that the policy does not decide: refuse, leave them out, or take only what the"
        " lead settled or nobody disputes.",
    ),
    include_models,
)


def _export(
    db: Place,
    output: str,
    export: Callable[..., ExportCounts],
    *beside: str | Path,
    **how: Any,
) -> None:
    """Write what is exported, and print how much that was: on standard error where standard output
    has what was asked for. Raises `InputError` where a file is there that is written `beside`."""
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.store.check import refuse_damage

    refuse_overwriting(*beside)
    with open_campaign(db) as campaign:
        refuse_damage(campaign)
        exported = export(campaign, output, **how)
    aside = output == "-"
    summary = ", ".join(
        counted(count, "query" if what == "queries" else what.removesuffix("s"), what)
        for what, count in exported.written.items()
    )
    click.echo(visible_line(summary if aside else f"{output}: {summary}"), err=aside)
    left_out = {f"left out: {why}": count for why, count in exported.left_out.items()}
    for what, count in {**exported.details, **left_out}.items():
        if count:
            click.echo(visible_line(f"  {count:>7,}  {what}"), err=aside)
    print_warnings(exported.warnings)


@command.command(
    "qrels",
    manual="files",
    examples=["export qrels -o final.qrels", "export qrels --policy max --unresolved skip"],
)
@database()
@_final_grades
@_file
@_form(QRELS_FORMS, "trec", "For whom the file is written")
@option("--index", metavar="NAME", default="", help="The documents' index, for rank-eval.")
def qrels_command(db: Place, output: str, **options: Any) -> None:
    """Write the final grades as qrels.

    They are TREC's, or in the form of another tool. Beside a file, FILE.provenance.json says where
    they came from.
    """
    from judge_tui.campaign.exporting.qrels import export_qrels
    from judge_tui.formats.run_paths import provenance_beside

    _export(db, output, export_qrels, provenance_beside(output), **options)


@command.command(
    "run",
    manual="files",
    examples=["export run --tag bm25 -o bm25.run", "export run --tag bm25 -f results -o bm25.csv"],
)
@database()
@option("--tag", required=True, metavar="TAG", help="Write this run.")
@policy(None)
@include_models
@_file
@_form(RUN_FORMS, "trec", f"For whom; {' and '.join(_GRADED)} have the grades, too")
def run_command(db: Place, output: str, **options: Any) -> None:
    """Write what is kept of a run.

    It is TREC's, or in the form of another tool. Beside NAME.run, NAME.latency.csv has what it was
    asked, where that is known: queries without results are in no run file.
    """
    from judge_tui.campaign.exporting.runs import export_run
    from judge_tui.formats.collected import latency_name

    latency = latency_name(output)
    _export(db, output, export_run, *filter(None, [latency]), **options)


@command.command(
    "judgments",
    manual="files",
    examples=["export judgments -o judgments.csv", "export judgments -f quepid-book -o book.csv"],
)
@database()
@include_models
@_file
@_form([*ROW_FORMS, *JUDGMENT_FORMS], None, "How they are written")
def judgments_command(db: Place, output: str, **options: Any) -> None:
    """Write every rater's judgments, notes and times.

    One row for each judge, pair and look, of what holds now. The other forms are files as Quepid,
    UMBRELA, Label Studio and doccano have them.
    """
    from judge_tui.campaign.exporting.judgments import export_judgments

    _export(db, output, export_judgments, **options)


@command.command(
    "answers",
    manual="asking-models",
    examples=["export answers umbrela -o answers.jsonl", "export answers -f csv"],
)
@database()
@click.argument("name", required=False)
@_file
@_form(ROW_FORMS, None, "How rows are written")
def answers_command(db: Place, output: str, name: str | None, **options: Any) -> None:
    """Write what models answered, word for word.

    One row for each answer of the model NAME, of all models without a name: its grade or the reason
    why it is none, probabilities, tokens, seconds, and which probe was planted in the document.
    """
    from judge_tui.campaign.exporting.answers import export_answers

    _export(db, output, export_answers, name=name, **options)


@command.command(
    "pool",
    manual="from-label-studio",
    examples=["export pool -o tasks.json", "export pool -f doccano -o pool.jsonl"],
)
@database()
@_file
@_form(POOL_FORMS, "label-studio", "For whom the file is written")
def pool_command(db: Place, output: str, form: str) -> None:
    """Write the pool to be judged in another tool.

    Every pair with its query and text, and nothing of runs, ranks and judges: tasks for Label
    Studio, examples for doccano, requests for UMBRELA. load qrels brings home what they export.
    """
    from judge_tui.campaign.exporting.judgments import export_pool

    _export(db, output, export_pool, form=form)


@command.command(
    "disagreements",
    manual="settle",
    examples=[
        "export disagreements -o open.csv",
        "export disagreements --against some-model -o open.jsonl",
    ],
)
@database()
@against_model
@include_models
@_file
@_form(ROW_FORMS, None, "How rows are written")
def disagreements_command(db: Place, output: str, **options: Any) -> None:
    """Write where judges differ, what matters most first.

    One row for each pair: what hangs on it, how it is settled, and each judge's grade and note.
    """
    from judge_tui.campaign.exporting.disagreements import export_disagreements

    _export(db, output, export_disagreements, **options)


@command.command(
    "collection",
    manual="files",
    examples=["export collection -o docs-beir", "export collection -f msmarco -o docs-msmarco"],
)
@database()
@_final_grades
@output_file("Write to this folder, which is made if new.", required=True)
@_form(COLLECTIONS, "beir", "Whose files it is made of")
def collection_command(db: Place, output: str, form: str, **options: Any) -> None:
    """Write queries, documents and final grades as a folder.

    Its files are BEIR's or MS MARCO's. Beside the qrels stands where they came from.
    """
    from judge_tui.campaign.exporting.qrels import export_collection
    from judge_tui.formats.run_paths import provenance_beside

    if output == "-":
        raise UsageError("a collection is a folder of files", "name it with -o FOLDER")
    how = COLLECTIONS[form]
    files = [Path(output, name) for name in (how.queries, how.corpus, how.qrels)]
    beside = provenance_beside(files[-1])
    _export(db, output, export_collection, *files, beside, form=form, **options)


@command.command(
    "bundle",
    manual="other-machines",
    examples=["export bundle --judge ann -o ann.db", "export bundle --judge bob -o bob/bob.db"],
)
@database()
@option("--judge", required=True, metavar="NAME", help="Whose file this is.")
@option(
    "-o",
    "--output",
    group="Output",
    metavar="FILE",
    required=True,
    callback=file_name,
    help="Make this file; one that exists is left as it is.",
)
def bundle_command(db: Place, judge: str, output: str) -> None:
    """Write one judge's part as a file for another machine.

    `merge` brings it home. It holds the pairs assigned to the judge (without assignments: the whole
    pool) with their queries and texts, and what the judge did so far; nothing of runs and other
    judges.
    """
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.shell_command import shell_command
    from judge_tui.campaign.store.bundle import export_bundle
    from judge_tui.campaign.store.check import refuse_damage

    if output == "-":
        raise UsageError("a bundle cannot go to standard output", "name a file with -o FILE")
    with open_campaign(db) as campaign:
        refuse_damage(campaign)
        bundle = export_bundle(campaign, output, judge=judge)
    click.echo(
        f"{visible_line(output)}: {counted(bundle.pairs, 'pair')} of"
        f" {counted(bundle.queries, 'query', 'queries')} for"
        f" {visible_line(bundle.judge)}, {bundle.decided:,} of them decided,"
        f" {bundle.size / 1_000_000:.1f} MB"
    )
    if bundle.without_text:
        click.echo(f"  {bundle.without_text:,} of {bundle.documents:,} documents have no text")
    home = shell_command(db, "merge", shlex.quote(output))
    click.echo(visible_line(f"when it comes back: {home}"))
