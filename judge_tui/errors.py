"""Every error a user can meet: one line that says what, where and how to mend it.

The command line prints `error: ` and the message, without a traceback, and exits with 2; the app
shows the same sentence on the screen. Anything that is not a `JudgeTuiError` is a bug in judge_tui,
and ends with `CRASHED`.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from operator import index
from typing import SupportsIndex

CRASHED = 70
"""The exit code of a bug in judge_tui, as sysexits.h has it: 1 would say that a gate was not
met."""


class JudgeTuiError(Exception):
    """What went wrong and how to mend it, in one sentence each.

    `what` states the fact ("score 'abc' is not a number"), `mend` what to do about it ("write it as
    a decimal number"). `str()` of the error is the whole line, without the leading `error: `.
    `also`: what else is wrong in the same place, each told in a line of its own.
    """

    def __init__(self, what: str, mend: str = "") -> None:
        self.what = what
        self.mend = mend
        self.also: tuple[JudgeTuiError, ...] = ()
        super().__init__(what, mend)

    def __str__(self) -> str:
        return f"{self.what}; {self.mend}" if self.mend else self.what


class InputError(JudgeTuiError):
    """A file that cannot be used as it is: `FILE:LINE: what; how to mend it`.

    `line` counts from 1, or knows its line as a value in a JSON document does; None where the file
    as a whole is meant (missing, empty, binary).
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        line: SupportsIndex | None,
        what: str,
        mend: str = "",
    ) -> None:
        super().__init__(what, mend)
        self.path = os.fspath(path)
        self.line = None if line is None else index(line)

    def __str__(self) -> str:
        place = self.path if self.line is None else f"{self.path}:{self.line}"
        return f"{place}: {super().__str__()}"


class UsageError(JudgeTuiError):
    """A command or a library call that asks for something that cannot be done as asked."""


class CampaignError(JudgeTuiError):
    """A campaign that cannot be opened, read or written: `FILE: what; how to mend it`, with the
    address of one on a server in place of FILE."""

    def __init__(self, path: str | os.PathLike[str], what: str, mend: str = "") -> None:
        super().__init__(what, mend)
        self.path = os.fspath(path)

    def __str__(self) -> str:
        return f"{self.path}: {super().__str__()}"


class LockedError(CampaignError):
    """Somebody else writes at the moment: the same again may succeed."""


class LostConnectionError(CampaignError):
    """The server cannot be reached: the same again may succeed."""


def in_message(value: object) -> str:
    """A value of a caller's as it stands in a message: on one line, and not at length."""
    return " ".join(repr(value).split())[:70]


def raise_together(errors: Iterable[JudgeTuiError]) -> None:
    """Raise the first of them, with all others and what is in their `also` in its own; nothing
    where there are none."""
    every = [each for one in errors for each in (one, *one.also)]
    if every:
        every[0].also = tuple(every[1:])
        raise every[0]


_NAMED = 100


def check_known(kind: str, name: str, known: Collection[str]) -> None:
    """Raise `unknown` where `name` is not one of `known`."""
    if name not in known:
        raise unknown(kind, name, known)


def unknown(kind: str, name: str, known: Iterable[str]) -> UsageError:
    """The refusal of a name that is not one of `known`: says the nearest one, else all of them, or
    the first of very many.

    `kind` is what the name should have been one of: "policy", "strategy", "judge".
    """
    import difflib  # noqa: PLC0415 - needed only where something went wrong

    names = list(known)
    near = difflib.get_close_matches(name, names, 1)
    if near:
        return UsageError(f"no {kind} {name!r}", f"did you mean {near[0]!r}?")
    some = [*names[:_NAMED], *(["…"] if len(names) > _NAMED else [])]
    return UsageError(f"no {kind} {name!r}", f"known: {', '.join(some)}" if names else "")
