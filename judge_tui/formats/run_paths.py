"""The files that the words of a command line stand for: folders and patterns taken apart."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from judge_tui.errors import InputError, UsageError
from judge_tui.formats.collected import SETTINGS
from judge_tui.formats.compression import ENDINGS
from judge_tui.formats.problems import quoted
from judge_tui.formats.source import STDIN
from judge_tui.formats.urls import is_url

PROVENANCE = ".provenance.json"
"""What the file beside exported qrels has behind their name."""


def provenance_beside(file: str | os.PathLike[str]) -> Path:
    """Return the path of the file beside these qrels."""
    return Path(f"{os.fspath(file)}{PROVENANCE}")


def run_paths(names: Sequence[str]) -> list[str]:
    """Return the runs, or other files, that `names` stand for, each as it is to be opened and
    shown.

    A name of something that is there is itself, whatever characters it holds, and so is a URL; `-`
    is standard input. A folder gives the files in it that are not hidden, without entering folders
    in it; of one that `judge-tui collect` wrote into, the runs. A pattern that the shell has left
    alone (`runs/*.gz`, `**/*.run`) gives the files that match it, or where only folders do, theirs.
    Both are in byte order of the names. What lies beside a file to say where it came from is none,
    though the shell has named it, too.

    Raises `InputError` for a name of nothing, a pattern that nothing matches and a folder without
    files, and `UsageError` where one file comes twice, by whatever names.
    """
    return [file for _, file in _once((None, file) for name in names for file in _files(name))]


def named_runs(names: Sequence[str]) -> list[tuple[str | None, str]]:
    """Return the files that words stand for (`run_paths`), each with the tag that `TAG=FILE` gives
    it, or None.

    A name that holds a = and is there, or is a pattern of what is there, is itself; else it is cut
    at the first = behind which a file stands. Raises the same, and `UsageError` for one tag of
    several files.
    """
    return _once(run for name in names for run in _named(name))


def _named(name: str) -> list[tuple[str | None, str]]:
    if "=" not in name or is_there(name):
        return [(None, file) for file in _files(name)]
    signs = [at for at, character in enumerate(name) if character == "=" and at]
    sign = next((at for at in signs if is_there(name[at + 1 :])), None)
    if sign is None:
        mend = "check the path; name a run by TAG=FILE"
        raise InputError(name, None, "there is no such file", mend)
    files = _files(name[sign + 1 :])
    if len(files) > 1:
        what = f"{quoted(name)} gives one tag to {len(files)} files"
        raise UsageError(what, "give each file a tag of its own")
    return [(name[:sign], files[0])]


def _once(runs: Iterable[tuple[str | None, str]]) -> list[tuple[str | None, str]]:
    """Return the files with their tags, less what lies beside others; raises `UsageError` for one
    that comes twice."""
    runs = list(runs)
    provenance = {f"{file}{PROVENANCE}" for _, file in runs}
    runs = [(tag, file) for tag, file in runs if file not in provenance]
    origins: dict[str, str] = {}
    for _, file in runs:
        real = file if file == STDIN or is_url(file) else os.path.realpath(file)
        if real in origins:
            called = "standard input" if file == STDIN else quoted(file)
            again = f", once as {quoted(origins[real])}" if origins[real] != file else ""
            raise UsageError(f"{called} is given twice{again}", "name each file once")
        origins[real] = file
    return runs


def is_there(name: str) -> bool:
    """Whether this names something: a file, a folder, standard input, a pattern that matches, or
    what a URL may find."""
    if not name or "\0" in name:
        return False
    if name == STDIN or is_url(name):
        return True
    return os.path.lexists(name) or bool(_matches(name))


def _files(name: str) -> list[str]:
    if name == STDIN or is_url(name):
        return [name]
    if "\0" not in name and os.path.lexists(name):
        return _in_folder(name) if Path(name).is_dir() else [name]
    if "\0" in name or not _is_pattern(name):
        raise InputError(name, None, "there is no such file", "check the path")
    found = _matches(name)
    if not found:
        raise InputError(name, None, "no file matches this pattern", "check the path")
    return list(filter(_is_file, found)) or [file for folder in found for file in _files(folder)]


def _in_folder(folder: str) -> list[str]:
    try:
        names = [name for name in os.listdir(folder) if not name.startswith(".")]  # noqa: PTH208
    except OSError as error:
        what = f"the folder cannot be read: {error.strerror}"
        raise InputError(folder, None, what, "check its permissions") from error
    if SETTINGS in names:
        names = _runs_among(names)
    # Joined as given, so that ./runs stays ./runs.
    paths = [os.path.join(folder, name) for name in sorted(names, key=os.fsencode)]  # noqa: PTH118
    files = [path for path in paths if _is_file(path)]
    if not files:
        mend = "give a folder that holds files itself"
        raise InputError(folder, None, "there is no file in this folder", mend)
    return files


def _runs_among(names: Sequence[str]) -> list[str]:
    """Return the runs, compressed or not; once, where one is there as both."""
    runs = {name for name in names if name.endswith(".run")}
    packed = ((name, name.removesuffix(ending)) for name in names for ending in ENDINGS)
    return [*runs, *(name for name, run in packed if run.endswith(".run") and run not in runs)]


def _is_pattern(name: str) -> bool:
    return not {*"*?["}.isdisjoint(name)


def _matches(pattern: str) -> list[str]:
    """Return the paths that match, in byte order; none where it is not a pattern."""
    if not _is_pattern(pattern):
        return []
    from glob import glob  # noqa: PLC0415 - the shell leaves few of them, and start-up counts

    return sorted(set(glob(pattern, recursive=True)), key=os.fsencode)  # noqa: PTH207


def _is_file(path: str) -> bool:
    """Whether it is a file, or a link to nothing: opening that says what is wrong. A pipe, which
    would be waited for, has to be named."""
    return Path(path).is_file() or not Path(path).exists()
