"""Files written whole: all or nothing, so that a reader never meets half of one."""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from time import time
from typing import TextIO

from judge_tui.errors import InputError, UsageError
from judge_tui.formats.source import STDIN
from judge_tui.formats.trec import qrels_lines, run_lines
from judge_tui.model import Qrels, Run
from judge_tui.visible import visible

ROW_FORMS = {"csv": (".csv",), "jsonl": (".jsonl", ".ndjson")}
"""The forms that rows are written in, and how names of such files end."""

_GZIP = ".gz"
_PART = ".part"
_LEFT_BEHIND = 3_600
"""Seconds: nobody who still writes a file pauses for as long."""
_BYTE_ORDER_MARK = "\ufeff"
# A database, and its write-ahead log in both byte orders (sqlite.org/fileformat2.html).
_SQLITE = (b"SQLite format 3\0", b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")
_STREAM = re.compile(r"/dev/(stdin|stdout|stderr)|(?:/dev|/proc/self)/fd/(\d+)")


def write_run(run: Run, path: str | os.PathLike[str]) -> None:
    """Write a run in TREC's six columns, as `write_lines` does. See `run_lines` for the order.

    Raises `UsageError` for what no run file can hold, `InputError` where it cannot be written.
    """
    write_lines(path, run_lines(run))


def qrels_bytes(qrels: Qrels) -> bytes:
    """Return the bytes of qrels in TREC's four columns (`qrels_lines`). Raises `UsageError` for
    what no qrels file can hold."""
    return bytes_of(qrels_lines(qrels))


def write_text(text: str, path: str | os.PathLike[str]) -> None:
    """Write a text as `write_lines` does. Raises `InputError` where it cannot be."""
    write_lines(path, [text])


def write_lines(path: str | os.PathLike[str], lines: Iterable[str]) -> None:
    """Write them as UTF-8, all or nothing, compressed where the name ends with .gz; `-` is standard
    output.

    On a terminal, which would obey what is foreign, they are shown and not written. Raises
    `InputError` where the file cannot be written.
    """
    if os.fspath(path) == STDIN and _standard_output().isatty():
        lines = map(visible, lines)
    write_atomically(path, [as_named(path, bytes_of(lines))] if _is_gzip(path) else _encoded(lines))


def bytes_of(lines: Iterable[str]) -> bytes:
    """Return the bytes of the file that `write_lines` writes, not compressed."""
    return b"".join(_encoded(lines))


def as_named(path: str | os.PathLike[str], content: bytes) -> bytes:
    """Return the bytes of a file of that name: compressed where it ends with .gz, and always the
    same."""
    if not _is_gzip(path):
        return content
    import gzip  # noqa: PLC0415 - few files are

    return gzip.compress(content, mtime=0)


def form_of(path: str | os.PathLike[str], form: str | None = None) -> str:
    """Return the form of rows asked for, `csv` or `jsonl`, else the one that the file's name ends
    with, less a .gz; `-` is CSV. Raises `UsageError` where neither says it."""
    if form is not None:
        return form
    name = os.fspath(path)
    for known, ends in ROW_FORMS.items():
        if name.lower().removesuffix(_GZIP).endswith(ends):
            return known
    if name == STDIN:
        return "csv"
    raise UsageError(
        f"{name} does not say whether it is CSV or JSON Lines",
        "name it FILE.csv or FILE.jsonl, or say -f csv or -f jsonl",
    )


def write_atomically(path: str | os.PathLike[str], pieces: Iterable[bytes]) -> None:
    """Write `pieces` beside `path` and put the file in its place when it is complete and on disk.

    A link stays a link, and its target is replaced; an existing file's permissions stay. `-` is
    standard output; what is not a plain file (a pipe, /dev/null) is written to as it is. Whatever
    fails, a file that was there before is as it was. A pipe whose reader has left takes the rest
    for nothing. Raises `InputError`.
    """
    if os.fspath(path) == STDIN:
        output = _standard_output()
        output.flush()
        output.buffer.writelines(pieces)
        output.buffer.flush()
        return
    try:
        refuse_target(path)
        if (number := _descriptor(path)) is not None:
            # Opened by its name, a redirected stream would be emptied or replaced.
            with os.fdopen(os.dup(number), "wb") as stream:
                stream.writelines(pieces)
        elif Path(path).exists() and not Path(path).is_file():
            with Path(path).open("wb") as stream:
                stream.writelines(pieces)
        else:
            _replace(Path(os.path.realpath(path)), pieces)
    except BrokenPipeError:
        pass  # who reads has enough: no fault, and nobody to tell
    except OSError as error:
        raise InputError(
            path,
            None,
            f"cannot be written: {error.strerror or error}",
            "check the folder, its permissions and the space left",
        ) from error


@contextmanager
def writing_beside(path: Path, lines: Iterable[str]) -> Iterator[None]:
    """Write the file that stands beside the one that is written in the block: first, and both or
    none. Where the block fails or is interrupted, it is as it was."""
    before = path.read_bytes() if path.is_file() else None
    write_lines(path, lines)
    with ExitStack() as undo:
        if before is None:
            undo.callback(path.unlink)
        else:
            undo.callback(write_atomically, path, [before])
        yield
        undo.pop_all()


def _standard_output() -> TextIO:
    if sys.stdout is None:  # as Python has it after `>&-`
        raise UsageError("standard output is closed", "write to a file with -o FILE")
    return sys.stdout


def is_stream(path: str | os.PathLike[str]) -> bool:
    """Whether it is not a file among others in a folder: `-`, an open stream such as /dev/stdout, a
    pipe, a device."""
    is_other = Path(path).exists() and not Path(path).is_file() and not Path(path).is_dir()
    return os.fspath(path) == STDIN or _descriptor(path) is not None or is_other


def refuse_existing(*paths: str | os.PathLike[str]) -> None:
    """Raise `InputError` for a file that is there."""
    for path in paths:
        if not is_stream(path) and Path(path).is_file():
            refuse_target(path)
            raise InputError(path, None, "is there already", "write over it with --force")


def refuse_target(path: str | os.PathLike[str]) -> None:
    """Raise `InputError` for a folder, where there is no folder to write to, and for a campaign: a
    slip in `-o` must not cost one."""
    if not Path(os.path.realpath(path)).parent.exists():
        raise InputError(
            path, None, "cannot be written: No such file or directory", "check the folder"
        )
    if Path(path).is_dir():
        raise InputError(path, None, "cannot be written: is a folder", "give a file")
    if _descriptor(path) is None and (is_database(path) or _belongs_to_database(path)):
        raise InputError(
            path, None, "is an SQLite file, perhaps a campaign", "write to another file"
        )


def is_database(path: str | os.PathLike[str]) -> bool:
    """Whether it is an SQLite file, such as a campaign, or the log of one."""
    if not Path(path).is_file():
        return False
    with Path(path).open("rb") as stream:
        return stream.read(16).startswith(_SQLITE)


def _belongs_to_database(path: str | os.PathLike[str]) -> bool:
    """Whether SQLite keeps, or would look for, a part of a database under that name; an empty
    write-ahead log has no magic number to be known by."""
    name = os.path.realpath(path)
    ends = [end for end in ("-wal", "-shm", "-journal") if name.endswith(end)]
    return any(is_database(name.removesuffix(end)) for end in ends)


def _descriptor(path: str | os.PathLike[str]) -> int | None:
    """Return the number of the open stream that a path such as /dev/stdout or /dev/fd/3 stands
    for."""
    match = _STREAM.fullmatch(os.fspath(path))
    if match is None:
        return None
    return {"stdin": 0, "stdout": 1, "stderr": 2}.get(match[1]) if match[1] else int(match[2])


def remove_leftovers(path: Path, ending: str) -> None:
    """Remove what programs left that were killed while they wrote the file of that name."""
    with suppress(OSError):
        for one in path.parent.iterdir():
            is_one = one.name.startswith(f".{path.name[:100]}.") and one.suffix == ending
            if is_one and time() - one.stat().st_mtime > _LEFT_BEHIND:
                one.unlink()


def _replace(target: Path, pieces: Iterable[bytes]) -> None:
    remove_leftovers(target, _PART)
    beside = target.with_name(f".{target.name[:100]}.{os.urandom(6).hex()}{_PART}")
    mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else None

    def created(path: str, flags: int) -> int:
        # Nobody reads what is written who cannot read what is replaced.
        return os.open(path, flags, 0o666 if mode is None else mode)

    try:
        with open(beside, "xb", opener=created) as stream:
            stream.writelines(pieces)
            if mode is not None:
                os.fchmod(stream.fileno(), mode)
            stream.flush()
            os.fsync(stream.fileno())
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)  # it is there only where something went wrong
    with suppress(OSError):  # it is there; that its name outlives a power cut, not every disk says
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _is_gzip(path: str | os.PathLike[str]) -> bool:
    return os.fspath(path).lower().endswith(_GZIP)


def _encoded(lines: Iterable[str]) -> Iterator[bytes]:
    """Yield the lines, after a byte order mark if they begin with one: readers drop the first."""
    lines = iter(lines)
    for line in lines:
        yield f"{_BYTE_ORDER_MARK * line.startswith(_BYTE_ORDER_MARK)}{line}".encode()
        break
    yield from map(str.encode, lines)
