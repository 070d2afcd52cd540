"""`judge-tui check`: every problem of a file, with its line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from judge_tui.cli.options import (
    columns,
    file_format,
    labels,
    layout_of,
    make_command,
    option,
)
from judge_tui.visible import visible_line

if TYPE_CHECKING:
    from judge_tui.errors import CampaignError, InputError
    from judge_tui.formats.beir_folder import BeirFolder
    from judge_tui.formats.source import Layout, Source

__all__ = ["command"]

SHOWN = 20

LARGE = 4_000_000
"""In bytes: from here on numpy, which reads runs, is worth its import."""


@make_command(examples=["check qrels.txt runs/*.run", "check --format queries:tsv topics.txt"])
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@option(
    "--root",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Look whether DIR has the lines that ids or answers (path:start-end) name.",
)
@file_format(
    "What the file is, if its content does not tell: a kind (run, qrels, judgments, queries,"
    " documents, answers), a format (trec, csv, json, ...) or both, as queries:tsv."
)
@columns
@labels
def command(
    files: tuple[str, ...],
    format: str | None,
    columns: str | None,
    labels: str | None,
    root: Path | None,
) -> int:
    """Find every problem of run, qrels, queries, documents, answers or campaign files.

    Each is printed with its line, those alike once, the first 20 of a file and a count of the
    rest; exit code 2 if there is any. FILE may also be a folder, a pattern in quotes, or - for
    standard input. Of a BEIR folder, check says whether its files fit each other; of a campaign,
    whether it is whole and its judgments are what its events say.
    """
    from judge_tui.errors import InputError
    from judge_tui.formats.check import files_to_check
    from judge_tui.formats.writing import is_database

    worst = 0
    layout = layout_of(format, columns, labels)
    for name in files:
        if format is None and (found := _collection(name)) is not None:
            worst = max(worst, _check_collection(found, root))
            continue
        try:
            paths = files_to_check(name, format=format)
        except InputError as error:
            click.echo(f"error: {visible_line(str(error))}", err=True)
            worst = 2
            continue
        for path in paths:
            if format is None and is_database(path):
                worst = max(worst, _check_campaign(path))
            else:
                worst = max(worst, _check(path, layout, root))
    return worst


def _check_campaign(path: str) -> int:
    from judge_tui.campaign.store.check import check_campaign
    from judge_tui.errors import CampaignError

    try:
        checked = check_campaign(Path(path))
    except CampaignError as error:
        return _print_problems(path, [error])
    if checked.problems:
        return _print_problems(path, checked.problems)
    counts = ", ".join(f"{count:,} {name}" for name, count in checked.counts.items())
    click.echo(f"{visible_line(path)}: fine as campaign ({counts})")
    return 0


def _collection(name: str) -> BeirFolder | None:
    if name == "-" or "\0" in name or not Path(name).is_dir():
        return None
    from judge_tui.formats.beir_folder import beir_folder

    return beir_folder(name)


def _check_collection(folder: BeirFolder, root: Path | None) -> int:
    """Each file by itself; and where they are sound, whether the grades are of what is there."""
    from judge_tui.formats.check import check_beir

    worst = 0
    for path, kind, its_root in (
        (folder.corpus, "documents:jsonl", root),
        (folder.queries, "queries:jsonl", None),
        *((path, "qrels:beir", None) for path in folder.splits.values()),
    ):
        if path is not None:
            worst = max(worst, _check(path, layout_of(kind, None), its_root))
    if problems := list(check_beir(folder)):
        return _print_problems(folder.path, problems)
    return worst


def _check(path: str, layout: Layout, root: Path | None) -> int:
    """Print what is wrong with one file, or as what it is fine; return the exit code."""
    from judge_tui.cli.progress import reading_files
    from judge_tui.formats.check import check_file
    from judge_tui.formats.collected import has_found_nothing
    from judge_tui.formats.recognition import Recognised

    read_as: list[Recognised] = []
    with reading_files([path]) as on_read:
        problems = check_file(
            path,
            format=layout,
            root=root,
            taken=read_as.append,
            on_read=on_read,
            sound=_is_sound if _is_large(path) else None,
        )
    if problems:
        return _print_problems(path, problems)
    (kind, name), *_ = read_as
    what = _kind(kind, name, layout.format)
    if kind == "run" and has_found_nothing(path):
        what += "; no result: the file beside it says that it was asked in vain"
    click.echo(f"{visible_line(path)}: fine as {what}")
    return 0


def _is_large(path: str) -> bool:
    return Path(path).is_file() and Path(path).stat().st_size > LARGE


def _is_sound(source: Source) -> bool:
    from judge_tui.scan.scan import is_sound

    return is_sound(source)


def _print_problems(path: str, problems: Sequence[InputError | CampaignError]) -> int:
    """Print the first problems, those alike once, and how many more there are; return 2."""
    keys = [(problem.path, problem.what, problem.mend) for problem in problems]
    alike, firsts = Counter(keys), dict(zip(reversed(keys), reversed(problems), strict=True))
    shown = [*alike.items()][:SHOWN]
    for key, count in shown:
        again = f" ({count - 1:,} more like this)" if count > 1 else ""
        click.echo(f"error: {visible_line(str(firsts[key]))}{again}", err=True)
    if len(alike) > SHOWN:
        more = len(problems) - sum(count for _, count in shown)
        click.echo(f"error: {visible_line(path)}: and {more:,} more", err=True)
    return 2


def _kind(kind: str, name: str, format: str | None) -> str:
    """As what a file was read, and how sure that is: in JSON, runs and qrels look the same."""
    from judge_tui.formats.registry import ANSWERS

    if name == ANSWERS and format in (None, ANSWERS):
        return "answers"
    what = f"{kind} ({name})"
    if name != "json" or format not in (None, "json"):
        return what
    numbers, other = ("small and whole", "run") if kind == "qrels" else ("no grades", "qrels")
    return f"{what}, since its numbers are {numbers}; else use --format {other}:json"
