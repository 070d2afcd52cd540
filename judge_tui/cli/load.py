"""`judge-tui load`: queries, runs, documents and grades into the campaign."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from judge_tui.cli.commands import Command, gather_options, make_group, option, options
from judge_tui.cli.options import columns, database, file_format, labels
from judge_tui.cli.progress import show_files_read, show_steps
from judge_tui.counts import counted
from judge_tui.formats.source import Layout
from judge_tui.place import Place
from judge_tui.visible import visible_line

if TYPE_CHECKING:
    from judge_tui.campaign import Campaign
    from judge_tui.campaign.loading import LoadCounts, OnCount
    from judge_tui.formats.registry import Kind

_NOT_TAKEN = "left out as not judged or unknown"
_LACKING = 10
"""How many documents without a text are named."""


def _layout(*kinds: Kind) -> Callable[[Command], Command]:
    """How a file of these kinds is read, as the command's argument `layout`."""
    labelled = [labels] if "judgments" in kinds else []
    return options(file_format(*kinds), columns, *labelled, gather_options("layout", Layout))


def _replace(help: str) -> Callable[[Command], Command]:
    return option("--replace", is_flag=True, help=help)


_skip_unknown = option(
    "--skip-unknown", is_flag=True, help="Leave out rows of queries that are not known."
)
_keep_all = option(
    "--all", "keep_all", is_flag=True, help="Keep documents that no run and no grade names, too."
)
_judge = option("--judge", required=True, metavar="NAME", help="Whose grades these are.")


@make_group(manual="files", examples=["load queries queries.tsv", "load run runs/*.run"])
@database(expose_value=False)
def command() -> None:
    """Load files into the campaign.

    Each file is loaded whole or not at all. Loading the same file again changes nothing.
    """


@command.command(
    "queries",
    manual="files",
    examples=["load queries queries.tsv", "load queries topics.txt --format trec"],
)
@database()
@click.argument("file")
@_replace("Overwrite known queries.")
@_layout("queries")
def load_queries_command(db: Place, file: str, **options: Any) -> None:
    """Load queries.

    FILE has one of the formats below, such as TSV (id, text), or queries beside other things.

    A query without an id is found by exactly its text; a new one gets the next free id, as q001.
    """
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.loading.queries import load_queries

    with open_campaign(db) as campaign:
        loaded = load_queries(campaign, file, **options)
    _print_loaded(file, "queries", loaded)


@command.command(
    "run",
    manual="files",
    examples=["load run runs/*.run", "load run new.run --tag dense --replace"],
)
@database()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@option(
    "--depth",
    type=click.IntRange(max=2**31),
    help="Results kept per query; never fewer than of the same run before.  [default: 100]",
)
@option("--tag", help="The run's name.  [default: the file's sixth column, else its name]")
@_replace("Overwrite a known run by a changed file.")
@_skip_unknown
@_layout("run")
def load_run_command(db: Place, files: tuple[str, ...], tag: str | None, **options: Any) -> None:
    """Load runs, of each the top --depth results of every query.

    FILE has one of the formats below; it may be a folder, or a pattern in quotes.
    """
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.loading.runs import load_runs
    from judge_tui.formats.run_paths import run_paths

    paths = run_paths(files)
    if tag is not None and len(paths) > 1:
        raise click.UsageError(
            "--tag names one run, and there are several files; load them one by one"
        )
    with open_campaign(db) as campaign, show_files_read(paths) as on_bytes:
        runs = load_runs(campaign, paths, tag=tag, on_bytes=on_bytes, **options)
    for run in runs:
        came = ", replaced" if run.counts.replaced else ""
        came = ", there already" if run.counts.unchanged else came
        counts = {
            "queries": run.queries,
            "results": run.results,
            "unknown queries left out": run.counts.left_out,
            "queries that found nothing": run.nothing_found,
            "queries that failed": run.failed,
        }
        _print_counts(run.path, f"run {run.tag}{came}", counts)


@command.command(
    "docs", manual="files", examples=["load docs documents.jsonl", "load docs --root checkout"]
)
@database()
@click.argument("files", nargs=-1, metavar="FILE...")
@_keep_all
@option(
    "--root",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="Read ids of the form path, path:line, path:start-end or path#L1-L9 from the files below"
    " DIR, where a document has no text yet.",
)
@_replace("Overwrite known documents.")
@_layout("documents")
def load_docs_command(db: Place, files: tuple[str, ...], root: Path | None, **options: Any) -> None:
    """Load documents.

    FILE has one of the formats below, such as JSON Lines (doc_id, title, text, url, kind); "folder"
    is one of text files.

    Only documents that a run retrieved or a grade names are kept, unless --all is given. Loading
    another file adds to what is known of a document.
    """
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.loading.documents import load_document_files
    from judge_tui.campaign.store.pool import pairs_pooled
    from judge_tui.campaign.store.runs import all_runs

    if not files and root is None:
        raise click.UsageError("nothing to load; name a FILE, or a folder with --root DIR")
    names = [*files, *([str(root)] if root is not None else [])]
    with open_campaign(db) as campaign:
        with _counting(", ".join(names)) as on_rows:
            outcomes = load_document_files(campaign, files, root=root, on_rows=on_rows, **options)
        wanted = all_runs(campaign) or pairs_pooled(campaign)
        for file, loaded in zip(names, outcomes, strict=True):
            _print_documents(file, loaded)
        if not wanted and any(loaded.left_out for loaded in outcomes):
            click.echo(
                "no run or grade names a document yet: load runs or grades first, or use --all"
            )
        _print_missing(campaign)


@command.command(
    "qrels",
    manual="files",
    examples=["load qrels qrels.txt --judge ann", "load qrels gpt.qrels --judge gpt --kind model"],
)
@database()
@click.argument("file")
@option(
    "--judge", metavar="NAME", help="Whose grades these are, or the one judge to take of a file."
)
@option(
    "--kind",
    type=click.Choice(["human", "model"]),
    help="Who graded: a person or a program.  [default: as the file says, else human]",
)
@_skip_unknown
@_replace("Overwrite grades of another file, but none that was given in the app.")
@_layout("qrels", "judgments")
def load_qrels_command(db: Place, file: str, judge: str | None, **options: Any) -> None:
    """Load grades that are there already.

    FILE has one of the formats below. Qrels become the grades of --judge; a file of several judges,
    such as export judgments writes, brings each under the judge's own name.
    """
    from judge_tui.campaign.loading.judgments import load_judgments

    with _grading(db) as campaign:
        outcomes = load_judgments(campaign, file, judge=judge, **options)
        for name, loaded in outcomes.items():
            _print_loaded(file, f"grades of {name}", loaded, left_out=_NOT_TAKEN)
        if not outcomes:
            click.echo(f"{visible_line(file)}: grades: nobody has judged anything in it")


@command.command(
    "answers",
    manual="answers",
    examples=[
        "load answers answers.csv --judge sheet",
        "load answers sheet.csv --judge sheet --columns 'query=Question,result=Right answer'",
    ],
)
@database()
@click.argument("file")
@_judge
@option(
    "--grade",
    type=click.IntRange(0, 9),
    help="Give this grade to what the file gives none.  [default: 1]",
)
@_replace("Overwrite grades of an earlier file, and take back what no answer gives any more.")
@options(columns, gather_options("layout", Layout))
def load_answers_command(db: Place, file: str, judge: str, **options: Any) -> None:
    """Load right answers as a first judge's grades.

    Every retrieved document that an answer matches gets its grade; people judge the rest, and
    correct these. Load the queries, from this file, too, and the runs first.
    """
    from judge_tui.campaign.loading.answers import load_answers

    with _grading(db) as campaign:
        loaded = load_answers(campaign, file, judge=judge, **options)
        _print_loaded(file, f"grades of {judge}", loaded)


@command.command(
    "collection",
    manual="files",
    examples=[
        "load collection scifact --judge scifact",
        "load collection benchmark.json --judge benchmark",
    ],
)
@database()
@click.argument("source", metavar="DIR|FILE")
@_judge
@option(
    "--split", metavar="NAME", help="Take these qrels.  [default: test, or the only ones there are]"
)
@_keep_all
@_replace("Overwrite known queries, documents, and grades of files.")
def load_collection_command(db: Place, source: str, judge: str, **options: Any) -> None:
    """Load queries, documents and grades at once.

    From a BEIR folder (corpus.jsonl, queries.jsonl, qrels/test.tsv), or a graded benchmark in JSON.
    Of the corpus, documents that are graded or that a loaded run retrieved are kept.
    """
    from judge_tui.campaign.loading.collections import load_collection

    with _grading(db) as campaign:
        with _counting(source) as on_rows:
            loaded = load_collection(campaign, source, judge=judge, on_rows=on_rows, **options)
        queries, documents, graded = loaded.files
        _print_loaded(
            queries, "queries", loaded.queries, left_out="of no grade in the split left out"
        )
        _print_documents(documents, loaded.documents)
        _print_loaded(graded, f"grades of {judge}", loaded.grades, left_out=_NOT_TAKEN)


@contextmanager
def _grading(db: Place) -> Iterator[Campaign]:
    """The campaign; prints at the end by how much its pool grew."""
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.store.pool import pairs_pooled

    with open_campaign(db) as campaign:
        before = pairs_pooled(campaign)
        yield campaign
        after = pairs_pooled(campaign)
        if after > before:
            click.echo(f"the pool grew by {counted(after - before, 'pair')}, to {after:,}")
            _print_missing(campaign)


@contextmanager
def _counting(name: str) -> Iterator[OnCount]:
    """Show on a terminal how many documents were read."""
    with show_steps() as say:
        yield lambda count: say(f"{name}: {count:,} documents read")


def _print_documents(file: str, loaded: LoadCounts) -> None:
    not_wanted = "of no run or grade left out (--all keeps them)"
    left_out = "not found" if loaded.lacking else not_wanted
    _print_loaded(file, "documents", loaded, left_out=left_out)
    for one in loaded.lacking[:_LACKING]:
        click.echo(f"  {visible_line(one)}")
    if len(loaded.lacking) > _LACKING:
        click.echo(f"  and {len(loaded.lacking) - _LACKING:,} more")


def _print_missing(campaign: Campaign) -> None:
    from judge_tui.campaign.store.documents import missing_documents

    if missing := len(missing_documents(campaign)):
        click.echo(
            f"pooled documents that have no text yet: {missing:,} (load docs brings texts, status"
            " names them)"
        )


def _print_loaded(
    file: str,
    what: str,
    loaded: LoadCounts,
    *,
    left_out: str = "left out",
) -> None:
    counts = {
        "added": loaded.added,
        "replaced": loaded.replaced,
        "there already": loaded.unchanged,
        "left as decided in the app": loaded.stay,
        left_out: loaded.left_out,
    }
    _print_counts(file, what, counts)


def _print_counts(file: str, what: str, counts: Mapping[str, int]) -> None:
    """Print one line: what came of a file. Counts of nothing are left out."""
    parts = [
        counted(count, name.replace("queries", "query").replace("results", "result"), name)
        for name, count in counts.items()
        if count
    ]
    click.echo(f"{visible_line(file)}: {visible_line(what)}: {', '.join(parts) or 'nothing new'}")
