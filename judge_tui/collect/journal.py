"""The replies of one system as they came, a line of JSON each: what interrupted work goes on from.

The first line says to which settings, and of which system, they are. A line that a crash cut short
is passed over, and cut off before the next one is written.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Hashable, Iterator, Mapping
from pathlib import Path
from typing import Any, Generic, Self, TypeVar

from pydantic import TypeAdapter

from judge_tui.collect.search_system import Reply, storable
from judge_tui.errors import InputError
from judge_tui.formats.problems import quoted

Record = TypeVar("Record")

REPLIES = ".answers.jsonl"
"""How the names of journals of replies end."""

_HEAD = "collect"
"""What a line has that is no record."""

_VERSION = 2
_OTHERWISE = "give another folder with -o, or --fresh to begin anew"


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
        self._adapter = TypeAdapter(kind)
        self._key = key
        self._whole = 0
        self._descriptor: int | None = None
        if fresh or not path.exists():
            return
        for line in _read_lines(path):
            if _HEAD in line:
                self.fingerprint, self.identity = line["fingerprint"], line["identity"]
            else:
                record = _read_record(self._adapter, path, line)
                self.records[key(record)] = record
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
        before, now = quoted(self.identity), quoted(identity)
        self.identity = f"{self.identity}, then {identity}"
        self._append(self._head)
        what = "holds answers of a system that was exchanged while it was asked: it said"
        what = f"{what} {before} at the start and {now} at the end"
        return InputError(self.path, None, what, _OTHERWISE)

    def add(self, record: Record) -> None:
        """Write a record; when this returns, the end of this process loses nothing of it.
        Raises `InputError` where it cannot be written."""
        self._append(self._adapter.dump_python(record, exclude_defaults=True))
        self.records[self._key(record)] = record

    def __enter__(self) -> Self:
        try:
            self._descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
            os.ftruncate(self._descriptor, self._whole)
        except OSError as error:
            raise _unwritable(self.path, error) from error
        if not self._whole:
            self._append(self._head)
        return self

    def __exit__(self, *_error: object) -> None:
        if self._descriptor is not None:
            # What the disk does not take is known by now; a medium without it is no reason to fail.
            with contextlib.suppress(OSError):
                os.fsync(self._descriptor)
            os.close(self._descriptor)
            self._descriptor = None

    @property
    def _head(self) -> dict[str, Any]:
        return {_HEAD: _VERSION, "fingerprint": self.fingerprint, "identity": self.identity}

    def _append(self, line: Mapping[str, Any]) -> None:
        assert self._descriptor is not None, "a journal is written within `with`"  # noqa: S101
        text = json.dumps(line, ensure_ascii=False, separators=(",", ":"))
        left = memoryview(f"{storable(text)}\n".encode())
        try:
            while left:
                left = left[os.write(self._descriptor, left) :]
        except OSError as error:
            raise _unwritable(self.path, error) from error


def read_replies(path: Path) -> Iterator[Reply]:
    """Every reply of a journal, earlier ones of a query among them. Raises `InputError`."""
    adapter = TypeAdapter(Reply)
    return (_read_record(adapter, path, line) for line in _read_lines(path) if _HEAD not in line)


def _read_record(adapter: TypeAdapter[Record], path: Path, line: Mapping[str, Any]) -> Record:
    try:
        return adapter.validate_python(line)
    except ValueError as error:
        raise _foreign(path, None) from error


def _read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """Each whole line. Raises `InputError`."""
    try:
        with path.open("rb") as stream:
            for number, raw in enumerate(stream, 1):
                if not raw.endswith(b"\n"):
                    return
                try:
                    line = json.loads(raw)
                    if number == 1 or _HEAD in line:
                        version, _, _ = line[_HEAD], line["fingerprint"], line["identity"]
                        if version != _VERSION:
                            raise ValueError
                except (ValueError, TypeError, KeyError) as error:
                    raise _foreign(path, number) from error
                yield line
    except OSError as error:
        what = f"cannot be read: {error.strerror or error}"
        raise InputError(path, None, what, _OTHERWISE) from error


def _foreign(path: Path, number: int | None) -> InputError:
    what = "holds a line that is no collected answer of this version"
    return InputError(path, number, what, _OTHERWISE)


def _unwritable(path: Path, error: OSError) -> InputError:
    what = f"cannot be written: {error.strerror or error}"
    return InputError(path, None, what, "check the folder, its permissions and the space left")
