"""`judge-tui check`: every problem of a file, with its line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import click

from judge_tui.cli.commands import gather_options, make_command, option, options
from judge_tui.cli.options import columns, file_format, labels
from judge_tui.formats.source import Layout
from judge_tui.visible import visible_line

if TYPE_CHECKING:
    from judge_tui.errors import CampaignError, InputError
    from judge_tui.formats.beir_folder import BeirFolder

Problems: TypeAlias = "Sequence[InputError | CampaignError]"
Checked: TypeAlias = "tuple[str, str, Problems]"
"""A file, as what it is fine where it is, and what is wrong with it."""

_SHOWN = 20


@make_command(
    manual="files", examples=["check qrels.txt runs/*.run", "check --format queries:tsv topics.txt"]
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@option(
    "--root",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Look whether DIR has the lines that ids or answers (path:start-end) name.",
)
@options(
    file_format(),
    columns,
    labels,
    gather_options("layout", Layout),
)
def command(
    files: tuple[str, ...],
    layout: Layout,
    root: Path | None,
) -> int:
    """Find every problem of run, qrels, queries, documents, answers or campaign files.

    Each is printed with its line, those alike once, the first 20 of a file and a count of the rest;
    exit code 2 if there is any. FILE may also be a folder, a pattern in quotes, or - for standard
    input. --format may also say what FILE is, such as run, documents or queries:tsv. Of a BEIR
    folder, check says whether its files fit each other; of a campaign, whether it is whole and its
    judgments are what its events say.
    """
    code = 0
    for name in files:
        for path, what, problems in _checked(name, layout, root):
            if problems:
                _print_problems(path, problems)
                code = 2
            else:
                click.echo(f"{visible_line(path)}: fine as {what}")
    return code


def _checked(name: str, layout: Layout, root: Path | None) -> Iterator[Checked]:
    """What was found in each file that a word of the command line stands for."""
    from judge_tui.errors import InputError
    from judge_tui.formats.beir_folder import beir_folder
    from judge_tui.formats.check import files_to_check
    from judge_tui.formats.writing import is_database

    is_folder = name != "-" and "\0" not in name and Path(name).is_dir()
    if layout.format is None and is_folder and (folder := beir_folder(name)) is not None:
        yield from _check_collection(folder, root)
        return
    try:
        paths = files_to_check(name, format=layout.format)
    except InputError as error:
        yield name, "", [error]
        return
    for path in paths:
        if layout.format is None and is_database(path):
            yield _check_campaign(path)
        else:
            yield _check_file(path, layout, root)


def _check_campaign(path: str) -> Checked:
    from judge_tui.campaign.store.check import check_campaign
    from judge_tui.errors import CampaignError

    try:
        checked = check_campaign(Path(path))
    except CampaignError as error:
        return path, "", [error]
    counts = ", ".join(f"{count:,} {name}" for name, count in checked.counts.items())
    return path, f"campaign ({counts})", checked.problems


def _check_collection(folder: BeirFolder, root: Path | None) -> Iterator[Checked]:
    """Each file by itself, and what does not fit between them."""
    from judge_tui.formats.check import check_beir

    if folder.corpus is not None:
        yield _check_file(folder.corpus, Layout("documents:jsonl"), root)
    if folder.queries is not None:
        yield _check_file(folder.queries, Layout("queries:jsonl"), None)
    for path in folder.splits.values():
        yield _check_file(path, Layout("qrels:beir"), None)
    if problems := list(check_beir(folder)):
        yield folder.path, "", problems


def _check_file(path: str, layout: Layout, root: Path | None) -> Checked:
    from judge_tui.cli.progress import show_files_read
    from judge_tui.formats.check import check_file
    from judge_tui.formats.recognition import Recognised
    from judge_tui.formats.registry import ANSWERS

    read_as: list[Recognised] = []
    with show_files_read([path]) as on_read:
        problems = check_file(
            path,
            format=layout,
            root=root,
            taken=read_as.append,
            on_read=on_read,
        )
    if problems:
        return path, "", problems
    kind, name = read_as[0]
    return path, name if name == ANSWERS else f"{kind} ({name})", []


def _print_problems(path: str, problems: Problems) -> None:
    """Print the first problems, those alike once, and how many more there are."""
    alike: dict[tuple[str, str], list[InputError | CampaignError]] = {}
    for problem in problems:
        alike.setdefault((problem.what, problem.mend), []).append(problem)
    shown = [*alike.values()][:_SHOWN]
    for first, *others in shown:
        again = f" ({len(others):,} more like this)" if others else ""
        click.echo(f"error: {visible_line(str(first))}{again}", err=True)
    if more := len(problems) - sum(map(len, shown)):
        click.echo(f"error: {visible_line(path)}: and {more:,} more", err=True)
