"""The replies of one system as they came, a line of JSON each: what interrupted work goes on from.

The first line says to which settings they were given, and lines like it what the system was found
to be from there on, that nobody asked it any more, or that what had come was written into the run;
a line that a crash cut short is passed over.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Any, Generic, NamedTuple, Self, TypeVar

from judge_tui.collect.reply import Hit, Reply
from judge_tui.errors import InputError
from judge_tui.formats.problems import quoted

__all__ = ["HEAD", "REPLIES", "WRITTEN", "Differs", "Journal", "JournalOf", "Said", "replies_in"]

Key = TypeVar("Key", bound=Hashable)
Record = TypeVar("Record")
Differs = Callable[[Mapping[str, Any]], str]
"""Of the head of a journal that is there, which settings were others; empty where nothing tells."""

REPLIES = ".answers.jsonl"
"""What the name of the replies of a live system has in place of `.run`."""

HEAD = "judge_tui"
"""What a line that is no reply has: the first one does, and some behind it."""

WRITTEN = "written"
"""What such a line has behind the replies that were all there when the run was written."""

SAID = "said"
"""What such a line has beside it: what was said of each query that had no id of its own, but for
its text (`said_of_queries.said_of`), by query_id."""

_VERSION = 1
_FOUND = ("identity", "mark")
"""What such lines say of the system that was found, and not of how it is asked."""

_OTHERWISE = "use another folder with -o, or --again to begin anew"


class Said(NamedTuple):
    """What a system says that it is: the `text` as it may be shown, and a `mark` of what was really
    said, which tells it from all else that is shown so; empty where nothing of it is hidden."""

    text: str
    mark: str = ""

    def is_as(self, before: Said) -> bool:
        """Whether the same was said `before`: what is hidden goes by the name of a secret, whatever
        its value was, and a version before this one kept no mark of it."""
        if before.mark:
            return self.mark == before.mark
        return self.text == before.text

    def after(self, before: Said) -> str:
        """It, as it is told behind what was said `before`, which is not the same."""
        hidden = " with another value for what is hidden in it" if self.text == before.text else ""
        return f"{quoted(self.text)}{hidden}"


class JournalOf(Generic[Key, Record]):
    """An append-only file of records, within `with` open for writing. What a record is, and what it
    is known by, its subclasses say.

    `records`: key -> the last record of that key.
    """

    def __init__(
        self,
        path: Path,
        head: Mapping[str, Any],
        *,
        begin_anew: bool = False,
        differs: Differs = lambda _head: "",
    ) -> None:
        """Read what is there, unless it is to be forgotten. Raises `InputError` where it is of
        other settings than `head`, which are told by `differs`."""
        self.path = path
        self.records: dict[Key, Record] = {}
        self._head = {HEAD: _VERSION, **head}
        self._identities: dict[str, Said] = {}
        self._identity = Said("")
        self._is_known = False
        self._of_unknown: set[Key] = set()
        self._mark: dict[str, str] = {}
        self._found: dict[str, Any] = {}
        self._is_written = False
        self._said: dict[str, Any] | None = None
        self._descriptor: int | None = None
        self._whole = self._size = 0
        self._begin_anew = begin_anew
        self._differs = differs
        if not begin_anew and _is_there(path):
            self._read()

    def be_of(self, expected: str, identity: Said) -> None:
        """Note what the system was found to be by a pattern, which is empty where it is not asked.
        Raises `InputError` where the replies that are there came from what was found to be another
        one: something else by the same pattern, or by another one what is no part of this in whole
        words, nor has it as one, or had something in it that is hidden, of which that is not
        known."""
        if not expected:
            if self._is_known:
                self._found["identity"] = None
            self._is_known = False
            return
        for pattern, before in self._identities.items():
            alike = identity.is_as(before)
            if pattern != expected and not before.mark:
                alike = _is_part(before.text, identity.text) or _is_part(identity.text, before.text)
            if alike:
                continue
            as_it_was = (
                "" if pattern == expected else f", or write expect = {quoted(pattern)} again"
            )
            raise InputError(
                self.path,
                None,
                f"holds answers of a system that said {quoted(before.text)}, and now it says"
                f" {identity.after(before)}",
                f"{_OTHERWISE}{as_it_was}",
            )
        if not self._is_known or self._identities.get(expected) != identity:
            self._found["identity"] = [expected, *(identity if identity.mark else identity[:1])]
        self._identities[expected] = self._identity = identity
        self._is_known = True

    def still_of(self, identity: Said) -> None:
        """Note, within `with`, what the system is found to be when it has been asked. Raises
        `InputError` where it was another one before: which replies are of which is not known, and
        they are not read again."""
        if identity != self._identity:
            self._write({HEAD: _VERSION, "exchanged": [self._identity.text, identity.text]})
            raise self._of_two(self._identity, identity)

    def identity_of(self, keys: Collection[Key]) -> tuple[str, tuple[str, ...]]:
        """What the system was found to be whose replies these are, empty where that is not known of
        all of them; and what is to be told where it is known of some."""
        unknown = sum(key in self._of_unknown for key in keys)
        if not (unknown and self._identities):
            return self._identity.text, ()
        return "", (
            f"{unknown:,} of {len(keys):,} answers came while there was no identify, and may be of"
            f" another index than that of {quoted(self._identity.text)}; --again asks anew",
        )

    @property
    def mark(self) -> dict[str, str]:
        """What the system whose replies are there is known again by; {} where nothing is, or where
        there are none."""
        return dict(self._mark) if self.records else {}

    def be_like(self, mark: Mapping[str, str], changed: str) -> None:
        """Note what the system is known again by. Raises `InputError` where that has `changed`."""
        if changed:
            what = f"holds answers of another model: {changed}"
            raise InputError(self.path, 1, what, _OTHERWISE)
        if mark and not self.mark:
            self._found["mark"] = self._mark = dict(mark)

    def still_like(self, changed: str) -> None:
        """Note, within `with`, why the system is another one than before when it has been asked,
        empty where it is not. Raises `InputError` where it is, as `still_of` does."""
        if changed:
            self._write({HEAD: _VERSION, "changed": changed})
            raise self._of_two_models(changed)

    def add(self, record: Record) -> None:
        """Write a record; when this returns, the end of this process loses nothing of it.
        Raises `InputError` where it cannot be written."""
        self._write(self.line(record))
        self._take(record)

    def note_written(self, said: Mapping[str, Mapping[str, Any]]) -> None:
        """Note, within `with`, that all that is there has been written out, and what was `said` of
        the queries (`asked_beside.SAID`), unless it is noted. Raises `InputError` where it cannot
        be."""
        if not self._is_written or said != self._said:
            self._said = {**said}
            self._write({HEAD: _VERSION, WRITTEN: True, SAID: self._said})
            self._is_written = True

    @staticmethod
    def key(record: Record) -> Key:
        """What the record is known by."""
        raise NotImplementedError

    @staticmethod
    def is_same(before: Record, record: Record) -> bool:
        """Whether there is the same reply in both, and nobody was asked for the second one."""
        return before == record

    @staticmethod
    def line(record: Record) -> dict[str, Any]:
        """The record as JSON."""
        raise NotImplementedError

    @staticmethod
    def record(line: Mapping[str, Any]) -> Record:
        """What `line` made. Raises `ValueError`, `TypeError`, `KeyError` or `AttributeError`."""
        raise NotImplementedError

    def hold(self) -> None:
        """Hold it against a second writer, until the end of `with`; nothing in it changes by that.
        Raises `InputError` where another one has it, or has added to it."""
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
        self._descriptor = descriptor

    def __enter__(self) -> Self:
        if self._descriptor is None:
            self.hold()
        descriptor = self._descriptor
        assert descriptor is not None, "it is held"  # noqa: S101
        # A line that was cut short would swallow the next one.
        os.ftruncate(descriptor, self._whole)
        os.lseek(descriptor, 0, os.SEEK_END)
        try:
            if not self._whole:
                self._write({**self._head, **self._found})
            elif self._found:
                self._write({HEAD: _VERSION, **self._found})
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
        lines, self._whole, self._size = _read(self.path)
        if lines and {n: v for n, v in lines[0][1].items() if n not in _FOUND} != self._head:
            others = (
                "settings, from another address, out of other files, of another depth or by an"
                " earlier version, which read a setting otherwise"
            )
            if told := self._differs(lines[0][1]):
                others = f"settings: {told}"
            raise InputError(self.path, 1, f"holds answers to other {others}", _OTHERWISE)
        for number, line in lines:
            with _told_of(self.path, number):
                if HEAD in line:
                    self._take_head(line)
                else:
                    self._take(self.record(line))

    def _take_head(self, head: Mapping[str, Any]) -> None:
        if "identity" in head:
            self._is_known = head["identity"] is not None
        if head.get("identity"):
            expected, *identity = head["identity"]
            self._identity = Said(*identity)
            self._identities[expected] = self._identity
        if "mark" in head:
            self._mark = self.mark or dict(head["mark"])
        if WRITTEN in head:
            self._is_written, self._said = True, head.get(SAID)
        if "exchanged" in head:
            raise self._of_two(*map(Said, head["exchanged"]))
        if "changed" in head:
            raise self._of_two_models(head["changed"])

    def _take(self, record: Record) -> None:
        key = self.key(record)
        before = self.records.get(key)
        if before is None or not self.is_same(before, record):
            (self._of_unknown.discard if self._is_known else self._of_unknown.add)(key)
        self.records[key] = record
        self._is_written = False

    def _of_two(self, before: Said, now: Said) -> InputError:
        return InputError(
            self.path,
            None,
            "holds answers of a system that was exchanged while it was asked: it said"
            f" {quoted(before.text)} at the start, and {now.after(before)} at the end",
            _OTHERWISE,
        )

    def _of_two_models(self, changed: str) -> InputError:
        what = f"holds answers of a system whose model was exchanged while it was asked: {changed}"
        return InputError(self.path, None, what, _OTHERWISE)


class Journal(JournalOf[str, Reply]):
    """The replies of a search system, by query_id."""

    @staticmethod
    def key(record: Reply) -> str:
        """Its query."""
        return record.query_id

    @staticmethod
    def line(record: Reply) -> dict[str, Any]:
        """Without what is as usual: a long collection is long enough."""
        line = asdict(record)
        hits = [{n: v for n, v in hit.items() if v not in (None, "")} for hit in line["hits"]]
        return {**line, "hits": hits}

    @staticmethod
    def record(line: Mapping[str, Any]) -> Reply:
        """The reply, whole again."""
        hits = tuple(Hit(**hit) for hit in line.get("hits", ()))
        return Reply(**{**line, "hits": hits})


def replies_in(path: Path) -> list[Reply]:
    """The replies of a search system's journal, the last one of each query. Raises `InputError`."""
    lines, _whole, _size = _read(path)
    replies = {}
    for number, line in lines:
        with _told_of(path, number):
            if HEAD not in line:
                replies[line["query_id"]] = Journal.record(line)
    return list(replies.values())


def _read(path: Path) -> tuple[list[tuple[int, Any]], int, int]:
    """The number of each line and what it holds, the first of which is no record; the bytes of
    whole lines, and of all."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(
            path, None, f"cannot be read: {error.strerror or error}", _OTHERWISE
        ) from error
    whole = data.rfind(b"\n") + 1
    lines = []
    for number, raw in enumerate(data[:whole].split(b"\n")[:-1], 1):
        with _told_of(path, number):
            line = json.loads(raw)
            if (number == 1 or HEAD in line) and line[HEAD] != _VERSION:
                raise ValueError
            lines.append((number, line))
    return lines, whole, len(data)


@contextlib.contextmanager
def _told_of(path: Path, number: int) -> Iterator[None]:
    try:
        yield
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise InputError(path, number, "is no line of collected answers", _OTHERWISE) from error


def _is_part(part: str, whole: str) -> bool:
    """Whether it stands there as it is: v1 is no part of v12, nor of v1.2."""
    return bool(re.search(rf"(?<!\w)(?<!\w\.){re.escape(part)}(?!\.?\w)", whole)) or not part


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
