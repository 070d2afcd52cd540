"""What the commands share that ask live systems: their options, how far it is, and how it ends."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from judge_tui.cli.commands import option, options
from judge_tui.cli.options import file_name
from judge_tui.cli.printing import refuse_inputs
from judge_tui.cli.progress import show_steps, time_left
from judge_tui.report import FORMS

if TYPE_CHECKING:
    from judge_tui.collect import CollectProgress, CollectRequest, CollectResult

_TEXT = 40
"""Characters of a query that are shown."""


def _folder(ctx: click.Context, option: click.Parameter, value: str) -> Path:
    return Path(file_name(ctx, option, value) or "")


asking_options = options(
    option(
        "--depth",
        group="Systems",
        type=click.IntRange(1, 10_000),
        default=50,
        show_default=True,
        help="Ask for and keep this many results a query.",
    ),
    option(
        "-j",
        "--jobs",
        group="Systems",
        type=click.IntRange(1, 1000),
        default=1,
        show_default=True,
        help="Ask a system this many queries at once.",
    ),
    option("--only", group="Systems", multiple=True, metavar="NAME", help="Ask this system alone."),
    option(
        "--fresh",
        group="Systems",
        is_flag=True,
        help="Forget the answers in DIR and ask everything anew.",
    ),
    option(
        "--retry-failed",
        group="Systems",
        is_flag=True,
        help="Ask the queries that failed before once more.",
    ),
    option(
        "-o",
        "--output",
        "folder",
        group="Output",
        metavar="DIR",
        required=True,
        callback=_folder,
        help="Write into this folder, which is made if need be.",
    ),
    option(
        "-f",
        "--format",
        "form",
        group="Output",
        type=click.Choice(list(FORMS)),
        default="table",
        show_default=True,
        help="Print the summary in this form.",
    ),
)
"""Which systems are asked, as `only`; the form of what is printed, as `form`; and the rest by the
names that `CollectRequest` has for them."""


def collect_from(request: CollectRequest, inputs: Iterable[str | None]) -> CollectResult:
    """Ask the systems; a line on a terminal says how far that is. Interrupted, it says how to go
    on. `inputs`: the files that are read, which nothing is written over. Errors are those of
    `collect`."""
    from judge_tui.collect import collect, files_written

    systems = request.systems
    read = [*(one for one in inputs if one is not None), *map(str, systems.files)]
    for name in (*files_written(systems), *request.pages):
        refuse_inputs(str(request.folder / name), read)
    with _end_as_interrupted():
        try:
            with show_steps() as say:
                return collect(replace(request, on_progress=_show_progress(say)))
        except KeyboardInterrupt:
            which = " without --fresh" if request.fresh else ""
            line = f"interrupted; the same command{which} goes on where it stopped"
            click.echo(line, err=True)
            raise


def _show_progress(
    say: Callable[[str], None], clock: Callable[[], float] = time.monotonic
) -> Callable[[CollectProgress], None]:
    part, begun, before = ("", False), 0.0, 0

    def tell(progress: CollectProgress) -> None:
        nonlocal part, begun, before
        query = progress.query
        if part != (progress.system, query is None):
            part, begun, before = (progress.system, query is None), clock(), progress.done
        left = time_left(progress.done - before, progress.total - before, clock() - begun)
        text = "" if query is None or progress.waits else f"{query.query_id} {query.text[:_TEXT]}"
        place = f"{progress.system} {progress.done:,}/{progress.total:,}"
        say(" ".join(filter(None, (place, left, progress.note, text))))

    return tell


@contextmanager
def _end_as_interrupted() -> Iterator[None]:
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

    with on_signals(end, signal.SIGTERM, signal.SIGHUP):
        yield


@contextmanager
def on_signals(end: Callable[[int, object], None], *endings: signal.Signals) -> Iterator[None]:
    """Call `end` on these signals, but on those that are ignored: under nohup a terminal may go."""
    heard = [one for one in endings if signal.getsignal(one) is not signal.SIG_IGN]
    before = [signal.signal(one, end) for one in heard]
    try:
        yield
    finally:
        for one, usual in zip(heard, before, strict=True):
            signal.signal(one, usual)
