"""`judge-tui load`: queries, runs, documents and grades into the campaign."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from judge_tui.cli.benchmarks import BenchmarkFile, scores_option
from judge_tui.cli.options import Command, database, kind
from judge_tui.cli.progress import counting, reading_files
from judge_tui.visible import visible_line

if TYPE_CHECKING:
    from judge_tui.campaign import Campaign
    from judge_tui.campaign.loaded import Loaded

__all__ = ["command"]


def _format(names: str) -> Callable[[Command], Command]:
    """The option that names the format of a file. `names`: all that `formats.registry` has for the
    kind, written down since it is not imported for a help."""
    told = f"The file's format, if not found out: {names}."
    return click.option("--format", "format", metavar="F", help=told)


_SKIP_UNKNOWN = click.option(
    "--skip-unknown", is_flag=True, help="Leave out queries that the campaign does not have."
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """Load files into the campaign.

    Each file is loaded whole or not at all. Loading the same file again changes nothing.
    """


@command.command("queries")
@database
@click.argument("file")
@_format("tsv, jsonl, trec, answers, benchmark or msmarco-top1000")
@click.option("--replace", is_flag=True, help="Change queries that are there with another text.")
def load_queries_command(db: Path, file: str, format: str | None, replace: bool) -> None:
    """Load queries: TSV (id, text), JSONL, TREC topics, or those that another file holds.

    That may be an answers file, a benchmark, or candidates as MS MARCO has them (query, passage and
    their ids), whose queries.tsv is a TSV; or a folder as BEIR has it.
    """
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.queries import load_queries

    with open_campaign(db) as campaign:
        loaded = load_queries(campaign, file, format=format, replace=replace)
    _say(
        file,
        "queries",
        added=loaded.added,
        replaced=loaded.replaced,
        there_already=loaded.unchanged,
    )


@command.command("run")
@database
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--depth",
    type=click.IntRange(max=2**31),
    help="Results kept per query; never fewer than of the same run before.  [default: 100]",
)
@click.option("--tag", help="The run's name. Default: the file's sixth column, else its name.")
@_format("trec, csv, results, json, quepid, msmarco or msmarco-top1000")
@click.option("--replace", is_flag=True, help="Put a changed file in the place of the known one.")
@_SKIP_UNKNOWN
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
    snapshot is a run), rankings of MS MARCO.

    Beside a run of collect's, NAME.latency.csv says what was asked: a query without results counts
    as nothing found, and is left out of nothing.
    """
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.runs import load_runs

    if tag is not None and len(files) > 1:
        raise click.UsageError("--tag names one run, and there are several files; load them singly")
    with open_campaign(db) as campaign, reading_files(files) as told:
        outcomes = load_runs(
            campaign,
            files,
            depth=depth,
            tag=tag,
            format=format,
            replace=replace,
            skip_unknown=skip_unknown,
            on_bytes=told,
        )
    for name, loaded in outcomes:
        _say(
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
@_format("jsonl, tsv, trec, folder, benchmark, msmarco-docs or msmarco-top1000")
@click.option("--replace", is_flag=True, help="Change documents that are there with another text.")
def load_docs_command(
    db: Path,
    files: tuple[str, ...],
    keep_all: bool,
    root: Path | None,
    format: str | None,
    replace: bool,
) -> None:
    """Load documents: JSONL, TSV, TREC SGML, or a folder of text files.

    Or those of a benchmark, of MS MARCO (collection.tsv, which is a TSV, documents or candidates),
    or of a folder as BEIR has it.

    Only documents that a run retrieved or a grade names are kept, unless --all is given.
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
    for file, loaded in zip(names, outcomes, strict=True):
        _say(
            file,
            "documents",
            added=loaded.added,
            replaced=loaded.replaced,
            there_already=loaded.unchanged,
            left_out=loaded.left_out,
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


@command.command("qrels")
@database
@click.argument("file")
@click.option(
    "--judge",
    metavar="NAME",
    help="Whose grades these are. Of a file of several judges: the one to take.",
)
@click.option(
    "--kind",
    type=click.Choice(["human", "model"]),
    help="Who graded: a person or a program.  [default: as the file says, else human]",
)
@click.option(
    "--rename",
    "renames",
    multiple=True,
    metavar="OLD=NEW",
    help="Call a judge of the file otherwise. Can be given several times.",
)
@click.option("--query", metavar="ID", help="For which query, where the file does not say it.")
@click.option(
    "--labels",
    metavar="LABEL=GRADE,...",
    help="What labels mean, or numbers: a grade, skip or cannot.  [default: as the scale has it]",
)
@_format(
    "trec, beir, csv, results, json, quepid, rre, opensearch, rank-eval, benchmark, quepid-book,"
    " quepid-book-json, hical, umbrela, label-studio or doccano"
)
@click.option(
    "--skip-unknown",
    is_flag=True,
    help="Leave out queries, and texts of documents, that the campaign does not have.",
)
def load_qrels_command(
    db: Path,
    file: str,
    judge: str | None,
    kind: str | None,
    renames: tuple[str, ...],
    query: str | None,
    labels: str | None,
    format: str | None,
    skip_unknown: bool,
) -> None:
    """Load an existing set of grades as one judge's judgments.

    Or those of several judges, each under the own name: a book of Quepid's (CSV or JSON), or what
    HiCAL, UMBRELA, Label Studio and doccano export. Queries are found by id, else by text, and so
    are documents, as far as a file has no ids.
    """
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.grades import load_read_qrels
    from judge_tui.campaign.labelled import declared_labels
    from judge_tui.campaign.several_judges import load_several_judges, renamed
    from judge_tui.formats import read_grades

    declared = None if labels is None else declared_labels(labels)
    with open_campaign(db) as campaign:
        read = read_grades(file, format=format)
        if read.rows is not None and judge is None:
            raise click.UsageError("whose grades are these? Name the judge with --judge NAME")
        if read.rows is not None and (query is not None or labels is not None or renames):
            raise click.UsageError("--query, --labels and --rename are for files of judging tools")
        if renames:
            read = renamed(read, renames)
        names = (
            [judge]
            if judge is not None
            else sorted({row.judge for row in read.judgments or () if row.judge})
        )
        for name in names:
            _warn_of_near_names(campaign, name)
        outcomes = (
            {
                names[0]: load_read_qrels(
                    campaign,
                    file,
                    read,
                    judge=names[0],
                    kind=kind or "human",
                    skip_unknown=skip_unknown,
                )
            }
            if read.rows is not None
            else load_several_judges(
                campaign,
                file,
                read,
                judge=judge,
                kind=kind,
                query=query,
                labels=declared,
                skip_unknown=skip_unknown,
            )
        )
    for name, loaded in outcomes.items():
        _say_grades(file, name, loaded, "left_out_as_not_judged_or_unknown")


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
@_SKIP_UNKNOWN
def load_answers_command(
    db: Path, file: str, judge: str, kind: str, grade: int | None, skip_unknown: bool
) -> None:
    """Load right answers as a first judge's grades, to be corrected in the app.

    Every retrieved document that an answer matches gets its grade; what none matches is left for
    people to judge. The queries (load queries takes this file, too) and the runs come first.
    """
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.answers import load_answers
    from judge_tui.cli.slow_patterns import watch_patterns

    watch_patterns(file)
    with open_campaign(db) as campaign:
        _warn_of_near_names(campaign, judge)
        loaded = load_answers(
            campaign, file, judge=judge, kind=kind, skip_unknown=skip_unknown, grade=grade
        )
    _say_grades(file, judge, loaded, "left_out_as_unknown")


@command.command("benchmark")
@database
@click.argument("file")
@click.option("--judge", required=True, metavar="NAME", help="Whose grades these are.")
@kind
@scores_option
def load_benchmark_command(db: Path, file: str, judge: str, kind: str, scores: str | None) -> None:
    """Load a graded benchmark: queries, documents, and grades as one judge's.

    JSON or JSON Lines of {"query", "documents": [{"id", "text", "score"}]}. All of it is loaded, or
    nothing.
    """
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.benchmarks import load_benchmark

    with open_campaign(db) as campaign:
        benchmark = BenchmarkFile(file, scores).read()
        _warn_of_near_names(campaign, judge)
        loaded = load_benchmark(campaign, file, benchmark, judge=judge, kind=kind)
    for what, part in (("queries", loaded.queries), ("documents", loaded.documents)):
        _say(file, what, added=part.added, there_already=part.unchanged)
    _say_grades(file, judge, loaded.grades, "left_out")


@command.command("beir")
@database
@click.argument("folder")
@click.option("--judge", required=True, metavar="NAME", help="Whose grades the qrels are.")
@kind
@click.option(
    "--split", metavar="NAME", help="Which qrels.  [default: test, or the only ones there are]"
)
@click.option("--all-queries", is_flag=True, help="Load queries that the split does not name, too.")
@click.option("--all", "keep_all", is_flag=True, help="Load every document of the corpus.")
def load_beir_command(
    db: Path,
    folder: str,
    judge: str,
    kind: str,
    split: str | None,
    all_queries: bool,
    keep_all: bool,
) -> None:
    """Load a collection of BEIR's: queries, documents, and qrels as one judge's grades.

    A folder of corpus.jsonl, queries.jsonl and qrels/test.tsv. Of the corpus, documents that are
    graded or that a loaded run retrieved are kept. All of it is loaded, or nothing.
    """
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.beir import load_beir
    from judge_tui.campaign.runs import all_runs
    from judge_tui.campaign.typed import typed

    with open_campaign(db) as campaign:
        _warn_of_near_names(campaign, judge)
        with counting(folder, "documents read") as on_rows:
            loaded = load_beir(
                campaign,
                folder,
                judge=judge,
                kind=kind,
                split=split,
                keep_all_queries=all_queries,
                keep_all_documents=keep_all,
                on_rows=on_rows,
            )
        runs = all_runs(campaign)
    queries, corpus, qrels = loaded.files
    for file, what, part in (
        (queries, "queries", loaded.queries),
        (corpus, "documents", loaded.documents),
    ):
        _say(file, what, added=part.added, there_already=part.unchanged, left_out=part.left_out)
    _say_grades(qrels, judge, loaded.grades, "left_out_as_not_judged")
    if loaded.documents.left_out and not runs:
        later = typed(db, "load docs", shlex.quote(folder))
        click.echo(visible_line(f"what runs retrieve, once they are loaded: {later}"))


def _say_grades(file: str, judge: str, loaded: Loaded, left_out: str) -> None:
    """What came of a judge's grades, and what is to be known beside it: that alone where the
    judge's name is empty."""
    if judge:
        counts = {"added": loaded.added, "there_already": loaded.unchanged}
        _say(file, f"grades of {judge}", **counts, **{left_out: loaded.left_out})
    for note in loaded.notes:
        click.echo(f"note: {visible_line(note)}", err=True)


def _warn_of_near_names(campaign: Campaign, judge: str) -> None:
    from judge_tui.campaign.judges import find_judge, near_names

    if find_judge(campaign, judge.strip()) is None and (near := near_names(campaign, judge)):
        names = ", ".join(repr(visible_line(one)) for one in near)
        click.echo(
            f"note: {visible_line(judge)!r} is new, and nearly the name of {names}", err=True
        )


def _say(file: str, what: str, **counts: int) -> None:
    """One line: what came of a file. Counts of nothing are left out, but for a load of nothing."""
    parts = [f"{count:,} {name.replace('_', ' ')}" for name, count in counts.items() if count]
    click.echo(f"{visible_line(file)}: {visible_line(what)}: {', '.join(parts) or 'nothing new'}")
