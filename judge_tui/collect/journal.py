"""What came from one system, a line of JSON each as it came: what interrupted work goes on from.

The first line says to which settings, and of which system, the others are. A line that a crash cut
short is passed over, and cut off before the next one is written.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Hashable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Generic, Literal, Self, TypeVar

from pydantic import TypeAdapter

from judge_tui.collect.search_system import Reply
from judge_tui.errors import InputError
from judge_tui.formats.problems import quoted

Record = TypeVar("Record")

REPLIES = ".answers.jsonl"
"""How the names of journals of replies end."""

_OTHERWISE = "give another folder with -o, or --fresh to begin anew"


@dataclass(frozen=True, slots=True)
class Head:
    """A line that is not a record: of which settings and which system those behind it are.

    `collect`: the version of this form."""

    collect: Literal[2]
    fingerprint: str
    identity: str


class Journal(Generic[Record]):
    """An append-only file of records, dataclasses of one `kind`, open for writing within `with`;
    `records`: key -> the last record of that key. `identity`: what the system said that it is."""

    def __init__(
        self,
        path: Path,
        kind: type[Record],
        key: Callable[[Record], Hashable],
        *,
        fresh: bool = False,
    ) -> None:
        """Read what is there, unless it is to be forgotten. Raises `InputError`."""
        self.path = path
        self.records: dict[Any, Record] = {}
        self.fingerprint = self.identity = ""
        self._key = key
        self._dump = TypeAdapter(kind).dump_python
        self._whole = 0
        self._descriptor: int | None = None
        if fresh or not path.exists():
            return
        for line in _read_lines(path, kind):
            if isinstance(line, Head):
                self.fingerprint, self.identity = line.fingerprint, line.identity
            else:
                self.records[key(line)] = line
        self._whole = path.read_bytes().rfind(b"\n") + 1

    def refuse_others(self, fingerprint: str, identity: str) -> None:
        """Raise `InputError` where what is there was answered to other settings, or by a system
        that said it is another one; note both for what is to come."""
        if self._whole and self.fingerprint != fingerprint:
            what = "holds answers to other settings, another depth or other documents"
            raise InputError(self.path, 1, what, _OTHERWISE)
        if self._whole and self.identity != identity:
            what = f"holds answers of a system that said {quoted(self.identity)}, and now it says"
            raise InputError(self.path, 1, f"{what} {quoted(identity)}", _OTHERWISE)
        self.fingerprint, self.identity = fingerprint, identity

    def note_exchanged(self, identity: str) -> InputError:
        """Note that the system said something else at the end than before: whose each answer is,
        nobody knows, and they are those of neither."""
        what = "holds answers of a system that was exchanged while it was asked: it said"
        what = f"{what} {quoted(self.identity)} at the start and {quoted(identity)} at the end"
        self.identity = f"{self.identity}, then {identity}"
        self._append_head()
        return InputError(self.path, None, what, _OTHERWISE)

    def add(self, record: Record) -> None:
        """Write a record; when this returns, the end of this process loses nothing of it.
        Raises `InputError` where it cannot be written."""
        self._append(self._dump(record, exclude_defaults=True))
        self.records[self._key(record)] = record

    def __enter__(self) -> Self:
        try:
            self._descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
            os.ftruncate(self._descriptor, self._whole)
        except OSError as error:
            raise _unwritable(self.path, error) from error
        if not self._whole:
            self._append_head()
        return self

    def __exit__(self, *_error: object) -> None:
        if self._descriptor is not None:
            # What the disk does not take is known by now; a medium without it is no reason to fail.
            with contextlib.suppress(OSError):
                os.fsync(self._descriptor)
            os.close(self._descriptor)
            self._descriptor = None

    def _append_head(self) -> None:
        self._append(asdict(Head(2, self.fingerprint, self.identity)))

    def _append(self, line: dict[str, Any]) -> None:
        assert self._descriptor is not None, "a journal is written within `with`"  # noqa: S101
        text = json.dumps(line, ensure_ascii=False, separators=(",", ":"))
        left = memoryview(f"{text}\n".encode("utf-8", "replace"))  # JSON may have half a surrogate
        try:
            while left:
                left = left[os.write(self._descriptor, left) :]
        except OSError as error:
            raise _unwritable(self.path, error) from error


def read_replies(path: Path) -> Iterator[Reply]:
    """Every reply of a journal, earlier ones of a query among them. Raises `InputError`."""
    return (line for line in _read_lines(path, Reply) if isinstance(line, Reply))


def _read_lines(path: Path, kind: type[Record]) -> Iterator[Head | Record]:
    """Each whole line. Raises `InputError`."""
    any_line: Any = Head | kind
    head, adapter = TypeAdapter[Any](Head), TypeAdapter[Any](any_line)
    try:
        with path.open("rb") as stream:
            for number, raw in enumerate(stream, 1):
                if not raw.endswith(b"\n"):
                    return
                try:
                    line = (head if number == 1 else adapter).validate_json(raw)
                except ValueError as error:
                    what = "this line is not one that this version of collect wrote"
                    raise InputError(path, number, what, "move the file away") from error
                yield line
    except OSError as error:
        what = f"cannot be read: {error.strerror or error}"
        raise InputError(path, None, what, "make it readable, or move it away") from error


def _unwritable(path: Path, error: OSError) -> InputError:
    what = f"cannot be written: {error.strerror or error}"
    return InputError(path, None, what, "check the folder, its permissions and the space left")
