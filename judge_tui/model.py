"""The nouns of search evaluation as small frozen dataclasses: no I/O, the standard library alone,
and every room may depend on it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from judge_tui.errors import UsageError

Pair: TypeAlias = tuple[str, str]
"""(query_id, doc_id)"""

Qrels: TypeAlias = Mapping[str, Mapping[str, int]]
"""Final grades: query_id -> doc_id -> grade. A negative grade means pooled but not judged."""


@dataclass(frozen=True, slots=True)
class Query:
    """One information need (TREC: topic). `query_class` is the class that slices are made by.
    `own_id`: False of an id that its file does not give it, but which stands for its place there.
    """

    query_id: str
    text: str
    description: str = ""
    narrative: str = ""
    query_class: str = ""
    meta: Mapping[str, Any] = field(default_factory=dict)
    own_id: bool = field(default=True, compare=False)


@dataclass(frozen=True, slots=True)
class Document:
    """One thing that can be retrieved. An empty `text` means that only the id is known."""

    doc_id: str
    title: str = ""
    text: str = ""
    url: str = ""
    kind: str = ""
    meta: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Run:
    """One system's ranked lists: query_id -> doc_id -> score, named by its `tag`.

    `asked`: queries that the system is known to have been asked. One of them without results counts
    as nothing found; of any other nobody knows whether the run was to answer it.
    """

    tag: str
    scores: Mapping[str, Mapping[str, float]]
    asked: frozenset[str] = frozenset()


def composed(text: str) -> str:
    """In NFC of Unicode: texts and files of one system come with letters and accents apart (NFD),
    and look the same."""
    if text.isascii():
        return text
    from unicodedata import normalize  # noqa: PLC0415 - start-up is counted, most texts are ASCII

    return normalize("NFC", text)


def rank(scores: Mapping[str, float]) -> list[str]:
    """The doc_ids of one query, best first: score descending, then doc_id descending.

    This is trec_eval's order (`form_res_rels.c`); the rank column of a run file plays no part in
    it. Code points compare as the bytes of UTF-8 do, so that `str` order is byte order.
    """
    return sorted(scores, key=lambda doc_id: (scores[doc_id], doc_id), reverse=True)


# `src/app.py:10-20` and `:10`; and as addresses of files on the web name lines, `#L10-L20`,
# `#L10-20`, `#L10`, with columns (`#L10C5-L20C8`) or without.
_LINES = re.compile(
    r"(.+?)(?::([0-9]{1,9})|:([0-9]{1,9})-([0-9]{1,9})"
    r"|#L([0-9]{1,9})(?:C[0-9]{1,9})?(?:-L?([0-9]{1,9})(?:C[0-9]{1,9})?)?)",
    re.DOTALL,
)


def lines_named(doc_id: str) -> tuple[str, tuple[int, int] | None]:
    """The path that an id names, and its first and last line; None where it names no lines. Line 0
    is none of a file, but a piece of it where pieces are counted from 0."""
    match = _LINES.fullmatch(doc_id)
    if match is None:
        return doc_id, None
    start = int(match[2] or match[3] or match[5])
    return match[1], (start, int(match[4] or match[6] or start))


@dataclass(frozen=True, slots=True)
class Scale:
    """The grades of a campaign with their labels, least first; grades are the digits 0 to 9."""

    labels: Mapping[int, str]

    @classmethod
    def parse(cls, text: str) -> Scale:
        """Read `"0=not relevant,1=related"`, or `"0-3"` without labels. Raises `UsageError` where
        it says no scale."""
        labels: dict[int, str] = {}
        if grades := re.fullmatch(r"\s*([0-9])\s*-\s*([0-9])\s*", text):
            text = ",".join(map(str, range(int(grades[1]), int(grades[2]) + 1))) or text
        for part in text.split(","):
            digit, sign, label = part.partition("=")
            digit = digit.strip()
            if len(digit) != 1 or digit not in "0123456789" or (sign and not label.strip()):
                raise UsageError(
                    f"scale part {part.strip()!r} is not DIGIT=LABEL",
                    'write the scale as "0=not relevant,1=related,2=relevant,3=perfect"',
                )
            if int(digit) in labels:
                raise UsageError(
                    f"the scale names grade {digit} twice", "give each grade one label"
                )
            labels[int(digit)] = label.strip()
        if len(labels) < 2:
            raise UsageError("the scale has only one grade", "give at least two, from 0 to 9")
        return cls(dict(sorted(labels.items())))

    def off_scale(self, grade: int) -> str:
        """Say, for an error, that the scale has no such grade."""
        return f"grade {grade} is not on the campaign's scale ({', '.join(map(str, self.grades))})"

    @property
    def grades(self) -> tuple[int, ...]:
        """The grades, ascending."""
        return tuple(self.labels)

    def __str__(self) -> str:
        return ",".join(f"{g}={label}" if label else str(g) for g, label in self.labels.items())

    def __contains__(self, grade: object) -> bool:
        return grade in self.labels


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Which arm passed which task, by each of the `checks`.

    `passed`: (check, arm) -> task -> whether it passed; a task that is not there has no outcome.
    `failed`: (check, arm) -> the tasks that count as not passed because they failed.
    """

    tasks: Sequence[str]
    arms: Sequence[str]
    checks: Sequence[str]
    passed: Mapping[tuple[str, str], Mapping[str, bool]]
    failed: Mapping[tuple[str, str], Set[str]] = field(default_factory=dict)


STAND_INS = ("zero", "expected")
"""What may stand for the gain of a document that nobody judged, beside the grades of a model: no
model can be called so."""

DEFAULT_SCALE = Scale.parse("0=not relevant,1=related,2=relevant,3=perfect")
