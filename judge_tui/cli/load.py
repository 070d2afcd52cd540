"""`judge-tui load`: queries, runs, documents and grades into the campaign."""

from __future__ import annotations

from pathlib import Path

import click

from judge_tui.cli.load_collections import COLLECTION_COMMANDS
from judge_tui.cli.load_grades import GRADES_COMMANDS
from judge_tui.cli.loading import NOT_WANTED, format_option, say, skip_unknown_option
from judge_tui.cli.options import database
from judge_tui.cli.progress import counting, reading_files
from judge_tui.visible import visible_line

__all__ = ["command"]


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """Load files into the campaign.

    Each file is loaded whole or not at all. Loading the same file again changes nothing.
    """


for _elsewhere in (*GRADES_COMMANDS, *COLLECTION_COMMANDS):
    command.add_command(_elsewhere)


@command.command("queries")
@database
@click.argument("file")
@format_option(
    "tsv, csv, jsonl, trec, answers, benchmark, msmarco-top1000, quepid, quepid-json,"
    " quepid-book-json,"
    " rre, opensearch or rank-eval"
)
@click.option(
    "--replace",
    is_flag=True,
    help="What the file says holds, where the campaign says otherwise of a query.",
)
def load_queries_command(db: Path, file: str, format: str | None, replace: bool) -> None:
    """Load queries: TSV (id, text), a table, JSONL, TREC topics, or those that another file holds.

    That may be an answers file, a benchmark, or candidates as MS MARCO has them (query, passage and
    their ids), whose queries.tsv is a TSV; or a folder as BEIR has it. Of what Quepid exports
    (ratings, results, a book, information needs), and of ratings for RRE and OpenSearch, those are
    added whose texts are new; the body of a _rank_eval request has ids. So it is with answers and
    benchmarks without query_id.

    A table begins with a header of query and, where there are any, query_id, class, description,
    narrative, subset; other columns go to the metadata.

    What a file does not say of a query that is there stays, and what it adds is added.
    """
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.queries import load_queries

    with open_campaign(db) as campaign:
        loaded = load_queries(campaign, file, format=format, replace=replace)
    say(
        file,
        "queries",
        added=loaded.added,
        changed=loaded.replaced,
        there_already=loaded.unchanged,
    )
    for note in loaded.notes:
        click.echo(f"note: {visible_line(note)}", err=True)


@command.command("run")
@database
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--depth",
    type=click.IntRange(max=2**31),
    help="Results kept per query; never fewer than of the same run before.  [default: 100]",
)
@click.option("--tag", help="The run's name. Default: the file's sixth column, else its name.")
@format_option("trec, csv, results, json, quepid or msmarco")
@click.option("--replace", is_flag=True, help="Put a changed file in the place of the known one.")
@skip_unknown_option
def load_run_command(
    db: Path,
    files: tuple[str, ...],
    depth: int | None,
    tag: str | None,
    format: str | None,
    replace: bool,
    skip_unknown: bool,
) -> None:
    """Load runs: of each, the top --depth results of every query are kept.

    Files of TREC, CSV with a header, results with grades, JSON of ranx, CSV of Quepid (each
    snapshot is a run), rankings of MS MARCO. FILE may also be a folder, of one that collect wrote
    its runs, or a pattern in quotes.

    Beside a run of collect's, NAME.latency.csv says what was asked, and a CSV of Quepid may name
    queries without documents: such a query counts as nothing found, and is left out of nothing.
    Where FILE.provenance.json beside a run of export run has the texts of its queries, or
    NAME.answers.jsonl beside one of collect's, ids such as q001 stand for these.
    """
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.runs import load_runs
    from judge_tui.formats import run_paths
    from judge_tui.formats.provenance import without_provenance

    paths = without_provenance(files)
    if tag is None or len(paths) == 1:
        paths = run_paths(paths)
    if tag is not None and len(paths) > 1:
        raise click.UsageError("--tag names one run, and there are several files; load them singly")
    with open_campaign(db) as campaign, reading_files(paths) as told:
        outcomes = load_runs(
            campaign,
            paths,
            depth=depth,
            tag=tag,
            format=format,
            replace=replace,
            skip_unknown=skip_unknown,
            on_bytes=told,
        )
    for name, loaded in outcomes:
        say(
            loaded.path,
            f"run {name}",
            loaded=loaded.added,
            replaced=loaded.replaced,
            there_already=loaded.unchanged,
            unknown_queries_left_out=loaded.left_out,
        )
        for note in loaded.notes:
            click.echo(f"note: {visible_line(note)}", err=True)


@command.command("docs")
@database
@click.argument("files", nargs=-1, metavar="FILE...")
@click.option("--all", "keep_all", is_flag=True, help="Keep documents that no run retrieved, too.")
@click.option(
    "--root",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Read ids of the form path, path:line, path:start-end or path#L1-L9 from the files below"
    " DIR.",
)
@format_option(
    "jsonl, tsv, csv, trec, folder, benchmark, msmarco-docs, msmarco-top1000 or quepid-book-json"
)
@click.option(
    "--replace", is_flag=True, help="Let hold what the sources say otherwise of known documents."
)
def load_docs_command(
    db: Path,
    files: tuple[str, ...],
    keep_all: bool,
    root: Path | None,
    format: str | None,
    replace: bool,
) -> None:
    """Load documents: JSONL, TSV, a table, TREC SGML, or a folder of text files.

    Or those of a benchmark, of MS MARCO (collection.tsv, which is a TSV, documents or candidates),
    of a book of Quepid's in JSON, or of a folder as BEIR has it.

    A table begins with a header that has doc_id (or id), and text, title, url or kind if there are
    any; other columns go to the metadata.

    Only documents that a run retrieved or a grade names are kept, unless --all is given. What a
    file does not say of a document that is there stays, and what it adds is added. Where a
    checkout has another text than a file gave, that of the file stays, which is told; --root
    alone, with --replace, takes the other.
    """
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.documents import load_document_files, missing_documents
    from judge_tui.campaign.runs import all_runs
    from judge_tui.campaign.typed import typed

    if not files and root is None:
        raise click.UsageError("nothing to load; name a FILE, or a folder with --root DIR")
    names = [*files, *([str(root)] if root is not None else [])]
    with open_campaign(db) as campaign:
        with counting(", ".join(names), "documents read") as on_rows:
            outcomes = load_document_files(
                campaign,
                files,
                root=root,
                format=format,
                keep_all=keep_all,
                replace=replace,
                on_rows=on_rows,
            )
        missing = missing_documents(campaign)
        runs = len(all_runs(campaign))
    for place, (file, loaded) in enumerate(zip(names, outcomes, strict=True)):
        say(
            file,
            "documents",
            added=loaded.added,
            changed=loaded.replaced,
            there_already=loaded.unchanged,
            **{NOT_WANTED if place < len(files) else "left_out": loaded.left_out},
        )
        for note in loaded.notes[:_NOTES]:
            click.echo(f"  {visible_line(note)}")
        if len(loaded.notes) > _NOTES:
            click.echo(f"  and {len(loaded.notes) - _NOTES} more")
    if not runs and any(loaded.left_out for loaded in outcomes):
        click.echo("no run is loaded yet, so no document was wanted: load the runs first, or --all")
    if missing:
        count = (
            "1 pooled document has"
            if len(missing) == 1
            else f"{len(missing):,} pooled documents have"
        )
        click.echo(visible_line(f"{count} no text yet: {typed(db, 'status')} names them"))


_NOTES = 10
