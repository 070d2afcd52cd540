"""The answers of one system as they came, a line of JSON each: what interrupted work goes on from.

The first line says to which settings they were given; a line that a crash cut short is passed over.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Any

from judge_tui.collect.answer import Answer, Hit
from judge_tui.errors import InputError

__all__ = ["ANSWERS", "Journal", "answers_in"]

ANSWERS = ".answers.jsonl"
"""How the names of these files end."""

_VERSION = 1
_OTHERWISE = "use another folder with -o, or --again to begin anew"


class Journal:
    """An append-only file; within `with` it is open for writing, and held against a second writer.

    `answers`: query_id -> the last answer of each query.
    """

    def __init__(self, path: Path, head: Mapping[str, Any], *, begin_anew: bool = False) -> None:
        """Read what is there, unless it is to be forgotten. Raises `InputError` where it is of
        other settings than `head`."""
        self.path = path
        self.answers: dict[str, Answer] = {}
        self._head = {"judge_tui": _VERSION, **head}
        self._there: dict[str, Any] = {}
        self._descriptor: int | None = None
        self._whole = self._size = 0
        self._begin_anew = begin_anew
        if not begin_anew and _is_there(path):
            self._read()

    def be_of(self, expected: str, identity: str) -> None:
        """Note what the system was found to be by a pattern. Raises `InputError` where the answers
        that are there came from what the same pattern found to be another one."""
        now = [expected, identity]
        before = self._there.get("identity", now)
        if before[0] == expected and before != now:
            raise InputError(
                self.path,
                1,
                f"holds answers of a system that said {before[1]!r:.80}, and now it says"
                f" {identity!r:.80}",
                _OTHERWISE,
            )
        self._head["identity"] = now

    def add(self, answer: Answer) -> None:
        """Write an answer; when this returns, the end of this process loses nothing of it.
        Raises `InputError` where it cannot be written."""
        self._write(_bare(asdict(answer)))
        self.answers[answer.query_id] = answer

    def __enter__(self) -> Journal:
        import fcntl  # noqa: PLC0415 - not on every system

        try:
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise _unwritable(self.path, error) from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(descriptor)
            raise InputError(
                self.path, None, "another program collects into it", "wait for its end"
            ) from error
        if not self._begin_anew and os.fstat(descriptor).st_size != self._size:
            os.close(descriptor)
            raise InputError(
                self.path, None, "another program has collected into it meanwhile", "begin again"
            )
        # A line that was cut short would swallow the next one.
        os.ftruncate(descriptor, self._whole)
        os.lseek(descriptor, 0, os.SEEK_END)
        self._descriptor = descriptor
        if not self._whole:
            try:
                self._write(self._head)
            except InputError:
                self.__exit__(None, None, None)
                raise
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        if self._descriptor is not None:
            # What the disk does not take is known by now; a medium without it is no reason to fail.
            with contextlib.suppress(OSError):
                os.fsync(self._descriptor)
            os.close(self._descriptor)
            self._descriptor = None

    def _write(self, record: Mapping[str, Any]) -> None:
        assert self._descriptor is not None, "a journal is written within `with`"  # noqa: S101
        line = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
        left = memoryview(line.encode("utf-8", "backslashreplace") + b"\n")
        try:
            while left:
                left = left[os.write(self._descriptor, left) :]
        except OSError as error:
            raise _unwritable(self.path, error) from error

    def _read(self) -> None:
        head, self._whole, self._size, answers = _read(self.path)
        self._there = head or {}
        told = {name: value for name, value in self._there.items() if name != "identity"}
        if head is not None and told != self._head:
            raise InputError(
                self.path, 1, "holds answers to other settings, or of another depth", _OTHERWISE
            )
        self.answers = {answer.query_id: answer for answer in answers}


def answers_in(path: Path) -> list[Answer]:
    """The answers of a journal, the last one of each query. Raises `InputError`."""
    _head, _whole, _size, answers = _read(path)
    return list({answer.query_id: answer for answer in answers}.values())


def _read(path: Path) -> tuple[dict[str, Any] | None, int, int, list[Answer]]:
    """The first line, None where there is none; the bytes of whole lines, and of all; and all
    answers."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(
            path, None, f"cannot be read: {error.strerror or error}", _OTHERWISE
        ) from error
    whole = data.rfind(b"\n") + 1
    head: dict[str, Any] | None = None
    answers = []
    for number, raw in enumerate(data[:whole].split(b"\n")[:-1], 1):
        try:
            record = json.loads(raw)
            if number > 1:
                answers.append(_answer(record))
            elif record["judge_tui"] == _VERSION:
                head = record
            else:
                raise ValueError
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise InputError(path, number, "is no line of collected answers", _OTHERWISE) from error
    return head, whole, len(data), answers


def _answer(record: Mapping[str, Any]) -> Answer:
    hits = tuple(Hit(**hit) for hit in record.get("hits", ()))
    return Answer(**{**record, "hits": hits})


def _bare(record: dict[str, Any]) -> dict[str, Any]:
    """Without what is as usual: a long collection is long enough."""
    hits = [{n: v for n, v in hit.items() if v not in (None, "")} for hit in record["hits"]]
    return {**record, "hits": hits}


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError as error:  # a folder that may not be looked into, a name that is too long
        raise _unwritable(path, error) from error


def _unwritable(path: Path, error: OSError) -> InputError:
    return InputError(
        path,
        None,
        f"cannot be written: {error.strerror or error}",
        "check the folder, its permissions and the space left",
    )
