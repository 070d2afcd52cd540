"""What this machine has not enough of to ask so many at once: open files, processes, memory. That
is no failure of a system, and of none of its queries."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager

from judge_tui.errors import JudgeTuiError

__all__ = ["LackError", "telling_lack"]

_MENDS = {
    errno.EMFILE: "give a smaller -j, or raise the limit of this shell: ulimit -n 4096",
    errno.ENFILE: "give a smaller -j, or end other programs",
    errno.EAGAIN: "give a smaller -j, or end other programs",
    errno.ENOMEM: "give a smaller -j, or end other programs",
}


class LackError(JudgeTuiError):
    """There is not enough of something here at the moment: with fewer at once there may be."""

    def note(self, at_once: int) -> str:
        """What is to be known of work that so many at once were wanted for, and that fewer did."""
        return f"not all of -j {at_once} were asked at once: {self}"


@contextmanager
def telling_lack() -> Iterator[None]:
    """Raise `LackError` in place of whatever is raised for want of these."""
    try:
        yield
    except LackError:
        raise
    except Exception as error:
        if (number := _lacking(error)) is None:
            raise
        raise LackError(f"this machine says: {os.strerror(number)}", _MENDS[number]) from error


def _lacking(error: BaseException) -> int | None:
    """The number of the error that it comes from, where it is one of these: libraries put errors of
    their own before it."""
    if isinstance(error, OSError) and error.errno in _MENDS:
        return error.errno
    inner = [error.__cause__ or error.__context__]
    if isinstance(error, BaseExceptionGroup):
        inner += error.exceptions
    return next((found for one in inner if one and (found := _lacking(one)) is not None), None)
