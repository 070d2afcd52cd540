"""`judge-tui load benchmark` and `load beir`: queries, documents and grades at once."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from judge_tui.cli.benchmarks import BenchmarkFile, scores_option
from judge_tui.cli.loading import NOT_WANTED, say, say_grades, warn_of_near_names
from judge_tui.cli.options import database, kind
from judge_tui.cli.progress import counting
from judge_tui.visible import visible_line

__all__ = ["COLLECTION_COMMANDS"]

_NOT_NAMED = "of no grade in the split left out (--all-queries keeps them)"

_replace = click.option(
    "--replace", is_flag=True, help="Let hold what the corpus says otherwise of known documents."
)


@click.command("benchmark")
@database
@click.argument("file")
@click.option("--judge", required=True, metavar="NAME", help="Whose grades these are.")
@kind
@scores_option
@click.option(
    "--replace",
    is_flag=True,
    help="Let hold what the file says otherwise of known documents, and other grades.",
)
def load_benchmark_command(
    db: Path, file: str, judge: str, kind: str, scores: str | None, replace: bool
) -> None:
    """Load a graded benchmark: queries, documents, and grades as one judge's.

    JSON or JSON Lines of {"query", "documents": [{"id", "text", "score"}]}. All of it is loaded, or
    nothing.
    """
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.benchmarks import load_benchmark

    with open_campaign(db) as campaign:
        benchmark = BenchmarkFile(file, scores).read()
        warn_of_near_names(campaign, judge)
        loaded = load_benchmark(campaign, file, benchmark, judge=judge, kind=kind, replace=replace)
    for what, part in (("queries", loaded.queries), ("documents", loaded.documents)):
        say(file, what, added=part.added, changed=part.replaced, there_already=part.unchanged)
    say_grades(file, judge, loaded.grades, "left_out")


@click.command("beir")
@database
@click.argument("folder")
@click.option("--judge", required=True, metavar="NAME", help="Whose grades the qrels are.")
@kind
@click.option(
    "--split", metavar="NAME", help="Which qrels.  [default: test, or the only ones there are]"
)
@click.option("--all-queries", is_flag=True, help="Load queries that the split does not name, too.")
@click.option("--all", "keep_all", is_flag=True, help="Load every document of the corpus.")
@_replace
def load_beir_command(
    db: Path,
    folder: str,
    judge: str,
    kind: str,
    split: str | None,
    all_queries: bool,
    keep_all: bool,
    replace: bool,
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
        warn_of_near_names(campaign, judge)
        with counting(folder, "documents read") as on_rows:
            loaded = load_beir(
                campaign,
                folder,
                judge=judge,
                kind=kind,
                split=split,
                keep_all_queries=all_queries,
                keep_all_documents=keep_all,
                replace=replace,
                on_rows=on_rows,
            )
        runs = all_runs(campaign)
    queries, corpus, qrels = loaded.files
    for file, what, part, left_out in (
        (queries, "queries", loaded.queries, _NOT_NAMED),
        (corpus, "documents", loaded.documents, NOT_WANTED),
    ):
        say(
            file,
            what,
            added=part.added,
            changed=part.replaced,
            there_already=part.unchanged,
            **{left_out: part.left_out},
        )
    say_grades(qrels, judge, loaded.grades, "left_out_as_not_judged")
    if loaded.documents.left_out and not runs:
        later = typed(db, "load docs", shlex.quote(folder))
        click.echo(visible_line(f"what runs retrieve, once they are loaded: {later}"))


COLLECTION_COMMANDS = (load_benchmark_command, load_beir_command)
"""The commands, for the group that they belong to."""
