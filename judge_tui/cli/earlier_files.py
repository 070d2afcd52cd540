"""What an earlier run left in a folder, where this one ends before it has written it anew."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import click

from judge_tui.cli.printing import print_aside
from judge_tui.errors import JudgeTuiError

__all__ = ["telling_of_earlier"]


@contextmanager
def telling_of_earlier(folder: str, names: Iterable[str]) -> Iterator[None]:
    """Where the block ends with an error or is interrupted, say which of the files of these names
    in the folder are of an earlier run: a build that keeps the folder would keep them as those of
    this one."""
    before = {name: _written(Path(folder) / name) for name in names}
    try:
        yield
    except (JudgeTuiError, click.UsageError, KeyboardInterrupt):
        there = [name for name, at in before.items() if at and at == _written(Path(folder) / name)]
        if there:
            are = "is" if len(there) == 1 else "are"
            print_aside(
                [f"{', '.join(there)} in {folder} {are} of an earlier run, not of this one"]
            )
        raise


def _written(path: Path) -> tuple[int, int] | None:
    """Which file it is, and of when: one that is written anew is another one."""
    with suppress(OSError):
        if path.is_file():
            found = path.stat()
            return found.st_ino, found.st_mtime_ns
    return None
