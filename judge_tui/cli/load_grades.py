"""`judge-tui load qrels` and `load answers`: what somebody judged already, as judges' grades."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from judge_tui.cli.loading import (
    format_option,
    say_grades,
    skip_unknown_option,
    warn_of_near_names,
)
from judge_tui.cli.options import database, kind

__all__ = ["GRADES_COMMANDS"]


@click.command("qrels")
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
@format_option(
    "trec, beir, csv, results, json, quepid, quepid-json, letor, rre, opensearch,"
    " rank-eval, benchmark, judge-tui, quepid-book, quepid-book-json, hical, umbrela,"
    " label-studio or doccano"
)
@click.option(
    "--skip-unknown",
    is_flag=True,
    help="Leave out queries, and texts of documents, that the campaign does not have.",
)
@click.option(
    "--replace",
    is_flag=True,
    help="Where a judge has judged otherwise, what the file says holds from now on.",
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
    replace: bool,
) -> None:
    """Load an existing set of grades as one judge's judgments.

    Or those of several judges, each under the own name: what export judgments wrote, a book of
    Quepid's (CSV or JSON), or what HiCAL, UMBRELA, Label Studio and doccano export. Queries and
    documents are found by their ids, as far as a file has them, else by their texts.
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
            warn_of_near_names(campaign, name)
        outcomes = (
            {
                names[0]: load_read_qrels(
                    campaign,
                    file,
                    read,
                    judge=names[0],
                    kind=kind or "human",
                    skip_unknown=skip_unknown,
                    replace=replace,
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
                replace=replace,
                mend=f"mend the line, or let what the file says hold: {_with_replace(db, file)}",
            )
        )
    for name, loaded in outcomes.items():
        say_grades(file, name, loaded, "left_out_as_not_judged_or_unknown")


def _with_replace(db: Path, file: str) -> str:
    """The command that is being run, with --replace and every other option that was given."""
    from judge_tui.campaign.typed import typed

    context = click.get_current_context()
    words = [shlex.quote(file)]
    for option in context.command.params:
        given = context.params.get(option.name or "")
        if not isinstance(option, click.Option) or option.name in ("db", "replace") or not given:
            continue
        if option.is_flag:
            words.append(option.opts[0])
            continue
        values = given if option.multiple else [given]
        words += [f"{option.opts[0]} {shlex.quote(value)}" for value in values]
    return typed(db, "load qrels", " ".join([*words, "--replace"]))


@click.command("answers")
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
@skip_unknown_option
def load_answers_command(
    db: Path,
    file: str,
    judge: str,
    kind: str,
    grade: int | None,
    replace: bool,
    skip_unknown: bool,
) -> None:
    """Load right answers as a first judge's grades, to be corrected in the app.

    Every retrieved document that an answer matches gets its grade; what none matches is left for
    people to judge. The queries (load queries takes this file, too) and the runs come first.
    """
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.answers import load_answers

    with open_campaign(db) as campaign:
        warn_of_near_names(campaign, judge)
        loaded = load_answers(
            campaign,
            file,
            judge=judge,
            kind=kind,
            skip_unknown=skip_unknown,
            grade=grade,
            replace=replace,
        )
    say_grades(file, judge, loaded, "left_out_as_unknown")


GRADES_COMMANDS = (load_qrels_command, load_answers_command)
"""The commands, for the group that they belong to."""
