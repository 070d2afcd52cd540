"""What judges do, as events, and `fold`: the one definition of what holds of them."""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import NamedTuple, TypeAlias


def now() -> str:
    """The time in UTC, as the file keeps it: ISO 8601 with milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:.{0,24}", re.ASCII)
"""The form of what `now` gives."""


DECISIONS = ("grade", "skip", "cannot")
"""The actions that decide a pair for a judge. Put into SQL as it is, a tuple of words reads as a
list of texts."""


Slot: TypeAlias = tuple[int, int, int]
"""Judge, pair (keys) and turn."""


class Event(NamedTuple):
    """One row: what `judge` (a key) did to `pair` (a key of the pool), or undid of it.

    `turn` is 0 where the judge met the pair for the first time, 1 for its hidden repeat. `target`:
    the event that an undo or redo is about. `looked`: seconds. `painted_at`: when it was on the
    screen, None for what came from a file.
    """

    id: str
    judge: int
    pair: int
    action: str
    grade: int | None = None
    note: str = ""
    target: str | None = None
    turn: int = 0
    looked: float | None = None
    painted_at: str | None = None
    written_at: str = ""


EVENT_FIELDS = tuple(one for one in Event._fields if one not in ("id", "judge", "pair"))
"""All of an event but its id, and what it is of, which is called otherwise in every file."""


class State(NamedTuple):
    """What holds of one judge, pair and turn. `decision` is grade, skip, cannot or None; `event` is
    the id of that decision, and `from_file` whether a file gave it.

    To change one's mind is not to judge late: `first_grade` is the id of the first grade that was
    not undone, `first_decision` that of the first decision, which took `first_seconds`;
    `first_in_app`: it was made in the app. `written_at` is of the decision; where there is none, of
    the first flag or comment that was not undone.
    """

    decision: str | None = None
    grade: int | None = None
    flagged: bool = False
    note: str = ""
    seconds: float | None = None
    written_at: str = ""
    from_file: bool = False
    event: str | None = None
    first_grade: str | None = None
    first_decision: str | None = None
    first_seconds: float | None = None
    first_in_app: bool = False

    @property
    def says_nothing(self) -> bool:
        """Whether all that was done was taken back."""
        return self.decision is None and not self.flagged and not self.note


def not_undone(events: Iterable[Event]) -> list[Event]:
    """Those that are neither undone nor an undo or redo, in the order of ids. An undo that was
    redone undoes nothing."""
    ordered = sorted(events, key=lambda event: event.id)
    redone = {event.target for event in ordered if event.action == "redo"}
    undone = {
        event.target for event in ordered if event.action == "undo" and event.id not in redone
    }
    return [
        event
        for event in ordered
        if event.action not in ("undo", "redo") and event.id not in undone
    ]


def fold(events: Iterable[Event]) -> State:
    """What holds of the events of one judge, pair and turn.

    A decision in the app beats any from a file; among equals the latest wins. Exception: a later
    grade from a file beats a skip in the app. A comment in the app beats any from a file, else the
    latest wins. Of flags the latest wins.
    """
    live = not_undone(events)
    decisions = [event for event in live if event.action in DECISIONS]
    decision = _choose(decisions)
    comments = [event for event in live if event.action == "comment"]
    note = _last([event for event in comments if event.painted_at]) or _last(comments)
    flag = _last([event for event in live if event.action in ("flag", "unflag")])
    first = decisions[0] if decisions else None
    graded = next((event for event in decisions if event.action == "grade"), None)
    dated = decision or next((event for event in live if event.action != "adjudicate"), None)
    return State(
        decision=decision.action if decision else None,
        grade=decision.grade if decision else None,
        flagged=flag is not None and flag.action == "flag",
        note=note.note if note else "",
        seconds=decision.looked if decision else None,
        written_at=dated.written_at if dated else "",
        from_file=decision is not None and decision.painted_at is None,
        event=decision.id if decision else None,
        first_grade=graded.id if graded else None,
        first_decision=first.id if first else None,
        first_seconds=first.looked if first else None,
        first_in_app=first is not None and first.painted_at is not None,
    )


def _choose(decisions: list[Event]) -> Event | None:
    in_app = _last([event for event in decisions if event.painted_at])
    from_file = _last([event for event in decisions if not event.painted_at])
    if in_app is None or from_file is None:
        return in_app or from_file
    yields = in_app.action == "skip" and from_file.action != "skip" and from_file.id > in_app.id
    return from_file if yields else in_app


def _last(events: list[Event]) -> Event | None:
    return events[-1] if events else None


_COUNTER_BITS = 12
_RANDOM_BITS = 62


def next_event_id(last: str | None) -> str:
    """A new UUIDv7, as text, greater than `last` (the greatest id in the file; None: no event)."""
    milliseconds = time.time_ns() // 1_000_000
    # The counter starts in its lower half, at random, to leave room for counting on.
    counter = secrets.randbits(_COUNTER_BITS - 1)
    if last is not None:
        value = int(last.replace("-", ""), 16)
        last_milliseconds = value >> 80
        if last_milliseconds >= milliseconds:
            milliseconds = last_milliseconds
            counter = ((value >> 64) & ((1 << _COUNTER_BITS) - 1)) + 1
            if counter >> _COUNTER_BITS:
                milliseconds, counter = milliseconds + 1, 0
    fresh = (
        milliseconds << 80 | 7 << 76 | counter << 64 | 0b10 << 62 | secrets.randbits(_RANDOM_BITS)
    )
    # By hand in half the time that uuid.UUID takes: a million come with a file of grades.
    digits = f"{fresh:032x}"
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))
