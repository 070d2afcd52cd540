"""What `collect` and `evaluate` share: how live systems are asked, and how far that is."""

from __future__ import annotations

import math
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from judge_tui.cli.earlier_files import telling_of_earlier
from judge_tui.cli.options import named_file
from judge_tui.cli.printing import print_aside, refuse_inputs
from judge_tui.cli.progress import saying, seldom
from judge_tui.report import FORMS
from judge_tui.visible import visible_line

if TYPE_CHECKING:
    from judge_tui.collect import Collection, Progress, Systems
    from judge_tui.model import Query

__all__ = ["AskingOptions", "asking_options", "collected_from"]

Command = TypeVar("Command", bound=Callable[..., Any])

_TEXT = 40

_LONG_REST = 5
"""Seconds for which a system is left alone that a log tells."""


@dataclass(frozen=True, slots=True)
class AskingOptions:
    """What a user says of how systems are asked: `only` these, or all where it is empty; `jobs`
    queries of one at once; `depth` results kept of each; what comes is written into `folder`."""

    folder: str
    depth: int
    jobs: int
    only: tuple[str, ...]
    again_failed: bool
    again: bool


def asking_options(command: Command) -> Command:
    """`-o`, `--depth`, `-j`, `--only`, `--again-failed` and `--again`, which the command gets as
    `asking`; and `-f`, which it gets as `form`."""

    @wraps(command)
    def with_asking(**given: Any) -> Any:
        asking = AskingOptions(**{name: given.pop(name) for name in AskingOptions.__slots__})
        return command(asking=asking, **given)

    for option in (
        click.option(
            "-f",
            "--format",
            "form",
            type=click.Choice(list(FORMS)),
            default="table",
            show_default=True,
            help="How the summary is written.",
        ),
        click.option(
            "--again", is_flag=True, help="Forget the answers in DIR and ask everything anew."
        ),
        click.option(
            "--again-failed", is_flag=True, help="Ask the queries that failed before once more."
        ),
        click.option(
            "--only", multiple=True, metavar="NAME", help="Ask this system alone; repeatable."
        ),
        click.option(
            "-j",
            "--jobs",
            type=click.IntRange(1, 1000),
            default=1,
            show_default=True,
            help="Queries of one system asked at once; more of them slow each other's answers"
            " down.",
        ),
        click.option(
            "--depth",
            type=click.IntRange(1, 10_000),
            default=50,
            show_default=True,
            help="Results asked for and kept per query.",
        ),
        click.option(
            "-o",
            "--output",
            "folder",
            metavar="DIR",
            required=True,
            callback=named_file,
            help="The folder to write to; made if need be.",
        ),
    ):
        with_asking = option(with_asking)
    return cast("Command", with_asking)


def collected_from(
    systems: Systems,
    queries: Sequence[Query],
    asking: AskingOptions,
    *,
    inputs: Iterable[str | None],
    also_written: Iterable[str] = (),
) -> Collection:
    """Ask the systems; a line on a terminal says how far that is, and one in a log where a system
    is left alone for long. Interrupted, it says how to go on. `inputs`: the files that are read,
    which nothing is written over; `also_written`: the names of what the caller writes into the
    folder. Errors are those of `collect`."""
    from judge_tui.collect import (
        collect_all,
        files_handed_on,
        files_written,
        task_files,
        task_files_handed_on,
    )

    read = [one for one in inputs if one is not None]
    read += [str(system.documents) for system in systems.systems if system.documents]
    read += [
        str(system.folder / arm.documents)
        for system in systems.tasks
        for arm in system.tasks.arms
        if arm.documents
    ]
    searched, put = ([one.name for one in its] for its in (systems.systems, systems.tasks))
    for name in (*files_written(searched), *task_files(put), *also_written):
        refuse_inputs(str(Path(asking.folder) / name), read)

    print_aside(
        f"{where} is written out in {systems.path}; write it as ${{NAME}}, from the environment"
        for where in systems.secrets.written_out
    )
    print_aside(systems.notes)
    dropped = False

    def begun() -> None:
        nonlocal dropped
        dropped = asking.again

    handed_on = (*files_handed_on(searched), *task_files_handed_on(put))
    with telling_of_earlier(asking.folder, handed_on), _ended_as_interrupted():
        try:
            with saying() as say:
                collection = collect_all(
                    systems,
                    queries,
                    asking.folder,
                    depth=asking.depth,
                    at_once=asking.jobs,
                    again=asking.again,
                    again_failed=asking.again_failed,
                    told=_telling(say),
                    begun=begun,
                )
        except KeyboardInterrupt:
            which = "the same command without --again" if dropped else "the same command"
            click.echo(f"interrupted; {which} goes on where it stopped", err=True)
            raise
    print_aside([*_about(collection, asking.folder), *_stale(systems, asking.folder)])
    return collection


def _telling(say: Callable[[str], None]) -> Callable[[Progress], None]:
    """Says how far it is, and in a log where a system is left alone for long."""
    log = seldom()

    def told(progress: Progress) -> None:
        now, rest = progress.query, progress.rest
        place = f"{progress.system} {progress.done}/{progress.queries}"
        if rest is not None:
            waits = visible_line(f"{place} waits {math.ceil(rest.seconds):,} s ({rest.why})")
            say(waits)
            if rest.seconds >= _LONG_REST:
                log(progress.system, waits)
            return
        asked = (now.query_id, progress.what, now.text[:_TEXT]) if now else (progress.what,)
        say(visible_line(" ".join(one for one in (place, *asked) if one)))

    return told


def _about(collection: Collection, folder: str) -> Iterator[str]:
    """What came of asking, this time. A system that has changed since it answered gives the old
    numbers, which is to be known."""
    notes = [(one.name, one.notes) for one in collection.systems]
    notes += [(one.name, one.notes) for one in collection.tasks]
    yield from (f"{name}: {note}" for name, its in notes for note in its)
    yield from collection.notes
    counts = [(one.name, one.kept, len(one.replies)) for one in collection.systems]
    counts += [(one.name, one.kept, len(one.tasks) * len(one.arms)) for one in collection.tasks]
    for name, kept, count in counts:
        if kept:
            were = "answer was" if count == 1 else "answers were"
            yield (
                f"{name}: {kept:,} of {count:,} {were} in {folder} already and not asked for again;"
                " --again asks anew"
            )


def _stale(systems: Systems, folder: str) -> Iterator[str]:
    """Runs that whoever takes all of the folder takes as well."""
    from judge_tui.collect import REPLIES

    runs = sorted(path.name.removesuffix(REPLIES) for path in Path(folder).glob(f"*{REPLIES}"))
    known = {name.casefold() for name in systems.names}
    if gone := [name for name in runs if name.casefold() not in known]:
        yield (
            f"{folder} holds files of what is not in {systems.path}: {', '.join(gone)};"
            f" {folder}/*.run names {'it' if len(gone) == 1 else 'them'}, too"
        )


@contextmanager
def _ended_as_interrupted() -> Iterator[None]:
    """However it is ended: what it started is ended with it, and what was answered is whole."""
    ended = False

    def end(*_: object) -> None:
        nonlocal ended
        if ended:  # a terminal that goes may tell it twice, and the end takes a moment
            return
        ended = True
        if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
            # So a shell starts what it does not wait for: Ctrl+c is not for that one, this is.
            raise KeyboardInterrupt
        signal.raise_signal(signal.SIGINT)

    # Under nohup a terminal may go.
    endings = [
        ending
        for ending in (signal.SIGTERM, signal.SIGHUP)
        if signal.getsignal(ending) is not signal.SIG_IGN
    ]
    before = [signal.signal(ending, end) for ending in endings]
    try:
        yield
    finally:
        for ending, usual in zip(endings, before, strict=True):
            signal.signal(ending, usual)
