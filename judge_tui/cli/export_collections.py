"""`judge-tui export beir` and `export msmarco`: the campaign as a collection for other tools."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from judge_tui.cli.exporting import tell_coded_ids
from judge_tui.cli.options import database, include_models, output_file, policy, unresolved
from judge_tui.errors import UsageError
from judge_tui.visible import visible_line

__all__ = ["COLLECTION_COMMANDS"]

Command = TypeVar("Command", bound=Callable[..., Any])


def _collection(command: Command) -> Command:
    """The options of those who write a collection."""
    for option in (
        include_models,
        unresolved("refuse"),
        policy(None),
        click.option(
            "--split",
            default="test",
            show_default=True,
            metavar="NAME",
            help="What the qrels are called.",
        ),
        output_file(required=True, help="The folder; one that is not there is made."),
        database,
    ):
        command = option(command)
    return command


@click.command("beir")
@_collection
def beir_command(**given: Any) -> None:
    """Write the campaign as a collection of BEIR's: queries, documents and final grades.

    A folder of corpus.jsonl, queries.jsonl and qrels/test.tsv, and beside the qrels where they came
    from. What BEIR has no key for is in metadata; what is left out is told.
    """
    _write_collection("beir", **given)


@click.command("msmarco")
@_collection
def msmarco_command(**given: Any) -> None:
    """Write the campaign as MS MARCO has it: queries, passages and final grades.

    A folder of collection.tsv, queries.test.tsv and qrels.test.tsv, and beside the qrels where they
    came from. A passage is a text on one line; what is left out is told.
    """
    _write_collection("msmarco", **given)


COLLECTION_COMMANDS = (beir_command, msmarco_command)


def _write_collection(
    form: str,
    db: Path,
    output: str,
    split: str,
    policy: str | None,
    unresolved: str,
    include_models: bool | None,
) -> None:
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.export_collection import export_collection
    from judge_tui.formats.collection_files import COLLECTIONS

    if output == "-":
        raise UsageError("a collection is a folder of files", "name it with -o FOLDER")
    with open_campaign(db) as campaign:
        exported = export_collection(
            campaign,
            output,
            form,
            split=split,
            policy=policy or "majority",
            unresolved=unresolved,
            include_models=include_models,
        )
    qrels = exported.qrels
    click.echo(
        f"{visible_line(output)}: {exported.queries:,} queries, {exported.documents:,} documents,"
        f" {qrels.pairs:,} grades of {qrels.queries:,} queries"
    )
    bare = "there" if COLLECTIONS[form].bare else "left out"
    for count, what in (
        (qrels.unresolved, "left out: unresolved"),
        (qrels.unjudged, "left out: not judged"),
        (exported.without_text, f"{bare}: documents without a text"),
        (exported.folded, "texts with tabs or line ends, which are blanks there"),
    ):
        if count:
            click.echo(f"  {count:>7,}  {what}")
    click.echo(f"{visible_line(exported.qrels_path)}.provenance.json: where the grades came from")
    click.echo(f"note: left out by {form}: {COLLECTIONS[form].left_out}", err=True)
    tell_coded_ids(exported.coded, as_qrels=COLLECTIONS[form].as_qrels)
