"""How a reader says what is wrong with a file: with the line, the fact and the way to mend it."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, SupportsIndex, TypeAlias

from judge_tui.errors import InputError

if TYPE_CHECKING:
    from judge_tui.formats.judgments import GradeDecision, Labels

Problems: TypeAlias = Callable[[InputError], None]
"""Called with each problem of a file; the row it is about is left out, and reading goes on."""

_SHOWN = 60


class RecordError(Exception):
    """A row or record that cannot be used: what is wrong with it and how to mend it. `line`: where,
    if that is not where the record begins."""

    def __init__(self, what: str, mend: str, line: SupportsIndex | None = None) -> None:
        super().__init__(what, mend)
        self.what = what
        self.mend = mend
        self.line = line


class UnreadableError(InputError):
    """The file as a whole, or the rest of it, cannot be read: there are no more rows."""


class Reporter:
    """Where a reader reports the problems of one file.

    Without `problems` the first report is raised; with it each is handed over and reading goes on.
    `labels`: what stands in the file in place of grades (see `grade_in`); `grades`: what has stood
    for one so far, and what it means.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        problems: Problems | None = None,
        labels: Labels | None = None,
    ) -> None:
        self.path = path
        self.count = 0
        self.labels = labels
        self.grades: dict[str, GradeDecision] = {}
        self._problems = problems

    def __call__(self, line: SupportsIndex | None, what: str, mend: str = "") -> None:
        self.pass_on(InputError(self.path, line, what, mend))

    def refuse(self, error: RecordError, line: SupportsIndex | None, within: str = "") -> None:
        """Report what is wrong with the record that begins on `line`; `within`: the name of the
        part of it that is."""
        what = f"{within}: {error.what}" if within else error.what
        self(line if error.line is None else error.line, what, error.mend)

    def pass_on(self, error: InputError) -> None:
        """Report an error that already knows its place."""
        self.count += 1
        if self._problems is None:
            raise error
        self._problems(error)


def quoted(text: str | bytes) -> str:
    """Foreign text as it is quoted in a message: on one line, at most about 60 characters.

    It is not made safe for a terminal: whoever prints the message does that, once, with `visible`.
    """
    if isinstance(text, bytes):
        text = text[: 4 * _SHOWN + 4].decode("utf-8", "backslashreplace")
    if len(text) > _SHOWN:
        text = text[: _SHOWN - 1] + "…"
    return f"'{text}'"


def decoded(raw: bytes, line: int, report: Reporter) -> str | None:
    """`raw`, a whole line, as text; if it is not UTF-8, None, and the byte is reported."""
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        report.pass_on(not_utf8(report.path, raw, error.start, line))
        return None


def not_utf8(path: str | os.PathLike[str], data: bytes, at: int, first_line: int = 1) -> InputError:
    """Return the error of `data`, which begins with `first_line` and whose byte `at` is no
    UTF-8."""
    begin = data.rfind(b"\n", 0, at) + 1
    return InputError(
        path,
        first_line + data.count(b"\n", 0, at),
        f"byte {at - begin + 1} of the line (0x{data[at]:02X}) is not valid UTF-8",
        "save the file as UTF-8, e.g. with iconv -f cp1252 -t utf-8",
    )
