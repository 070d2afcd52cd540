"""The files that the words of a command line stand for: folders and patterns taken apart."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from judge_tui.errors import InputError, UsageError
from judge_tui.formats.problems import quoted
from judge_tui.formats.source import STDIN

__all__ = ["run_paths"]


def run_paths(names: Sequence[str]) -> list[str]:
    """The runs, or other files, that `names` stand for, each as it is to be opened and shown.

    A name of something that is there is itself, whatever characters it holds; `-` is standard
    input. A folder gives the files in it that are not hidden, without entering folders in it. A
    pattern that the shell has left alone (`runs/*.gz`, `**/*.run`) gives the files that match it,
    or where only folders do, theirs. Both are in byte order of the names.

    Raises `InputError` for a name of nothing, a pattern that nothing matches and a folder without
    files, and `UsageError` where one file comes twice, by whatever names.
    """
    files = [file for name in names for file in _files(name)]
    origins: dict[str, str] = {}
    for file in files:
        real = STDIN if file == STDIN else os.path.realpath(file)
        if (other := origins.get(real)) is not None:
            called = "standard input" if file == STDIN else quoted(file)
            again = f", once as {quoted(other)}" if other != file else ""
            raise UsageError(f"{called} is given twice{again}", "name each file once")
        origins[real] = file
    return files


def _files(name: str) -> list[str]:
    if name == STDIN:
        return [name]
    if "\0" not in name and os.path.lexists(name):
        return _in_folder(name) if Path(name).is_dir() else [name]
    if "\0" not in name and _is_pattern(name):
        return _matching(name)
    raise InputError(name, None, "there is no such file", "check the path")


def _in_folder(folder: str) -> list[str]:
    try:
        names = [name for name in os.listdir(folder) if not name.startswith(".")]  # noqa: PTH208
    except OSError as error:
        raise InputError(
            folder, None, f"the folder cannot be read: {error.strerror}", "check its permissions"
        ) from error
    # Joined as given, so that ./runs stays ./runs.
    paths = [os.path.join(folder, name) for name in sorted(names, key=os.fsencode)]  # noqa: PTH118
    files = [path for path in paths if _is_file(path)]
    if not files:
        raise InputError(
            folder,
            None,
            "there is no file in this folder",
            "give a folder of files: folders in it are not entered",
        )
    return files


def _is_pattern(name: str) -> bool:
    from glob import has_magic  # noqa: PLC0415 - the shell leaves few of them, and start-up counts

    return has_magic(name)


def _matching(pattern: str) -> list[str]:
    from glob import glob  # noqa: PLC0415 - as above

    found = sorted(set(glob(pattern, recursive=True)), key=os.fsencode)  # noqa: PTH207
    files = [path for path in found if _is_file(path)]
    if files:
        return files
    if not found:
        raise InputError(pattern, None, "no file matches this pattern", "check the path")
    return [file for name in found for file in _files(name)]


def _is_file(path: str) -> bool:
    """Whether it is a file, or a link to nothing: opening that says what is wrong. A pipe, which
    would be waited for, has to be named."""
    return Path(path).is_file() or not Path(path).exists()
