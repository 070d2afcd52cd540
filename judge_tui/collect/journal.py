"""The answers of one system as they came, a line of JSON each: what interrupted work goes on from.

The first line says to which settings they were given; a line that a crash cut short is passed over.
"""

from __future__ import annotations

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
        self._descriptor: int | None = None
        self._whole = 0
        if path.exists() and not begin_anew:
            self._read()

    def add(self, answer: Answer) -> None:
        """Write an answer; when this returns, the end of this process loses nothing of it."""
        assert self._descriptor is not None, "a journal is written within `with`"  # noqa: S101
        line = json.dumps(_bare(asdict(answer)), ensure_ascii=False, separators=(",", ":"))
        _write_all(self._descriptor, line.encode("utf-8", "backslashreplace") + b"\n")
        self.answers[answer.query_id] = answer

    def __enter__(self) -> Journal:
        import fcntl  # noqa: PLC0415 - not on every system

        descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(descriptor)
            raise InputError(
                self.path, None, "another program collects into it", "wait for its end"
            ) from error
        # A line that was cut short would swallow the next one.
        os.ftruncate(descriptor, self._whole)
        os.lseek(descriptor, 0, os.SEEK_END)
        self._descriptor = descriptor
        if not self._whole:
            _write_all(descriptor, json.dumps(self._head, sort_keys=True).encode() + b"\n")
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        if self._descriptor is not None:
            os.fsync(self._descriptor)
            os.close(self._descriptor)
            self._descriptor = None

    def _read(self) -> None:
        head, self._whole, answers = _read(self.path)
        if head is not None and head != self._head:
            raise InputError(
                self.path, 1, "holds answers to other settings, or of another depth", _OTHERWISE
            )
        self.answers = {answer.query_id: answer for answer in answers}


def answers_in(path: Path) -> list[Answer]:
    """The answers of a journal, the last one of each query. Raises `InputError`."""
    _head, _whole, answers = _read(path)
    return list({answer.query_id: answer for answer in answers}.values())


def _read(path: Path) -> tuple[dict[str, Any] | None, int, list[Answer]]:
    """The first line, None where there is none; the bytes of whole lines; and all answers."""
    data = path.read_bytes()
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
    return head, whole, answers


def _answer(record: Mapping[str, Any]) -> Answer:
    hits = tuple(Hit(**hit) for hit in record.get("hits", ()))
    return Answer(**{**record, "hits": hits})


def _bare(record: dict[str, Any]) -> dict[str, Any]:
    """Without what is as usual: a long collection is long enough."""
    hits = [{n: v for n, v in hit.items() if v not in (None, "")} for hit in record["hits"]]
    return {**record, "hits": hits}


def _write_all(descriptor: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(descriptor, left) :]
