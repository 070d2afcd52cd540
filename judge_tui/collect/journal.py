"""The replies of one system as they came, a line of JSON each: what interrupted work goes on from.

The first line says to which settings, and of which system, they are. A line that a crash cut short
is passed over, and cut off before the next one is written.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

from judge_tui.collect.search_system import Hit, Reply
from judge_tui.errors import InputError
from judge_tui.formats.problems import quoted

__all__ = ["REPLIES", "Journal", "read_reply", "replies_in", "reply_line"]

Record = TypeVar("Record")

HEAD = "collect"
"""What lines have that are no records."""

REPLIES = ".answers.jsonl"
"""How the names of journals of replies end."""

_VERSION = 2
_OTHERWISE = "give another folder with -o, or --fresh to begin anew"


class Journal(Generic[Record]):
    """An append-only file of records, open for writing within `with`; `records`: key -> the last
    record of that key."""

    def __init__(
        self,
        path: Path,
        key: Callable[[Record], Hashable],
        write: Callable[[Record], Mapping[str, Any]],
        read: Callable[[Mapping[str, Any]], Record],
        *,
        fresh: bool = False,
    ) -> None:
        """Read what is there, unless it is to be forgotten. Raises `InputError`."""
        self.path = path
        self.records: dict[Any, Record] = {}
        self._key = key
        self._write_record = write
        self._head: dict[str, Any] = {}
        self._whole = 0
        self._descriptor: int | None = None
        for head, line in () if fresh or not path.exists() else _lines(path):
            if head is not None:
                self._head.update(head)
            else:
                with _telling_line(path, None):
                    record = read(line)
                    self.records[key(record)] = record
        if self._head:
            data = path.read_bytes()
            self._whole = data.rfind(b"\n") + 1

    @property
    def identity(self) -> str:
        """What the system said that it is, whose records these are; empty where it is not asked."""
        return str(self._head["identity"])

    @property
    def fingerprint(self) -> str:
        """Of the settings that these are answers to."""
        return str(self._head["fingerprint"])

    def refuse_others(self, fingerprint: str, identity: str) -> None:
        """Raise `InputError` where what is there was answered to other settings, or by a system
        that said it is another one; note both for what is to come."""
        if self._head:
            if "exchanged" in self._head:
                before, now = map(quoted, self._head["exchanged"])
                what = (
                    f"holds answers of a system that was exchanged amid them: {before}, then {now}"
                )
                raise InputError(self.path, None, what, _OTHERWISE)
            if self._head.get("fingerprint") != fingerprint:
                what = "holds answers to other settings, another depth or other documents"
                raise InputError(self.path, 1, what, _OTHERWISE)
            if (before := self._head.get("identity", "")) != identity:
                what = f"holds answers of a system that said {quoted(before)}, and now it says"
                raise InputError(self.path, 1, f"{what} {quoted(identity)}", _OTHERWISE)
        self._head = {HEAD: _VERSION, "fingerprint": fingerprint, "identity": identity}

    def note_exchanged(self, identity: str) -> InputError:
        """Note that the system said something else at the end than before: whose each answer is,
        nobody knows, and they are not read again."""
        pair = [self._head["identity"], identity]
        self._append({HEAD: _VERSION, "exchanged": pair})
        what = "holds answers of a system that was exchanged while it was asked: it said"
        what = f"{what} {quoted(pair[0])} at the start and {quoted(identity)} at the end"
        return InputError(self.path, None, what, _OTHERWISE)

    def add(self, record: Record) -> None:
        """Write a record; when this returns, the end of this process loses nothing of it.
        Raises `InputError` where it cannot be written."""
        self._append(self._write_record(record))
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

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._descriptor is not None:
            # What the disk does not take is known by now; a medium without it is no reason to fail.
            with contextlib.suppress(OSError):
                os.fsync(self._descriptor)
            os.close(self._descriptor)
            self._descriptor = None

    def _append(self, line: Mapping[str, Any]) -> None:
        assert self._descriptor is not None, "a journal is written within `with`"  # noqa: S101
        text = json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"
        left = memoryview(text.encode("utf-8", "backslashreplace"))
        try:
            while left:
                left = left[os.write(self._descriptor, left) :]
        except OSError as error:
            raise _unwritable(self.path, error) from error


def reply_line(reply: Reply) -> dict[str, Any]:
    """A reply as JSON, without what is empty in its hits."""
    line = asdict(reply)
    hits = [{name: v for name, v in hit.items() if v not in (None, "")} for hit in line["hits"]]
    return {**line, "hits": hits}


def read_reply(line: Mapping[str, Any]) -> Reply:
    """What `reply_line` made a line of. Raises `TypeError` or `KeyError`."""
    return Reply(**{**line, "hits": tuple(Hit(**hit) for hit in line["hits"])})


def replies_in(path: Path) -> Iterator[Reply]:
    """Every reply of a journal, earlier ones of a query among them. Raises `InputError`."""
    for head, line in _lines(path):
        if head is None:
            with _telling_line(path, None):
                yield read_reply(line)


def _lines(path: Path) -> Iterator[tuple[dict[str, Any] | None, dict[str, Any]]]:
    """Each whole line: what it says of the journal, or None and its record."""
    try:
        with path.open("rb") as stream:
            for number, raw in enumerate(stream, 1):
                if not raw.endswith(b"\n"):
                    return
                with _telling_line(path, number):
                    line = json.loads(raw)
                    if (number == 1 or HEAD in line) and line[HEAD] != _VERSION:
                        raise ValueError
                yield (line, {}) if HEAD in line else (None, line)
    except OSError as error:
        what = f"cannot be read: {error.strerror or error}"
        raise InputError(path, None, what, _OTHERWISE) from error


@contextlib.contextmanager
def _telling_line(path: Path, number: int | None) -> Iterator[None]:
    try:
        yield
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        what = "holds a line that is no collected answer of this version"
        raise InputError(path, number, what, _OTHERWISE) from error


def _unwritable(path: Path, error: OSError) -> InputError:
    what = f"cannot be written: {error.strerror or error}"
    return InputError(path, None, what, "check the folder, its permissions and the space left")
