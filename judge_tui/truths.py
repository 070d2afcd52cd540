"""What is right for a query where an answers file says it, as data: places, patterns, truths, and
what is to come first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from judge_tui.errors import UsageError
from judge_tui.model import lines_named

_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Place:
    """A path, and its lines from `start` to `end`, both among them; None where all are meant."""

    path: str
    lines: tuple[int, int] | None = None

    def overlaps(self, other: Place) -> bool:
        """Whether they have a line in common. A whole file has one with any of its lines."""
        if self.path != other.path:
            return False
        if self.lines is None or other.lines is None:
            return True
        return self.lines[0] <= other.lines[1] and other.lines[0] <= self.lines[1]


def place_of(doc_id: str) -> Place:
    """Of a doc_id: `path`, `path:line`, `path:start-end`, `path#L1-L9`. A leading `./` is dropped;
    else paths are what they are written as: `src\\a.py` and `/home/ann/src/a.py` are not
    `src/a.py`."""
    path, lines = lines_named(doc_id)
    if lines is not None and lines[0] > lines[1]:
        path, lines = doc_id, None
    return Place(path.removeprefix("./"), lines)


class Pattern(Protocol):
    """A compiled pattern of the package `regex`, whose search can be given a limit."""

    @property
    def pattern(self) -> str: ...
    def search(self, string: str, /, *, timeout: float) -> object | None: ...


def found_in(pattern: Pattern, doc_id: str) -> bool:
    """Whether a pattern is found anywhere in an id. Raises `UsageError` where that does not come to
    an end: some patterns, `(a+)+$`, try every way in which they can match."""
    try:
        return pattern.search(doc_id, timeout=_SECONDS) is not None
    except TimeoutError:
        raise UsageError(
            f"pattern {pattern.pattern!r} takes longer than {_SECONDS:g} s on the id"
            f" {doc_id!r:.70}",
            "simplify it: write a+ for (a+)+",
        ) from None


@dataclass(frozen=True, slots=True)
class Truth:
    """One right answer and its grade: a `pattern` that is sought in doc_ids, or a `place`, which a
    result overlaps. `written` is what the answers file says, by which it is told."""

    written: str
    grade: int = 1
    pattern: Pattern | None = None
    place: Place | None = None

    @property
    def key(self) -> str:
        """A text that no other truth of the query has: a pattern may read like a path."""
        return self.written if self.pattern is None else f"/{self.written}/"

    def matches(self, doc_id: str) -> bool:
        """Whether a result is right by this: the pattern is found anywhere in its id; or its path
        is the same and it has a line in common, which a whole file has with any of its lines."""
        if self.pattern is not None:
            return found_in(self.pattern, doc_id)
        # Nearly no result gets any further, and there may be millions.
        if self.place is None or self.place.path not in doc_id:
            return False
        return self.place.overlaps(place_of(doc_id))


Truths: TypeAlias = Mapping[str, Sequence[Truth]]
"""query_id -> its truths, one or more, no two of them the same."""


@dataclass(frozen=True, slots=True)
class Prefer:
    """Something of the `better` kind is to come before anything of the `worse` kind: patterns that
    are sought anywhere in a doc_id."""

    better: Pattern
    worse: Pattern

    @property
    def written(self) -> dict[str, str]:
        """As files say it."""
        return {"better": self.better.pattern, "worse": self.worse.pattern}

    def met_by(self, doc_ids: Sequence[str]) -> bool:
        """Whether the list, best first, has a better document before any worse one; one that is
        both stands before neither."""
        for doc_id in doc_ids:
            if found_in(self.worse, doc_id):
                return False
            if found_in(self.better, doc_id):
                return True
        return False

    def decided_by(self, doc_ids: Iterable[str]) -> bool:
        """Whether no result behind these, the first of a list, can change what is said of it."""
        return any(found_in(one, doc_id) for doc_id in doc_ids for one in (self.better, self.worse))


@dataclass(frozen=True, slots=True)
class Authority:
    """The list is to begin with the highest source that it has any result of; `sources`, the
    highest first, are patterns that are sought anywhere in a doc_id."""

    sources: tuple[Pattern, ...]

    @property
    def written(self) -> list[str]:
        """As files say it."""
        return [source.pattern for source in self.sources]

    def met_by(self, doc_ids: Sequence[str]) -> bool:
        """Whether result 1 of the list, best first, is from the highest source in it; not where no
        source has a result."""
        for source in self.sources:
            if any(found_in(source, doc_id) for doc_id in doc_ids):
                return found_in(source, doc_ids[0])
        return False

    def decided_by(self, doc_ids: Iterable[str]) -> bool:
        """Whether no result behind these, the first of a list, can change what is said of it."""
        return any(found_in(self.sources[0], doc_id) for doc_id in doc_ids)


OrderDemand: TypeAlias = Prefer | Authority
OrderDemands: TypeAlias = Mapping[str, Mapping[str, OrderDemand]]
"""query_id -> `prefer` or `authority` -> what is to come first."""
