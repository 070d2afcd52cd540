"""`judge-tui load`: queries, runs, documents and grades into the campaign."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from judge_tui.cli.options import (
    Command,
    columns,
    database,
    kind,
    labels,
    layout_of,
    make_group,
    new_judge,
)
from judge_tui.cli.progress import counting, reading_files
from judge_tui.counts import counted
from judge_tui.visible import visible_line

if TYPE_CHECKING:
    from judge_tui.campaign import Campaign
    from judge_tui.campaign.loading import Loaded

__all__ = ["command"]

_NOT_WANTED = "of no run or grade left out (--all keeps them)"
_NOT_TAKEN = "left out as not judged or unknown"
_LACKING = 10
"""How many documents without a text are named."""


def _format_option(names: str) -> Callable[[Command], Command]:
    """The option that names the format of a file. `names`: all that `formats.registry` has for the
    kind, written down since it is not imported for a help."""
    told = f"The file's format, if not found out: {names}."
    return click.option("--format", "format", metavar="F", help=told)


_skip_unknown = click.option(
    "--skip-unknown", is_flag=True, help="Leave out queries that the campaign does not have."
)


@make_group(
    examples=["load queries queries.tsv", "load run runs/*.run"],
)
def command() -> None:
    """Load files into the campaign.

    Each file is loaded whole or not at all. Loading the same file again changes nothing.
    """


@command.command("queries")
@database
@click.argument("file")
@_format_option(
    "tsv, csv, jsonl, trec, trec-xml, answers, benchmark, msmarco-top1000, quepid, quepid-json,"
    " quepid-book-json, rre, opensearch or rank-eval"
)
@columns
@click.option(
    "--replace",
    is_flag=True,
    help="What the file says holds, where the campaign says otherwise of a query.",
)
def load_queries_command(
    db: Path, file: str, format: str | None, columns: str | None, replace: bool
) -> None:
    """Load queries: TSV (id, text), a table, JSONL, TREC topics, or those that another file holds.

    That may be an answers file, a benchmark, candidates of MS MARCO, a BEIR folder, what Quepid
    exports, ratings for RRE and OpenSearch, or the body of a _rank_eval request.

    A query without an id is the one of exactly its text; a new text gets the next free id, q001
    and so on. Columns of a table and keys of JSONL: query_id, query, class, description,
    narrative, subset, measures; others go to the metadata. What a file does not say of a query
    that is there stays.
    """
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.loading.queries import load_queries

    layout = layout_of(format, columns)
    with open_campaign(db) as campaign:
        loaded = load_queries(campaign, file, format=layout, replace=replace)
    _say(file, "queries", loaded)


@command.command("run")
@database
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--depth",
    type=click.IntRange(max=2**31),
    help="Results kept per query; never fewer than of the same run before.  [default: 100]",
)
@click.option("--tag", help="The run's name. Default: the file's sixth column, else its name.")
@_format_option("trec, csv, results, json, quepid, quepid-json or msmarco")
@columns
@click.option("--replace", is_flag=True, help="Put a changed file in the place of the known one.")
@_skip_unknown
def load_run_command(
    db: Path,
    files: tuple[str, ...],
    depth: int | None,
    tag: str | None,
    format: str | None,
    columns: str | None,
    replace: bool,
    skip_unknown: bool,
) -> None:
    """Load runs: of each, the top --depth results of every query are kept.

    Files of TREC, CSV with a header, results with grades, JSON of ranx, CSV of Quepid (each
    snapshot is a run), rankings of MS MARCO. FILE may also be a folder, of one that collect wrote
    its runs, or a pattern in quotes.

    Beside a run of collect's, NAME.latency.csv says what was asked: a query without results
    counts as nothing found. A run whose queries have other texts now is refused.
    """
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.loading.runs import load_runs
    from judge_tui.formats.run_paths import run_paths, without_provenance

    layout = layout_of(format, columns)
    paths = without_provenance(files)
    if tag is None or len(paths) == 1:
        paths = run_paths(paths)
    if tag is not None and len(paths) > 1:
        raise click.UsageError("--tag names one run, and there are several files; load them singly")
    with open_campaign(db) as campaign, reading_files(paths) as told:
        loaded = load_runs(
            campaign,
            paths,
            depth=depth,
            tag=tag,
            format=layout,
            replace=replace,
            skip_unknown=skip_unknown,
            on_bytes=told,
        )
    for one in loaded:
        _say(
            one.path,
            f"run {one.tag}",
            one.counts,
            added="loaded",
            left_out="unknown queries left out",
            queries_that_found_nothing=one.nothing_found,
            queries_that_failed=one.failed,
        )


@command.command("docs")
@database
@click.argument("files", nargs=-1, metavar="FILE...")
@click.option("--all", "keep_all", is_flag=True, help="Keep documents that no run retrieved, too.")
@click.option(
    "--root",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="Read ids of the form path, path:line, path:start-end or path#L1-L9 from the files below"
    " DIR, where a document has no text yet.",
)
@_format_option(
    "jsonl, tsv, csv, trec, folder, benchmark, msmarco-docs, msmarco-top1000 or quepid-book-json"
)
@columns
@click.option(
    "--replace", is_flag=True, help="Let hold what the sources say otherwise of known documents."
)
def load_docs_command(
    db: Path,
    files: tuple[str, ...],
    keep_all: bool,
    root: Path | None,
    format: str | None,
    columns: str | None,
    replace: bool,
) -> None:
    """Load documents: JSONL, TSV, a table, TREC SGML, or a folder of text files.

    Or those of a benchmark, of MS MARCO (collection.tsv, which is a TSV, documents or candidates),
    of a book of Quepid's in JSON, or of a folder as BEIR has it.

    A table begins with a header that has doc_id (or id), and text, title, url or kind if there are
    any; other columns go to the metadata.

    Only documents that a run retrieved or a grade names are kept, unless --all is given. What a
    file does not say of a document that is there stays, and what it adds is added.
    """
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.loading.documents import load_document_files
    from judge_tui.campaign.store.documents import missing_documents
    from judge_tui.campaign.store.runs import all_runs

    if not files and root is None:
        raise click.UsageError("nothing to load; name a FILE, or a folder with --root DIR")
    names = [*files, *([str(root)] if root is not None else [])]
    with open_campaign(db) as campaign:
        with counting(", ".join(names), "documents read") as on_rows:
            outcomes = load_document_files(
                campaign,
                files,
                root=root,
                format=layout_of(format, columns),
                keep_all=keep_all,
                replace=replace,
                on_rows=on_rows,
            )
        missing = len(missing_documents(campaign))
        runs = len(all_runs(campaign))
    for place, (file, loaded) in enumerate(zip(names, outcomes, strict=True)):
        _say(
            file,
            "documents",
            loaded,
            left_out=_NOT_WANTED if place < len(files) else "not found",
        )
        for one in loaded.lacking[:_LACKING]:
            click.echo(f"  {visible_line(one)}")
        if len(loaded.lacking) > _LACKING:
            click.echo(f"  and {len(loaded.lacking) - _LACKING:,} more")
    if not runs and any(loaded.left_out for loaded in outcomes):
        click.echo("no run is loaded yet, so no document was wanted: load the runs first, or --all")
    _say_missing(missing)


@command.command("qrels")
@database
@click.argument("file")
@click.option(
    "--judge",
    metavar="NAME",
    help="Whose grades these are. Of a file of several judges: the one to take.",
)
@click.option(
    "--query", metavar="ID", help="For which query, of a file of one that it does not name."
)
@click.option(
    "--kind",
    type=click.Choice(["human", "model"]),
    help="Who graded: a person or a program.  [default: as the file says, else human]",
)
@labels
@_format_option(
    "trec, beir, csv, results, json, quepid, quepid-json, letor, rre, opensearch,"
    " rank-eval, benchmark, judge-tui, quepid-book, quepid-book-json, hical, umbrela,"
    " label-studio or doccano"
)
@columns
@click.option(
    "--skip-unknown",
    is_flag=True,
    help="Leave out queries, and texts of documents, that the campaign does not have.",
)
@click.option(
    "--replace",
    is_flag=True,
    help="Where another file said otherwise, this one holds; what was decided in the app stands.",
)
@new_judge
def load_qrels_command(
    db: Path,
    file: str,
    judge: str | None,
    query: str | None,
    kind: str | None,
    labels: str | None,
    format: str | None,
    columns: str | None,
    skip_unknown: bool,
    replace: bool,
    yes: bool,
) -> None:
    """Load an existing set of grades as one judge's judgments.

    Or those of several judges, each under the own name: what export judgments wrote, a book of
    Quepid's (CSV or JSON), or what HiCAL, UMBRELA, Label Studio and doccano export. A session of
    HiCAL's (docno, judgment) needs --judge and --query. Queries and documents are found by their
    ids, in forms that have none by exactly their texts.
    """
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.loading.judgments import load_judgments

    layout = layout_of(format, columns, labels)
    with open_campaign(db) as campaign, _telling_of_the_pool(campaign):
        _refuse_slip(campaign, judge, yes)
        outcomes = load_judgments(
            campaign,
            file,
            judge=judge,
            query=query,
            kind=kind,
            format=layout,
            skip_unknown=skip_unknown,
            replace=replace,
        )
        for name, loaded in outcomes.items():
            _say(file, f"grades of {name}", loaded, left_out=_NOT_TAKEN)
        if not outcomes:
            click.echo(f"{visible_line(file)}: grades: nobody has judged anything in it")


@command.command("answers")
@database
@click.argument("file")
@click.option("--judge", required=True, metavar="NAME", help="Whose judgments these are.")
@kind
@click.option(
    "--grade",
    type=click.IntRange(0, 9),
    metavar="N",
    help="Of what the file gives no grade to.  [default: 1]",
)
@click.option(
    "--replace",
    is_flag=True,
    help="Grades of an earlier file, but for those that were changed in the app, follow this one:"
    " what no answer gives any more is taken back.",
)
@_skip_unknown
@new_judge
def load_answers_command(
    db: Path,
    file: str,
    judge: str,
    kind: str,
    grade: int | None,
    replace: bool,
    skip_unknown: bool,
    yes: bool,
) -> None:
    """Load right answers as a first judge's grades, to be corrected in the app.

    Every retrieved document that an answer matches gets its grade; what none matches is left for
    people to judge. The queries (load queries takes this file, too) and the runs come first.
    """
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.loading.answers import load_answers

    with open_campaign(db) as campaign, _telling_of_the_pool(campaign):
        _refuse_slip(campaign, judge, yes)
        loaded = load_answers(
            campaign,
            file,
            judge=judge,
            kind=kind,
            skip_unknown=skip_unknown,
            grade=grade,
            replace=replace,
        )
        _say(file, f"grades of {judge}", loaded, left_out="left out as unknown")


@command.command("collection")
@database
@click.argument("source", metavar="DIR|FILE")
@click.option("--judge", required=True, metavar="NAME", help="Whose grades these are.")
@kind
@click.option(
    "--split", metavar="NAME", help="Which qrels.  [default: test, or the only ones there are]"
)
@click.option(
    "--scores",
    metavar="S=G,...",
    help="From which score of a benchmark on each grade is meant: 0=0,0.5=1,1=2.  [default:"
    " whole numbers are grades]",
)
@click.option("--all", "keep_all", is_flag=True, help="Load every document of the corpus.")
@click.option(
    "--skip-unknown", is_flag=True, help="Leave out grades of queries that a folder does not have."
)
@click.option(
    "--replace",
    is_flag=True,
    help="Let hold what the files say otherwise of queries, documents and grades of files.",
)
@new_judge
def load_collection_command(
    db: Path,
    source: str,
    judge: str,
    kind: str,
    split: str | None,
    scores: str | None,
    keep_all: bool,
    skip_unknown: bool,
    replace: bool,
    yes: bool,
) -> None:
    """Load queries, documents and grades at once: a BEIR folder, or a graded benchmark.

    A folder of corpus.jsonl, queries.jsonl and qrels/test.tsv; of the corpus, documents that are
    graded or that a loaded run retrieved are kept. Or JSON or JSON Lines of {"query", "documents":
    [{"id", "text", "score"}]}. All of it is loaded, or nothing.
    """
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.loading.collections import load_collection
    from judge_tui.campaign.store.documents import missing_documents
    from judge_tui.formats.benchmark import parse_grades

    grades = None if scores is None else parse_grades(scores)
    with open_campaign(db) as campaign, _telling_of_the_pool(campaign):
        _refuse_slip(campaign, judge, yes)
        with counting(source, "documents read") as on_rows:
            loaded = load_collection(
                campaign,
                source,
                judge=judge,
                kind=kind,
                split=split,
                grades=grades,
                keep_all=keep_all,
                skip_unknown=skip_unknown,
                replace=replace,
                on_rows=on_rows,
            )
        missing = len(missing_documents(campaign))
        queries, documents, graded = loaded.files
        _say(queries, "queries", loaded.queries, left_out="of no grade in the split left out")
        _say(documents, "documents", loaded.documents, left_out=_NOT_WANTED)
        _say(graded, f"grades of {judge}", loaded.grades, left_out=_NOT_TAKEN)
    _say_missing(missing)


def _refuse_slip(campaign: Campaign, judge: str | None, yes: bool) -> None:
    """Raise `UsageError` for a judge's name that is new and nearly a known one."""
    from judge_tui.campaign.store.judges import refuse_near_name

    if judge is not None and not yes:
        refuse_near_name(campaign, judge)


@contextmanager
def _telling_of_the_pool(campaign: Campaign) -> Iterator[None]:
    """Say at the end by how much the pool grew."""
    from judge_tui.campaign.store.pool import pairs_pooled

    before = pairs_pooled(campaign)
    yield
    after = pairs_pooled(campaign)
    if after > before:
        click.echo(f"the pool grew by {counted(after - before, 'pair')}, to {after:,}")


def _say_missing(count: int) -> None:
    if count:
        click.echo(f"pooled documents that have no text yet: {count:,} (status names them)")


def _say(
    file: str,
    what: str,
    loaded: Loaded,
    added: str = "added",
    left_out: str = "left out",
    **more: int,
) -> None:
    """One line: what came of a file. Counts of nothing are left out, but for a load of nothing."""
    counts = {
        added: loaded.added,
        "replaced": loaded.replaced,
        "there already": loaded.unchanged,
        "that stay as decided in the app": loaded.stay,
        left_out: loaded.left_out,
        **{name.replace("_", " "): count for name, count in more.items()},
    }
    parts = [
        counted(count, name.replace("queries", "query"), name)
        for name, count in counts.items()
        if count
    ]
    click.echo(f"{visible_line(file)}: {visible_line(what)}: {', '.join(parts) or 'nothing new'}")
