"""What `collect` and `evaluate` share: how live systems are asked, and how far that is."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import click

from judge_tui.cli.options import Command, file_name, gathered
from judge_tui.cli.printing import refuse_inputs
from judge_tui.cli.progress import saying, seldom
from judge_tui.report import FORMS
from judge_tui.visible import visible_line

if TYPE_CHECKING:
    from judge_tui.collect import Collection, Progress, Systems
    from judge_tui.model import Document, Query

__all__ = ["AskingOptions", "asking_options", "collect_from"]

_TEXT = 40
_LONG_WAIT = 5
"""Seconds of waiting that are written into a log."""


class AskingOptions(NamedTuple):
    """How systems are asked: `only` these (all where it is empty), `jobs` queries at once, `depth`
    results of each; what comes is written into `folder`."""

    folder: str
    depth: int
    jobs: int
    only: tuple[str, ...]
    fresh: bool
    retry_failed: bool


def asking_options(command: Command) -> Command:
    """The options of `AskingOptions`, which the command gets as `asking`; and `-f`, as `form`."""
    gathering = gathered(command, "asking", AskingOptions)

    @wraps(command)
    def with_asking(**given: Any) -> Any:
        given["retry_failed"] |= given.pop("again_failed")
        given["fresh"] |= given.pop("again")
        if given["fresh"] and given["retry_failed"]:
            raise click.UsageError("--fresh asks everything anew, --retry-failed what failed")
        return gathering(**given)

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
        click.option("--again-failed", is_flag=True, hidden=True),
        click.option("--again", is_flag=True, hidden=True),
        click.option(
            "--retry-failed", is_flag=True, help="Ask the queries that failed before once more."
        ),
        click.option(
            "--fresh", is_flag=True, help="Forget the answers in DIR and ask everything anew."
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
            help="Queries of one system asked at once, which slow each other down.",
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
            callback=file_name,
            help="The folder to write to; made if need be.",
        ),
    ):
        with_asking = option(with_asking)
    return cast("Command", with_asking)


def collect_from(
    systems: Systems,
    queries: Sequence[Query],
    asking: AskingOptions,
    *,
    inputs: Iterable[str | None],
    also_written: Sequence[str] = (),
    candidates: Mapping[str, Sequence[Document]] = MappingProxyType({}),
) -> Collection:
    """Ask the systems; a line on a terminal says how far that is, and one in a log where it waits
    for long. Interrupted, it says how to go on. `inputs`: the files that are read, which nothing is
    written over; `also_written`: what the caller writes into the folder, where earlier ones go
    first. Errors are those of `collect`."""
    from judge_tui.collect import collect, files_written, task_files

    read = [*(one for one in inputs if one is not None), *map(str, systems.files)]
    names = (*files_written(systems.searched), *task_files(systems.tasks), *also_written)
    for name in names:
        refuse_inputs(str(Path(asking.folder) / name), read)
    for name in also_written:  # so that none of an earlier run stays where this one fails
        if (earlier := Path(asking.folder) / name).is_file():
            earlier.unlink()
    begun = False

    with _ended_as_interrupted():
        try:
            with saying() as say:
                tell = _telling(say)

                def on_progress(progress: Progress) -> None:
                    nonlocal begun
                    begun = begun or not progress.trial
                    tell(progress)

                collection = collect(
                    systems,
                    queries,
                    asking.folder,
                    depth=asking.depth,
                    jobs=asking.jobs,
                    fresh=asking.fresh,
                    retry_failed=asking.retry_failed,
                    candidates=candidates,
                    on_progress=on_progress,
                )
        except KeyboardInterrupt:
            which = " without --fresh" if asking.fresh and begun else ""
            click.echo(f"interrupted; the same command{which} goes on where it stopped", err=True)
            raise
    return collection


def _telling(say: Callable[[str], None]) -> Callable[[Progress], None]:
    log = seldom()

    def tell(progress: Progress) -> None:
        place = f"{progress.system} {progress.done}/{progress.total}"
        if progress.waits:
            line = visible_line(f"{place} {progress.note}")
            say(line)
            if progress.waits >= _LONG_WAIT:
                log(progress.system, line)
            return
        query = progress.query
        asked = (query.query_id, progress.note, query.text[:_TEXT]) if query else (progress.note,)
        say(visible_line(" ".join(one for one in (place, *asked) if one)))

    return tell


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
