"""The files that the words of a command line stand for: folders and patterns taken apart."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path

from judge_tui.errors import InputError, UsageError
from judge_tui.formats.compression import ENDINGS
from judge_tui.formats.problems import quoted
from judge_tui.formats.source import STDIN
from judge_tui.formats.whole_files import read_runs

__all__ = [
    "COLLECTED",
    "DOCUMENTS_FILE",
    "PROVENANCE",
    "named_runs",
    "provenance_beside",
    "run_paths",
    "without_provenance",
]

COLLECTED = "collect.json"
"""In a folder that live systems were collected into; beside it, runs are files *.run alone, be they
compressed."""

DOCUMENTS_FILE = "documents.jsonl"
"""What live systems said of the documents that they found, in such a folder."""

PROVENANCE = ".provenance.json"
"""What the file beside exported qrels has behind their name."""


def provenance_beside(file: str | os.PathLike[str]) -> Path:
    """Where the file beside these qrels is."""
    return Path(f"{os.fspath(file)}{PROVENANCE}")


def without_provenance(files: Sequence[str]) -> list[str]:
    """The files less those that lie beside others of them to say where these came from."""
    beside = {f"{file}{PROVENANCE}" for file in files}
    return [file for file in files if file not in beside]


def run_paths(names: Sequence[str]) -> list[str]:
    """The runs, or other files, that `names` stand for, each as it is to be opened and shown.

    A name of something that is there is itself, whatever characters it holds; `-` is standard
    input. A folder gives the files in it that are not hidden, without entering folders in it; of
    one that `judge-tui collect` wrote into, the runs. A
    pattern that the shell has left alone (`runs/*.gz`, `**/*.run`) gives the files that match it,
    or where only folders do, theirs. Both are in byte order of the names. What lies beside a file
    to say where it came from is none, though the shell has named it, too.

    Raises `InputError` for a name of nothing, a pattern that nothing matches and a folder without
    files, and `UsageError` where one file comes twice, by whatever names.
    """
    files = without_provenance([file for name in names for file in _files(name)])
    _refuse_twice(files)
    return files


def named_runs(names: Sequence[str]) -> list[tuple[str | None, str]]:
    """The same, each file with the tag that it is given by `TAG=FILE`, or None.

    A name that holds a = and is there, or is a pattern of what is there, is itself; else it is cut
    at the first = behind which a file stands. A file of several snapshots may come once for each:
    the tag says which. Raises the same, and `UsageError` for one tag of several files.
    """
    every = [run for name in names for run in _named(name)]
    files = {*without_provenance([file for _, file in every])}
    named = [run for run in every if run[1] in files]
    _refuse_twice([file for _, file in named], [tag for tag, _ in named])
    return named


def _named(name: str) -> list[tuple[str | None, str]]:
    if "=" not in name or _is_there(name):
        return [(None, file) for file in _files(name)]
    signs = [at for at, character in enumerate(name) if character == "=" and at]
    sign = next((at for at in signs if _is_there(name[at + 1 :])), None)
    if sign is None:
        raise InputError(
            name, None, "there is no such file", "check the path; a run is named by TAG=FILE"
        )
    tag, files = name[:sign], _files(name[sign + 1 :])
    if len(files) > 1:
        raise UsageError(
            f"{quoted(name)} gives one tag to {len(files)} files", "give each file a tag of its own"
        )
    return [(tag, files[0])]


def _is_there(name: str) -> bool:
    """Whether this names something: a file, a folder, standard input, a pattern that matches."""
    if name == STDIN:
        return True
    if not name or "\0" in name:
        return False
    if os.path.lexists(name):
        return True
    if not _is_pattern(name):
        return False
    from glob import glob  # noqa: PLC0415 - as in _matching

    return bool(glob(name, recursive=True))  # noqa: PTH207


def _refuse_twice(files: Sequence[str], tags: Sequence[str | None] = ()) -> None:
    """`tags`: those that the files are given, in their order."""
    origins: dict[str, str] = {}
    chosen: set[tuple[str, str]] = set()
    for file, tag in zip_longest(files, tags):
        real = STDIN if file == STDIN else os.path.realpath(file)
        snapshot = real, tag or ""
        other = origins.get(real)
        if other is not None and (
            snapshot in chosen or tag is None or file == STDIN or not _has_several(file)
        ):
            called = "standard input" if file == STDIN else quoted(file)
            again = f", once as {quoted(other)}" if other != file else ""
            raise UsageError(f"{called} is given twice{again}", "name each file once")
        origins.setdefault(real, file)
        chosen.add(snapshot)


def _has_several(file: str) -> bool:
    """Whether there are several runs in a file. What is wrong with it, who reads it will say."""
    try:
        return len(read_runs(file)) > 1
    except InputError:
        return False


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
    if COLLECTED in names:
        names = _runs_among(names)
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


def _runs_among(names: Sequence[str]) -> list[str]:
    """The runs, compressed or not; once, where one is there as both."""
    runs = {name for name in names if name.endswith(".run")}
    packed = ((name, name.removesuffix(ending)) for name in names for ending in ENDINGS)
    return [*runs, *(name for name, run in packed if run.endswith(".run") and run not in runs)]


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
