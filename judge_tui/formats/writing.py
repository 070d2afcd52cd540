"""Writers of whole files: all or nothing, so that a reader never meets half of one."""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from judge_tui.errors import InputError
from judge_tui.formats.source import STDIN
from judge_tui.formats.trec import qrels_lines, run_lines
from judge_tui.model import Qrels, Run

__all__ = [
    "GZIP",
    "as_named",
    "qrels_bytes",
    "refuse_target",
    "run_bytes",
    "write_atomically",
    "write_run",
    "write_text",
]

GZIP = ".gz"
"""How the names of files end that are compressed as they are written."""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
# A database, and its write-ahead log in both byte orders (sqlite.org/fileformat2.html).
_SQLITE = (b"SQLite format 3\0", b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")
_STREAM = re.compile(r"/dev/(stdin|stdout|stderr)|(?:/dev|/proc/self)/fd/(\d+)")


def write_run(run: Run, path: str | os.PathLike[str]) -> None:
    """Write a run in TREC's six columns; `-` is standard output. See `run_lines` for the order.
    Compressed where the name ends with .gz.

    Raises `UsageError` for what no run file can hold, `InputError` where it cannot be written.
    """
    lines = [as_named(path, run_bytes(run))] if _is_gzip(path) else _marked(run_lines(run))
    write_atomically(path, lines)


def run_bytes(run: Run) -> bytes:
    """The bytes of the file that `write_run` writes, not compressed. Raises `UsageError` as it
    does."""
    return b"".join(_marked(run_lines(run)))


def qrels_bytes(qrels: Qrels) -> bytes:
    """The bytes of qrels in TREC's four columns (`qrels_lines`). Raises `UsageError` for what no
    qrels file can hold."""
    return b"".join(_marked(qrels_lines(qrels)))


def write_text(text: str, path: str | os.PathLike[str]) -> None:
    """Write text as UTF-8, compressed where the name ends with .gz; `-` is standard output. Raises
    `InputError` where it cannot be."""
    write_atomically(path, [as_named(path, text.encode())])


def as_named(path: str | os.PathLike[str], content: bytes) -> bytes:
    """The bytes of a file of that name: compressed where it ends with .gz, and always the same."""
    if not _is_gzip(path):
        return content
    import gzip  # noqa: PLC0415 - few files are

    return gzip.compress(content, mtime=0)


def write_atomically(path: str | os.PathLike[str], pieces: Iterable[bytes]) -> None:
    """Write `pieces` beside `path` and put the file in its place when it is complete and on disk.

    A link stays a link, and its target is replaced; an existing file's permissions stay. `-` is
    standard output; what is no plain file (a pipe, /dev/null) is written to as it is. Whatever
    fails, a file that was there before is as it was. A pipe whose reader has left takes the rest
    for nothing. Raises `InputError`.
    """
    if os.fspath(path) == STDIN:
        sys.stdout.flush()
        sys.stdout.buffer.writelines(pieces)
        sys.stdout.buffer.flush()
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


def _is_gzip(path: str | os.PathLike[str]) -> bool:
    return os.fspath(path).lower().endswith(GZIP)


def refuse_target(path: str | os.PathLike[str]) -> None:
    """Raise `InputError` for a folder, where there is no folder to write to, and for a campaign: a
    slip in `-o` must not cost one."""
    if not Path(os.path.realpath(path)).parent.exists():
        raise InputError(
            path, None, "cannot be written: No such file or directory", "check the folder"
        )
    if Path(path).is_dir():
        raise InputError(path, None, "cannot be written: is a folder", "give a file")
    if _descriptor(path) is None and (_is_database(path) or _belongs_to_database(path)):
        raise InputError(
            path, None, "is an SQLite file, perhaps a campaign", "write to another file"
        )


def _is_database(path: str | os.PathLike[str]) -> bool:
    if not Path(path).is_file():
        return False
    with Path(path).open("rb") as stream:
        return stream.read(16).startswith(_SQLITE)


def _belongs_to_database(path: str | os.PathLike[str]) -> bool:
    """Whether SQLite keeps, or would look for, a part of a database under that name; an empty
    write-ahead log has no magic number to be known by."""
    name = os.path.realpath(path)
    ends = [end for end in ("-wal", "-shm", "-journal") if name.endswith(end)]
    return any(_is_database(name.removesuffix(end)) for end in ends)


def _descriptor(path: str | os.PathLike[str]) -> int | None:
    """The number of the open stream that a path such as /dev/stdout or /dev/fd/3 stands for."""
    match = _STREAM.fullmatch(os.fspath(path))
    if match is None:
        return None
    return {"stdin": 0, "stdout": 1, "stderr": 2}.get(match[1]) if match[1] else int(match[2])


def _replace(target: Path, pieces: Iterable[bytes]) -> None:
    beside = target.with_name(f".{target.name[:100]}.{os.urandom(6).hex()}.part")
    try:
        with beside.open("xb") as stream:
            _write_through(stream, pieces)
        if target.exists():
            beside.chmod(stat.S_IMODE(target.stat().st_mode))
        beside.replace(target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def _write_through(stream: BinaryIO, pieces: Iterable[bytes]) -> None:
    stream.writelines(pieces)
    stream.flush()
    os.fsync(stream.fileno())


def _marked(lines: Iterator[bytes]) -> Iterator[bytes]:
    """The lines, after a byte order mark if they begin with one: readers drop the first."""
    for line in lines:
        if line.startswith(_BYTE_ORDER_MARK):
            yield _BYTE_ORDER_MARK
        yield line
        break
    yield from lines
