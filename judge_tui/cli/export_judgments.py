"""`judge-tui export judgments` and `export pool`: for people, and for other judging tools."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

import click

from judge_tui.cli.exporting import refuse_closed, tell
from judge_tui.cli.options import database, include_models, output_file
from judge_tui.formats.book_files import BOOK_FORMS
from judge_tui.formats.labelling_files import JUDGMENT_FILES, POOL_FILES
from judge_tui.visible import visible_line

__all__ = ["JUDGMENT_COMMANDS"]

_FORMS = ("csv", "jsonl", *BOOK_FORMS, *JUDGMENT_FILES)


@click.command("judgments")
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
    include_models: bool | None,
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

    refuse_closed(output)
    if form not in JUDGMENT_FILES and (judge is not None or query is not None):
        raise click.UsageError(f"--judge and --query are for {', '.join(JUDGMENT_FILES)}")
    if form in BOOK_FORMS:
        with open_campaign(db) as campaign:
            book = export_book(campaign, output, form, include_models=include_models)
        _tell_left_out(output, form, book.judgments, book.left_out)
        _tell_no_addresses(book.no_addresses)
        return
    if form in JUDGMENT_FILES:
        with open_campaign(db) as campaign:
            labelled = export_labelled(
                campaign, output, form, include_models=include_models, judge=judge, query=query
            )
        _tell_left_out(output, form, labelled.judgments, labelled.left_out)
        return
    with open_campaign(db) as campaign:
        exported = export_judgments(campaign, output, form=form, include_models=include_models)
    judged = exported.rows - exported.settled
    left_out = exported.models_left_out
    tell(
        output,
        f"{judged:,} {'judgment' if judged == 1 else 'judgments'}, {exported.settled:,} settled by"
        " a lead",
        [f"left out: {left_out:,} by models (--include-models)"] if left_out else [],
    )


def _tell_left_out(output: str, form: str | None, judgments: int, left_out: Sequence[str]) -> None:
    tell(output, f"{judgments:,} {'judgment' if judgments == 1 else 'judgments'}")
    click.echo(f"note: left out by {form}: {'; '.join(left_out)}", err=True)


def _tell_no_addresses(judges: Sequence[str]) -> None:
    """Say which judges Quepid cannot know."""
    if judges:
        those = "1 judge is" if len(judges) == 1 else f"{len(judges):,} judges are"
        click.echo(
            visible_line(
                f"note: {those} called by no address, and Quepid refuses a book with judges that it"
                f" does not know: the first is {judges[0]!r}; write their addresses into the file,"
                " or call them by these when they are loaded: load qrels --rename"
                f" {shlex.quote(f'{judges[0]}=ADDRESS')}"
            ),
            err=True,
        )


@click.command("pool")
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

    refuse_closed(output)
    with open_campaign(db) as campaign:
        exported = export_pool(campaign, output, form)
    without = exported.without_text
    tell(
        output,
        f"{exported.pairs:,} pairs of {exported.queries:,} queries",
        [f"{'left out: ' if exported.left_out else ''}{without:,} without a text"]
        if without
        else [],
    )


JUDGMENT_COMMANDS = (judgments_command, pool_command)
"""The commands, for the group that they belong to."""
